"""Whether what a source says of a batch can be believed: its word against the vault's memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from obsidian_digest.note.names import sort_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from obsidian_digest.model import Announced


def judged(answer: Announced, newest_known: str) -> Announced:
    """The answer, its outcome corrected where its papers were announced before.

    `newest_known` is the highest id of the batches before; ids grow with the day of submission, so
    that a batch with no higher one among its new papers is an old one under a new date.
    """
    new = [row.paper.id for row in answer.rows if row.kind == "new"]
    if answer.outcome != "ok" or not new or not newest_known:
        return answer
    newest = min(new, key=sort_key)
    if sort_key(newest) < sort_key(newest_known):
        return answer
    detail = f"{answer.category} shows papers up to {newest}, which were announced before"
    return replace(answer, outcome="stale", detail=detail)


def confirmed(answers: Sequence[Announced], batch: date) -> Announced | None:
    """The answer to believe among those that different sources gave for one category, in order.

    A list of papers is believed at once; that there is none, or that an old list is this batch's,
    only when two sources say so. None: ask another source.
    """
    for answer in answers:
        if answer.outcome == "ok":
            return answer
    empty = [answer for answer in answers if answer.outcome == "empty"]
    if len(empty) > 1:
        return empty[0]
    dated = [answer for answer in answers if answer.outcome == "stale" and answer.day == batch]
    for first, second in pairwise(dated):
        if _ids(first) == _ids(second):
            return replace(second, outcome="ok", detail="")
    return None


def _ids(answer: Announced) -> frozenset[str]:
    return frozenset(row.paper.id for row in answer.rows)
