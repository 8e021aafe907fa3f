"""Files of ours that are no notes (pictures, canvases): how one is told from the reader's own.

A seal in the file itself says what we wrote, so that it travels with the vault. In a picture it is
a comment; a canvas, which knows no comments, has it in the id of its first node.
"""

from __future__ import annotations

import hashlib
import re

SEAL_HERE = f"seal-{'0' * 16}"
"""What a file's text holds where its seal shall stand, before anything a paper says."""
ENDINGS = (".svg", ".canvas")
LARGEST = 1_000_000
"""Bytes: a longer file is none of ours."""
_SEAL = re.compile(r"\bseal-(?P<sum>[0-9a-f]{16})\b")
_HEAD = 512


def sealed(text: str) -> str:
    """The text with its seal in place; a picture gets the comment that holds it."""
    if text.startswith("<svg"):
        text = f"<!-- obsidian-digest {SEAL_HERE} -->\n{text}"
    return text.replace(SEAL_HERE, f"seal-{_sum(text)}", 1)


def is_ours(raw: bytes) -> bool:
    """Whether we wrote the file, or what it was before the reader changed it."""
    return _SEAL.search(raw[:_HEAD].decode("utf-8", errors="replace")) is not None


def untouched(raw: bytes) -> bool:
    """Whether the file says what we wrote; git may have changed its line ends."""
    text = raw.decode("utf-8", errors="replace").replace("\r\n", "\n")
    found = _SEAL.search(text)
    return found is not None and _sum(text.replace(found[0], SEAL_HERE, 1)) == found["sum"]


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
