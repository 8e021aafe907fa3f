"""A note's header: read as text, written as Obsidian would, edited by splicing lines.

python-frontmatter and PyYAML only read here: a load-and-dump would restyle what is the reader's
(quotes, comments, order), and their reading of plain scalars differs from Obsidian's.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import yaml
from frontmatter.default_handlers import YAMLHandler

from obsidian_digest.note.splice import splice
from obsidian_digest.note.yaml_form import LIST_INDENT, as_text, property_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from obsidian_digest.model import HeaderValue

Properties = dict[str, str | tuple[str, ...]]
"""By name in lower case: Obsidian takes `Title` and `title` for one property."""

_HEADER = re.compile(
    r"\A(?P<open>\ufeff?---[ \t]*\r?\n)(?P<yaml>.*?)(?P<close>^---[ \t]*(?:\r?\n|\Z))",
    re.DOTALL | re.MULTILINE,
)
_EMPTY = frozenset({"~", "null", "Null", "NULL"})
_HANGS = "a property of yours hangs on one of ours"
_ABOVE = 2
"""The opening fence is a note's first line, and people count lines from 1."""


class UnreadableHeaderError(ValueError):
    """The header is not one that can be edited safely; nothing may be written."""


class _AsText:
    """Leaves every scalar as the text it was written in; an empty value is empty text."""

    def get_single_node(self) -> yaml.Node | None:
        """The header's node tree, checked as strictly as Obsidian's parser does."""
        return _checked(super().get_single_node())  # type: ignore[misc]

    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        """The text of a value."""
        return "" if not node.style and node.value in _EMPTY else str(node.value)


class _TextLoader(_AsText, yaml.CBaseLoader):
    """libyaml is ten times as fast, but lets characters pass that Obsidian refuses."""


class _StrictTextLoader(_AsText, yaml.BaseLoader):
    """For headers with tabs or byte-order marks."""


@dataclass(frozen=True, slots=True)
class Split:
    """A note cut into opening fence, YAML, closing fence and body; all four joined give it back."""

    opening: str
    yaml: str
    closing: str
    body: str


def split(text: str) -> Split:
    """The note's parts; without a header the first three are empty."""
    match = _HEADER.match(text)
    if not match:
        return Split("", "", "", text)
    return Split(match["open"], match["yaml"], match["close"], text[match.end() :])


def read(text: str) -> Properties:
    """Top-level properties as text or tuples of text; nested values are left out.

    Raises UnreadableHeaderError where Obsidian too would show invalid properties.
    """
    parts = split(text)
    if not parts.opening:
        return {}
    return dict(_properties(parts.yaml))


@lru_cache(maxsize=4096)
def _properties(source: str) -> Properties:
    """What the YAML says: a run reads the header of a note several times, and YAML is slow."""
    try:
        loaded = YAMLHandler().load(source, Loader=_loader(source)) or {}
    except (yaml.YAMLError, TypeError, RecursionError) as error:
        raise UnreadableHeaderError(_worded(error)) from error
    return {
        str(key).lower(): value
        for key, given in loaded.items()
        if (value := _text(given)) is not None
    }


def _text(value: object) -> str | tuple[str, ...] | None:
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else None


def _loader(source: str) -> type[_TextLoader | _StrictTextLoader]:
    return _StrictTextLoader if "\t" in source or "\ufeff" in source else _TextLoader


def _checked(root: yaml.Node | None) -> yaml.Node | None:
    if root is None:
        return None
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise UnreadableHeaderError("the properties do not stand one below the other")
    keys = [key.value for key, _ in root.value if isinstance(key, yaml.ScalarNode)]
    if len(keys) != len(root.value):
        raise UnreadableHeaderError("a property has no plain name")
    if len(set(keys)) != len(keys):
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise UnreadableHeaderError(f"the property {twice} stands twice")
    return root


def _worded(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    where = f"line {mark.line + _ABOVE}: " if mark else ""
    return f"the properties cannot be read ({where}{problem or 'nested too deeply'})"


def write(properties: Mapping[str, HeaderValue]) -> str:
    """A whole new header with its fences, in the form Obsidian itself would write."""
    lines = [line for name, value in properties.items() for line in property_lines(name, value)]
    return "".join(["---\n", *lines, "---\n"])


def edit(text: str, changes: Mapping[str, HeaderValue]) -> str:
    """The note with the given properties changed where they stand; absent ones stay absent.

    Names are in lower case. Every other byte survives; a property that says the same already is
    left as it is written, and a list of one stays a list. Raises UnreadableHeaderError.
    """
    present = read(text)
    due = {
        name: _in_shape_of(present[name], value)
        for name, value in changes.items()
        if name in present and _items(present[name]) != _items(as_text(value))
    }
    parts = split(text)
    if not due:
        return text
    root = yaml.compose(parts.yaml, Loader=_loader(parts.yaml))
    assert isinstance(root, yaml.MappingNode)
    spelt = Counter(key.value.lower() for key, _ in root.value)
    if twice := [name for name in due if spelt[name] > 1]:
        raise UnreadableHeaderError(f"the property {twice[0]} stands twice")
    edited = parts.opening + _spliced(parts.yaml, root, due) + parts.closing + parts.body
    _compare(edited, present, due)
    return edited


def add(text: str, gained: Mapping[str, HeaderValue]) -> str:
    """The note with those of the properties that it lacks below its others.

    Names are in lower case. A note without a header stays without. Raises UnreadableHeaderError.
    """
    present, parts = read(text), split(text)
    lacking = {name: value for name, value in gained.items() if name not in present}
    if not parts.opening or not lacking:
        return text
    newline = "\r\n" if parts.opening.endswith("\r\n") else "\n"
    lines = [line for name, value in lacking.items() for line in property_lines(name, value)]
    added = "".join(lines).replace("\n", newline)
    edited = parts.opening + parts.yaml + added + parts.closing + parts.body
    _compare(edited, present, lacking)
    return edited


def _compare(edited: str, before: Properties, due: Mapping[str, HeaderValue]) -> None:
    """Raises UnreadableHeaderError unless all is as it was but what was to change."""
    try:
        after = read(edited)
    except UnreadableHeaderError as error:
        raise UnreadableHeaderError(_HANGS) from error
    if any(after.get(name) != value for name, value in before.items() if name not in due):
        raise UnreadableHeaderError(_HANGS)
    if any(after.get(name) != as_text(value) for name, value in due.items()):
        raise UnreadableHeaderError("a property of ours is written in an unusual form")


def _spliced(source: str, root: yaml.MappingNode, due: Mapping[str, HeaderValue]) -> str:
    lines = source.splitlines(keepends=True)
    indent = _list_indent(root)
    for key, value in reversed(root.value):
        name = key.value.lower()
        if name in due:
            change = splice(lines, key, value, due[name], indent)
            if change is None:
                raise UnreadableHeaderError(f"the property {name} is written in an unusual form")
            lines[change.start : change.end] = change.lines
    return "".join(lines)


def _list_indent(root: yaml.MappingNode) -> int:
    """How far this note's first list is indented."""
    for key, value in root.value:
        if isinstance(value, yaml.SequenceNode) and not value.flow_style:
            return int(value.start_mark.column - key.start_mark.column)
    return LIST_INDENT


def _items(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """A text is a list of one, and no text is an empty list."""
    return (value if isinstance(value, tuple) else (value,)) if value else ()


def _in_shape_of(present: str | tuple[str, ...], value: HeaderValue) -> HeaderValue:
    text = as_text(value)
    return (text,) if isinstance(present, tuple) and isinstance(text, str) and text else value
