"""Which addresses are asked: those of arXiv, of this machine, and the one that was named."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit

from obsidian_digest.edge.polite_web.answers import WebError

if TYPE_CHECKING:
    from collections.abc import Sequence

ARXIV = "arxiv.org"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_HOPS = 5


def address(url: str) -> SplitResult:
    """The parts of an address that can be asked; raises WebError for any other."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise no_address(url)
    return parts


def no_address(url: str) -> WebError:
    """The error for a text that is no address."""
    what = f"{url[:200]} is not an address that can be asked"
    return WebError(what, "", "correct the address and run again.")


def is_loopback(host: str | None) -> bool:
    """Whether the host is this machine."""
    return host in LOOPBACK


def service(url: str) -> str:
    """What a pause or a refusal is about: the host.

    On this machine one port may stand for several of arXiv's hosts, so there it is the host and
    the first part of the path.
    """
    parts = address(url)
    host = parts.netloc.rpartition("@")[2].lower()
    return "/".join([host, *parts.path.split("/")[1:2]]) if is_loopback(parts.hostname) else host


def next_address(asked: Sequence[str], location: str) -> str:
    """Where a redirect leads that came after asking these addresses in turn.

    Raises WebError unless it leads on, over a connection that is no less secure, to arXiv or to
    the host that was asked first.
    """
    here = address(asked[-1])
    try:
        url = urljoin(asked[-1], location)
        there = urlsplit(url)
        host = there.hostname or ""
    except ValueError:
        location, url, there, host = "", "", here, ""
    if not location or there.scheme not in ("http", "https") or not host:
        what = "arXiv's answer leads to no address that can be asked"
    elif url in asked:
        what = "arXiv's answers lead in a circle"
    elif len(asked) > MOST_HOPS:
        what = f"arXiv's answers lead from address to address more than {MOST_HOPS} times"
    elif (here.scheme, there.scheme) == ("https", "http"):
        what = f"arXiv's answer leads to an address that is not secure (http://{host})"
    elif not _is_arxivs(host, address(asked[0]).hostname):
        what = f"the answer leads away from arXiv, to {host}"
        hint = "log in first if this network wants a login; or try again later."
        raise WebError(what, here.netloc, hint)
    else:
        return url
    raise WebError(what, here.netloc, "try again later.")


def _is_arxivs(host: str, first: str | None) -> bool:
    if host in (first, ARXIV) or host.endswith(f".{ARXIV}"):
        return True
    return is_loopback(host) and is_loopback(first)
