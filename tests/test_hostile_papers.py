"""Papers that try everything become notes that are ours, whole, and say no more than text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.note import header, region
from obsidian_digest.note.names import LONGEST_NAME, collision_key, paper_id
from tests.hostile_papers import hostile_papers
from tests.judges.scan import INVISIBLE, note_faults

if TYPE_CHECKING:
    from tests.hostile_vaults import Made

FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]`$\x00-\x1f\x7f-\x9f]|%%|<%|^[ .]|[ .]$')
DEVICE = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
OPENS = re.compile(r"(?i)^(?:obsidian|javascript|file|data|app|vbscript|zoom-mtg|mailto):\S")
EVERY = [
    "some_hostile",
    pytest.param("hostile_in_markdown_links", marks=pytest.mark.slow),
    pytest.param("all_hostile", marks=pytest.mark.slow),
    pytest.param("all_nasty", marks=pytest.mark.slow),
]


@pytest.fixture(params=EVERY)
def vault(request: pytest.FixtureRequest) -> Made:
    return request.getfixturevalue(request.param)


def test_there_are_hundreds_of_hostile_papers_and_always_the_same():
    papers = hostile_papers()
    assert len(papers) >= 300
    assert papers == hostile_papers()
    fields = Counter(field for paper in papers for field, value in paper.items() if value)
    assert fields.keys() >= {"comment", "journal_ref", "doi", "affiliations", "categories"}


def test_every_paper_gets_a_note_that_is_read_back_as_its_own(vault: Made):
    assert vault.first["exit"] == 0, vault.first["message"]
    wanted = {paper_id(paper["id"])[0] for paper in vault.papers}
    assert vault.paper_notes.keys() == wanted
    assert {note.trouble for note in vault.ours.values()} == {None}
    assert vault.first["notes"]["kept"] == []


def test_every_region_has_an_intact_seal_and_only_the_regions_of_its_kind(vault: Made):
    expected = {"paper": {"paper", "related"}}
    for path, note in vault.ours.items():
        assert note.regions.keys() == expected.get(note.kind, {note.kind}), path
        for found in region.find(vault.texts[path]):
            assert found.seal == region.seal(found.text), path


def test_a_second_run_over_the_same_papers_touches_nothing(vault: Made):
    assert vault.touched == []
    assert vault.second["exit"] == 0
    assert vault.second["notes"]["kept"] == []
    assert vault.second["notes"]["updated"] == []


def test_every_name_can_stand_on_every_system_and_is_unique(vault: Made):
    for path in vault.texts:
        name = path.rsplit("/", 1)[-1]
        assert not FORBIDDEN.search(name.removesuffix(".md")), name
        assert not DEVICE.fullmatch(name), name
        assert not INVISIBLE.search(name), name
        assert name == unicodedata.normalize("NFC", name)
        assert len(name.encode()) <= LONGEST_NAME
        assert len(path) <= 160
    keys = Counter(collision_key(path.rsplit("/", 1)[-1]) for path in vault.texts)
    assert [key for key, times in keys.items() if times > 1] == []


def test_nothing_in_a_note_acts_in_obsidian_or_a_plugin(vault: Made):
    targets = {path.rsplit("/", 1)[-1].removesuffix(".md") for path in vault.texts}
    for path in vault.ours:
        body = header.split(vault.texts[path]).body
        assert note_faults(body, targets) == [], path


def test_properties_hold_text_that_neither_links_nor_runs_nor_opens(vault: Made):
    targets = {path.rsplit("/", 1)[-1].removesuffix(".md") for path in vault.texts}
    for path, note in vault.ours.items():
        for value in note.header.values():
            for text in [value] if isinstance(value, str) else value:
                link = re.fullmatch(r"\[\[([^\[\]|#]+)\]\]", text)
                assert not link or link[1] in targets, path
                assert link or not re.search(r"\[\[|\]\]|\]\(|<%|%>", text), path
                assert not OPENS.search(text), path
                assert not INVISIBLE.search(text), path
