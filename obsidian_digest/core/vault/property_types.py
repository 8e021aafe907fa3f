"""Fits our properties to the types that the vault's `types.json` gives their names.

Obsidian has one type for a name in the whole vault. A value that can be shown under another type
is written in that type's form; one that cannot goes under a name of our own, and the reader's
property of that name is never touched.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from obsidian_digest.model import HeaderValue

    _Header = Mapping[str, str | tuple[str, ...]]

_Shape = Literal["text", "number", "date", "list"]
_SHAPES: dict[str, _Shape] = {
    "title": "text",
    "authors": "list",
    "published": "date",
    "updated": "date",
    "url": "text",
    "pdf": "text",
    "code": "text",
    "relevance": "number",
    "theme": "text",
    "digests": "list",
    "related": "list",
    "up": "text",
    "reading": "text",
    "rating": "number",
    "merged_into": "text",
    "week_start": "date",
    "week_papers": "number",
}
"""Our properties whose names others may use too, with the form we give them; None has it too."""
_CANNOT_HOLD: dict[str, frozenset[_Shape]] = {
    "text": frozenset({"list"}),
    "number": frozenset({"text", "date", "list"}),
    "checkbox": frozenset({"text", "number", "date", "list"}),
    "date": frozenset({"text", "number", "list"}),
    "datetime": frozenset({"text", "number", "list"}),
}
_LISTS = frozenset({"multitext", "tags", "aliases"})
_WORDS = {
    "text": "text",
    "number": "a number",
    "checkbox": "a checkbox",
    "date": "a date",
    "datetime": "a date and time",
}


def fitted(
    properties: Mapping[str, HeaderValue], types: Mapping[str, str]
) -> dict[str, HeaderValue]:
    """A new note's properties under the names and in the forms that the vault's types ask for."""
    return {
        name if _fits(name, types) else own_name(name): _in_form(name, value, types)
        for name, value in properties.items()
    }


def own_name(name: str) -> str:
    """The name that is ours in any vault: `arxiv_authors`; names that begin so stay."""
    return f"arxiv_{name}" if name in _SHAPES else name


def name_in(header: _Header, name: str) -> str:
    """The name under which a note of ours carries this property: our own if it is there."""
    own = own_name(name)
    return own if own in header else name


def value_in(header: _Header, name: str) -> str | tuple[str, ...]:
    """What the note says of this property; empty text where it has none."""
    return header.get(name_in(header, name), "")


def text_in(header: _Header, name: str) -> str:
    """The same as one text: the first item of a list."""
    value = value_in(header, name)
    return value if isinstance(value, str) else next(iter(value), "")


def ours_in(header: _Header, name: str, types: Mapping[str, str]) -> str | None:
    """The name to edit; None where the note has none of ours: a plain name may be the reader's."""
    found = name_in(header, name)
    is_ours = found != name or _fits(name, types)
    return found if found in header and is_ours else None


def to_edit(
    header: _Header, owned: Mapping[str, HeaderValue], types: Mapping[str, str]
) -> tuple[dict[str, HeaderValue], tuple[str, ...]]:
    """What to change in the header of a note that stands, and the names that were taken out."""
    changes: dict[str, HeaderValue] = {}
    removed = []
    for name, value in owned.items():
        found = ours_in(header, name, types)
        if found is not None:
            changes[found] = _in_form(name, value, types) if found == name else value
        elif name not in header:
            removed.append(name if _fits(name, types) else own_name(name))
    return changes, tuple(removed)


def warnings(types: Mapping[str, str]) -> tuple[str, ...]:
    """One sentence for each property that this vault's types move to another name."""
    return tuple(
        f"This vault keeps `{name}` as {_WORDS[types[name]]}; "
        f"notes of ours carry `{own_name(name)}` instead."
        for name in _SHAPES
        if not _fits(name, types)
    )


def _fits(name: str, types: Mapping[str, str]) -> bool:
    shape = _SHAPES.get(name)
    return shape is None or shape not in _CANNOT_HOLD.get(types.get(name, ""), ())


def _in_form(name: str, value: HeaderValue, types: Mapping[str, str]) -> HeaderValue:
    kind = types.get(name, "")
    if value is None or isinstance(value, tuple) or name not in _SHAPES or not _fits(name, types):
        return value
    text = value.isoformat() if isinstance(value, date) else str(value)
    if kind in _LISTS:
        return (text,)
    if kind == "datetime":
        return f"{text}T00:00:00"
    return text if kind == "text" else value
