"""A note's header: read as text, written as Obsidian would, edited by splicing lines.

python-frontmatter and PyYAML only read here: a load-and-dump would restyle what is the reader's
(quotes, comments, order), and their reading of plain scalars differs from Obsidian's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import yaml
from frontmatter.default_handlers import YAMLHandler

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from obsidian_digest.model import HeaderValue

Properties = dict[str, str | tuple[str, ...]]

_HEADER = re.compile(
    r"\A(?P<open>\ufeff?---[ \t]*\r?\n)(?P<yaml>.*?)(?P<close>^---[ \t]*(?:\r?\n|\Z))",
    re.DOTALL | re.MULTILINE,
)
_PLAIN_AS_OTHER_TYPE = re.compile(
    r"""(?: ~ | null | Null | NULL | true | True | TRUE | false | False | FALSE
    | [-+]?[0-9]+ | 0o[0-7]+ | 0x[0-9a-fA-F]+
    | [-+]?(?:\.[0-9]+|[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?
    | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN) )\Z""",
    re.VERBOSE,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


class UnreadableHeaderError(ValueError):
    """The header is not one that can be edited safely; nothing may be written."""


class _TextLoader(yaml.CBaseLoader):
    """Leaves every scalar as the text it was written in."""


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
    _root(parts.yaml)
    try:
        loaded = YAMLHandler().load(parts.yaml, Loader=_TextLoader) or {}
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise UnreadableHeaderError(str(error)) from error
    return {str(key): value for key, given in loaded.items() if (value := _text(given)) is not None}


def _text(value: object) -> str | tuple[str, ...] | None:
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else None


def _root(source: str) -> yaml.MappingNode | None:
    """The header's node tree, for positions; checked as strictly as Obsidian's parser does."""
    # libyaml is ten times as fast, but lets tabs and byte-order marks pass that Obsidian refuses.
    loader = yaml.SafeLoader if "\t" in source or "\ufeff" in source else yaml.CSafeLoader
    try:
        root = yaml.compose(source, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableHeaderError(str(error)) from error
    if root is None:
        return None
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise UnreadableHeaderError("the header is not a plain list of properties")
    keys = [key.value for key, _ in root.value if isinstance(key, yaml.ScalarNode)]
    if len(keys) != len(root.value):
        raise UnreadableHeaderError("a property has no plain name")
    if len(set(keys)) != len(keys):
        raise UnreadableHeaderError("a property stands twice")
    return root


def write(properties: Mapping[str, HeaderValue]) -> str:
    """A whole new header with its fences, in the form Obsidian itself would write."""
    return (
        "---\n" + "".join(_lines(key, value, "\n") for key, value in properties.items()) + "---\n"
    )


def edit(text: str, changes: Mapping[str, HeaderValue]) -> str:
    """The note with the given properties changed where they stand; absent ones stay absent.

    Every other byte survives; a property whose value is already equal is left as it is written.
    Raises UnreadableHeaderError.
    """
    present = read(text)
    if all(present.get(key) == as_text(value) for key, value in changes.items()):
        return text
    parts = split(text)
    root = _root(parts.yaml)
    if root is None:
        return text
    newline = "\r\n" if parts.opening.endswith("\r\n") else "\n"
    lines = parts.yaml.splitlines(keepends=True)
    for key, start, end in reversed(list(_spans(root, lines))):
        if key in changes and present.get(key) != as_text(changes[key]):
            lines[start:end] = [_lines(key, changes[key], newline)]
    edited = parts.opening + "".join(lines) + parts.closing + parts.body
    after = read(edited)
    if any(after.get(key) != value for key, value in present.items() if key not in changes):
        raise UnreadableHeaderError("a property of the reader's hangs on one of ours")
    return edited


def _spans(root: yaml.MappingNode, lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Each property's key and line span; comments and blank lines below it are the reader's."""
    starts = [key.start_mark.line for key, _ in root.value] + [len(lines)]
    for index, (key, _) in enumerate(root.value):
        end = starts[index + 1]
        while end > starts[index] + 1 and (
            not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")
        ):
            end -= 1
        yield key.value, starts[index], end


def as_text(value: HeaderValue) -> str | tuple[str, ...]:
    """The value as `read` would give it back."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)


def _lines(key: str, value: HeaderValue, newline: str) -> str:
    if isinstance(value, tuple):
        if not value:
            return f"{key}: []{newline}"
        return f"{key}:{newline}" + "".join(f"  - {scalar(item)}{newline}" for item in value)
    if value is None:
        return f"{key}:{newline}"
    return f"{key}: {scalar(value) if isinstance(value, str) else as_text(value)}{newline}"


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
