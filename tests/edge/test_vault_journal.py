"""What a run replaced is on disk before its first byte and comes back exactly, whenever it died."""

from __future__ import annotations

import contextlib
import errno
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.law.undo import undo
from obsidian_digest.edge.vault import STATE, VaultFolder, journal
from obsidian_digest.errors import VaultBusyError, VaultError
from obsidian_digest.model import Create, Plan, Update
from tests.faults import Dead, counting, disturbed, dying, failing

OLD = {"old.md": b"first\r\n", "Deep/other.md": b"\xef\xbb\xbfmine\n"}
NEW = {"new/far/a.md": b"a\n", "old.md": b"second\r\n", "Deep/other.md": b"ours\n", "b.md": b"b\n"}


def vault_in(root: Path, notes: dict[str, bytes] = OLD) -> VaultFolder:
    for path, content in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    folder = VaultFolder(root, moc="MOC", interests="Interests")
    folder.settled = 0.0
    return folder


@pytest.fixture
def vault(tmp_path: Path) -> VaultFolder:
    return vault_in(tmp_path)


def tree(vault: VaultFolder) -> dict[str, bytes | None]:
    """Every file and folder but the working state; None for a folder."""
    return {
        path.relative_to(vault.root).as_posix(): None if path.is_dir() else path.read_bytes()
        for path in sorted(vault.root.rglob("*"))
        if STATE not in path.relative_to(vault.root).parts
    }


def plan_for(vault: VaultFolder, wanted: dict[str, bytes]) -> Plan:
    standing = {path: raw for path, raw in tree(vault).items() if raw is not None}
    return Plan(
        tuple(
            Update(path, standing[path], after) if path in standing else Create(path, after)
            for path, after in wanted.items()
            if standing.get(path) != after
        )
    )


def run(vault: VaultFolder, wanted: dict[str, bytes]) -> None:
    with vault.locked():
        vault.write(plan_for(vault, wanted))


def take_back(vault: VaultFolder) -> Plan:
    with vault.locked():
        runs = vault.last_runs()
        written = [past.written for past in runs]
        standing = vault.standing({each.path for past in written for each in past})
        plan = undo(written, standing, vault.snapshot().notes)
        vault.take_back(runs, plan)
    return plan


def steps_of(act, tmp_path: Path, name: str) -> list[str]:
    vault = vault_in(tmp_path / name)
    with disturbed(vault.root, counting) as disk:
        act(vault)
    return disk.steps


def test_before_the_first_note_changes_the_whole_journal_lies_on_disk(vault: VaultFolder):
    seen = []

    def look(_number: int, step: str) -> None:
        if STATE not in step and "fsync" not in step and not seen:
            seen.extend(vault.last_runs())

    with disturbed(vault.root, look):
        run(vault, NEW)
    (past,) = seen
    assert [(each.path, each.before) for each in past.written] == [
        (path, OLD.get(path)) for path in NEW
    ]
    assert set(past.folders) == {"new", "new/far"}
    assert (past.finished, vault.last_runs()[0].finished) == (False, True)


def test_a_run_that_dies_at_any_step_leaves_whole_notes_and_the_next_ends_its_work(tmp_path: Path):
    steps = steps_of(lambda vault: run(vault, NEW), tmp_path, "whole")
    assert {step.partition(" ")[0] for step in steps} >= {
        "open", "write", "fsync", "link", "replace", "mkdir", "unlink", "chmod",
    }  # fmt: skip
    whole = tree(VaultFolder(tmp_path / "whole", moc="", interests=""))
    for at in range(len(steps)):
        vault = vault_in(tmp_path / str(at))
        before = tree(vault)
        with disturbed(vault.root, dying(at)), contextlib.suppress(Dead):
            run(vault, NEW)
        for path, raw in tree(vault).items():
            assert raw in (before.get(path), whole[path]), (steps[at], path)
        assert before.keys() <= tree(vault).keys()
        run(vault, NEW)
        assert tree(vault) == whole, steps[at]
        assert not list(vault.state.glob("*.tmp"))
        assert (vault.state / ".gitignore").read_bytes() == b"*\n"
        take_back(vault)
        assert tree(vault) == before, steps[at]


def test_a_run_that_died_at_any_step_can_be_undone_without_ending_it(tmp_path: Path):
    for at, step in enumerate(steps_of(lambda vault: run(vault, NEW), tmp_path, "whole")):
        vault = vault_in(tmp_path / str(at))
        before = tree(vault)
        with disturbed(vault.root, dying(at)), contextlib.suppress(Dead):
            run(vault, NEW)
        take_back(vault)
        assert tree(vault) == before, step


def test_an_undo_that_dies_at_any_step_is_ended_by_the_next_which_goes_no_further(tmp_path: Path):
    def ran(name: str) -> VaultFolder:
        vault = vault_in(tmp_path / name)
        run(vault, {"earlier.md": b"e\n", "old.md": b"between\n"})
        with disturbed(vault.root, dying(30)), contextlib.suppress(Dead):
            run(vault, NEW)
        assert (vault.root / "old.md").read_bytes() == NEW["old.md"]
        run(vault, {**NEW, "old.md": b"third"})
        vault.remember_papers({"2608.00001"})
        return vault

    vault = ran("whole")
    with disturbed(vault.root, counting) as disk:
        take_back(vault)
    whole = tree(vault)
    assert whole["earlier.md"] == b"e\n"
    assert whole["old.md"] == b"between\n"
    assert "new" not in whole
    assert {step.partition(" ")[0] for step in disk.steps} >= {"replace", "unlink", "rmdir"}
    for at, step in enumerate(disk.steps):
        vault = ran(str(at))
        with disturbed(vault.root, dying(at)), contextlib.suppress(Dead):
            take_back(vault)
        assert take_back(vault).kept == (), step
        assert tree(vault) == whole, step
        assert vault.snapshot().seen is None
        take_back(vault)
        assert tree(vault) == {**dict.fromkeys(["Deep"]), **OLD}, step
        assert vault.last_runs() == ()


def test_a_run_after_an_undo_that_died_is_undone_together_with_the_rest(vault: VaultFolder):
    before = tree(vault)
    run(vault, NEW)
    removing = ("unlink", "rmdir")

    def act(_number: int, step: str) -> None:
        if step.startswith(removing) and STATE not in step:
            raise Dead

    with disturbed(vault.root, act), contextlib.suppress(Dead):
        take_back(vault)
    assert tree(vault) != before
    run(vault, {"old.md": b"third"})
    take_back(vault)
    assert tree(vault) == before


def test_the_bytes_of_a_note_are_on_the_disk_before_its_name_is(tmp_path: Path):
    steps = steps_of(lambda vault: run(vault, NEW), tmp_path, "whole")
    named = [at for at, step in enumerate(steps) if step.startswith(("link", "replace"))]
    assert len(named) == len(NEW) + 2
    for at in named[:-1]:
        kinds = [step.partition(" ")[0] for step in steps[:at]]
        kinds = [kind for kind in kinds if kind not in ("chmod", "mkdir")]
        assert kinds[-3:] == ["open", "write", "fsync"], steps[at]


@pytest.mark.parametrize(("path", "step"), [("old.md", "chmod"), ("b.md", "link b.md")])
def test_a_note_that_somebody_writes_in_the_last_moment_is_not_overwritten(vault, path, step):
    def act(_number: int, name: str) -> None:
        if name.startswith(step):
            (vault.root / path).write_bytes(b"typed")

    with disturbed(vault.root, act), pytest.raises(VaultBusyError) as caught:
        run(vault, {"old.md": b"ours", "b.md": b"ours"})
    assert caught.value.where == path
    assert (vault.root / path).read_bytes() == b"typed"


def test_a_note_that_somebody_writes_while_it_is_undone_is_not_removed(vault: VaultFolder):
    run(vault, {"a.md": b"a", "b.md": b"b"})

    def act(_number: int, step: str) -> None:
        if step.startswith("replace"):
            (vault.root / "a.md").write_bytes(b"typed")

    with disturbed(vault.root, act), pytest.raises(VaultBusyError, match=r"a\.md: changed"):
        take_back(vault)
    assert (vault.root / "a.md").read_bytes() == b"typed"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_disk_that_refuses_at_any_step_is_told_with_the_note_and_the_next_run_ends_the_work(
    tmp_path: Path, number: int
):
    spared = ("unlink",) if number == errno.ENOSPC else ()
    steps = steps_of(lambda vault: run(vault, NEW), tmp_path, "whole")
    whole = tree(VaultFolder(tmp_path / "whole", moc="", interests=""))
    for at, step in enumerate(steps):
        vault = vault_in(tmp_path / str(at))
        before = tree(vault)
        refused = pytest.raises(VaultError, match="cannot be read or written")
        with disturbed(vault.root, failing(at, number, spared)), refused as caught:
            run(vault, NEW)
        assert caught.value.where in NEW or caught.value.where.startswith(STATE), step
        for path, raw in tree(vault).items():
            assert raw in (before.get(path), whole[path]), (step, path)
        run(vault, NEW)
        assert tree(vault) == whole, step


def test_the_runs_are_undone_one_by_one_back_to_the_first(vault: VaultFolder):
    trees = [tree(vault)]
    for number in range(4):
        run(vault, {"old.md": b"%d" % number, f"n{number}/x.md": b"x"})
        trees.append(tree(vault))
    for before in reversed(trees[:-1]):
        take_back(vault)
        assert tree(vault) == before
    assert take_back(vault) == Plan()


def test_the_last_20_runs_stay_in_the_journal(vault: VaultFolder):
    for number in range(25):
        run(vault, {"old.md": b"%d" % number})
    names = sorted(file.name for file in (vault.state / "undo").iterdir())
    assert names == [f"{number:06}.done.json" for number in range(6, 26)]


def test_the_parts_of_one_run_stay_together_however_many_they_are(vault: VaultFolder):
    before = tree(vault)
    for number in range(journal.MOST_RUNS + 5):
        plan = plan_for(vault, {f"{number}.md": b"x", "old.md": b"%d" % number})
        vault.write(plan, goes_on=number > 0)
    take_back(vault)
    assert tree(vault) == before


def test_large_runs_push_older_ones_out_but_never_the_newest(vault, monkeypatch):
    monkeypatch.setattr(journal, "MOST_BYTES", 600)
    for number in range(6):
        run(vault, {"old.md": b"%d" % number})
    kept = sum(1 for _ in (vault.state / "undo").iterdir())
    assert 1 < kept < 5
    monkeypatch.setattr(journal, "MOST_BYTES", 1)
    run(vault, {"old.md": b"x"})
    assert sum(1 for _ in (vault.state / "undo").iterdir()) == 2
    take_back(vault)
    assert (vault.root / "old.md").read_bytes() == b"5"


def test_a_plan_that_changes_nothing_leaves_no_trace_in_the_journal(vault: VaultFolder):
    vault.write(Plan())
    vault.write_new({"obsidian-digest.toml": "x"})
    assert vault.last_runs() == ()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"a": ' * 20_000, "\x00", '{"journal": 9}'])
def test_a_damaged_journal_undoes_nothing_and_stops_no_run(vault: VaultFolder, content: str):
    run(vault, NEW)
    (file,) = (vault.state / "undo").iterdir()
    file.write_text(content)
    with pytest.raises(VaultError, match=r"000001\.done\.json: the journal .* cannot be read"):
        vault.last_runs()
    vault.settled = 0.05
    run(vault, {"old.md": b"third"})
    assert (vault.root / "old.md").read_bytes() == b"third"


def test_a_journal_that_names_files_outside_the_vault_reaches_none(tmp_path: Path):
    (tmp_path / "outside.md").write_bytes(b"a\n")
    vault = vault_in(tmp_path / "vault")
    run(vault, {"a.md": b"a\n"})
    (file,) = (vault.state / "undo").iterdir()
    file.write_text(file.read_text().replace('"a.md"', '"../outside.md"'))
    assert [keep.reason for keep in take_back(vault).kept] == ["unreadable"]
    assert (tmp_path / "outside.md").read_bytes() == b"a\n"


def test_a_folder_that_is_not_empty_any_more_stays(vault: VaultFolder):
    run(vault, NEW)
    (vault.root / "new" / "mine.md").write_bytes(b"mine")
    take_back(vault)
    assert tree(vault) == {"Deep": None, "new": None, "new/mine.md": b"mine", **OLD}


def test_the_journal_is_small_for_many_notes(vault: VaultFolder):
    text = b"A line of a note with words in it, again and again.\n" * 400
    many = {f"{number}.md": text for number in range(100)}
    run(vault, many)
    run(vault, dict.fromkeys(many, text + b"more\n"))
    newest = vault.state / "undo" / "000002.done.json"
    assert newest.stat().st_size < len(text) * len(many) / 20
    assert len(json.loads(newest.read_bytes())) == 1


PATHS = ("a.md", "F/b.md", "F/G/c.md", "H/d.md")
NOTES = st.dictionaries(
    st.sampled_from(PATHS),
    st.sampled_from([b"", b"x", b"x\r\n", b"\xef\xbb\xbf---\n", b"\xff\x00", b"y\n" * 50]),
)


@settings(max_examples=60, deadline=None)
@given(
    first=NOTES, runs=st.lists(NOTES, min_size=1, max_size=3), death=st.none() | st.integers(0, 40)
)
def test_runs_and_as_many_undos_give_every_byte_and_folder_back(first, runs, death):
    with tempfile.TemporaryDirectory() as place:
        vault = vault_in(Path(place), first)
        before = tree(vault)
        done = 0
        for wanted in runs:
            if death is not None:
                with disturbed(vault.root, dying(death)), contextlib.suppress(Dead):
                    run(vault, wanted)
            run(vault, wanted)
        while vault.last_runs():
            take_back(vault)
            done += 1
        assert tree(vault) == before
        assert done <= len(runs) + (death is not None)


@settings(max_examples=60, deadline=None)
@given(first=NOTES, wanted=NOTES, edits=NOTES, deleted=st.sets(st.sampled_from(PATHS)))
def test_an_undo_takes_back_what_nobody_touched_and_leaves_the_rest(first, wanted, edits, deleted):
    with tempfile.TemporaryDirectory() as place:
        vault = vault_in(Path(place), first)
        run(vault, wanted)
        vault_in(Path(place), edits)
        for path in deleted:
            (vault.root / path).unlink(missing_ok=True)
        now = {path: raw for path, raw in tree(vault).items() if raw is not None}
        expected = {
            path: first.get(path) if path in wanted and raw == wanted[path] else raw
            for path, raw in now.items()
        }
        plan = take_back(vault)
        after = {path: raw for path, raw in tree(vault).items() if raw is not None}
        assert after == {path: raw for path, raw in expected.items() if raw is not None}
        touched = {
            path
            for path in wanted
            if first.get(path) != wanted[path]
            and now.get(path) not in (wanted[path], first.get(path))
        }
        assert {keep.path for keep in plan.kept} == touched
