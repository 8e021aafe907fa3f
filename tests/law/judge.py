"""Judges a run: what it left on disk against what the reader must still have."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from tests.law import files
from tests.law import world as worlds
from tests.law.links import targets
from tests.law.note import cut, follow, picked

if TYPE_CHECKING:
    from tests.law.links import Map
    from tests.law.note import Note
    from tests.law.world import World
    from tests.vaults import Ran

    Disk = dict[str, bytes]

BUSY = 5
MANY = 10
"""So many paper notes may not go at once without a word."""
OLDER = "Older words"
"""What the region of a note says that an older version wrote."""
STANDING = frozenset({"MOC-Research", "Home", "Research interests"})
"""Notes of the reader's that ours link to, whether they are there or not."""
MADE_BY_VERBS = frozenset({"week", "score", "moc"})
"""Kinds of notes that `week` and `score` write."""
LINKS = ("related", "digests", "theme")


def judge(world: World, before: Disk, after: Disk, answer: dict, day: str = "") -> None:
    """Takes what a run left into the model; an AssertionError where it broke the law.

    Without a `day` it was a verb that writes notes of its own kind alone.
    """
    told = answer["notes"]
    changed = {path for path in after if before.get(path) != after[path]}
    assert before.keys() <= after.keys(), f"gone: {before.keys() - after.keys()}"
    assert after.keys() - before.keys() == set(told["created"])
    assert changed == {*told["created"], *told["updated"]}
    _no_debris(world)
    step = worlds.Step()
    digests = [note for note in world.ours("digest") if not world.is_a_copy(note)]
    named = {key for note in digests for key in picked(note.text)}
    keys = {(note.kind, note.key) for note in world.notes if not (note.lost or _given_up(note))}
    anew = ("digest", day) in world.deleted
    files.judge(world, before, after, told, step)
    for note in list(world.notes):
        if note.path in changed:
            assert day or note.kind in MADE_BY_VERBS, f"{note.path} was written"
            twin = note.clone()
            _revised(world, note, before[note.path], after[note.path])
            step.changed[note.path] = (before[note.path], after[note.path], twin)
    for path in filter(files.is_note, told["created"]):
        note = cut(*worlds.identity(path, after[path]), path, after[path])
        assert day or note.kind in MADE_BY_VERBS, f"{path} was written"
        assert (note.kind, note.key) not in keys, f"a second {note.key}: {path}"
        _born(world, note, day, named, anew=anew)
        step.changed[path] = (None, after[path], note.clone())
    if changed:
        world.history.append(step)
    _told(world, told["kept"])
    _shown(world, day, told["created"])
    _linked(world, world.map(after), None if day else changed)
    if day:
        _renewed(world)


def refused(world: World, before: Disk, ran: Ran) -> None:
    """A run may ask before it believes that so many notes were deleted, and then does nothing."""
    assert "are gone at once" in ran.out, ran.out
    named = {key for note in world.ours("digest") for key in picked(note.text)}
    known = named | {key.replace(".", "-") for kind, key in world.deleted if kind == "paper"}
    assert len(known - {note.key.replace(".", "-") for note in world.ours("paper")}) >= MANY
    assert world.disk() == before


def _no_debris(world: World) -> None:
    state = world.vault / worlds.STATE
    for path in state.rglob("*") if state.exists() else ():
        assert path.suffix not in (".tmp", ".part"), path


def _revised(world: World, note: Note, before: bytes, after: bytes) -> None:
    reasons = world.reasons(note)
    assert note.unsure or not reasons, f"{note.path} was written: {reasons}"
    known = {part.name for part in note.parts if part.region}
    note.parts = follow(note, after)
    for part in note.parts:
        if part.region and part.name not in known and "digest_papers" not in note.removed:
            again = _cut_before(world, note) & picked(part.text)
            assert not again, f"{note.path}: {again} came back"
    for end in (b"\n", b"\r\n"):
        if not {*b"\r\n"} & {*before.replace(end, b"")}:
            assert not {*b"\r\n"} & {*after.replace(end, b"")}, f"{note.path}: line ends"


def _cut_before(world: World, digest: Note) -> set[str]:
    """The papers of regions taken out of a digest whose notes still name it."""
    papers = [n for n in world.good("paper") if "digests" not in n.removed and not n.unsure]
    return digest.cut & {n.key.replace(".", "-") for n in papers}


def _born(world: World, note: Note, day: str, named: set[str], *, anew: bool) -> None:
    """`anew`: the day's digest was deleted, and is asked for again with all that belongs to it."""
    key = (note.kind, note.key)
    own = {n.key for n in world.notes if n.kind == "own"}
    assert note.key not in own, f"beside the reader's own note: {note.path}"
    if note.kind == "paper":
        assert note.key.replace(".", "-") not in named, f"came back: {note.path}"
    elif note.kind == "digest":
        assert note.key == day
    elif day:
        # No note tells of a week any more where the digests of all later weeks were deleted.
        anew |= note.kind == "week" and any(kind == "digest" for kind, _ in world.deleted)
        assert anew or key not in world.deleted, f"came back: {note.path}"
    world.deleted.discard(key)
    world.notes.append(note)


def _told(world: World, kept: list[dict]) -> None:
    """Every note left alone is named with the right reason, and no other."""
    by_path = {note.path: note for note in world.notes}
    for keep in kept:
        if not files.is_note(keep["note"]):
            files.told(world, keep)
            continue
        note = by_path.get(keep["note"])
        if keep["reason"] == "deleted":
            what = keep["detail"].split()[-1].removeprefix("arxiv_")
            assert note is None or {what, f"arxiv_{what}"} & note.removed, keep
            continue
        assert note, keep
        edited = {"edited"} if note.regions(ours=False) or world.strange() else set()
        reasons = world.reasons(note) | edited
        assert note.unsure or keep["reason"] in reasons, (keep, reasons)
    told = {keep["note"] for keep in kept}
    for note in world.ours():
        reasons = world.reasons(note)
        if reasons and "foreign" not in reasons and not (note.unsure or note.lost or note.nameless):
            assert note.path in told, f"{note.path} was left alone without a word"


def _shown(world: World, day: str, created: list[str]) -> None:
    """The day's digest shows every paper that was given a note."""
    for digest in [n for n in world.good("digest") if n.key == day and n.regions()]:
        for note in world.ours("paper"):
            if note.path in created and not digest.unsure:
                assert note.key.replace(".", "-") in picked(digest.text), note.path


def _given_up(note: Note) -> bool:
    """Whether it is a note that a verb made and that nothing but its region told to be ours."""
    return note.kind == "score" and not note.marked


def _linked(world: World, every: Map, only: set[str] | None) -> None:
    """Every link of ours leads to one note; the theme that the reader chose is obeyed.

    `only` in these notes: what writes notes of its own kind mends no others.
    """
    typed = ".obsidian/types.json" in world.others
    notes = [note for note in world.good() if only is None or note.path in only]
    for note in [] if world.strange() else notes:
        for part in [] if note.unsure else note.parts:
            header = note.kind == "paper" and part.name in LINKS and not typed
            text = part.text.replace('\\"', '"')
            for target in targets(text) if part.ours and (part.region or header) else ():
                stem = posixpath.basename(target.removesuffix(".md"))
                assert stem in STANDING or every.leads_to(target, note.path), (
                    f"{note.path}: {part.name}: [[{target}]] leads nowhere"
                )
            themes = [n for n in world.good("theme") if n.key == note.theme and not typed]
            if part.name == "theme" and part.ours and not part.region and themes:
                (target,) = targets(text) or ("",)
                assert every.leads_to(target, note.path) == themes[0].path, part.text


def _renewed(world: World) -> None:
    """Themes and the map of content are drafted in every run: none keeps an older text."""
    for note in [] if world.strange() else [*world.good("theme"), *world.good("moc")]:
        for index in [] if note.unsure else note.regions():
            assert OLDER not in note.parts[index].text, f"{note.path} was not renewed"
