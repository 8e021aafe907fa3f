"""The properties of a note of ours: Obsidian's canonical form, the vault's types, the links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from obsidian_digest.core.checks.findings import Finding
from obsidian_digest.core.checks.lint_region import link_findings
from obsidian_digest.core.vault.property_types import name_in, ours_in
from obsidian_digest.note import header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.model import Kind, NoteFile

_NAMES: dict[Kind, str] = {
    "paper": "title arxiv_id arxiv_version arxiv_primary arxiv_categories authors published updated"
    " url pdf code relevance theme digests related up",
    "digest": "title digest_date digest_batches digest_newest digest_pool digest_papers digest_top"
    " digest_min_stars up",
    "theme": "title theme_id theme_terms theme_papers merged_into up",
    "week": "title digest_week week_start week_papers up",
    "moc": "",
    "score": "title up",
}
OWNED = {kind: frozenset(names.split()) for kind, names in _NAMES.items()}
"""Properties that runs rewrite; all others are the reader's."""
SEEDED = frozenset({"aliases", "tags", "reading", "rating"})
NUMBERS = frozenset(
    {
        "arxiv_version",
        "relevance",
        "digest_papers",
        "digest_top",
        "digest_min_stars",
        "theme_papers",
        "week_papers",
    }
)
LINKED = ("theme", "digests", "related", "up")

_KEY = re.compile(r"""["']?(?P<name>[^\s"':#-][^"':]*)["']?[ \t]*:(?:[ \t]|$)""")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?", re.ASCII)
_DATE = r"\d{4}-\d{2}-\d{2}"
_TEXT_OF_TYPE = {
    "text": re.compile(r"[^\n]*"),
    "number": re.compile(r"-?\d+(?:\.\d+)?", re.ASCII),
    "date": re.compile(_DATE, re.ASCII),
    "datetime": re.compile(rf"{_DATE}T\d{{2}}:\d{{2}}(?::\d{{2}})?", re.ASCII),
    "checkbox": re.compile("true|false"),
}
_LISTS = frozenset({"multitext", "tags", "aliases"})


def header_findings(note: NoteFile, text: str, places: Places) -> Iterator[Finding]:
    """What is wrong with our own properties; the reader's are not looked at."""
    values, types, lines = header.read(text), places.settings.property_types, property_lines(text)
    for known in sorted(OWNED[note.kind]):
        name = ours_in(values, known, types)
        if name in lines:
            line, rows = lines[name]
            yield from _form(note.path, line, rows, _forms(name, values.get(name)))
            for number, row in enumerate(rows if known in LINKED else (), line):
                yield from link_findings(note.path, number, row, places)
    for known in sorted(OWNED[note.kind] | SEEDED):
        name = name_in(values, known)
        wanted = types.get(name, "")
        if name in lines and not _has_type(values.get(name, ""), wanted):
            detail = f"{name} is of another type than this vault's types.json says: {wanted}"
            yield Finding(note.path, lines[name][0], "type", detail)


def _form(path: str, line: int, rows: list[str], forms: list[list[str]]) -> Iterator[Finding]:
    if forms and _level(rows) not in forms:
        wanted = " / ".join(row.strip() for row in forms[0])
        yield Finding(path, line, "form", f"this should stand as {wanted}")


def property_lines(text: str) -> dict[str, tuple[int, list[str]]]:
    """Each top-level property's line number, counted from 1, and its lines without line ends.

    Names are in lower case, for Obsidian takes `Title` and `title` for one property.
    """
    found: dict[str, tuple[int, list[str]]] = {}
    rows: list[str] = []
    for number, line in enumerate(header.split(text).yaml.split("\n"), 2):
        row = line.removesuffix("\r")
        if key := _KEY.match(row):
            rows = [row]
            found.setdefault(key["name"].strip().lower(), (number, rows))
        elif row.strip() and not row.lstrip().startswith("#"):
            rows.append(row)
    return found


def _level(rows: list[str]) -> list[str]:
    """The lines with a list indented as Obsidian does; vaults that never indent are as right."""
    rest = rows[1:]
    flush = bool(rest) and all(row.startswith("- ") for row in rest)
    return [rows[0], *(f"  {row}" for row in rest)] if flush else rows


def _forms(name: str, value: str | tuple[str, ...] | None) -> list[list[str]]:
    """The ways in which Obsidian itself may write this value; empty for one it cannot show."""
    if value is None:
        return []
    written = [header.write({name: value}).splitlines()[1:-1]]
    if value == "":
        return [[f"{name}:"], *written]
    if isinstance(value, str) and name in NUMBERS and _NUMBER.fullmatch(value):
        return [[f"{name}: {value}"], *written]
    return written


def _has_type(value: str | tuple[str, ...], wanted: str) -> bool:
    """Whether Obsidian shows this value without a warning under a property of that type."""
    if not value:
        return True
    if wanted in _LISTS:
        return isinstance(value, tuple)
    pattern = _TEXT_OF_TYPE.get(wanted)
    return pattern is None or (isinstance(value, str) and bool(pattern.fullmatch(value)))
