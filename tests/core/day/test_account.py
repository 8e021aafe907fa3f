from __future__ import annotations

import json

import numpy as np
import pytest

from obsidian_digest.core.day.account import account, as_json, text
from obsidian_digest.core.day.choose import Choice, Limits
from obsidian_digest.core.ranking.selection import select
from obsidian_digest.core.ranking.taste import FULL
from obsidian_digest.model import Entry, Paper
from tests.core.notes.test_views import words
from tests.core.ranking.test_reasons import IDS, PAST, PEOPLE, POOL, each_encoder, each_person
from tests.core.ranking.test_reasons import day as ranking_of
from tests.small_days import small_days
from tests.vaults import call, stamps

READINGS = {one.id: one for one in POOL}
SOME = 6
"""An account takes milliseconds: of so many papers one is enough, from the best to the last."""


def choice_of(who: str, encoder: str, top: int = 5, explore: int = 0) -> Choice:
    found = ranking_of(who, encoder)
    chosen = select(found.rows, top, 3, READINGS, explore)
    entries = tuple(Entry(Paper(row.id, "", "", (), (), ""), row) for row in chosen)
    return Choice(
        found.rows,
        entries,
        (),
        (),
        (),
        by_interests=True,
        readings=READINGS,
        values=found.values,
        limits=Limits(top, 3, 0, explore),
    )


@each_encoder
@each_person
def test_the_parts_of_every_account_add_up_to_the_value_that_the_score_is_made_of(who, encoder):
    choice = choice_of(who, encoder)
    assert PEOPLE[who].kept or PEOPLE[who].interests
    for place, row in list(enumerate(choice.ranked, start=1))[::SOME]:
        told = account(choice, row.id, words("en"))
        total = sum(part.number for part in told.parts)
        assert total == pytest.approx(told.value, abs=1e-6)
        assert choice.values.family.score(total, choice.values.weight / FULL) == pytest.approx(
            row.score, abs=1e-4
        )
        assert (told.place, told.of, told.stars) == (place, len(IDS), row.stars)
        assert len(told.reasons) == len(row.reasons)


@each_encoder
def test_the_rows_of_an_interest_add_up_to_what_it_says_together(encoder):
    choice = choice_of("does it all", encoder)
    for row in choice.ranked[:20]:
        sections = account(choice, row.id, words("en")).sections
        of_interests = [each for each in sections if each.title.startswith("interest")]
        assert len(of_interests) == 2
        for section in of_interests:
            numbers = {each.label: each.number for each in section.rows}
            parts = [value for label, value in numbers.items() if label.startswith(("by ", "lent"))]
            assert sum(parts) == pytest.approx(numbers["together"], abs=1e-6)


def test_the_fate_of_each_paper_is_told_and_true():
    choice = choice_of("does it all", "words", explore=1)
    shown = {entry.paper.id: entry.ranked for entry in choice.entries}
    fates = {row.id: account(choice, row.id, words("en")).fate for row in choice.ranked}
    for row in choice.ranked:
        fate = fates[row.id]
        if row.id in shown:
            uncertain = "reason_explore" in {each.key for each in shown[row.id].reasons}
            assert fate == ("It is shown, to find out." if uncertain else "It is shown.")
        elif row.stars < 3:
            assert fate == f"It is not shown: {row.stars} of 5 stars, and 3 are asked for."
        else:
            assert fate.startswith(
                ("It is not shown: 5 others", "It is not shown: nearly the same")
            )
    assert len({fate[:24] for fate in fates.values()}) > 2


def test_an_account_names_the_nearest_opinions_example_and_note():
    choice = choice_of("does it all", "words")
    told = account(choice, choice.ranked[0].id, words("en"))
    labels = [row.label for section in told.sections for row in section.rows]
    titles = [one.title for one in PAST]
    for start in ("kept: ", "nearest example: ", "nearest: "):
        assert any(label.startswith(start) for label in labels), start
    kept = [label for label in labels if label.startswith("kept: ")]
    assert all(any(title in label for title in titles) for label in kept)
    closeness = [
        row.number
        for section in told.sections
        for row in section.rows
        if row.label.startswith("kept: ")
    ]
    assert closeness == sorted(closeness, reverse=True)


def test_the_account_is_told_as_text_and_as_json_with_the_same_numbers():
    choice = choice_of("does it all", "static")
    told = account(choice, choice.ranked[3].id, words("en"))
    shown, plain = text(told), json.loads(json.dumps(as_json(told)))
    assert f"{told.value:.4f}  value" in shown
    for part in plain["parts"]:
        assert f"{part['number']:9.4f}  {part['label']}" in shown
    assert np.isclose(sum(part["number"] for part in plain["parts"]), plain["value"], atol=1e-4)
    assert all(reason in shown for reason in plain["reasons"])


def test_of_a_paper_that_is_no_candidate_there_is_no_account():
    assert account(choice_of("judges", "words"), "2608.99999", words("en")) is None


def test_a_run_explains_a_new_paper_a_shown_one_and_a_strange_one_and_writes_nothing(tmp_path):
    days = small_days(tmp_path)
    before = stamps(days.vault)
    days_of_first = json.loads((tmp_path / "2026-08-19.jsonl").read_text("utf-8").splitlines()[0])
    new = days.run((*days.first, "--top", "2"), "--explain", days_of_first["id"], "--json")
    assert new.json["account"]["id"] == days_of_first["id"]
    assert stamps(days.vault) == before
    ran = days.run((*days.first, "--top", "2"), "--json")
    shown = ran.json["papers"][0]["id"]
    before = stamps(days.vault)
    told = days.run((*days.first, "--top", "2"), "--explain", f"https://arxiv.org/abs/{shown}v3")
    assert told.out.startswith("2026-08-19: ")
    assert f"({shown})\nplace " in told.out
    assert "The value is the sum of:" in told.out
    strange = days.run(days.first, "--explain", "2501.00001")
    assert (
        strange.out
        == "2501.00001 is not among the papers of 2026-08-19; name its day with --date.\n"
    )
    assert days.run(days.first, "--explain", "2501.00001", "--json").json["account"] is None
    assert stamps(days.vault) == before


def test_of_a_digest_that_stands_the_account_tells_what_it_shows(tmp_path):
    days = small_days(tmp_path)
    asked = (*days.first, "--top", "2", "--min-stars", "0")
    ran = days.run(asked, "--json")
    shown = [paper["id"] for paper in ran.json["papers"]]
    papers = (tmp_path / "2026-08-19.jsonl").read_text("utf-8").splitlines()
    for line in papers:
        one = json.loads(line)["id"]
        told = days.run(asked, "--explain", one, "--json").json["account"]
        assert told["shown"] == (one in shown)
        fate = "It is shown." if one in shown else "It is not shown: 2 others were before it"
        assert told["fate"].startswith(fate), told["fate"]
        assert told["of"] == len(papers)


def test_a_fate_that_opinions_given_since_would_turn_is_told_with_both_sides():
    choice = choice_of("does it all", "words")
    first, last = choice.ranked[0].id, choice.ranked[-1].id
    told = account(choice, last, words("en"), standing=(last,))
    assert told.shown
    assert told.fate == "It is shown. Ranked anew, with what you did since, it would not be."
    told = account(choice, first, words("en"), standing=(last,))
    assert not told.shown
    assert told.fate == "It is not shown. Ranked anew, with what you did since, it would be."


def test_without_anything_to_rank_by_the_account_says_so(tmp_path):
    days = small_days(tmp_path)
    (days.vault / "Research interests.md").write_text("", "utf-8")
    first = json.loads((tmp_path / "2026-08-19.jsonl").read_text("utf-8").splitlines()[0])
    told = days.run(days.first, "--explain", first["id"])
    assert "There is nothing to rank by" in told.out


def test_what_is_no_id_is_refused(tmp_path):
    days = small_days(tmp_path)
    ran = call(days.vault, *days.first, "--explain", "harness")
    assert ran.code == 2
    assert '"harness" is no arXiv id' in ran.err
