"""What a day shows, and what it leaves alone of the vault."""

from __future__ import annotations

from datetime import date

import numpy as np

from obsidian_digest.core import choose as room
from obsidian_digest.core.choose import Limits, choose, gather
from obsidian_digest.core.pool import Pool
from obsidian_digest.model import Interest, Interests, KnownPaper, Memory, Paper, Reading

TEXT = "Agents that call tools learn credit assignment from their own traces."


def known(arxiv_id: str, *related: str) -> KnownPaper:
    reading = Reading(arxiv_id, "Other matters", f"Galaxies and halos of {arxiv_id}.")
    return KnownPaper(arxiv_id, reading, 3, "", (date(2026, 8, 3),), related)


def test_links_of_papers_too_old_to_be_compared_are_kept_without_a_reason(monkeypatch):
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
    material = gather(Pool((paper,), (paper,)), None, memory, interests)
    assert list(material.older) == [old[2]]
    matrix = np.zeros((len(material.texts), 0), np.float32)
    links = choose(material, matrix, "words", memory, Limits(5, 0, 0)).links
    assert [(link.a, link.b, link.why) for link in links] == [
        (old[0], old[1], ()),
        (old[1], old[2], ()),
    ]
