"""A region of ours put at the end of a note of the reader's: every byte of his stays before it."""

from __future__ import annotations

import re

from obsidian_digest.note import region

_FENCE = re.compile(r"^ {0,3}(?P<sign>`{3,}|~{3,})(?P<info>[^\r\n]*)", re.MULTILINE)
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)


class UnsafeEndError(ValueError):
    """What is put at the end of this note would not be seen, or would break it."""


def appended(raw: bytes, name: str, text: str) -> bytes:
    """The note with the region below its last line, in the note's own line ends.

    Unchanged where the region stands already. Raises UnsafeEndError.
    """
    try:
        note = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnsafeEndError("it is not UTF-8 text") from error
    try:
        if name in {found.name for found in region.find(note)}:
            return raw
    except region.BrokenMarkersError as error:
        raise UnsafeEndError(str(error)) from error
    if _CONFLICT.search(note):
        raise UnsafeEndError("git left conflict markers in it")
    if _open_fence(note):
        raise UnsafeEndError("it ends inside a block of code")
    if note.count("%%") % 2:
        raise UnsafeEndError("it ends inside a comment")
    newline = "\r\n" if "\r\n" in note else "\n"
    before = note.removeprefix("\ufeff")
    gap = "" if not before else newline if before.endswith("\n") else 2 * newline
    wrapped = region.wrap(name, text).replace("\r\n", "\n").replace("\n", newline)
    return raw + f"{gap}{wrapped}{newline}".encode()


def _open_fence(note: str) -> bool:
    opened = ""
    for found in _FENCE.finditer(note):
        sign = found["sign"]
        if not opened and not (sign[0] == "`" and "`" in found["info"]):
            opened = sign
        elif opened and sign[0] == opened[0] and len(sign) >= len(opened):
            opened = opened if found["info"].strip() else ""
    return bool(opened)
