"""A paper's own web page at arXiv, read for one thing: the institutions of its authors.

LaTeXML makes the page of the paper's source; not every paper has one, and a new one may get its own
some hours after it was announced. https://info.arxiv.org/about/accessible_HTML.html
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from obsidian_digest.edge.arxiv_html.institutions import institutions
from obsidian_digest.edge.arxiv_html.markup import front_matter
from obsidian_digest.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from obsidian_digest.model import Paper
    from obsidian_digest.ports import Progress, Web

CACHE = "affiliations.jsonl"
_ABSENT = ("(HTTP 404)", "(HTTP 410)")


class ArxivHtml:
    """The pages below `base_url` (`https://arxiv.org/html`).

    What a page told, also that it told nothing, is kept in `cache_folder`, one line a page;
    `read_only` is for runs that write nothing.
    """

    def __init__(
        self, base_url: str, web: Web, cache_folder: Path, *, read_only: bool = False
    ) -> None:
        self._base_url = base_url
        self._web = web
        self._cache = cache_folder / CACHE
        self._read_only = read_only
        self._known: dict[str, tuple[str, ...]] | None = None

    def __call__(self, papers: Sequence[Paper], progress: Progress) -> dict[str, tuple[str, ...]]:
        """The institutions of those papers that came without, by id; what is missing is no error.

        After a failure that another page would meet too, no further page is asked for.
        """
        lacking = [paper for paper in papers if not paper.affiliations]
        found: dict[str, tuple[str, ...]] = {}
        for done, paper in enumerate(lacking, 1):
            try:
                found[paper.id] = self.affiliations(paper.id, paper.version, paper.authors)
            except SourceError as error:
                if error.source_outcome != "corrupt":
                    break
            progress("fetch", done, len(lacking))
        return {arxiv_id: told for arxiv_id, told in found.items() if told}

    def affiliations(
        self, arxiv_id: str, version: int, authors: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """What the page of this version tells; none where there is no page. Raises SourceError.

        `authors` are the paper's, so that no name is taken for an institution.
        """
        name = f"{arxiv_id}v{version}"
        known = self._remembered()
        if name not in known:
            try:
                blocks = self._web.get(f"{self._base_url}/{name}", front_matter)
            except SourceError as error:
                if not any(words in error.what for words in _ABSENT):
                    raise
                blocks = ()
            if blocks is None:
                return ()
            known[name] = institutions(blocks, authors)
            self._remember(name, known[name])
        return known[name]

    def _remembered(self) -> dict[str, tuple[str, ...]]:
        if self._known is None:
            self._known = {}
            with contextlib.suppress(OSError):
                for line in self._cache.read_text("utf-8", errors="replace").splitlines():
                    with contextlib.suppress(ValueError, KeyError, TypeError):
                        row = json.loads(line)
                        self._known[str(row["paper"])] = tuple(map(str, row["affiliations"]))
        return self._known

    def _remember(self, name: str, found: tuple[str, ...]) -> None:
        """A full disk costs a request later, no more."""
        if self._read_only:
            return
        line = json.dumps({"paper": name, "affiliations": found}, ensure_ascii=False)
        with contextlib.suppress(OSError):
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            with self._cache.open("a", encoding="utf-8") as lines:
                lines.write(f"{line}\n")
