"""What the tests of arXiv's announcements share: two mailings, and both sources at a loopback."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from obsidian_digest.edge.arxiv_listing import ArxivListing
from obsidian_digest.edge.arxiv_rss import ArxivRss
from obsidian_digest.edge.paper_feed import read_feed
from tests.edge.announcement_server import Announcing, Mailing
from tests.edge.asking import paper, web

RECORDINGS = Path(__file__).parents[1] / "recordings"
WEDNESDAY, THURSDAY, FRIDAY = date(2026, 8, 19), date(2026, 8, 20), date(2026, 8, 21)
THURSDAY_NOON = datetime(2026, 8, 20, 16, tzinfo=UTC)


def _paper(number: int, day: date, primary: str = "cs.AI", **changes: object):
    made = paper(number, primary=primary, announced=day, published=None, updated=None, **changes)
    return replace(made, comment="Code: https://example.org/a?b=1&c=2 (MIT)")


OLD = replace(
    _paper(9, THURSDAY, "cs.CL"), id="2311.06273", version=2, categories=("cs.CL", "cs.AI")
)
MAILINGS = (
    Mailing(WEDNESDAY, new=(_paper(0, WEDNESDAY),)),
    Mailing(
        THURSDAY,
        new=(
            _paper(1, THURSDAY, affiliations=("Inria, Paris",)),
            _paper(2, THURSDAY, "cs.RO"),
            _paper(3, THURSDAY, journal_ref="Robots 1, 2 (2026)"),
        ),
        crossed=(OLD,),
        replaced=(
            replace(_paper(4, THURSDAY), version=2, announced=None),
            replace(_paper(5, THURSDAY, "cs.RO"), version=3, announced=None),
            replace(_paper(6, THURSDAY), version=6, announced=None),
        ),
    ),
)
ALL_KINDS = ["new", "new", "cross", "cross", "replace", "replace-cross"]


class Recorded:
    """A web that has one answer a page, in order."""

    def __init__(self, *names: str) -> None:
        self.bodies = [(RECORDINGS / name).read_bytes() for name in names]
        self.asked: list[str] = []

    def get(self, url, read):
        self.asked.append(url)
        return read(self.bodies[len(self.asked) - 1])


def rss(arxiv: Announcing, folder: Path, **changes: object) -> ArxivRss:
    return ArxivRss(arxiv.rss, web(folder, **changes), read_feed)


def listing(
    arxiv: Announcing, folder: Path, newest: date = THURSDAY, **changes: object
) -> ArxivListing:
    return ArxivListing(arxiv.site, web(folder, **changes), newest)
