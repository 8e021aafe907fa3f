"""What a day shows, and what it leaves alone of the vault."""

from __future__ import annotations

from datetime import date

import numpy as np

from obsidian_digest.core.announcements.pool import Pool
from obsidian_digest.core.day import choose as room
from obsidian_digest.core.day.choose import Limits, choose, gather
from obsidian_digest.core.ranking.reader import Judged, Reader
from obsidian_digest.model import (
    Interest,
    Interests,
    KnownDigest,
    KnownPaper,
    Memory,
    Paper,
    Reading,
)

TEXT = "Agents that call tools learn credit assignment from their own traces."


def known(arxiv_id: str, *related: str) -> KnownPaper:
    reading = Reading(arxiv_id, "Other matters", f"Galaxies and halos of {arxiv_id}.")
    return KnownPaper(arxiv_id, reading, 3, "", (date(2026, 8, 3),), related)


def test_links_of_papers_too_old_to_be_compared_are_kept_and_told_where_a_note_is_rewritten(
    monkeypatch,
):
    monkeypatch.setattr(room, "LINKED_VAULT", 1)
    old = ("2501.00001", "2501.00002", "2501.00003")
    papers = {
        old[0]: known(old[0], old[1]),
        old[1]: known(old[1], old[0], old[2], "2501.09999"),
        old[2]: known(old[2], old[1]),
    }
    memory = Memory(papers=papers)
    paper = Paper("2608.00001", "Agents", TEXT, ("A B",), ("cs.AI",), "cs.AI")
    interests = Interests((Interest("Agents", TEXT),))
    material = gather(Pool((paper,), (paper,)), None, memory, Reader(interests))
    assert list(material.older) == [old[2]]
    matrix = np.zeros((len(material.texts), 0), np.float32)
    links = choose(material, matrix, "words", memory, Limits(5, 0, 0)).links
    assert [(link.a, link.b, link.weight, link.why) for link in links] == [
        (old[0], old[1], 0.0, ("matters",)),
        (old[1], old[2], 0.0, ("matters",)),
    ]


def test_links_between_notes_that_stand_as_they_are_are_not_told():
    old = ("2501.00001", "2501.00002")
    papers = {old[0]: known(old[0], old[1]), old[1]: known(old[1], old[0])}
    paper = Paper("2608.00001", "Agents", TEXT, ("A B",), ("cs.AI",), "cs.AI")
    material = gather(Pool((paper,), (paper,)), None, Memory(papers=papers), Reader())
    matrix = np.zeros((len(material.texts), 0), np.float32)
    links = choose(material, matrix, "words", Memory(papers=papers), Limits(5, 0, 0)).links
    assert [(link.a, link.b, link.why) for link in links] == [(*old, ())]


def test_to_explain_a_paper_of_a_digest_that_stands_what_it_shows_is_a_candidate_once_more():
    papers = tuple(
        Paper(f"2608.0000{at}", "Agents", TEXT, ("A B",), ("cs.AI",), "cs.AI") for at in range(5)
    )
    pool = Pool(papers, papers[1:])  # the first was shown on another day
    standing = KnownDigest(date(2026, 8, 4), ("2608.00001", "2608.00002"), (), "", 2, 3, 0)
    shown = {key: known(key) for key in ("2608.00000", "2608.00001", "2608.00002")}
    memory = Memory(papers=shown)
    reader = Reader(judged=(Judged(shown["2608.00001"].reading, 1.0),))

    def candidates(explain: str) -> list[str]:
        return [key[-1] for key in gather(pool, standing, memory, reader, explain).readings]

    assert candidates("") == ["3", "4"]
    assert candidates("2608.00003") == candidates("2608.00001") == ["1", "2", "3", "4"]
    assert candidates("2608.00000") == ["0", "1", "2", "3", "4"]
    assert gather(pool, standing, memory, reader, "2608.00001").reader.judged == ()
