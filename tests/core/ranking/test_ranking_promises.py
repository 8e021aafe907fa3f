"""What the ranking promises a reader, on recorded papers of two mailings and of graph theory."""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.ranking.selection import COPIES, left_out, select
from obsidian_digest.model import Interest, Interests, Ranked, Reading
from tests.core.ranked_readers import Readers
from tests.core.ranking.test_rank import AGENTS, BOTH, ROBOTS
from tests.core.recorded_papers import about, two_mailings
from tests.vaults import PAPERS, call, mailing, new_vault

if TYPE_CHECKING:
    from obsidian_digest.core.ranking.rank import Ranking

GRAPHS = Interest(
    "Graph theory",
    "Colourings, treewidth, minors and matchings of graphs: structure, extremal and algorithmic.",
)
SPARSE_ENCODERS = pytest.mark.parametrize("encoder", ["words", "static"])
MAILING = two_mailings()[:300]


@cache
def graph_papers() -> tuple[Reading, ...]:
    with lzma.open(PAPERS / "graph-theory.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return tuple(
        Reading(row["id"], " ".join(row["title"].split()), " ".join(row["abstract"].split()))
        for row in rows
    )


def chosen(
    rows: tuple[Ranked, ...],
    pool: tuple[Reading, ...],
    top: int = 20,
    explore: int = 0,
    min_stars: int = 3,
) -> tuple[Ranked, ...]:
    return select(rows, top, min_stars, {one.id: one for one in pool}, explore)


@cache
def two_fields(encoder: str) -> Ranking:
    return Readers((*MAILING, *graph_papers()), encoder).ranking(Interests((AGENTS, GRAPHS)))


@SPARSE_ENCODERS
def test_two_interests_far_apart_each_keep_their_share_of_the_day(encoder):
    pool = (*MAILING, *graph_papers())
    graphs = {one.id for one in graph_papers()}
    for top in (6, 10, 20):
        day = chosen(two_fields(encoder).rows, pool, top)
        of_graphs = [row for row in day if row.id in graphs]
        assert top // 4 <= len(of_graphs) <= top - top // 4 or len(day) < top
        assert min(len(of_graphs), len(day) - len(of_graphs)) >= 1
        assert all(row.interest == GRAPHS.name for row in of_graphs)
        others = [row for row in day if row.id not in graphs]
        assert sum(row.interest == AGENTS.name for row in others) >= 0.8 * len(others)


@SPARSE_ENCODERS
def test_a_field_that_fills_the_day_leaves_the_other_its_best_papers(encoder):
    few = about("reinforcement", "agentic", most=6)
    pool = tuple({one.id: one for one in (*few, *graph_papers(), *MAILING[:60])}.values())
    rows = Readers(pool, encoder).ranking(Interests((AGENTS, GRAPHS))).rows
    good = {row.interest for row in rows if row.stars >= 3}
    assert {row.interest for row in chosen(rows, pool, 8)} >= good


@SPARSE_ENCODERS
def test_one_interest_more_lowers_no_papers_value(encoder):
    pool = (*MAILING[:150], *graph_papers())
    readers, known = Readers(pool, encoder), ()
    before = None
    for interest in (AGENTS, GRAPHS, ROBOTS):
        known = (*known, interest)
        after = readers.ranking(Interests(known)).values.value
        if before is not None:
            assert (after >= before - 1e-4).all()  # vectors have single precision
            assert (after > before + 1).any()
        before = after


@SPARSE_ENCODERS
def test_a_dislike_removes_what_it_names_and_nothing_else(encoder):
    pool = (*MAILING, *graph_papers())
    dislike = "treewidth and clique-width of graph classes"
    written = Interests((AGENTS, GRAPHS), (dislike,))
    before = chosen(two_fields(encoder).rows, pool)
    rows = Readers(pool, encoder).ranking(written).rows
    scores = {row.id: row.score for row in two_fields(encoder).rows}
    texts = {one.id: one.text.casefold() for one in pool}
    lowered = {row.id for row in rows if row.score < scores[row.id]}
    assert lowered
    assert lowered <= {one.id for one in graph_papers()}
    named = ("width", "graph class", "chordal", "minor", "decomposition")
    hard = {row.id for row in rows if row.score < scores[row.id] - 0.05}
    assert len(hard) > 5
    assert all(any(word in texts[paper] for word in named) for paper in hard)
    after = {row.id for row in chosen(rows, pool)}
    gone = {row.id for row in before} - after
    assert gone
    assert gone <= lowered
    assert {row.id for row in before if row.interest == AGENTS.name} <= after


@SPARSE_ENCODERS
@pytest.mark.parametrize("at", [0, 100, 299])
def test_a_watched_authors_paper_is_always_in(encoder, at):
    rows = two_fields(encoder).rows
    worst = rows[-1 - at]
    pool = (*MAILING, *graph_papers())
    interests = Interests((AGENTS, GRAPHS), (), ("Emmy Noether",))
    found = Readers(pool, encoder).ranking(interests, authors={worst.id: ("E. Noether",)}).rows
    assert not [row for row in found if row.watched]
    found = Readers(pool, encoder).ranking(
        interests, authors={worst.id: ("Amalie X", "Emmy Noether")}
    )
    for top in (1, 5):
        day = {row.id for row in chosen(found.rows, pool, top)}
        assert worst.id in day
    disliked = replace(interests, dislikes=("graphs", "language models"))
    found = Readers(pool, encoder).ranking(disliked, authors={worst.id: ("Emmy Noether",)})
    assert worst.id in {row.id for row in chosen(found.rows, pool, 3)}


@SPARSE_ENCODERS
def test_a_day_of_another_field_selects_nothing(encoder):
    rows = Readers(graph_papers(), encoder).ranking(BOTH).rows
    assert chosen(rows, graph_papers()) == ()


def test_a_run_on_such_a_day_says_so_and_writes_a_digest_without_papers(tmp_path):
    with lzma.open(PAPERS / "graph-theory.jsonl.xz", "rt", encoding="utf-8") as lines:
        (tmp_path / "day.jsonl").write_text(lines.read(), "utf-8")
    vault = new_vault(tmp_path)
    ran = call(vault, "run", "--from-file", str(tmp_path / "day.jsonl"), "--json")
    assert (ran.code, ran.json["outcome"]) == (0, "nothing-relevant")
    assert (ran.json["selected"], ran.json["papers"]) == (0, [])
    assert ran.json["message"].startswith(f"None of {len(graph_papers())} new papers fits")
    digest = (vault / ran.json["digest"]).read_text("utf-8")
    assert f"0 of {len(graph_papers())} new papers" in digest
    assert not list((vault / "arXiv").glob("Papers/*.md"))


def copies_of(paper: Reading, count: int) -> tuple[Reading, ...]:
    """As a group writes one paper five times: other nouns in the title, a sentence more or less."""
    sentences = paper.abstract.split(". ")
    return tuple(
        Reading(
            f"2608.9000{at}",
            f"{paper.title}: part {at}",
            ". ".join(sentences[: len(sentences) - (at % 2)]) + f". Experiment {at} confirms it.",
        )
        for at in range(count)
    )


@SPARSE_ENCODERS
def test_five_near_copies_of_a_real_paper_do_not_fill_the_top(encoder):
    best = next(row.id for row in two_fields(encoder).rows if row.interest == AGENTS.name)
    paper = next(one for one in MAILING if one.id == best)
    copies = copies_of(paper, 5)
    pool = (*MAILING, *copies)
    rows = Readers(pool, encoder).ranking(BOTH).rows
    family = {paper.id, *(one.id for one in copies)}
    leading = {row.id for row in rows[:8]}
    assert len(family & leading) > COPIES
    day = chosen(rows, pool, 8, min_stars=1)
    assert len(day) == 8
    assert len(family & {row.id for row in day}) == COPIES
    readings = {one.id: one for one in pool}
    for paper_id in family - {row.id for row in day}:
        why, others = left_out(paper_id, rows, 8, 1, readings)
        assert why == "copy"
        assert set(others) < family


@SPARSE_ENCODERS
def test_papers_of_one_topic_that_are_no_copies_all_stay(encoder):
    topic = about("agent", "agents", most=40)
    rows = Readers(topic, encoder).ranking(BOTH).rows
    good = [row.id for row in rows if row.stars >= 3]
    assert {row.id for row in chosen(rows, topic, 40)} == set(good)


@SPARSE_ENCODERS
@pytest.mark.parametrize("explore", [0, 1, 2])
def test_so_many_uncertain_papers_are_shown_as_were_asked_for_each_marked(encoder, explore):
    pool = (*MAILING, *graph_papers())
    rows = two_fields(encoder).rows
    plain, day = chosen(rows, pool), chosen(rows, pool, explore=explore)
    marked = [row for row in day if row.reasons and row.reasons[0].key == "reason_explore"]
    assert [row for row in day if row not in marked] == list(plain)
    assert len(marked) == explore
    assert all(row.stars >= 2 for row in marked)


@SPARSE_ENCODERS
def test_opinions_shift_a_day_without_a_jump(encoder):
    past = [one for one in about("robot", "manipulation") if one not in MAILING][:30]
    readers = Readers(MAILING, encoder)
    orders = [
        [row.id for row in readers.ranking(Interests((AGENTS,)), kept=past[:count]).rows[:40]]
        for count in (0, 3, 10, 30)
    ]
    shared = [len(set(one) & set(other)) for one, other in pairwise(orders)]
    assert shared[0] >= 36
    assert shared[1] >= 28
    assert shared[2] >= 16
    texts = {one.id: one.text.casefold() for one in MAILING}
    robots = [sum("robot" in texts[paper] for paper in order) for order in orders]
    assert robots == sorted(robots)
    assert robots[-1] > robots[0]


@SPARSE_ENCODERS
def test_what_was_not_wanted_pushes_its_like_down_and_not_the_rest(encoder):
    kept = [one for one in about("agent") if one not in MAILING][:15]
    unwanted = [one for one in about("benchmark", "evaluating") if one not in MAILING][:10]
    readers = Readers(MAILING, encoder)
    before = readers.ranking(BOTH, kept=kept)
    after = readers.ranking(BOTH, kept=kept, unwanted=unwanted)
    old = {row.id: at for at, row in enumerate(before.rows)}
    new = {row.id: at for at, row in enumerate(after.rows)}
    told = {
        row.id for row in after.rows for reason in row.reasons if reason.key == "reason_unwanted"
    }
    taste = after.values.taste
    columns = [at for at, each in enumerate(taste.judged) if each.value < 0]
    nearness = taste.closeness[:, columns].mean(axis=1)
    ids = [one.id for one in after.values.readings]
    nearest = [ids[at] for at in nearness.argsort()[::-1][:20]]
    assert sum(new[paper] > old[paper] for paper in nearest) >= 15
    assert told
    for place in map(ids.index, told):
        assert after.values.learned(place) < before.values.learned(place)


PROGRAM = """
import json, sys
from dataclasses import replace
from tests.core.ranking.test_reasons import (
    KEPT, NOTES, UNWANTED, WITH_EXAMPLES, PAST, POOL, DISLIKES,
)
from tests.core.ranked_readers import Readers
interests = replace(WITH_EXAMPLES, dislikes=DISLIKES)
found = Readers(POOL, "static").ranking(
    interests, kept=KEPT, unwanted=UNWANTED, notes=NOTES, liked=PAST
)
for row in found.rows:
    told = [[each.key, *map(str, dict(each.values).values())] for each in row.reasons]
    print(json.dumps([row.id, row.score, row.stars, row.interest, told]))
"""


def test_the_same_vault_gives_the_same_order_whatever_the_hash_seed_and_threads():
    def ran(seed: str, threads: str) -> str:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        settings = {"PYTHONHASHSEED": seed, **dict.fromkeys(names, threads)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **settings, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        return done.stdout

    first = ran("0", "1")
    assert len(first.splitlines()) > 100
    assert ran("4242", "2") == first


def test_a_run_of_the_command_keeps_watched_and_uncertain_papers_in_their_place(tmp_path):
    vault = new_vault(tmp_path)
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text("utf-8").replace("explore = 0", "explore = 2"), "utf-8")
    file = mailing(tmp_path, "2026-08-20", 150)
    last = json.loads(file.read_text("utf-8").splitlines()[-1])
    note = vault / "Research interests.md"
    watch = f"\n## Watch\n- {last['authors'][0]}\n"
    note.write_text(note.read_text("utf-8") + watch, "utf-8")
    ran = call(vault, "run", "--from-file", str(file), "--json")
    papers = {paper["id"]: paper for paper in ran.json["papers"]}
    assert last["id"] in papers
    assert papers[last["id"]]["reasons"][0].endswith("whom you watch.")
    uncertain = [each for each in papers.values() if "Uncertain" in "".join(each["reasons"])]
    assert len(uncertain) == 2
