"""Where a paper's code and project page are, as its abstract and comment say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from obsidian_digest.note.addresses import addresses, apart

if TYPE_CHECKING:
    from obsidian_digest.model import Paper

_REPOSITORIES = (
    r"(?:github\.com|[\w.-]*gitlab\.[\w.-]+|bitbucket\.org|codeberg\.org|gitee\.com"
    r"|git\.[\w.-]+|sr\.ht)"
)
_DEPOSITS = (
    r"(?:anonymous\.4open\.science|huggingface\.co|hf\.co|zenodo\.org|osf\.io|kaggle\.com|modelscope\.cn"
    r"|codeocean\.com|(?:[\w-]+\.)?figshare\.com|sourceforge\.net|pypi\.org|colab\.research\.google\.com)"
)
_PAGES = (
    r"(?:[\w-]+\.(?:github|gitlab)\.io|sites\.google\.com|[\w-]+\.(?:netlify|vercel|pages|web)\.(?:app|dev)"
    r"|[\w-]+\.notion\.site)"
)
_NOT_A_PAGE = re.compile(
    r"(?:[\w-]+\.)*(?:arxiv\.org|doi\.org|youtube\.com|youtu\.be|openreview\.net)"
)
_BROKEN = (
    (re.compile(r"(https?:/?/?)\s+(?=/|[\w-]+\.)"), r"\1"),
    (re.compile(rf"(https?://(?:{_REPOSITORIES}|huggingface\.co)/)\s+(?=[\w.-]+/[\w.-])"), r"\1"),
    (
        re.compile(rf"(https?://{_REPOSITORIES}/[\w.-]+/)\s+(?=[\w.]*[\d_-]|[A-Za-z][a-z]*[A-Z])"),
        r"\1",
    ),
    (re.compile(r"(https?://[^\s{}]{1,200}[-_])\s+(?=\w)"), r"\1"),
    (
        re.compile(
            r"(?i)(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:?\s*|(?<![\w./]))(10\.5281/zenodo\.\d+)"
        ),
        r"https://doi.org/\1",
    ),
    (
        re.compile(rf"(?<![\w./@:~-])(?:www\.)?(?=(?:{_REPOSITORIES}|{_DEPOSITS}|{_PAGES})/\w)"),
        "https://",
    ),
)
_SAYS_PAGE = re.compile(
    r"(?:project|web|home|demo)[ -]?(?:web)?(?:page|site|website)?s?\b(?:[^.;]{0,25})$"
    r"|\b(?:website|homepage|page|demos?)\b[^.;]{0,25}$",
    re.IGNORECASE,
)
_SAYS_CODE = re.compile(
    r"\b(?:code|implementation|source|repo|repository|github|software|library|package)\w*\b[^;]{0,45}$",
    re.IGNORECASE,
)
_CONTEXT = 70
_ONE_DAY = 1024
# https://www.crossref.org/blog/dois-and-matching-regular-expressions/
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")


@dataclass(frozen=True, slots=True)
class Pointers:
    """Addresses that belong to a paper: https only, none twice."""

    code: str | None = None
    """The repository or deposit."""
    project: str | None = None
    """The page that presents it."""
    others: tuple[str, ...] = ()
    """Any further address, in the order of the text; none of arXiv's."""


@dataclass(frozen=True, slots=True)
class _Found:
    url: str
    code_rank: int | None
    page_rank: int | None


def pointers(paper: Paper) -> Pointers:
    """The code, project page and other addresses named in the paper's comment and abstract."""
    found: dict[str, _Found] = {}
    for text in (paper.comment, paper.abstract):
        for each in _found_in(text):
            found.setdefault(_key(each.url), each)
    everything = list(found.values())
    code = _best([(each.code_rank, each.url) for each in everything])
    project = _best([(each.page_rank, each.url) for each in everything if each.url != code])
    others = tuple(each.url for each in everything if each.url not in {code, project})
    return Pointers(code, project, others)


def doi_link(doi: str) -> str | None:
    """The address that resolves the (first) DOI of a text, None where it holds none.

    Every sign but letters, digits and `-._~/` is percent-encoded: DOIs may hold any, also those
    that mean something to Markdown, Obsidian and its plugins.
    """
    found = _DOI.search(doi)
    return apart(f"https://doi.org/{quote(found[0], errors='replace')}") if found else None


@lru_cache(maxsize=_ONE_DAY)
def _found_in(source: str) -> tuple[_Found, ...]:
    text = " ".join(source.split())
    for pattern, whole in _BROKEN:
        text = pattern.sub(whole, text)
    found, last = [], 0
    for address in addresses(text):
        before = text[max(last, address.start - _CONTEXT) : address.start]
        last = address.end
        url = _normal(address.url)
        host, _, path = url.removeprefix("https://").partition("/")
        if re.fullmatch(r"(?:[\w-]+\.)*arxiv\.org", host):
            continue
        found.append(_Found(url, _code_rank(host, path, before), _page_rank(host, before)))
    return tuple(found)


def _normal(url: str) -> str:
    url = re.sub(r"^http://", "https://", url)
    url = re.sub(r"^https://www\.(?=github\.com|huggingface\.co)", "https://", url)
    host = url.removeprefix("https://").partition("/")[0]
    if re.fullmatch(f"{_REPOSITORIES}|{_DEPOSITS}", host):
        url = re.sub(r"(?:\.git)?/*$", "", url)
    return url


def _key(url: str) -> str:
    return url.rstrip("/").casefold()


def _code_rank(host: str, path: str, before: str) -> int | None:
    """How surely this is the paper's code, smaller is surer; None: it is not."""
    unsaid = 0 if _SAYS_CODE.search(before) else 1
    if re.fullmatch(_REPOSITORIES, host) and path:
        return unsaid if "/" in path.strip("/") else 2 + unsaid
    zenodo = host == "doi.org" and path.startswith("10.5281/")
    if (re.fullmatch(_DEPOSITS, host) and path) or zenodo:
        return (6 if path.startswith("datasets/") else 4) + unsaid
    return None


def _page_rank(host: str, before: str) -> int | None:
    """How surely this is the paper's own page, smaller is surer; None: it is not."""
    if re.fullmatch(f"{_REPOSITORIES}|{_DEPOSITS}", host) or _NOT_A_PAGE.fullmatch(host):
        return None
    said = _SAYS_PAGE.search(before)
    if re.fullmatch(_PAGES, host):
        return 0 if said else 1
    return 2 if said else None


def _best(ranked: list[tuple[int | None, str]]) -> str | None:
    """The first of the best rank."""
    known = [(rank, place, url) for place, (rank, url) in enumerate(ranked) if rank is not None]
    return min(known)[2] if known else None
