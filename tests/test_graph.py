"""The graph of the vault's wikilinks, read back by a package of other people's making."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.vaults import call, mailing, new_vault, notes, recorded

if TYPE_CHECKING:
    from networkx import MultiDiGraph

DAYS = ("2026-08-19", "2026-08-20")
PAPERS = 110
OWN = {
    "Methods/Credit assignment.md": "How a reward reaches the step that earned it.\n",
    "Reading list.md": "[[Credit assignment]]\n",
}

obsidiantools = pytest.importorskip("obsidiantools.api")


class Graphed:
    """A vault after a few runs: what they said in JSON, and what its files say."""

    def __init__(self, root: Path) -> None:
        self.vault = new_vault(root)
        for name, text in OWN.items():
            path = self.vault / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        self.said: list[dict] = []
        self.changed: list[list[str]] = []
        for words in self._runs(root):
            ran = call(self.vault, "run", *words, "--json")
            assert ran.code == 0, ran.err
            self.said.append(ran.json)
        self.read = obsidiantools.Vault(self.vault).connect(show_nested_tags=False)

    def _runs(self, root: Path) -> list[list[str]]:
        first, second = (str(mailing(root, day, PAPERS)) for day in DAYS)
        rest = root / "rest.jsonl"
        later = [line for line in recorded() if json.loads(line)["announced"] == DAYS[1]]
        rest.write_text("".join(later[PAPERS : 2 * PAPERS]), "utf-8")
        return [
            ["--from-file", first, "--top", "15", "--min-stars", "0"],
            ["--from-file", second, "--top", "15", "--min-stars", "0"],
            ["--from-file", str(rest), "--date", "2026-08-21", "--top", "15", "--min-stars", "0"],
        ]

    @property
    def graph(self) -> MultiDiGraph:
        return self.read.graph

    @property
    def papers(self) -> dict[str, str]:
        """Base names of the paper notes, by id."""
        return {
            paper["id"]: Path(paper["note"]).stem for one in self.said for paper in one["papers"]
        }


@lru_cache(maxsize=1)
def graphed(root: Path) -> Graphed:
    return Graphed(root)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Graphed:
    return graphed(tmp_path_factory.mktemp("graph"))


def test_the_links_between_paper_notes_are_those_of_the_json_in_both_directions(vault: Graphed):
    names = vault.papers
    told = set()
    for one in vault.said:
        for paper in one["papers"]:
            for other in paper["related"]:
                told |= {(paper["id"], other["id"]), (other["id"], paper["id"])}
    ids = {name: key for key, name in names.items()}
    found = {(ids[a], ids[b]) for a, b in vault.graph.edges() if a in ids and b in ids}
    assert len(told) > 20
    assert found == told


def test_no_link_leads_nowhere_and_no_note_of_ours_stands_alone(vault: Graphed):
    assert vault.read.nonexistent_notes == []
    ours = {Path(path).stem for path in notes(vault.vault) if path.startswith("arXiv/")}
    assert len(ours) > 45
    assert not ours & set(vault.read.isolated_notes)
    assert [name for name in sorted(ours) if not vault.graph.in_degree(name)] == []


def test_every_related_line_says_what_both_share(vault: Graphed):
    lines = [line for text in notes(vault.vault).values() for line in related_lines(text)]
    assert len(lines) > 20
    assert [line for line in lines if len(line.partition("]] — ")[2]) < 3] == []
    every = [other for one in vault.said for paper in one["papers"] for other in paper["related"]]
    assert all(other["why"] for other in every)


def test_a_day_changes_at_most_fifteen_older_paper_notes(vault: Graphed):
    for one in vault.said:
        new = {paper["note"] for paper in one["papers"]}
        older = [path for path in one["notes"]["updated"] if path.startswith("arXiv/Papers/")]
        assert len(set(older) - new) <= 15


def related_lines(text: str) -> list[str]:
    """The list below the heading of related papers."""
    _, _, after = text.partition("%% digest:begin related")
    region = after.partition("%% digest:end related %%")[0]
    return [line for line in region.splitlines() if line.startswith("- [[")]
