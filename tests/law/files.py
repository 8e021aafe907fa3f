"""Pictures and canvases beside the notes: ours until the reader changes them, his from then on."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.law.world import Step, World

    Disk = dict[str, bytes]

ENDINGS = (".svg", ".canvas")
OWNERS = {"map": "arXiv/Digests/", "trend": "arXiv/Weeks/", "score": "arXiv/arXiv score"}
"""By the last word of a picture's name, where the note that shows it is born."""
_SEAL = re.compile(rb"\bseal-[0-9a-f]{16}\b")


def is_note(path: str) -> bool:
    """Whether the file is a note."""
    return path.endswith(".md")


def judge(world: World, before: Disk, after: Disk, told: dict, step: Step) -> None:
    """Takes the files that a run wrote into the model; an AssertionError where one was his."""
    names = {posixpath.basename(path).lower() for path in before}
    for path in [each for each in after if before.get(each) != after[each] and not is_note(each)]:
        if path in before:
            assert path in world.drawn, f"his file was written: {path}"
        else:
            assert posixpath.basename(path).lower() not in names, f"a second one: {path}"
            _born(path, told["created"])
        assert path.endswith(ENDINGS), path
        assert _SEAL.search(after[path][:512]), f"no seal: {path}"
        world.others[path] = after[path]
        world.drawn.add(path)
        step.files[path] = before.get(path), after[path]


def _born(path: str, created: list[str]) -> None:
    """A picture is born with the note that shows it, so that a deleted one stays away."""
    if path.endswith(".svg"):
        home = OWNERS[path.removesuffix(".svg").rpartition(" ")[2]]
        notes = [each for each in created if is_note(each)]
        assert any(each.startswith(home) for each in notes), f"came back: {path}"


def told(world: World, keep: dict) -> None:
    """Left alone is what the reader changed, or what was his at once."""
    assert keep["reason"] in ("edited", "foreign"), keep
    assert keep["note"] in world.others.keys() - world.drawn, keep


def take_back(world: World, step: Step, disk: Disk, expected: Disk) -> None:
    """What an undo of the step makes of its files: those that he touched since stay."""
    for path, (before, after) in step.files.items():
        if disk.get(path) != after:
            continue
        if before is None:
            del expected[path]
            del world.others[path]
            world.drawn.discard(path)
        else:
            expected[path] = world.others[path] = before


def touch(world: World, number: int, how: str) -> None:
    """The reader changes, deletes or moves a picture; git may change its line ends."""
    paths = sorted(path for path in world.others if path.endswith(ENDINGS))
    if not paths:
        return
    path = paths[number % len(paths)]
    file = world.vault / path
    moved = f"Pictures/{posixpath.basename(path)}"
    if how == "delete":
        file.unlink()
        del world.others[path]
        world.drawn.discard(path)
    elif how != "move":
        ends = re.sub(rb"(?<!\r)\n", b"\r\n", world.others[path])
        world.others[path] = ends if how == "line ends" else world.others[path] + b"<!-- mine -->\n"
        world.drawn -= {path} if how == "edit" else set()
        file.write_bytes(world.others[path])
    elif moved not in world.others:
        (world.vault / moved).parent.mkdir(exist_ok=True)
        file.rename(world.vault / moved)
        world.others[moved] = world.others.pop(path)
        if path in world.drawn:
            world.drawn.symmetric_difference_update({path, moved})
