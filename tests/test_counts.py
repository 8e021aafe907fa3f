"""Fourteen days on a copy of the example vault: what `status` counts is what arXiv announced."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.announcements.calendar import batches_after
from obsidian_digest.core.checks.counts import Counts, counts, total
from obsidian_digest.model import KnownDigest, Memory, NoteFile, Snapshot
from tests.edge.announcement_server import Mailing, serve_mailings
from tests.test_replay import dated, recorded
from tests.vaults import call, notes

if TYPE_CHECKING:
    from obsidian_digest.model import Paper

EXAMPLE = Path(__file__).parents[1] / "examples" / "vault"
DAYS = batches_after(date(2026, 8, 20), date(2026, 9, 3))
CATEGORIES = tomllib.loads((EXAMPLE / "obsidian-digest.toml").read_text())["arxiv"]["categories"]
MOST = 40
"""Papers of a mailing."""


def fortnight() -> list[Mailing]:
    """Recorded papers announced over two weeks; some are held, cross-listed anew or replaced."""
    made = []
    for number, day in enumerate(DAYS):
        mailing = recorded()[number % len(recorded())]
        papers = sorted(mailing.new, key=lambda paper: paper.id)[:MOST]
        some = [
            dated(
                replace(
                    paper,
                    id=f"{day:%y%m}.{20_000 + 1000 * number + at}",
                    announced=day,
                    published=None,
                    updated=None,
                )
            )
            for at, paper in enumerate(papers)
        ]
        made.append(Mailing(day, tuple(some)))
    for number in (0, 3, 6):
        ours = [paper for paper in made[number].new if paper.primary in CATEGORIES]
        held, again, revised = ours[0], ours[1], replace(ours[2], version=2, announced=None)
        stranger = next(p for p in made[number].new if not set(p.categories) & set(CATEGORIES))
        left = tuple(paper for paper in made[number].new if paper is not held)
        made[number] = replace(made[number], new=left)
        then = made[number + 2]
        new = (*then.new, replace(held, announced=then.day))
        crossed = (anew(again, then.day), anew(stranger, then.day))
        made[number + 2] = replace(then, new=new, crossed=crossed, replaced=(revised,))
    return made


def anew(paper: Paper, day: date) -> Paper:
    other = next(each for each in CATEGORIES if each not in paper.categories)
    return replace(paper, categories=(*paper.categories, other), announced=day)


def announced(mailing: Mailing) -> set[str]:
    rows = [row for category in CATEGORIES for row in mailing.rows(category)]
    return {paper.id for paper, kind in rows if kind in ("new", "cross")}


@pytest.mark.slow
def test_the_counts_of_two_weeks_add_up_and_are_what_arxiv_announced(tmp_path, monkeypatch):
    vault = tmp_path / "vault"
    shutil.copytree(EXAMPLE, vault)
    monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0")
    monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(tmp_path / "cache"))
    given, answers = fortnight(), []
    with serve_mailings(given, datetime(2026, 8, 21, 12, tzinfo=UTC)) as arxiv:
        for name, url in (("RSS", arxiv.rss), ("LIST", arxiv.site), ("API", arxiv.url)):
            monkeypatch.setenv(f"OBSIDIAN_DIGEST_{name}_URL", url)
        for number, mailing in enumerate(given):
            arxiv.now = datetime.combine(mailing.day, time(12), UTC)
            monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", arxiv.now.isoformat())
            answers.append(call(vault, "run", "--json").json)
            assert answers[-1]["date"] == mailing.day.isoformat(), answers[-1]["message"]
            if number == 4:  # one of the picked ones is withdrawn
                picked = answers[0]["papers"][0]["id"]
                gone = next(paper for paper in given[0].new if paper.id == picked)
                gone = replace(gone, version=3, comment="This paper has been withdrawn by A.")
                more = replace(given[5], replaced=(*given[5].replaced, gone))
                arxiv.mailings = (*given[:5], more, *given[6:])
        asked = len(arxiv.log)
        told, said = call(vault, "status", "--json").json, call(vault, "status").out
        assert len(arxiv.log) == asked
    days, sums = told["days"], told["counts"]
    assert [day.pop("date") for day in days] == [day.isoformat() for day in DAYS]
    assert sums == {name: sum(day[name] for day in days) for name in sums}
    assert [day["announced"] for day in days] == [len(announced(mailing)) for mailing in given]
    assert [day["seen"] for day in days] == [answer["new"] for answer in answers]
    assert sums["seen"] == len(set().union(*map(announced, given))) < sums["announced"]
    assert [day["picked"] for day in days] == [answer["selected"] for answer in answers]
    missed = [near_misses(vault, mailing.day) for mailing in given]
    assert [day["shown"] - day["picked"] for day in days] == missed
    assert sum(missed) > 0
    assert all(day["picked"] <= day["shown"] <= day["seen"] <= day["announced"] for day in days)
    assert Counter(number for number, day in enumerate(days) for _ in range(day["late"])) == {
        2: 1, 5: 1, 8: 1,
    }  # fmt: skip
    assert [number for number, day in enumerate(days) if day["withdrawn"]] == [5]
    line = ", ".join(f"{number:,} {name}" for name, number in sums.items())
    assert f"in {len(DAYS)} announcements since {DAYS[0]}: {line}\n" in said


def near_misses(vault: Path, day: date) -> int:
    text = notes(vault)[f"arXiv/Digests/arXiv digest {day}.md"]
    found = re.search(r"Near misses \((\d+)\)", text)
    return int(found[1]) if found else 0


def test_papers_are_counted_once_where_they_were_first_announced():
    first, second, third = date(2026, 8, 19), date(2026, 8, 20), date(2026, 8, 21)
    text = "- [2608.00002v1](https://arxiv.org/abs/2608.00002v1) · near\n"
    digest = NoteFile("D.md", "digest", first.isoformat(), text.encode(), {}, {})
    shown = KnownDigest(first, ("2608.00001",), (first,), "", 1, 0, 0, newest="2608.00003")
    paper = NoteFile("P.md", "paper", "2608.00001", b"", {}, {"version-2026-08-21": "is **gone**"})
    found = counts(
        {
            second: (("2608.00004", "new"), ("2608.00002", "cross"), ("2607.00009", "new")),
            first: (("2608.00001", "new"), ("2608.00001", "cross"), ("2608.00002", "new"),
                    ("2608.00003", "cross"), ("2608.00008", "replace")),
            third: (),
            date(2026, 8, 24): (("2608.00005", "new"),),
        },
        Snapshot(notes=(digest, paper)),
        Memory(digests={first: shown}),
        "**gone**",
    )  # fmt: skip
    assert found[first] == Counts(3, 3, 2, 1, 0, 0)
    assert found[second] == Counts(3, 2, 0, 0, 1, 0)
    assert list(found) == [first, second, date(2026, 8, 24)]
    assert total(found.values()) == Counts(7, 6, 2, 1, 1, 0)


def test_without_cross_lists_only_papers_of_the_category_itself_are_counted():
    rows = {date(2026, 8, 20): (("2608.00004", "new"), ("2608.00002", "cross"))}
    (found,) = counts(rows, Snapshot(), Memory(), "x", cross_lists=False).values()
    assert found == Counts(1, 1)
