"""The form in which Obsidian itself writes a property."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from obsidian_digest.model import HeaderValue

LIST_INDENT = 2
"""Columns between a property's name and the hyphens of its list, where Obsidian writes it."""

_PLAIN_AS_OTHER_TYPE = re.compile(
    r"""(?: ~ | null | Null | NULL | true | True | TRUE | false | False | FALSE
    | [-+]?[0-9]+ | 0o[0-7]+ | 0x[0-9a-fA-F]+
    | [-+]?(?:\.[0-9]+|[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?
    | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN) )\Z""",
    re.VERBOSE,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


def as_text(value: HeaderValue) -> str | tuple[str, ...]:
    """The value as reading it back would give it."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)


def one_line(value: HeaderValue) -> str:
    """What stands behind the colon: nothing for None and for a list that has items."""
    if isinstance(value, tuple):
        return "" if value else " []"
    if value is None:
        return ""
    return f" {scalar(value) if isinstance(value, str) else as_text(value)}"


def item_lines(items: Iterable[str], column: int, newline: str) -> list[str]:
    """A list's items, each on its line, their hyphens in this column."""
    return [f"{' ' * column}- {scalar(item)}{newline}" for item in items]


def property_lines(name: str, value: HeaderValue) -> list[str]:
    """A whole new property."""
    items = value if isinstance(value, tuple) else ()
    return [f"{name}:{one_line(value)}\n", *item_lines(items, LIST_INDENT, "\n")]


def scalar(text: str) -> str:
    """One line of text as the npm package yaml 2.7.0, which Obsidian uses, would write it.

    The quoting rule was compared with that library on 40,000 strings.
    """
    if _UNPRINTABLE.search(text) or any(blank in text for blank in "\n\r\t"):
        return _double(text)
    if not _needs_quotes(text):
        return text
    return f"'{text}'" if '"' in text and "'" not in text else _double(text)


def _needs_quotes(text: str) -> bool:
    return (
        not text
        or text[0] in "\t ,[]{}#&*!|>'\"%@`"
        or bool(re.match(r"[?-](?:[ \t]|\Z)", text))
        or bool(re.search(r":[ \t]|[ \t]#", text))
        or text[-1] in " \t:"
        or bool(_PLAIN_AS_OTHER_TYPE.match(text))
    )


def _double(text: str) -> str:
    escaped = "".join(_ESCAPES.get(character, character) for character in text)
    return '"' + _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'
