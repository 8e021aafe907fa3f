from __future__ import annotations

import pytest

from obsidian_digest import config
from obsidian_digest.errors import ConfigError
from obsidian_digest.note.names import LONGEST_NAME, file_stem, id_in


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
        (
            '[names]\npaper = "{title} {id!r}"',
            'names.paper: "{title} {id!r}" must hold {id} (known',
        ),
        ('[names]\npaper = "{id} {{x}}"', "no other braces"),
        (
            '[names]\ndigest = "{date!z}"',
            'names.digest: "{date!z}" must hold {date} (known: {date})',
        ),
        ('[names]\ndigest = "d {date:>99}"', "no other braces"),
        ('[names]\ndigest = "{date}"', "is what daily and weekly notes are called; add a word"),
        ('[names]\nweek = "{week}."', "is what daily and weekly notes are called; add a word"),
        ('[names]\ndigest = "{date}/x"', 'names.digest: "{date}/x" is no name'),
        ('[names]\ndigest = "`{date}` x"', "is no name that every system and link allows"),
        (f'[names]\ndigest = "{{date}} {"x" * 124}"', "makes file names of more than 134 bytes"),
        (f'[names]\npaper = "{{title}} {{id}} {"é" * 49}"', "file names of more than 134 bytes"),
        ('[folders]\npapers = "CON"', 'folders.papers: "CON" is no name'),
        ('[folders]\nthemes = "a/nul.x"', 'folders.themes: "a/nul.x" is no name'),
        ('[folders]\npapers = "a /b"', 'folders.papers: "a /b" is no name'),
        ('[folders]\npapers = "a/b."', 'folders.papers: "a/b." is no name'),
        ('[folders]\npapers = "a//b"', 'folders.papers: "a//b" is no name'),
        ('[folders]\npapers = "a%%b"', 'folders.papers: "a%%b" is no name'),
        ('[folders]\npapers = "a$b"', 'folders.papers: "a$b" is no name'),
        (f'[folders]\npapers = "{"x" * 200}"', "is no name"),
        ('[notes]\nmoc = "Maps/MOC"', 'notes.moc: "Maps/MOC" is no name'),
        ('[notes]\nmoc = ""', 'notes.moc: "" is no name'),
        ('[notes]\nhome = "Maps/Home"', 'notes.home: "Maps/Home" is no name'),
        ('[notes]\ninterests = ""', 'notes.interests: "" is no name'),
        ('[folders]\npapers = "../out"', 'folders.papers: "../out" is no name'),
        ('[folders]\npapers = ".obsidian/x"', "is no name that every system and link allows"),
        ("[ranking]\nexplore = 4", "ranking.explore must be 0 to 3"),
        ("[ranking]\nexplore = -1", "ranking.explore must be 0 to 3"),
        ("[ranking]\nexplor = 1", "unknown key in [ranking]: explor (did you mean explore?)"),
        ('[ranking]\ncorpus = "Projects"', "ranking.corpus must be a list of texts"),
        ("[ranking]\ncorpus = [1]", "ranking.corpus must be a list of texts"),
        ('[ranking]\ncorpus = [""]', 'ranking.corpus: "" is no folder of the vault'),
        ('[ranking]\ncorpus = ["/a"]', 'ranking.corpus: "/a" is no folder of the vault'),
        ('[ranking]\ncorpus = ["a/"]', 'ranking.corpus: "a/" is no folder of the vault'),
        ('[ranking]\ncorpus = ["../a"]', 'ranking.corpus: "../a" is no folder of the vault'),
        ('[ranking]\ncorpus = [".obsidian"]', '".obsidian" is no folder of the vault'),
        ("[ranking]\ncorpus = ['a\\b']", "is no folder of the vault (like Projects"),
        ("[arxiv]\ncategories = []", "arxiv.categories must be a list of texts"),
        ('[notes]\ntags = ["cs.LG"]', '"cs.LG" is no tag'),
        ('[notes]\ntags = ["2026"]', '"2026" is no tag'),
        ("top = 20", "unknown section: top"),
        ("[digest\n", "it is not valid TOML"),
        ("a = " + "[" * 3000, "it is not valid TOML"),
        ("a = " + "9" * 5000, "it is not valid TOML"),
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


def test_names_that_only_look_dangerous_are_allowed():
    read = config.parse(
        '[names]\npaper = "{id} {title}"\ndigest = "日报 {date}"\n'
        '[folders]\npapers = ""\ndigests = "Console/50% off"\n[notes]\nhome = ""\n'
    )
    assert (read.folders.papers, read.folders.digests) == ("", "Console/50% off")
    assert read.notes.home == ""


def test_the_corpus_may_be_empty_and_its_folders_may_be_called_as_folders_are():
    assert config.parse("[ranking]\ncorpus = []\n").ranking == config.Ranking()
    read = config.parse('[ranking]\ncorpus = ["C# notes", "项目/智能体"]\nexplore = 3')
    assert read.ranking == config.Ranking(corpus=("C# notes", "项目/智能体"), explore=3)


def test_the_longest_pattern_still_leaves_a_title_and_the_id_in_a_paper_notes_name():
    frame = "x" * (134 - len("Reasoning with words") - len("quant-ph-0201082") - 2)
    pattern = f"{frame} {{title}} {{id}}"
    config.parse(f'[names]\npaper = "{pattern}"')
    stem = file_stem("Reasoning with many more words", "quant-ph/0201082", pattern)
    assert stem.startswith(f"{frame} Reasoning with")
    assert id_in(stem) == "quant-ph/0201082"
    assert len(f"{stem} 99.md".encode()) <= LONGEST_NAME
