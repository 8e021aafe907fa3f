"""One property of a header changed by splicing lines: all that the reader wrote there stays.

His are the spelling of the name, comments behind and between the lines, the order and quotes of
list items that remain, the indentation of lists, and each line's own end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeGuard

import yaml

from obsidian_digest.note.yaml_form import item_lines, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from obsidian_digest.model import HeaderValue

_COLON = re.compile(r"[ \t]*:")
_COMMENT = re.compile(r"(?:^|(?P<gap>[ \t]+))(?P<comment>#[^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Splice:
    """Lines `start` to `end` (left out) of a header give way to these."""

    start: int
    end: int
    lines: list[str]


def splice(
    lines: Sequence[str], key: yaml.Node, value: yaml.Node, wanted: HeaderValue, indent: int
) -> Splice | None:
    """The lines that give the property its new value; None for a form that cannot be spliced.

    Args:
        lines: The header's lines with their ends.
        key: Its name as parsed from these lines.
        value: Its value as parsed from these lines.
        wanted: The new value.
        indent: Columns from the name to the hyphens of a list that is new.
    """
    first = key.start_mark.line
    colon = _COLON.match(lines[first], key.end_mark.column)
    begins_a_line = first == 0 or lines[first - 1].endswith("\n")
    if colon is None or not begins_a_line or any(_before(key, leaf) for leaf in _leaves(value)):
        return None
    end = _last_line(value, lines) + 1
    if isinstance(wanted, tuple) and wanted and _is_block_list(value):
        return Splice(first, end, _relisted(lines[:end], first, value, wanted))
    found = list(_comments(_masked(lines[:end], value), first, colon.end()))
    newline = _line_end(lines[first])
    nested = isinstance(value, yaml.CollectionNode) and not value.flow_style
    behind = next((c for c in found if c.gap and (c.line == first or not nested)), None)
    head = lines[first][: colon.end()] + one_line(wanted) + (behind.raw if behind else "") + newline
    column = key.start_mark.column + indent
    rest = [f"{' ' * column}{each.text}{newline}" for each in found if each is not behind]
    items = wanted if isinstance(wanted, tuple) else ()
    return Splice(first, end, [head, *item_lines(items, column, newline), *rest])


def _line_end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n"


def _leaves(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _leaves(item)
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for part in pair:
                yield from _leaves(part)


def _before(key: yaml.Node, node: yaml.Node) -> bool:
    """Whether the node stands above: it is an anchor's that an alias names."""
    return (node.start_mark.line, node.start_mark.column) < (
        key.start_mark.line,
        key.start_mark.column,
    )


def _last_line(node: yaml.Node, lines: Sequence[str]) -> int:
    """The last line that belongs to the value; the parser counts what follows a block to it."""
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        last = min(node.end_mark.line - (node.end_mark.column == 0), len(lines) - 1)
        while last > node.start_mark.line and not lines[last].strip():
            last -= 1
        return last
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        below = node.value[-1]
        return _last_line(below[1] if isinstance(below, tuple) else below, lines)
    return int(node.end_mark.line)


@dataclass(frozen=True, slots=True)
class _Comment:
    line: int
    text: str
    gap: str
    """The blanks between it and what it stands behind; empty where it has its own line."""

    @property
    def raw(self) -> str:
        return self.gap + self.text


def _masked(lines: Sequence[str], value: yaml.Node) -> list[str]:
    """The lines with every scalar's text blackened, so that a `#` in it is no comment."""
    masked = list(lines)
    for leaf in _leaves(value):
        start, end = leaf.start_mark, leaf.end_mark
        block = leaf.style in ("|", ">")
        for number in range(start.line + block, min(end.line + 1, len(masked))):
            line = masked[number]
            left = start.column if number == start.line else 0
            right = end.column if number == end.line else len(line.rstrip("\r\n"))
            masked[number] = line[:left] + "x" * (right - left) + line[right:]
    return masked


def _comments(masked: Sequence[str], first: int, colon: int) -> Iterator[_Comment]:
    for number in range(first, len(masked)):
        line = masked[number]
        found = _COMMENT.search(line, colon if number == first else 0)
        if found:
            alone = not line[: found.start()].strip()
            yield _Comment(number, found["comment"].rstrip(), "" if alone else found["gap"])


def _is_block_list(value: yaml.Node) -> TypeGuard[yaml.SequenceNode]:
    return (
        isinstance(value, yaml.SequenceNode)
        and not value.flow_style
        and all(isinstance(item, yaml.ScalarNode) for item in value.value)
    )


def _relisted(
    lines: Sequence[str], first: int, value: yaml.SequenceNode, wanted: tuple[str, ...]
) -> list[str]:
    """A block list with items put in and taken out; those that remain are left as written."""
    column = value.start_mark.column
    newline = _line_end(lines[first])
    spans = list(_item_spans(lines, value, first))
    masked = _masked(lines, value)
    edges = [first + 1, *(end for _, end in spans)]
    between = [lines[edges[i] : start] for i, (start, _) in enumerate(spans)] + [[]]
    result = [lines[first]]
    old = [item.value for item in value.value]
    for _, i, j, k, m in SequenceMatcher(None, old, wanted, autojunk=False).get_opcodes():
        stays = old[i:j] == list(wanted[k:m])
        if not stays:
            result += item_lines(wanted[k:m], column, newline)
        for index in range(i, j):
            start, end = spans[index]
            result += between[index]
            result += lines[start:end] if stays else _orphaned(masked[start:end], column, newline)
    return result


def _item_spans(
    lines: Sequence[str], value: yaml.SequenceNode, first: int
) -> Iterator[tuple[int, int]]:
    hyphen = re.compile(rf"[ ]{{{value.start_mark.column}}}-(?:\s|$)")
    above = first
    for item in value.value:
        start = item.start_mark.line
        while start > above + 1 and not hyphen.match(lines[start]):
            start -= 1
        above = _last_line(item, lines)
        yield start, above + 1


def _orphaned(masked: Sequence[str], column: int, newline: str) -> list[str]:
    """The comments of an item that goes."""
    found = (match for line in masked if (match := _COMMENT.search(line)))
    return [f"{' ' * column}{match['comment'].rstrip()}{newline}" for match in found]
