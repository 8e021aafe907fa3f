"""What an announcement leaves out of a paper and the search API tells.

A feed has no comment and no time of submission; a listing page no DOI, no time, about 100 authors
at most, and a version only where the paper has an HTML form.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from obsidian_digest.model import Paper

_WITHDRAWN = re.compile(
    # What stands here of other papers: "replaces the withdrawn version", "withdrawn from ICML".
    r"(?<!\bthe )(?<!\bpreviously )\bwithdrawn\b"
    r"(?! +(?:from +(?!arxiv)|(?:arxiv:|paper|version|submission|manuscript|preprint)))",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\W*(?:withdrawn\b|(?:this|the|our) (?:[\w-]+ ){1,3}?(?:has been|have been|is|was)"
    r"(?: \w+)? withdrawn\b)",
    re.IGNORECASE,
)


def lacking(papers: Iterable[Paper]) -> tuple[str, ...]:
    """What to ask the search API for: the papers that came without a time of submission.

    Each by its version, so that a late run is told what an early one was; by the bare id where the
    version is not known.
    """
    return tuple(dict.fromkeys(_asked(paper) for paper in papers if paper.published is None))


def _asked(paper: Paper) -> str:
    return f"{paper.id}v{paper.version}" if says_version(paper) else paper.id


def says_version(paper: Paper) -> bool:
    """Whether its version is its source's word.

    A replacement never is the first, though a listing page may not tell which one it is.
    """
    return paper.version > 1 or paper.announced is not None or paper.published is not None


def detailed(papers: Iterable[Paper], details: Mapping[str, Paper]) -> tuple[Paper, ...]:
    """The papers in their order, each with what the search API told of it, by bare id."""
    return tuple(merged(each, details[each.id]) if each.id in details else each for each in papers)


def merged(paper: Paper, detail: Paper) -> Paper:
    """The paper with the search API's comment, times, DOI, journal, affiliations and all authors.

    Title, abstract and categories stay as announced, and so do those details that belong to another
    version. Only a paper whose version was not known is taken as the API has it, unless the API
    still shows the first one.
    """
    if not says_version(paper):
        lags = detail.version == 1 and paper.abstract
        whole = replace(detail, affiliations=detail.affiliations or paper.affiliations)
        return paper if lags else whole
    timeless = replace(
        paper,
        authors=max(paper.authors, detail.authors, key=len),
        published=detail.published or paper.published,
        journal_ref=detail.journal_ref or paper.journal_ref,
        doi=detail.doi or paper.doi,
        affiliations=detail.affiliations or paper.affiliations,
    )
    if detail.version != paper.version:
        return timeless
    return replace(
        timeless,
        updated=detail.updated or paper.updated,
        comment=detail.comment or paper.comment,
    )


def placed(papers: Iterable[Paper], found: Mapping[str, tuple[str, ...]]) -> tuple[Paper, ...]:
    """The papers with affiliations found elsewhere, by id; what a paper came with stays."""
    return tuple(
        replace(each, affiliations=each.affiliations or found.get(each.id, ())) for each in papers
    )


def withdrawn(paper: Paper) -> bool:
    """Whether this version is withdrawn, as its comment says or as its abstract begins with."""
    return bool(_WITHDRAWN.search(paper.comment) or notice(paper))


def notice(paper: Paper) -> bool:
    """Whether a word about the withdrawal stands in place of the abstract."""
    return bool(_NOTICE.match(paper.abstract))
