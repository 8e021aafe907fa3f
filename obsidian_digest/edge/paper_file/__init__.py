"""Saved papers: any file that holds arXiv metadata, recognised by its content, whole or refused.

JSON (one record a line, or one array), XML and text, as far as the given readers understand what
is in it, plain or compressed with gzip, xz, bzip2 or zip. Readers raise ValueError with words that
continue "line 3 …".
"""

from __future__ import annotations

import io
import json
from typing import IO, TYPE_CHECKING, Any, TypeVar

from obsidian_digest.edge.paper_file.opened import (
    DAMAGE,
    NOTHING_WRITTEN,
    decoded,
    first_sign,
    opened,
    what_it_is,
)
from obsidian_digest.errors import InputError
from obsidian_digest.model import Harvest, Paper, Query, SourceReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from obsidian_digest.model import SourceOutcome
    from obsidian_digest.ports import Progress

    ReadFeed = Callable[[bytes], tuple[tuple[Paper, ...], int]]
    """XML to its new papers and the number of replacements: `edge.paper_feed.read_feed`."""
    ReadRecord = Callable[[Any], Paper]
    """A JSON value to its paper: `edge.paper_record.read_record`."""
    Contents = tuple[tuple[Paper, ...], tuple[str, ...], str]
    """Papers, ids of papers named without title and abstract, words on what was left out."""
    ReadXml = Callable[[bytes], Contents | None]
    """XML to what it holds, None for another kind: `edge.arxiv_oai.read_oai`."""
    ReadText = Callable[[str], Contents | None]
    """The same for text: `read_mail`, `read_bibtex`, `read_ids`."""

T = TypeVar("T")

NAME = "file"
STEP = 1000
MOST_AT_ONCE = 2**28
"""Bytes of XML or text that are read as a whole; JSON lines may go on for ever."""
UNDERSTOOD = (
    f"{NOTHING_WRITTEN} Understood are JSON records (one a line, or an array), the Kaggle "
    "snapshot, saved answers of arXiv's search API and of OAI-PMH, RSS or Atom feeds of "
    "rss.arxiv.org, arXiv's mails and .abs files, BibTeX, and lists of arXiv ids, also compressed "
    "with gzip, xz, bzip2 or zip."
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
        xml: Sequence[ReadXml] = (),
        text: Sequence[ReadText] = (),
        only_categories: bool = False,
    ) -> None:
        self._files = tuple(
            PaperFile(path, read_feed, read_record, xml=xml, text=text) for path in paths
        )
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
            reports.append(file.report(len(papers) - before))
        progress("fetch", len(papers), len(papers))
        return Harvest(tuple(papers), tuple(reports))

    @property
    def files(self) -> tuple[PaperFile, ...]:
        """Each file by itself."""
        return self._files

    def papers(self) -> Iterator[Paper]:
        """The papers one by one, in constant memory as far as the files hold JSON lines.

        A file that breaks off raises InputError only when the reading gets there.
        """
        for file in self._files:
            yield from file

    def ids(self) -> tuple[str, ...]:
        """Papers that the files name without title and abstract, once each: to be looked up.

        With the version where the file gives one (`2608.19197v2`). Raises InputError.
        """
        return tuple(dict.fromkeys(name for file in self._files for name in file.names()))

    def _wanted(self, paper: Paper, query: Query) -> bool:
        if self._only_categories:
            lists = paper.categories if query.cross_lists else (paper.primary,)
            if not set(lists) & set(query.categories):
                return False
        if query.window is None or paper.published is None:
            return True
        return query.window.start <= paper.published < query.window.end


def read_papers(
    path: Path,
    read_feed: ReadFeed,
    read_record: ReadRecord,
    *,
    xml: Sequence[ReadXml] = (),
    text: Sequence[ReadText] = (),
) -> tuple[Paper, ...]:
    """All papers of one file, without a feed's replacements; raises InputError, never a part."""
    return tuple(PaperFile(path, read_feed, read_record, xml=xml, text=text))


class PaperFile:
    """One saved file; iterating reads it, in constant memory where it holds JSON lines.

    A file that breaks off raises InputError when the reading gets there: use nothing before.
    """

    def __init__(
        self,
        path: Path,
        read_feed: ReadFeed,
        read_record: ReadRecord,
        *,
        xml: Sequence[ReadXml] = (),
        text: Sequence[ReadText] = (),
    ) -> None:
        self.path = path
        self._read_feed = read_feed
        self._read_record = read_record
        self._xml, self._text = xml, text
        self._ids: tuple[str, ...] = ()
        self._left_out = ""

    def __iter__(self) -> Iterator[Paper]:
        with opened(self.path) as stream:
            encoding, first = first_sign(stream)
            if first == "[":
                with io.TextIOWrapper(stream, encoding) as text:
                    yield from self._array(text)
            elif first == "{":
                # Bytes that are no UTF-8 come through marked, so that their line can be named.
                with io.TextIOWrapper(stream, encoding, "surrogateescape", "\n") as text:
                    yield from self._lines(text)
            else:
                papers, self._ids, self._left_out = self._contents(stream, encoding, first)
                yield from papers

    def names(self) -> tuple[str, ...]:
        """Ids of the papers it names without title and abstract; JSON never does."""
        with opened(self.path) as stream:
            encoding, first = first_sign(stream)
            return () if first in {"[", "{"} else self._contents(stream, encoding, first)[1]

    def report(self, papers: int) -> SourceReport:
        """How it fared, once it is read, having given so many papers."""
        named = len(self._ids)
        words = [self._left_out] if self._left_out else []
        words += [f"papers named without title and abstract: {named}"] if named else []
        detail = f"{self.path.name}: {', '.join(words)}" if words else self.path.name
        outcome: SourceOutcome = "ok" if papers else "skipped" if named else "empty"
        return SourceReport(NAME, outcome, papers, detail)

    def _contents(self, stream: Any, encoding: str, first: str) -> Contents:
        kind = what_it_is(stream)
        content = stream.read(MOST_AT_ONCE + 1)
        if len(content) > MOST_AT_ONCE:
            what = f"{kind}, and it is larger than {MOST_AT_ONCE >> 20} MB"
            raise InputError(what, str(self.path), UNDERSTOOD)
        try:
            if first == "<":
                return self._from_xml(content)
            text = decoded(content, encoding)
            if text is not None and (contents := _first(self._text, text)) is not None:
                return contents
        except ValueError as error:
            raise InputError(str(error), str(self.path), UNDERSTOOD) from error
        raise InputError(f"{kind}, not a file of papers", str(self.path), UNDERSTOOD)

    def _from_xml(self, xml: bytes) -> Contents:
        contents = _first(self._xml, xml)
        if contents is not None:
            return contents
        papers, replaced = self._read_feed(xml)
        return papers, (), f"replacements left out: {replaced}" if replaced else ""

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


def _first(readers: Sequence[Callable[[T], Contents | None]], content: T) -> Contents | None:
    """What the first reader says that knows this kind of content."""
    return next((c for read in readers if (c := read(content)) is not None), None)
