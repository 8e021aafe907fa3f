"""Every note of ours against the law of a note: what is wrong, in which line."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from obsidian_digest.core.checks.findings import Finding
from obsidian_digest.core.checks.lint_header import header_findings, property_lines
from obsidian_digest.core.checks.lint_region import region_findings
from obsidian_digest.core.vault.places import base_name
from obsidian_digest.note import region
from obsidian_digest.note.copies import particulars, settle
from obsidian_digest.note.kinds import IDENTITY
from obsidian_digest.note.names import LONGEST_NAME, collision_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Kind, NoteFile, Snapshot

LONGEST_PATH = 160
"""Characters from the vault's root on: Windows stops at 260, the vault's own path included."""
_REFUSED = re.compile(r'[\\:*?"<>|\x00-\x1f\x7f-\x9f]|^\.|[. ]$')
"""Signs of a base name that one system or another cannot store."""
_ENDS_LINK = re.compile(r"[#^\[\]|]|%%")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_NAMED_LINE = re.compile(r"\bline (\d+)\b")
_MARKER = re.compile(r"^[\ufeff \t>]*%%\s*digest:(?P<end>begin|end)\s*(?P<name>[a-z0-9-]*)")


def lint(snapshot: Snapshot, places: Places) -> tuple[Finding, ...]:
    """All findings, note by note, each note's from top to bottom.

    The reader's own notes are not looked at, nor is what he wrote beside our regions and
    properties. A paper that a digest names and whose note he deleted is no finding.
    """
    groups: dict[tuple[Kind, str], list[NoteFile]] = defaultdict(list)
    for note in settle(snapshot.notes):
        groups[note.kind, note.key].append(note)
    findings = [
        finding
        for same in groups.values()
        for note in same
        if note.trouble != "foreign"
        for finding in _note(note, same, places)
    ]
    findings.sort(key=lambda each: (each.note, each.line, each.rule, each.detail))
    return tuple(dict.fromkeys(findings))


def _note(note: NoteFile, same: Sequence[NoteFile], places: Places) -> Iterator[Finding]:
    yield from _name(note.path, places)
    text = note.raw.decode("utf-8", errors="replace")
    if note.trouble in ("unreadable", "conflict", "doubled"):
        why = particulars(note, same) or "it cannot be read safely"
        yield Finding(note.path, _line(note, text, why), note.trouble, why)
    else:
        yield from header_findings(note, text, places)
        yield from region_findings(note, text, places)


def _name(path: str, places: Places) -> Iterator[Finding]:
    name = path.rsplit("/", 1)[-1]
    stem = base_name(path)
    faults = []
    if found := _REFUSED.search(stem):
        faults.append(f'its name holds "{found[0]}", which not every system can store')
    if found := _ENDS_LINK.search(stem):
        faults.append(f'its name holds "{found[0]}", which breaks links to it')
    if _DEVICE.fullmatch(stem):
        faults.append("its name is a device of Windows")
    if len(name.encode()) > LONGEST_NAME:
        faults.append(f"its name has {len(name.encode())} bytes, {LONGEST_NAME} fit everywhere")
    if len(path) > LONGEST_PATH:
        faults.append(f"its path has {len(path)} characters, {LONGEST_PATH} fit everywhere")
    others = [each for each in places.stems.get(collision_key(stem), ()) if each != path]
    if others:
        faults.append(f"its name is also that of {others[0]}")
    return (Finding(path, 1, "name", fault) for fault in faults)


def _line(note: NoteFile, text: str, why: str) -> int:
    """The line of a note's trouble, as near as one can say."""
    if note.trouble == "doubled":
        known = property_lines(text).get(IDENTITY.get(note.kind, ""))
        return known[0] if known else 1
    if note.trouble == "conflict":
        return 1 + text.count("\n", 0, max(text.find("<<<<<<<"), 0))
    if named := _NAMED_LINE.search(why):
        return int(named[1])
    try:
        note.raw.decode("utf-8")
        region.find(text)
    except UnicodeDecodeError as error:
        return 1 + note.raw.count(b"\n", 0, error.start)
    except region.BrokenMarkersError:
        return _marker_line(text)
    return 1


def _marker_line(text: str) -> int:
    """The first marker that does not follow on the one before it."""
    opened, known, last = "", set(), 1
    for number, row in enumerate(text.split("\n"), 1):
        marker = _MARKER.match(row)
        if not marker:
            continue
        name = marker["name"]
        begins = marker["end"] == "begin"
        if begins == bool(opened) or (begins and name in known) or (opened and name != opened):
            return number
        opened, last = (name if begins else ""), number
        known.add(name)
    return last
