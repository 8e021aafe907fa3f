from __future__ import annotations

import pytest

from obsidian_digest import config
from obsidian_digest.errors import ConfigError


def test_the_default_file_says_the_defaults():
    assert config.parse(config.default_text()) == config.Config()


def test_an_empty_file_is_all_defaults():
    assert config.parse("") == config.Config()


def test_a_value_in_the_file_beats_the_default():
    read = config.parse('[arxiv]\ncategories = ["math.CO"]\n[digest]\ntop = 5\n')
    assert (read.arxiv.categories, read.digest.top) == (("math.CO",), 5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[digest]\nmin_star = 3", "unknown key in [digest]: min_star (did you mean min_stars?)"),
        ("[diggest]\n", "unknown section: diggest (did you mean digest?)"),
        ('[digest]\ntop = "20"', 'digest.top must be a whole number, not "20"'),
        ("[digest]\ntop = true", "digest.top must be a whole number, not true"),
        ("[digest]\nmin_stars = 9", "digest.min_stars must be 0 to 5"),
        ('[arxiv]\ncategories = "cs.AI"', "arxiv.categories must be a list of texts"),
        ('[arxiv]\ncategories = ["AI papers"]', '"AI papers" is no arXiv category'),
        ('[arxiv]\nsource = "web"', '"web" is not auto, rss, listing, api or oai'),
        ('[names]\npaper = "{title}"', 'names.paper: "{title}" must hold {id}'),
        ('[names]\ndigest = "{day}"', 'names.digest: "{day}" must hold {date}'),
        ('[folders]\npapers = "../out"', 'folders.papers: "../out" is no name'),
        ('[folders]\npapers = ".obsidian/x"', "is no name that every system and link allows"),
        ('[notes]\ntags = ["cs.LG"]', '"cs.LG" is no tag'),
        ('[notes]\ntags = ["2026"]', '"2026" is no tag'),
        ("top = 20", "unknown section: top"),
        ("[digest\n", "it is not valid TOML"),
    ],
)
def test_each_mistake_has_its_sentence(text: str, sentence: str):
    with pytest.raises(ConfigError) as caught:
        config.parse(text)
    assert sentence in str(caught.value)


def test_all_problems_are_told_at_once():
    with pytest.raises(ConfigError) as caught:
        config.parse('[digest]\ntop = 0\nlanguge = "en"\n[notes]\ntags = ["a b"]')
    assert len(caught.value.problems) == 3
    assert "has 3 problem(s)" in str(caught.value)


def test_a_series_of_the_readers_own_can_be_continued():
    read = config.parse('[names]\ndigest = "arxiv-{date}-agent-llm"')
    assert read.names.digest.format(date="2026-08-20") == "arxiv-2026-08-20-agent-llm"
