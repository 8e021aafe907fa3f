"""The life of themes: 20 days of one reader's pools, replayed as the product would live them.

    python -m tests.bench.theme_life [--shared ../shared] [--check]

Reads `data/gold/pool.jsonl.gz` of the shared folder. Each day's best papers by four interests (as
`tests.bench.ranking` words them, ranked with the static encoder) join or found themes; a week's
first day turns the week before. After the 20 days the last week is turned, too, as the
next run would; agreement is printed before and after that. "Fresh" is the product's own clustering
of all 600 papers as if they came on one day. The same under other ids, so that the papers come in
other orders, tells how well such a clustering agrees with itself (the most that can be hoped for),
and the lived themes with it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import reading_of
from obsidian_digest.core.day.choose import CONTEXT_RANKS, CONTEXT_VAULT
from obsidian_digest.core.ranking.rank import rank
from obsidian_digest.core.ranking.reader import Reader
from obsidian_digest.core.ranking.value import Rows, texts_to_embed
from obsidian_digest.core.texts.similarity import mixed_similarity
from obsidian_digest.core.themes.communities import communities
from obsidian_digest.core.themes.grouping import assign_themes
from obsidian_digest.core.vault.theme_pins import regrouped
from obsidian_digest.core.vault.weeks import week_of
from obsidian_digest.core.week.turn import ended_week, turn
from obsidian_digest.edge.encoders import encoder_for
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Memory,
    Paper,
    Reading,
    StandingTheme,
    Vectors,
)
from obsidian_digest.note.names import sort_key
from tests.bench.ranking import CATEGORIES, INTERESTS, MINILM
from tests.bench.themes import embed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DAYS, SHOWN = 20, 30
FIRST = date(2026, 7, 20)
LEAST_ARI = {MINILM: 0.65, "static": 0.55}
"""By encoder, after the turn that follows the last day. Fresh clusterings agree less with `static`,
too: 0.70 on these days."""
MOST_MOVED, LEAST_PAPERS = 0.10, 8
SETTLED_WEEK = 3
"""From the end of this week on a turn moves at most `MOST_MOVED` of the papers."""
ORDERS = 3
ENCODERS = (MINILM, "static")
_FRIDAY = 5


@dataclass(frozen=True, slots=True)
class Day:
    """One day's upper ranks, best first."""

    day: date
    readings: tuple[Reading, ...]


@dataclass(slots=True)
class Life:
    """A vault as far as its themes are concerned, and what its turns did."""

    memory: Memory = field(default_factory=Memory)
    turns: list[tuple[str, int, int, int, int]] = field(default_factory=list)
    """Week that ended, its papers, themes before, themes founded, papers moved."""
    drifted: int = 0
    """Papers whose theme changed between turns."""
    renamed: int = 0
    unturned: Memory = field(default_factory=Memory)
    """The vault before its last turn."""


def read_days(shared: Path) -> list[Day]:
    """The days' best papers; weekends count with the Monday after them."""
    pools: dict[date, list[Paper]] = defaultdict(list)
    with gzip.open(shared / "data/gold/pool.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            day = date.fromisoformat(row["first_seen"])
            if day.isoweekday() > _FRIDAY:
                day += timedelta(8 - day.isoweekday())
            if CATEGORIES & set(row["categories"]):
                pools[day].append(_paper(row))
    chosen = [day for day in sorted(pools) if day >= FIRST][:DAYS]
    return [Day(day, _best(pools[day])) for day in chosen]


def _paper(row: Mapping[str, object]) -> Paper:
    title, abstract = (" ".join(str(row[key]).split()) for key in ("title", "abstract"))
    return Paper(str(row["id"]), title, abstract, authors=(), categories=(), primary="")


def _best(papers: Sequence[Paper]) -> tuple[Reading, ...]:
    readings = [reading_of(paper) for paper in papers]
    encoder = encoder_for("static")
    asked = list(texts_to_embed(INTERESTS))
    matrix = encoder.embed([one.text for one in readings] + asked, lambda *_: None)
    ids = tuple(one.id for one in readings)
    none = matrix[:0]
    rows = Rows(Vectors(ids, matrix[: len(ids)]), matrix[len(ids) :], none, none)
    ranked = rank(readings, rows, Reader(INTERESTS), authors={}, encoder=encoder.name).rows
    by_id = {one.id: one for one in readings}
    return tuple(by_id[row.id] for row in ranked[:CONTEXT_RANKS])


def live(days: Sequence[Day], vectors: Vectors) -> Life:
    """The vault after these days."""
    life = Life()
    for day in days:
        week = ended_week(life.memory, day.day)
        if week:
            _turn(life, week, day, vectors)
        _show(life, day, vectors)
    life.unturned = life.memory
    _turn(life, week_of(days[-1].day), Day(days[-1].day, ()), vectors)
    return life


def _turn(life: Life, week: str, day: Day, vectors: Vectors) -> None:
    before = life.memory
    known = {key: paper.reading for key, paper in before.papers.items()}
    at_hand = {one.id: one for one in day.readings} | known
    context = [one.id for one in day.readings]
    found = turn(week, at_hand, _rows(vectors, tuple(at_hand)), before, context)
    life.turns.append(
        (week, len(known), len(_living(before)), len(found.founded), len(found.moves))
    )
    life.renamed += sum(
        found.memory.themes[key].standing.name != theme.standing.name
        for key, theme in before.themes.items()
    )
    life.memory = found.memory


def _show(life: Life, day: Day, vectors: Vectors) -> None:
    before = life.memory
    shown = [one for one in day.readings if one.id not in before.papers][:SHOWN]
    recent = sorted(before.papers, key=sort_key)[:CONTEXT_VAULT]
    readings = {one.id: one for one in day.readings} | {
        key: before.papers[key].reading for key in recent
    }
    sections = assign_themes(
        tuple(readings.values()),
        _rows(vectors, tuple(readings)),
        [one.id for one in shown],
        [theme.standing for theme in before.themes.values()],
    )
    homes = {paper: theme.id for theme in sections.themes for paper in theme.members}
    papers = dict(before.papers)
    for one in shown:
        papers[one.id] = KnownPaper(one.id, one, 3, homes.get(one.id, ""), (day.day,), ())
    themes = dict(before.themes)
    for theme in sections.themes:
        standing = StandingTheme(theme.id, theme.name, theme.members)
        themes.setdefault(theme.id, KnownTheme(standing, theme.terms))
    digest = KnownDigest(day.day, tuple(one.id for one in shown), (), "", SHOWN, 0, 0)
    digests = {**before.digests, day.day: digest}
    life.memory = regrouped(replace(before, papers=papers, themes=themes, digests=digests))
    life.drifted += sum(
        life.memory.papers[key].theme != paper.theme for key, paper in before.papers.items()
    )


def _rows(vectors: Vectors, ids: tuple[str, ...]) -> Vectors:
    place = {key: row for row, key in enumerate(vectors.ids)}
    return Vectors(ids, vectors.matrix[[place[key] for key in ids]])


def _living(memory: Memory) -> list[KnownTheme]:
    return [theme for theme in memory.themes.values() if theme.standing.members]


def fresh(memory: Memory, vectors: Vectors, order: int = 0) -> dict[str, int]:
    """The group of each paper in one clustering of all of them, the standing themes unknown.

    `order` 0: as the product has them; else under other ids, so that they come in another order.
    """
    other = {key: _renamed(key, order) for key in vectors.ids}
    readings = [replace(one.reading, id=other[one.id]) for one in memory.papers.values()]
    similarity = mixed_similarity(readings, Vectors(tuple(other.values()), vectors.matrix))
    known = {name: key for key, name in other.items()}
    groups = communities(similarity)
    return {
        known[similarity.ids[place]]: number
        for number, group in enumerate(groups)
        for place in group
    }


def _renamed(key: str, order: int) -> str:
    return hashlib.sha256(f"{order} {key}".encode()).hexdigest() if order else key


def agreement(memory: Memory, groups: Mapping[str, int]) -> float:
    """Adjusted Rand index between lived themes and fresh ones; papers alone are their own theme."""
    return _ari(groups, {key: paper.theme or key for key, paper in memory.papers.items()})


def _ari(one: Mapping[str, object], other: Mapping[str, object]) -> float:
    from sklearn.metrics import adjusted_rand_score

    numbers = [{name: at for at, name in enumerate(set(each.values()))} for each in (one, other)]
    left, right = (
        [number[each[key]] for key in sorted(one)]
        for number, each in zip(numbers, (one, other), strict=True)
    )
    return float(adjusted_rand_score(left, right))


def report(name: str, days: Sequence[Day], vectors: Vectors) -> list[str]:
    """Prints the life with one encoder; what misses a floor."""
    life = live(days, vectors)
    print(
        f"\n{name}\n{'week turned':12}{'papers':>8}{'themes':>8}{'founded':>9}{'moved':>7}{'':>7}"
    )
    misses = []
    for number, (week, papers, themes, founded, moved) in enumerate(life.turns, start=1):
        share = moved / papers
        print(f"{week:12}{papers:8}{themes:8}{founded:9}{moved:7}{share:7.1%}")
        if number >= SETTLED_WEEK and share > MOST_MOVED:
            misses.append(f"{name}: {week} moved {share:.0%}")
    papers, themes = len(life.memory.papers), len(_living(life.memory))
    merged = sum(theme.standing.merged_into is not None for theme in life.memory.themes.values())
    dead = len(life.memory.themes) - themes - merged
    clustered, *others = (fresh(life.memory, vectors, order) for order in range(1 + ORDERS))
    ari = agreement(life.memory, clustered)
    print(
        f"at the end {papers} papers in {themes} themes, {merged} merged into others, {dead} empty;"
        f" {len(set(clustered.values()))} in a fresh clustering\n"
        f"ARI with it {agreement(life.unturned, clustered):.3f} after the last day, {ari:.3f} after"
        f" the turn that follows\n"
        f"with {ORDERS} fresh ones in other orders"
        f" {_span(agreement(life.memory, each) for each in others)};"
        f" these with the first {_span(_ari(clustered, each) for each in others)}\n"
        f"{life.drifted} moved between turns, {life.renamed} renamed"
    )
    if ari < LEAST_ARI[name]:
        misses.append(f"{name}: ARI {ari:.3f} is below {LEAST_ARI[name]}")
    if themes * LEAST_PAPERS > papers:
        misses.append(f"{name}: {themes} themes for {papers} papers")
    if dead:
        misses.append(f"{name}: {dead} themes without papers that say nothing of it")
    if life.drifted or life.renamed:
        misses.append(f"{name}: {life.drifted} drifted, {life.renamed} renamed")
    return misses


def _span(values: Iterable[float]) -> str:
    """Mean, least and most."""
    told = list(values)
    return f"{sum(told) / len(told):.3f} ({min(told):.3f} to {max(told):.3f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--check", action="store_true", help="fail when a floor is missed")
    options = parser.parse_args()
    if not (options.shared / "data/gold").is_dir():
        print(f"no data/gold in {options.shared}: name the shared folder with --shared")
        return 2
    days = read_days(options.shared)
    readings = [one for day in days for one in day.readings]
    misses = [miss for name in ENCODERS for miss in report(name, days, embed(name, readings))]
    if options.check:
        print("\n".join(misses) or "all floors held")
    return int(options.check and bool(misses))


if __name__ == "__main__":
    sys.exit(main())
