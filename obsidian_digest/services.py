"""arXiv's services at the addresses that the environment names: the only list of sources."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from obsidian_digest.errors import InputError
from obsidian_digest.gathering import Sources

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from pathlib import Path

    from obsidian_digest.edge.polite_web import PoliteWeb
    from obsidian_digest.ports import AnnouncementSource, PaperSource

ENVIRONMENT = "OBSIDIAN_DIGEST_"
ADDRESSES = {
    "RSS_URL": "https://rss.arxiv.org/rss",
    "LIST_URL": "https://arxiv.org",
    "API_URL": "https://export.arxiv.org/api/query",
    "OAI_URL": "https://oaipmh.arxiv.org/oai",
    "HTML_URL": "https://arxiv.org/html",
}
LONGEST_INTERVAL = 3600.0
_SERVED_BY = {"rss": "RSS_URL", "listing": "LIST_URL", "api": "API_URL", "oai": "OAI_URL"}


def sources(wanted: str, newest: date, web: PoliteWeb) -> Sources:
    """The sources of this name, or for `auto` all in the order in which they are asked.

    `newest` is the newest batch that is public. Where the environment moves some services to other
    addresses, `auto` leaves out those that stay at arXiv's own. Raises InputError.
    """
    from obsidian_digest.edge.arxiv_api import ArxivApi  # noqa: PLC0415 (not for saved files)
    from obsidian_digest.edge.arxiv_listing import ArxivListing  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.arxiv_oai import ArxivOai  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.arxiv_rss import ArxivRss  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_feed import read_feed  # noqa: PLC0415 (as above)

    names = _automatic() if wanted == "auto" else (wanted,)
    lists: dict[str, Callable[[], AnnouncementSource]] = {
        "rss": lambda: ArxivRss(address("RSS_URL"), web, read_feed),
        "listing": lambda: ArxivListing(address("LIST_URL"), web, newest),
    }
    searches: dict[str, Callable[[], PaperSource]] = {
        "api": lambda: ArxivApi(address("API_URL"), web),
        "oai": lambda: ArxivOai(address("OAI_URL"), web),
    }
    return Sources(
        {name: make() for name, make in lists.items() if name in names},
        {name: make() for name, make in searches.items() if name in names},
        newest,
    )


def _automatic() -> tuple[str, ...]:
    moved = {name for name in ADDRESSES if os.environ.get(f"{ENVIRONMENT}{name}")}
    return tuple(name for name, key in _SERVED_BY.items() if not moved or key in moved)


def polite_web(folder: Path, *, tries: int = 3, patience: float = 300.0) -> PoliteWeb:
    """The one door to all of them; `folder` is shared by all runs of this machine.

    Nothing is asked for longer than `patience` seconds.
    """
    from obsidian_digest.edge.polite_web import PoliteWeb  # noqa: PLC0415 (not for saved files)

    return PoliteWeb(folder, _interval(), tries=tries, corrupt_tries=2, patience=patience)


def address(name: str) -> str:
    """Where a service is. Raises InputError for something in the environment that is no address."""
    given = os.environ.get(f"{ENVIRONMENT}{name}") or ADDRESSES[name]
    try:
        parts = urlsplit(given)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        what = f'"{given}" is no address that begins with http:// or https://'
        raise InputError(what, f"{ENVIRONMENT}{name}")
    return given


def _interval() -> float:
    given = os.environ.get(f"{ENVIRONMENT}MIN_INTERVAL") or "3"
    try:
        seconds = float(given)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_INTERVAL:
        what = f'"{given}" is no number of seconds from 0 to {LONGEST_INTERVAL:.0f}'
        raise InputError(what, f"{ENVIRONMENT}MIN_INTERVAL")
    return seconds
