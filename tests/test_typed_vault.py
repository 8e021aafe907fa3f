"""Runs in a vault whose `types.json` has other ideas of our properties, and beside copies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from obsidian_digest.note import header
from tests.small_days import SmallDays, small_days
from tests.vaults import dangling, notes, stamps

if TYPE_CHECKING:
    from pathlib import Path

TYPES = {
    "Authors": "text",
    "related": "text",
    "theme": "multitext",
    "title": "multitext",
    "published": "datetime",
    "relevance": "text",
    "reading": "checkbox",
    "arxiv_id": "number",
    "tags": "tags",
}


def typed(root: Path) -> SmallDays:
    days = small_days(root)
    types = json.dumps({"types": TYPES})
    (days.vault / ".obsidian" / "types.json").write_text(types, "utf-8")
    return days


def papers(days: SmallDays) -> dict[str, header.Properties]:
    every = notes(days.vault)
    return {name: header.read(text) for name, text in every.items() if "/Papers/" in name}


def test_notes_follow_the_vaults_types_and_the_reader_is_told(tmp_path: Path):
    days = typed(tmp_path)
    answer = json.loads(days.run(days.first, "--json").out)
    told = [sentence for sentence in answer["warnings"] if "notes of ours carry" in sentence]
    assert [sentence.split("`")[1] for sentence in told] == ["authors", "related", "reading"]
    for properties in papers(days).values():
        assert properties.keys() & {"authors", "related", "reading"} == set()
        assert isinstance(properties["title"], tuple)
        assert str(properties["published"]).endswith("T00:00:00")
        assert isinstance(properties["arxiv_authors"], tuple)
        assert properties["arxiv_reading"] == "unread"
    assert all('\nrelevance: "' in notes(days.vault)[name] for name in papers(days))


def test_later_runs_find_and_mend_what_stands_under_other_names(tmp_path: Path):
    days = typed(tmp_path)
    days.run(days.first)
    plain = small_days(tmp_path / "plain")
    for each in (days, plain):
        each.run(plain.first)
        each.run(plain.second)
    assert dangling(days.vault) == []
    ours, others = papers(days), papers(plain)
    assert ours.keys() == others.keys()
    for name, properties in ours.items():
        assert properties["arxiv_related"] == others[name]["related"]
        assert header_theme(properties) == header_theme(others[name])
    themed = [name for name, properties in ours.items() if properties["theme"]]
    assert themed
    before = stamps(days.vault)
    days.run(plain.second)
    assert stamps(days.vault) == before
    moved = days.vault / "arXiv" / "Themes" / "Renamed.md"
    theme = header_theme(ours[themed[0]])
    (moved.parent / f"{theme}.md").rename(moved)
    days.run(plain.second)
    assert header_theme(papers(days)[themed[0]]) == "Renamed"


def header_theme(properties: header.Properties) -> str:
    return "".join(properties["theme"]).strip("[]")


def test_the_copy_of_a_digest_does_not_stop_a_supplement_to_the_digest(tmp_path: Path):
    days = small_days(tmp_path)
    days.run(days.first, "--top", "2")
    (digest,) = (days.vault / "arXiv" / "Digests").iterdir()
    copy = digest.with_stem(f"{digest.stem} (Conflicted copy phone 202608201200)")
    copy.write_bytes(digest.read_bytes())
    answer = json.loads(days.run(days.first, "--top", "4", "--json").out)
    assert answer["selected"] == 2
    assert "supplement-1" in digest.read_text("utf-8")
    assert "supplement-1" not in copy.read_text("utf-8")
    assert [keep["reason"] for keep in answer["notes"]["kept"]] == ["conflict"]
