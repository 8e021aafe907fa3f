"""Links over twenty days of mailings: how many older notes a day changes, and what links say.

    python -m tests.bench.links --shared ../shared [--encoder static] [--check]

Reads `data/gold/pool.jsonl.gz` of the shared folder. A day's thirty papers nearest to four
interests get notes; each day is linked to all before it, as a run does.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from obsidian_digest.core.announcements.pool import reading_of
from obsidian_digest.core.day.choose import changed
from obsidian_digest.core.links.related import related
from obsidian_digest.core.texts.words import word_space
from obsidian_digest.model import KnownPaper, Link, Memory, Paper, Reading, Vectors
from tests.bench.themes import embed

DAYS, PICKED, MOST_CHANGED = 20, 30, 15
INTERESTS = (
    "reinforcement learning for language model agents, credit assignment, verifiable rewards",
    "agent memory and context management for long-horizon tasks",
    "safety of tool-using agents, prompt injection, MCP servers, permissions",
    "benchmarks and evaluation of coding agents and software engineering",
)


@dataclass(frozen=True, slots=True)
class Day:
    """What one day's links did to the vault."""

    name: str
    vault: int
    changed: int
    links: tuple[Link, ...]
    """All that stand after it; those that were written are told."""


def days_of(pool: Path) -> dict[str, list[Reading]]:
    """Readings by the day on which a paper was first listed, the fullest days in order."""
    by_day: defaultdict[str, list[Reading]] = defaultdict(list)
    with gzip.open(pool, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            paper = Paper(row["id"], row["title"], row["abstract"] or "", (), (), row["primary"])
            by_day[row["first_seen"][:10]].append(reading_of(paper))
    full = [day for day in sorted(by_day) if len(by_day[day]) >= PICKED]
    return {day: by_day[day] for day in full[:DAYS]}


def best(readings: list[Reading]) -> list[Reading]:
    """The day's papers nearest to any interest, by words."""
    space = word_space(readings)
    near = (space.matrix @ space.project(INTERESTS).T).toarray().max(axis=1)
    return [readings[place] for place in np.argsort(-near, kind="stable")[:PICKED].tolist()]


def replay(days: dict[str, list[Reading]], encoder: str) -> list[Day]:
    told: dict[tuple[str, str], Link] = {}
    standing: dict[str, tuple[str, ...]] = {}
    have: list[Reading] = []
    done = []
    for name, readings in days.items():
        new = [one for one in best(readings) if one.id not in standing]
        have += new
        ids = [one.id for one in new]
        found = related(tuple(have), _vectors(have, encoder), ids, standing)
        memory = Memory({one.id: _known(one, standing) for one in have})
        old = changed(found.links, memory, ids)
        written = {*ids, *old}
        now = {}
        for link in found.links:
            pair = (link.a, link.b)
            now[pair] = found.told(link) if written & set(pair) else told[pair]
        told = now
        standing = _ends(tuple(told)) | {one.id: () for one in have if not _in(told, one.id)}
        done.append(Day(name, len(have), len(old), tuple(told.values())))
    return done


def _vectors(readings: list[Reading], encoder: str) -> Vectors:
    if encoder == "words":
        ids = tuple(one.id for one in readings)
        return Vectors(ids, np.zeros((len(ids), 0), dtype=np.float32))
    return embed(encoder, readings)


def _known(reading: Reading, standing: dict[str, tuple[str, ...]]) -> KnownPaper:
    return KnownPaper(reading.id, reading, 3, "", (), standing.get(reading.id, ()))


def _in(links: dict[tuple[str, str], Link], paper: str) -> bool:
    return any(paper in pair for pair in links)


def _ends(pairs: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    ends: defaultdict[str, list[str]] = defaultdict(list)
    for a, b in pairs:
        ends[a].append(b)
        ends[b].append(a)
    return {paper: tuple(sorted(others)) for paper, others in ends.items()}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--encoder", default="static")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    pool = args.shared / "data" / "gold" / "pool.jsonl.gz"
    done = replay(days_of(pool), args.encoder)
    print("| day | papers | older notes changed | links | a paper | named | without words |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for day in done:
        named = sum(link.named is not None for link in day.links)
        mute = sum(not link.named and not link.why for link in day.links)
        each = 2 * len(day.links) / day.vault
        print(
            f"| {day.name} | {day.vault} | {day.changed} | {len(day.links)} | {each:.2f}"
            f" | {named} | {mute} |"
        )
    most = max(day.changed for day in done)
    print(f"\nMost older notes changed on a day: {most} (at most {MOST_CHANGED} are allowed).")
    return int(args.check and most > MOST_CHANGED)


if __name__ == "__main__":
    sys.exit(main())
