"""The whole recorded day of 720 papers, as a reader of agent research would run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.example_vault import EXAMPLE
from tests.vaults import LINK, PAPERS, call, dangling, new_vault, notes, stamps


@pytest.mark.slow
@pytest.mark.parametrize("encoder", ["static", "all-MiniLM-L6-v2"])
def test_a_day_of_720_papers_becomes_20_linked_notes_once(encoder: str, tmp_path: Path):
    interests = (EXAMPLE / "Research interests.md").read_text("utf-8")
    vault = new_vault(tmp_path, encoder=encoder, interests=interests)
    words = ("run", "--from-file", str(PAPERS / "two-mailings.jsonl.xz"), "--top", "20", "--json")
    answer = call(vault, *words).json
    assert (answer["collected"], answer["selected"], answer["outcome"]) == (720, 20, "digest")
    every = notes(vault)
    assert sum(name.startswith("arXiv/Papers/") for name in every) == 20
    assert sum(name.startswith("arXiv/Digests/") for name in every) == 1
    assert 3 <= len(answer["themes"]) <= 8
    assert dangling(vault) == []
    for paper in answer["papers"]:
        for other in paper["related"]:
            assert Path(paper["note"]).stem in LINK.findall(every[other["note"]])
    before = stamps(vault)
    again = call(vault, *words).json
    assert stamps(vault) == before
    assert (again["exit"], again["encoder"]["embedded"]) == (0, 0)
