from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from obsidian_digest.core.notes.base_file import base_text
from obsidian_digest.core.vault.render import Words
from obsidian_digest.edge.templates import Templates

if TYPE_CHECKING:
    from pathlib import Path

PROPERTIES = {"relevance", "theme", "published", "reading", "rating", "arxiv_id", "file.name"}


def loaded(language: str, tmp_path: Path) -> dict[str, Any]:
    return yaml.safe_load(base_text(Words(Templates(tmp_path).words(language))))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_base_is_yaml_with_the_keys_that_obsidian_knows(language: str, tmp_path: Path):
    base = loaded(language, tmp_path)
    assert base.keys() == {"filters", "formulas", "properties", "views"}
    for view in base["views"]:
        assert view.keys() <= {"type", "name", "filters", "groupBy", "order", "sort", "limit"}
        assert view["type"] == "table"
        assert set(view["order"]) <= PROPERTIES | {"formula.arxiv"}
        assert {each["property"] for each in view["sort"]} <= PROPERTIES
        assert {each["direction"] for each in view["sort"]} <= {"ASC", "DESC"}
        assert len(view.get("filters", {"and": 1})) == 1
    assert len({view["name"] for view in base["views"]}) == 4


def test_papers_are_found_by_their_properties_wherever_they_lie(tmp_path: Path):
    base = loaded("en", tmp_path)
    assert base["filters"]["and"][:2] == [
        'file.hasProperty("arxiv_id")',
        'file.hasProperty("arxiv_version")',
    ]
    assert "file.inFolder" not in str(base)
    assert "ctime" not in str(base)


def test_it_shows_the_newest_papers_by_theme_the_unread_and_the_best(tmp_path: Path):
    names = [view["name"] for view in loaded("en", tmp_path)["views"]]
    assert names == ["Newest", "By theme", "Unread", "Best"]
    assert loaded("zh", tmp_path)["views"][0]["name"] == "最新"
