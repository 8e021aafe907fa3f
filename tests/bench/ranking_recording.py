"""A small replay that ships with the project: seven mailings and the picks of a made-up reader.

The papers are the recording of `tests/recordings/papers/seven-mailings.jsonl.xz` (cs.HC and cs.MA,
CC0 metadata). The picks are our own, made by reading titles for two interests; nothing was tuned
with them. They show that the benchmark runs and that methods keep their order on another reader.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from obsidian_digest.core.announcements.pool import reading_of
from obsidian_digest.model import Interest, Interests, Paper
from tests.bench.ranking_peers import Day

MAILINGS = Path(__file__).parents[1] / "recordings" / "papers" / "seven-mailings.jsonl.xz"
FIRST = "2026-08-14"
"""The first mailing has nothing before it."""
INTERESTS = Interests(
    (
        Interest(
            "Coordination of language-model agents",
            "How several agents cooperate, negotiate and communicate, and how their protocols,"
            " topologies and misunderstandings shape what they do together.",
        ),
        Interest(
            "Accessibility and assistive technology",
            "Technology for disabled people, older adults and autistic people: what shuts them"
            " out and what helps.",
        ),
    )
)
PICKS = frozenset(
    "2608.11215 2608.11364 2608.11417 2608.11658 2608.11895 2608.12125"  # noqa: SIM905
    " 2608.12534 2608.12547 2608.12548 2608.12552 2608.12921 2608.13030 2608.13532"
    " 2608.13583 2608.13787 2608.14390 2608.14400"
    " 2608.14588 2608.14651 2608.14668 2608.14825 2608.14913 2608.15273 2608.15372 2608.16311"
    " 2608.16357 2608.16578"
    " 2608.17039 2608.17053 2608.17175 2608.17932"
    " 2608.18364 2608.18488 2608.18490"
    " 2608.19422 2608.19827 2608.20099 2608.20129".split()
)


def recorded_days() -> tuple[Interests, list[Day]]:
    """The made-up reader's interests, and the mailings with what he had picked before each."""
    with lzma.open(MAILINGS, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    readings = {row["id"]: reading_of(_paper(row)) for row in rows}
    mailing = {row["id"]: row["announced"] for row in rows}
    days = []
    for date in sorted({day for day in mailing.values() if day >= FIRST}):
        pool = tuple(readings[each] for each in sorted(mailing) if mailing[each] == date)
        before = [each for each in PICKS if mailing[each] < date]
        newest = sorted(before, key=lambda each: (mailing[each], each), reverse=True)
        days.append(Day(date, pool, PICKS, tuple(readings[each] for each in newest)))
    return INTERESTS, days


def _paper(row: dict[str, str]) -> Paper:
    title, abstract = (" ".join(row[key].split()) for key in ("title", "abstract"))
    return Paper(row["id"], title, abstract, (), (), row["primary_category"])
