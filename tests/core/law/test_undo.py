from __future__ import annotations

import hashlib

from obsidian_digest.core.law.undo import undo
from obsidian_digest.model import Keep, NoteFile, Plan, Remove, Update, Written


def wrote(path: str, before: bytes | None, after: bytes) -> Written:
    return Written(path, before, hashlib.sha256(after).hexdigest())


def paper(path: str, arxiv_id: str, raw: bytes = b"other", trouble: str | None = None) -> NoteFile:
    return NoteFile(path, "paper", arxiv_id, raw, {}, {}, trouble)


def test_what_a_run_replaced_comes_back_and_what_it_created_goes_in_the_opposite_order():
    run = [wrote("p.md", None, b"new"), wrote("moc.md", b"old", b"newer")]
    plan = undo([run], {"p.md": b"new", "moc.md": b"newer"}, [])
    assert plan == Plan((Update("moc.md", b"newer", b"old"), Remove("p.md", b"new")))


def test_a_note_that_the_reader_changed_since_is_kept():
    run = [wrote("p.md", None, b"new"), wrote("moc.md", b"old", b"newer")]
    plan = undo([run], {"p.md": b"new and mine", "moc.md": b"mine"}, [])
    assert plan == Plan((), (Keep("moc.md", "edited"), Keep("p.md", "edited")))


def test_what_is_back_already_is_not_written_again():
    run = [wrote("p.md", None, b"new"), wrote("moc.md", b"old", b"newer")]
    assert undo([run], {"moc.md": b"old"}, []) == Plan(unchanged=("moc.md",))


def test_a_note_that_the_reader_deleted_is_not_brought_back():
    run = [wrote("theme.md", b"old", b"newer"), wrote("p.md", None, b"new")]
    assert undo([run], {}, []) == Plan((), (Keep("theme.md", "deleted"),))


def test_a_note_that_cannot_be_read_is_kept():
    plan = undo([[wrote("p.md", None, b"new")]], {"p.md": None}, [])
    assert plan == Plan((), (Keep("p.md", "unreadable"),))


def test_a_created_note_that_was_renamed_is_the_readers_now():
    run = [wrote("A - 2608-00001.md", None, b"new"), wrote("T.md", None, b"theme")]
    notes = [paper("Mine/B.md", "2608.00001"), NoteFile("U.md", "theme", "t-1", b"theme", {}, {})]
    plan = undo([run], {}, notes)
    assert plan == Plan(
        (), (Keep("U.md", "moved", "T.md"), Keep("Mine/B.md", "moved", "A - 2608-00001.md"))
    )


def test_a_replaced_note_that_was_renamed_and_edited_is_found_by_what_it_was():
    old = (
        b"---\ntheme_id: t-1\n---\n%% digest:begin theme v1 seal=0 %%\nx\n%% digest:end theme %%\n"
    )
    notes = [NoteFile("New name.md", "theme", "t-1", b"edited", {}, {})]
    plan = undo([[wrote("Old.md", old, b"newer")]], {}, notes)
    assert plan == Plan((), (Keep("New name.md", "moved", "Old.md"),))


def test_a_note_of_the_readers_own_about_the_paper_is_not_taken_for_ours():
    run = [wrote("A - 2608-00001.md", None, b"new")]
    assert undo([run], {}, [paper("Z.md", "2608.00001", trouble="foreign")]) == Plan()


def test_a_run_and_the_killed_one_that_it_completed_are_taken_back_together():
    killed = [
        wrote("a.md", None, b"a1"),
        wrote("moc.md", b"old", b"moc1"),
        wrote("z.md", None, b"z"),
    ]
    ended = [wrote("a.md", b"a1", b"a2"), wrote("moc.md", b"old", b"moc2")]
    plan = undo([ended, killed], {"a.md": b"a2", "moc.md": b"moc2"}, [])
    assert plan == Plan((Update("moc.md", b"moc2", b"old"), Remove("a.md", b"a2")))


def test_a_note_that_an_undo_cut_short_took_back_through_two_runs_is_not_taken_for_edited():
    killed = [wrote("moc.md", b"old", b"moc1")]
    ended = [wrote("moc.md", b"moc1", b"moc2")]
    assert undo([ended, killed], {"moc.md": b"old"}, []) == Plan(unchanged=("moc.md",))


def test_what_the_reader_wrote_between_the_two_runs_comes_back_and_is_told():
    killed = [wrote("moc.md", b"old", b"moc1")]
    ended = [wrote("moc.md", b"moc1 and mine", b"moc2")]
    plan = undo([ended, killed], {"moc.md": b"moc2"}, [])
    assert plan == Plan((Update("moc.md", b"moc2", b"moc1 and mine"),), (Keep("moc.md", "edited"),))


def test_what_the_reader_deleted_between_the_two_runs_is_deleted_again_and_told():
    killed = [wrote("moc.md", b"old", b"moc1")]
    ended = [wrote("moc.md", None, b"moc2")]
    plan = undo([ended, killed], {"moc.md": b"moc2"}, [])
    assert plan == Plan((Remove("moc.md", b"moc2"),), (Keep("moc.md", "deleted"),))


def test_papers_stay_that_a_digest_shows_which_was_moved_since():
    digest = b"- shown ^arxiv-2608-00001\n"
    run = [wrote("A - 2608-00001.md", None, b"new"), wrote("arXiv/D.md", None, digest)]
    notes = [NoteFile("Read/D.md", "digest", "2026-08-20", digest, {}, {})]
    plan = undo([run], {"A - 2608-00001.md": b"new"}, notes)
    assert plan.changes == ()
    assert [keep.reason for keep in plan.kept] == ["moved", "edited"]
