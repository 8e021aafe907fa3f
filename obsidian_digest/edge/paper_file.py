"""Saved papers: any file that holds arXiv metadata, recognised by its content, whole or refused.

Understood, plain or compressed with gzip or xz: JSON (one record a line, or one array) and XML,
as far as the given readers of records and of feeds understand what is in it. Readers raise
ValueError with words that continue "line 3 …".
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import lzma
import zlib
from contextlib import contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, Any

from obsidian_digest.errors import InputError
from obsidian_digest.model import Harvest, Paper, Query, SourceReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from obsidian_digest.ports import Progress

    ReadFeed = Callable[[bytes], tuple[tuple[Paper, ...], int]]
    """XML to its new papers and the number of replacements: `edge.paper_feed.read_feed`."""
    ReadRecord = Callable[[Any], Paper]
    """A JSON value to its paper: `edge.paper_record.read_record`."""

NAME = "file"
STEP = 1000
COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open}
DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)
NOTHING_WRITTEN = "Nothing was written."
UNDERSTOOD = (
    f"{NOTHING_WRITTEN} Understood are JSON records (one a line, or an array), the Kaggle "
    "snapshot, saved answers of arXiv's search API, and RSS or Atom feeds of rss.arxiv.org, also "
    "compressed with gzip or xz."
)


class PaperFiles:
    """The files the user named, as a source: exactly their papers, in their order.

    Categories are filtered only with `only_categories`: who names a file wants its papers.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        read_feed: ReadFeed,
        read_record: ReadRecord,
        *,
        only_categories: bool = False,
    ) -> None:
        self._files = tuple(PaperFile(path, read_feed, read_record) for path in paths)
        self._only_categories = only_categories

    def harvest(self, query: Query, progress: Progress) -> Harvest:
        """All papers of all files, doubles included, and one report a file.

        With a window in the query, papers known to be submitted outside it are left out. Raises
        InputError, naming file and line, when one file cannot be read to its end.
        """
        papers: list[Paper] = []
        reports = []
        for file in self._files:
            before = len(papers)
            for paper in file:
                if self._wanted(paper, query):
                    papers.append(paper)
                    if len(papers) % STEP == 0:
                        progress("fetch", len(papers), 0)
            found, replaced = len(papers) - before, file.replaced
            detail = f"{file.path.name}: replacements left out: {replaced}" if replaced else ""
            reports.append(
                SourceReport(NAME, "ok" if found else "empty", found, detail or file.path.name)
            )
        progress("fetch", len(papers), len(papers))
        return Harvest(tuple(papers), tuple(reports))

    def _wanted(self, paper: Paper, query: Query) -> bool:
        if self._only_categories:
            lists = paper.categories if query.cross_lists else (paper.primary,)
            if not set(lists) & set(query.categories):
                return False
        if query.window is None or paper.published is None:
            return True
        return query.window.start <= paper.published < query.window.end


def read_papers(path: Path, read_feed: ReadFeed, read_record: ReadRecord) -> tuple[Paper, ...]:
    """All papers of one file, without a feed's replacements; raises InputError, never a part."""
    return tuple(PaperFile(path, read_feed, read_record))


class PaperFile:
    """One saved file; iterating reads it, in constant memory where it holds JSON lines.

    A file that breaks off raises InputError when the reading gets there: use nothing before.
    """

    def __init__(self, path: Path, read_feed: ReadFeed, read_record: ReadRecord) -> None:
        self.path = path
        self.replaced = 0
        """Replacements that a feed announced beside new papers; known once it is read."""
        self._read_feed = read_feed
        self._read_record = read_record

    def __iter__(self) -> Iterator[Paper]:
        with _opened(self.path) as stream:
            encoding, first = _first_sign(stream)
            if first == "<":
                papers, self.replaced = self._feed(stream.read())
                yield from papers
            elif first == "[":
                with io.TextIOWrapper(stream, encoding) as text:
                    yield from self._array(text)
            elif first == "{":
                # Bytes that are no UTF-8 come through marked, so that their line can be named.
                with io.TextIOWrapper(stream, encoding, "surrogateescape", "\n") as text:
                    yield from self._lines(text)
            else:
                found = _what_it_is(stream)
                raise InputError(f"{found}, not a file of papers", str(self.path), UNDERSTOOD)

    def _feed(self, xml: bytes) -> tuple[tuple[Paper, ...], int]:
        try:
            return self._read_feed(xml)
        except ValueError as error:
            raise InputError(str(error), str(self.path), UNDERSTOOD) from error

    def _array(self, text: IO[str]) -> Iterable[Paper]:
        try:
            records = json.load(text)
        except json.JSONDecodeError as error:
            what = f"line {error.lineno}: the JSON array is cut off or damaged ({error.msg})"
            raise InputError(what, str(self.path), NOTHING_WRITTEN) from error
        except (ValueError, RecursionError) as error:
            what = f"the JSON array cannot be read ({error})"
            raise InputError(what, str(self.path), NOTHING_WRITTEN) from error
        return [self._paper(r, f"record {n}") for n, r in enumerate(records, 1)]

    def _lines(self, text: IO[str]) -> Iterator[Paper]:
        number = 0
        try:
            for number, line in enumerate(text, 1):
                if line.strip():
                    yield self._paper(self._json(line, number), f"line {number}")
        except (UnicodeError, *DAMAGE) as error:
            what = f"line {number + 1}: the file breaks off here"
            raise InputError(what, str(self.path), NOTHING_WRITTEN) from error

    def _json(self, line: str, number: int) -> Any:
        try:
            line.encode()
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            if isinstance(error, UnicodeError):
                kind = "is not UTF-8 text"
            elif line.endswith("\n"):
                kind = "is not valid JSON"
            else:
                kind = "is cut off: the file is not whole"
            raise InputError(f"line {number} {kind}", str(self.path), NOTHING_WRITTEN) from error

    def _paper(self, record: Any, place: str) -> Paper:
        try:
            return self._read_record(record)
        except ValueError as error:
            raise InputError(f"{place} {error}", str(self.path), UNDERSTOOD) from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes, with every trouble of the outside told as an InputError."""
    if path.is_dir():
        raise InputError("this is a folder; name the files in it", str(path), NOTHING_WRITTEN)
    try:
        with path.open("rb") as raw:
            magic = raw.read(6)
            raw.seek(0)
            opener = next((o for sign, o in COMPRESSED.items() if magic.startswith(sign)), None)
            with opener(raw) if opener else nullcontext(raw) as stream:
                yield stream
    except DAMAGE as error:
        what = "the compressed file is cut off or damaged"
        raise InputError(what, str(path), NOTHING_WRITTEN) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file", str(path), NOTHING_WRITTEN) from error
    except OSError as error:
        what = f"the file cannot be read ({error.strerror or error})"
        raise InputError(what, str(path), NOTHING_WRITTEN) from error


def _first_sign(stream: Any) -> tuple[str, str]:
    """The text's encoding and its first character that is not white space, or ''."""
    start: bytes = stream.peek(4096)
    encoding = "utf-16" if start[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    text = start[: len(start) // 2 * 2].decode(encoding, "replace").lstrip()
    return encoding, text[:1]


def _what_it_is(stream: Any) -> str:
    start: bytes = stream.peek(4096).removeprefix(codecs.BOM_UTF8).strip()
    if not start:
        return "this is an empty file"
    if start.startswith(b"PK"):
        return "this is a zip archive (unpack it first)"
    if b"\0" in start or start.startswith(b"%PDF"):
        return "this is a binary file"
    words = " ".join(start[:200].decode("utf-8", "replace").split())[:40]
    return f'this is text that starts with "{words}"'
