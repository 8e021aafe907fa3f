"""`import` with files and ids: paper notes, no digest."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from obsidian_digest import importing
from obsidian_digest.core.checks import missing
from obsidian_digest.importing import offers
from tests.edge.arxiv_server import failed, serve, serve_papers
from tests.edge.saving import read
from tests.faults import Dead, counting, disturbed, dying, telling
from tests.vaults import LINK, Ran, call, contents, dangling, new_vault, notes, recorded, stamps

if TYPE_CHECKING:
    from collections.abc import Callable

KAGGLE = {
    "id": "2005.11401",
    "title": "Retrieval-Augmented Generation for\n  Knowledge-Intensive Tasks",
    "comments": "Invented for this test",
    "categories": "cs.CL cs.LG",
    "abstract": "  Models with a memory that is read by retrieval, for agents.\n",
    "versions": [{"version": "v2", "created": "Mon, 12 Apr 2021 15:42:18 GMT"}],
    "authors_parsed": [["Lovelace", "Ada", ""]],
}
BIBTEX = """@misc{memory, title = {Memory for agents}, author = {Wei Wang}, eprint = {2210.03629},
  archiveprefix = {arXiv}, primaryclass = {cs.CL}, abstract = {An agent that keeps notes.} }
@misc{bare, title = {Something}, eprint = {2608.17393}, archiveprefix = {arXiv} }
@book{book, title = {No paper of arXiv's}, author = {Donald Knuth} }
"""


NOTED, NEW = 4, 5


@lru_cache(maxsize=1)
def papers() -> list[dict]:
    """Recorded papers on memory: those that get a note by a run, then those to be imported."""
    every = (json.loads(line) for line in recorded())
    found = [paper for paper in every if "memory" in paper["title"].lower()]
    return [*found[:NOTED], *(found[place] for place in (4, 5, 9, 11, 13))]


def new_id(place: int = 0) -> str:
    """The id of one of those to be imported."""
    return papers()[NOTED + place]["id"]


def saved(folder: Path, papers: list[dict], name: str = "papers.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(json.dumps(paper) + "\n" for paper in papers), "utf-8")
    return file


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with a digest of some of the papers, and a file of all of them beside it."""
    root = tmp_path_factory.mktemp("import")
    vault = new_vault(root, encoder="words")
    saved(root, papers())
    day = saved(root, papers()[:NOTED], "day.jsonl")
    ran = call(vault, "run", "--from-file", str(day), "--date", "2026-08-19", "--min-stars", "0")
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def root(started: Path, tmp_path: Path) -> Path:
    shutil.copytree(started, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def vault(root: Path) -> Path:
    return root / "vault"


@pytest.fixture
def arxiv(monkeypatch: pytest.MonkeyPatch, root: Path) -> Callable:
    def served(*faults: object):
        monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(root / "cache"))
        monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0.001")
        server = serve(faults) if faults else serve_papers(read(root / "papers.jsonl"))

        class Entered:
            def __enter__(self):
                running = server.__enter__()
                monkeypatch.setenv("OBSIDIAN_DIGEST_API_URL", running.url)
                return running

            def __exit__(self, *error: object):
                return server.__exit__(*error)

        return Entered()

    return served


def files(vault: Path, *words: str) -> Ran:
    return call(vault, "import", str(vault.parent / "papers.jsonl"), *words)


def note_of(vault: Path, arxiv_id: str) -> str:
    part = arxiv_id.replace(".", "-")
    (text,) = [text for name, text in notes(vault).items() if name.endswith(f"{part}.md")]
    return text


def papers_in(vault: Path) -> set[str]:
    return {path.stem.rpartition(" - ")[2] for path in (vault / "arXiv" / "Papers").glob("*.md")}


def test_a_file_becomes_paper_notes_and_no_digest(vault: Path):
    digests = set((vault / "arXiv" / "Digests").iterdir())
    answer = files(vault, "--json").json
    assert (answer["exit"], answer["command"], answer["outcome"]) == (0, "import", "imported")
    assert answer["message"] == "5 papers imported, 4 had a note already."
    counts = ("collected", "unique", "new", "selected")
    assert [answer[key] for key in counts] == [NOTED + NEW, NOTED + NEW, NEW, NEW]
    assert len(papers_in(vault)) == NOTED + NEW
    assert set((vault / "arXiv" / "Digests").iterdir()) == digests
    for row in answer["papers"]:
        text = (vault / row["note"]).read_text("utf-8")
        assert f"\nrelevance: {row['stars']}\n" in text
        assert "\ndigests: []\n" in text
    assert dangling(vault) == []


def test_imported_papers_and_those_of_the_vault_point_to_each_other(vault: Path):
    before = papers_in(vault)
    files(vault)
    new_to_old = 0
    every = notes(vault)
    for name, text in every.items():
        region = text.partition("digest:begin related")[2].partition("digest:end related")[0]
        for target in LINK.findall(region):
            back = every[f"arXiv/Papers/{target}.md"].partition("digest:begin related")[2]
            assert Path(name).stem in LINK.findall(back)
            ends = {Path(name).stem.rpartition(" - ")[2], target.rpartition(" - ")[2]}
            new_to_old += len(ends & before) == 1
    assert new_to_old >= 2


def test_importing_again_changes_no_byte_and_no_time_and_asks_nobody(vault: Path):
    files(vault)
    before = stamps(vault)
    again = files(vault, new_id(), "--json").json
    assert (again["exit"], again["outcome"]) == (0, "nothing-new")
    assert stamps(vault) == before
    assert again["encoder"]["embedded"] == again["encoder"]["cached"] == 0


def test_an_id_or_address_is_looked_up_at_arxiv(vault: Path, arxiv: Callable):
    wanted = [new_id(place) for place in range(3)]
    spelt = [wanted[0], f"https://arxiv.org/abs/{wanted[1]}v1", f"arXiv:{wanted[2]}"]
    with arxiv() as server:
        answer = call(vault, "import", *spelt, "--json").json
    assert (answer["exit"], answer["selected"]) == (0, 3)
    assert [asked.query["id_list"].split(",") for asked in server.log] == [
        [wanted[0], f"{wanted[1]}v1", wanted[2]]
    ]
    assert answer["sources"] == [
        {"name": "api", "outcome": "ok", "papers": 3, "detail": "3 of 3 ids found"}
    ]


def test_a_paper_that_has_a_note_is_not_looked_up(vault: Path, arxiv: Callable):
    known = [paper["id"] for paper in papers()[:NOTED]]
    before = contents(vault)
    with arxiv() as server:
        answer = call(vault, "import", *known, "--json").json
    assert server.log == []
    assert (answer["exit"], answer["outcome"]) == (0, "nothing-new")
    assert answer["message"] == "0 papers imported, 4 had a note already."
    assert contents(vault) == before


def test_an_id_that_arxiv_does_not_know_is_named_and_the_others_are_imported(
    vault: Path, arxiv: Callable
):
    with arxiv():
        ran = call(vault, "import", "2608.99999", new_id())
    assert ran.code == 3
    assert ran.out.splitlines() == ["1 paper imported, 1 not found.", "not imported: 2608.99999"]
    assert new_id().replace(".", "-") in papers_in(vault)


def test_offline_ids_are_named_and_nobody_is_asked(vault: Path, arxiv: Callable):
    with arxiv() as server:
        answer = files(vault, "2401.00010v2", "--offline", "--json").json
    assert server.log == []
    assert (answer["exit"], answer["outcome"]) == (3, "partial")
    assert (answer["selected"], answer["not_found"]) == (NEW, ["2401.00010v2"])
    assert "1 not looked up (--offline)" in answer["message"]


def test_when_arxiv_gives_no_answer_nothing_is_written_and_the_exit_code_is_4(
    vault: Path, arxiv: Callable
):
    before = contents(vault)
    with arxiv(*[failed(503)] * 9):
        ran = call(vault, "import", "2608.17393", "--json")
    assert (ran.code, ran.json["command"], ran.json["outcome"]) == (4, "import", "unreachable")
    assert contents(vault) == before


def test_files_of_several_kinds_and_ids_come_together(vault: Path, root: Path, arxiv: Callable):
    (root / "library.bib").write_text(BIBTEX)
    (root / "ids.txt").write_text(f"# to read\n{new_id()}\n")
    kaggle = saved(root, [KAGGLE], "snapshot.json")
    with arxiv():
        names = (root / "library.bib", root / "ids.txt", kaggle)
        answer = call(vault, "import", *map(str, names), "--json").json
    assert (answer["selected"], answer["not_found"]) == (3, ["2608.17393"])
    note = note_of(vault, "2005.11401")
    assert "\narxiv_version: 2\n" in note
    assert "  - Ada Lovelace\n" in note
    assert "\ntitle: Memory for agents\n" in note_of(vault, "2210.03629")
    details = [row["detail"] for row in answer["sources"] if row["name"] == "file"]
    assert "entries that are no papers of arXiv's left out: 1" in details[0]


def test_what_exists_is_a_file_even_if_its_name_is_an_id(
    vault: Path, root: Path, monkeypatch: pytest.MonkeyPatch
):
    saved(root, papers()[NOTED : NOTED + 1], "2401.00010")
    monkeypatch.chdir(root)
    answer = call(vault, "import", "2401.00010", "--json").json
    assert (answer["selected"], answer["not_found"]) == (1, [])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("library.bib",), "library.bib: this is neither a file nor an arXiv id"),
        (("2613.00001",), "2613.00001: this is neither a file nor an arXiv id"),
        ((), "there is nothing to import\nName files or arXiv ids, or days of submission"),
    ],
)
def test_what_cannot_be_imported_is_said(vault: Path, words: tuple[str, ...], said: str):
    ran = call(vault, "import", *words)
    assert ran.code == 2
    assert said in ran.err


def test_a_file_that_breaks_off_writes_nothing_at_all(vault: Path, root: Path):
    whole = (root / "papers.jsonl").read_bytes()
    (root / "papers.jsonl").write_bytes(whole[: len(whole) - 40])
    before = contents(vault)
    ran = files(vault)
    assert ran.code == 2
    assert "line 9 is cut off: the file is not whole" in ran.err
    assert contents(vault) == before


def test_options_choose_among_the_papers_of_a_file(vault: Path, root: Path):
    new = papers()[NOTED:]
    listed = {paper["id"] for paper in new if "cs.CL" in paper["categories"]}
    late = {paper["id"] for paper in new if paper["published"] > "2026-08-19"}
    answer = files(vault, "--category", "cs.CL", "--dry-run", "--json").json
    assert {row["id"] for row in answer["papers"]} == listed
    answer = files(vault, "--from", "2026-08-19", "--dry-run", "--json").json
    assert {row["id"] for row in answer["papers"]} == late


def test_the_best_papers_of_a_file_are_chosen_once(vault: Path):
    best = files(vault, "--top", "3", "--json").json
    chosen = {row["id"] for row in best["papers"]}
    assert len(chosen) == best["selected"] <= 3
    assert best["new"] == NEW
    again = files(vault, "--top", "3", "--json").json
    assert (again["outcome"], again["selected"]) == ("nothing-new", 0)


def test_papers_with_enough_stars_are_chosen(vault: Path):
    stars = {row["id"]: row["stars"] for row in files(vault, "--dry-run", "--json").json["papers"]}
    least = max(stars.values())
    assert least < 5
    none = files(vault, "--min-stars", "5", "--json").json
    assert (none["outcome"], none["selected"]) == ("nothing-relevant", 0)
    answer = files(vault, "--min-stars", str(least), "--json").json
    assert {row["id"] for row in answer["papers"]} == {k for k, n in stars.items() if n == least}


def test_a_paper_named_by_its_id_passes_every_option(vault: Path, arxiv: Callable):
    with arxiv():
        answer = files(vault, new_id(), "--category", "math", "--min-stars", "5", "--json").json
    assert [row["id"] for row in answer["papers"]] == [new_id()]


def test_more_notes_than_a_reader_can_mean_are_refused(
    vault: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(offers, "MOST_UNASKED", NEW - 1)
    before = contents(vault)
    ran = files(vault)
    assert ran.code == 2
    assert "5 papers would get a note each\nNothing was written. Choose with --min-stars" in ran.err
    assert contents(vault) == before
    assert files(vault, "--top", "9").code == 0


def test_a_deleted_note_comes_back_only_for_who_names_the_paper(vault: Path, arxiv: Callable):
    gone = papers()[0]["id"]
    part = gone.replace(".", "-")
    (path,) = (vault / "arXiv" / "Papers").glob(f"*{part}.md")
    path.unlink()
    answer = files(vault, "--json").json
    assert answer["message"] == "5 papers imported, 3 had a note already, 1 stays deleted."
    (kept,) = [keep for keep in answer["notes"]["kept"] if keep["reason"] == "deleted"]
    assert kept["note"] == f"arXiv/Papers/{path.name}"
    assert f"import {gone}" in kept["detail"]
    assert part not in papers_in(vault)
    with arxiv():
        assert call(vault, "import", gone, "--json").json["selected"] == 1
    assert '  - "[[arXiv digest 2026-08-19]]"\n' in note_of(vault, gone)


def test_a_note_of_the_readers_own_about_a_paper_is_left(vault: Path):
    (vault / "My reading.md").write_text(f'---\narxiv_id: "{new_id()}"\n---\nMine.\n')
    before = (vault / "My reading.md").read_bytes()
    answer = files(vault, "--json").json
    assert (answer["selected"], answer["new"]) == (NEW - 1, NEW - 1)
    assert (vault / "My reading.md").read_bytes() == before


def test_a_dry_run_writes_nothing_and_shows_what_the_import_then_writes(
    vault: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(importing, "WRITTEN_AT_ONCE", 2)
    before = contents(vault)
    shown = files(vault, "--dry-run").out
    planned = files(vault, "--dry-run", "--json").json
    assert contents(vault) == before
    done = files(vault, "--json").json
    assert "would be imported" in planned["message"]
    assert done["notes"]["created"] == planned["notes"]["created"]
    assert done["notes"]["updated"] == planned["notes"]["updated"]
    assert done["papers"] == planned["papers"]
    for path in done["notes"]["created"]:
        assert f"+++ b/{path}" in shown


def test_one_undo_takes_back_an_import_of_several_parts(
    vault: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(importing, "WRITTEN_AT_ONCE", 2)
    before = contents(vault)
    files(vault)
    assert call(vault, "undo").code == 0
    assert contents(vault) == before


@pytest.fixture
def parts(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[str]]:
    """The vault after an import of three parts, and the steps it took on the disk."""
    monkeypatch.setattr(importing, "WRITTEN_AT_ONCE", 2)
    whole = tmp_path / "copy" / "whole"
    shutil.copytree(vault, whole)
    with disturbed(whole, counting) as disk:
        files(whole)
    return whole, disk.steps


def kill_and_go_on(vault: Path, whole: Path, at: int) -> None:
    copy = vault.parent / f"killed-{at}"
    shutil.copytree(vault, copy)
    with disturbed(copy, dying(at)), suppress(Dead):
        files(copy)
    ran = files(copy)
    assert ran.code == 0, ran.err
    assert contents(copy) == contents(whole)


def test_an_import_that_was_killed_goes_on_to_the_same_bytes(
    vault: Path, parts: tuple[Path, list[str]]
):
    whole, steps = parts
    links = [number for number, step in enumerate(steps) if step.startswith("link ")]
    # In the first part, in the third.
    for at in (links[1], links[-1]):
        kill_and_go_on(vault, whole, at)


@pytest.mark.slow
def test_an_import_may_be_killed_at_any_step(vault: Path, parts: tuple[Path, list[str]]):
    whole, steps = parts
    for at in telling(steps, 4):
        kill_and_go_on(vault, whole, at)


def test_a_killed_import_leaves_its_vectors_and_a_finished_one_does_not(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    vault = new_vault(root / "other", encoder="static")
    shutil.copy(root / "papers.jsonl", vault.parent)

    def killed(*_: object) -> None:
        raise Dead

    with monkeypatch.context() as patch, suppress(Dead):
        patch.setattr(importing._Line, "_write", killed)
        files(vault)
    vectors = vault / ".obsidian-digest" / "import" / "vectors.sqlite3"
    assert vectors.exists()
    answer = files(vault, "--json").json
    assert (answer["selected"], answer["encoder"]["embedded"]) == (NOTED + NEW, 0)
    assert not vectors.exists()


def test_a_paper_that_was_imported_takes_its_place_in_a_later_digest(vault: Path, root: Path):
    files(vault)
    late = papers()[-1]
    day = saved(root, [late], "late.jsonl")
    ran = call(vault, "run", "--from-file", str(day), "--date", "2026-08-20", "--min-stars", "0")
    assert ran.code == 0, ran.err
    assert '  - "[[arXiv digest 2026-08-20]]"\n' in note_of(vault, late["id"])


def test_without_interests_papers_are_imported_all_the_same(vault: Path):
    (vault / "Research interests.md").write_text("")
    answer = files(vault, "--min-stars", "5", "--json").json
    assert answer["selected"] == NEW
    assert answer["message"].endswith("No interests are written yet, so stars say little.")


def test_a_vault_without_paper_notes_says_so(vault: Path):
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace("paper_notes = true", "paper_notes = false"))
    ran = files(vault)
    assert ran.code == 2
    assert "there are no paper notes in this vault" in ran.err


def test_a_vault_of_which_most_notes_are_gone_is_left_alone(
    vault: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(missing, "FEWEST", 5)
    files(vault)
    for path in (vault / "arXiv" / "Papers").iterdir():
        path.unlink()
    before = contents(vault)
    ran = files(vault)
    assert ran.code == 5
    assert "--accept-deletions" in ran.err
    assert contents(vault) == before
    assert files(vault, "--accept-deletions").code == 0
