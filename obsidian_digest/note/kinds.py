"""Tells a note of ours from the reader's: by its properties and markers, never by its path."""

from __future__ import annotations

import re

from obsidian_digest.model import KeepReason, Kind, NoteFile
from obsidian_digest.note import header, region

_IDENTITY: dict[Kind, str] = {
    "paper": "arxiv_id",
    "theme": "theme_id",
    "digest": "digest_date",
    "week": "digest_week",
}
_ALSO_OURS: dict[Kind, str] = {"digest": "digest_pool", "theme": "theme_papers"}
"""A property that tells our note, its regions removed, from a reader's with the same identity."""
_IDENTITY_LINE = re.compile(
    rf"""^(?P<property>{"|".join(_IDENTITY.values())}):[ \t]*["']?(?P<key>[^"'\s#]+)""",
    re.MULTILINE,
)
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_MARKER = re.compile(r"%%\s*digest:(?:begin|end)\b")
_HEAD = 65_536


def classify(path: str, raw: bytes, moc: str) -> NoteFile | None:
    """The note as one of ours, or None. `moc` is the base name of the map of content.

    A note that cannot be read safely is still ours if its text names an identity, so that no
    second one is made beside it; its `trouble` then says why it is left alone.
    """
    text = raw.decode("utf-8", errors="replace")
    properties, regions, trouble = _parts(text)
    kind, key = _identity(text, properties)
    if kind is None and _is_moc(path, text, moc):
        kind, key = "moc", "moc"
    if kind is None or (kind in _ALSO_OURS and not _is_ours(kind, text, properties)):
        return None
    is_utf8 = text.encode() == raw
    if trouble is None and not (is_utf8 and (kind == "moc" or properties)):
        trouble = "unreadable"
    if trouble is None and not _MARKER.search(text):
        trouble = "foreign"
    return NoteFile(path, kind, key, raw, properties, regions, trouble)


def _parts(text: str) -> tuple[header.Properties, dict[str, str], KeepReason | None]:
    """The note's properties and regions, as far as they can be read, and what is wrong with it."""
    properties: header.Properties = {}
    regions: dict[str, str] = {}
    trouble: KeepReason | None = None
    try:
        properties = header.read(text)
        regions = {found.name: found.text for found in region.find(text)}
    except (header.UnreadableHeaderError, region.BrokenMarkersError):
        trouble = "unreadable"
    if _CONFLICT.search(text) and "<<<<<<<" in text and ">>>>>>>" in text:
        trouble = "conflict"
    return properties, regions, trouble


def _is_moc(path: str, text: str, moc: str) -> bool:
    """By its region under any name; by its name also when its markers are damaged."""
    named = path.rsplit("/", 1)[-1] == f"{moc}.md" and bool(_MARKER.search(text))
    return named or "digest:begin moc " in text


def _is_ours(kind: Kind, text: str, properties: header.Properties) -> bool:
    return bool(_MARKER.search(text)) or _ALSO_OURS[kind] in properties


def _identity(text: str, properties: header.Properties) -> tuple[Kind | None, str]:
    for kind, name in _IDENTITY.items():
        value = properties.get(name)
        if isinstance(value, str) and value:
            return kind, value
    if not properties and text.startswith(("---", "\ufeff---")):
        line = _IDENTITY_LINE.search(text[:_HEAD])
        for kind, name in _IDENTITY.items():
            if line and line["property"] == name:
                return kind, line["key"]
    return None, ""
