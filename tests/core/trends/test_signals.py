from __future__ import annotations

import tomllib
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.notes.signal_lines import SignalLines
from obsidian_digest.core.trends.day_signals import day_signals
from obsidian_digest.core.trends.signals import Signal, term_signals
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.render import Words
from obsidian_digest.edge.templates import shipped
from obsidian_digest.model import (
    Digest,
    Entry,
    KnownDigest,
    KnownPaper,
    KnownTheme,
    Link,
    Memory,
    Paper,
    Ranked,
    Reading,
    StandingTheme,
    Theme,
)
from tests.core.recorded_papers import about, two_mailings


def said(signals: tuple[Signal, ...]) -> dict[str, str]:
    return {signal.what: signal.kind for signal in signals}


def operators(signals: tuple[Signal, ...]) -> Signal | None:
    """What is said of neural operators."""
    return next((each for each in signals if each.what.lower().startswith("neural op")), None)


def without(*words: str, most: int) -> tuple[Reading, ...]:
    """Recorded papers that hold none of the words."""
    low = [(each, each.text.lower()) for each in two_mailings()]
    return tuple(each for each, text in low if not any(word in text for word in words))[:most]


def test_a_term_in_many_papers_that_few_held_before_bursts():
    bursting = about("neural operator", most=4)
    now = (*bursting, *without("neural operator", most=16))
    before = [without("neural operator", most=120)[16:]]
    found = term_signals(now, before, {}, 8)
    signal = operators(found)
    assert signal.kind == "burst"
    assert set(signal.papers) >= {each.id for each in bursting}
    assert (signal.of, signal.before) == (20, 0)


def test_with_few_papers_before_nothing_bursts():
    now = (*about("neural operator", most=4), *without("neural operator", most=16))
    assert (
        "burst"
        not in said(term_signals(now, [without("neural operator", most=30)[16:]], {}, 8)).values()
    )


def test_a_term_is_a_first_after_four_weeks_without_it():
    three = about("neural operator", most=3)
    others = without("neural operator", most=100)
    now, rest = (*three, *others[:10]), others[10:]
    weeks = [rest[at::4] for at in range(4)]
    found = term_signals(now, weeks, {}, 20)
    signal = operators(found)
    assert (signal.kind, signal.weeks) == ("first", 4)
    held = [*weeks[:2], (*weeks[2], about("neural operator", most=4)[3]), weeks[3]]
    assert "first" not in said(term_signals(now, held, {}, 20)).values()


def test_related_papers_that_share_a_rare_term_are_told_together():
    three = about("neural operator", most=3)
    now = (*three, *without("neural operator", most=30))
    links = {three[0].id: (three[1].id,), three[2].id: (three[1].id,)}
    found = term_signals(now, [], links, 8)
    signal = operators(found)
    assert signal.kind == "together"
    assert set(signal.papers) == {each.id for each in three}
    apart = {three[0].id: (three[1].id,)}
    assert term_signals(now, [], apart, 8) == ()


def test_every_signal_names_papers_that_hold_its_term():
    readings = two_mailings()
    now, before = readings[:60], [readings[at : at + 60] for at in range(60, 360, 60)]
    texts = {each.id: each.text.lower().replace("-", " ") for each in now}
    found = term_signals(now, before, {}, 8)
    assert found
    for signal in found:
        assert len(signal.papers) >= 2
        head = signal.what.lower().replace("-", " ").split()[-1].rstrip("s")[:4]
        spelt = [paper for paper in signal.papers if head in texts[paper]]
        assert spelt, signal


def test_two_signals_do_not_say_the_same_of_the_same_papers():
    readings = two_mailings()
    links = {one.id: tuple(two.id for two in readings[:80]) for one in readings[:80]}
    found = term_signals(readings[:80], [readings[80:400]], links, 8)
    for place, one in enumerate(found):
        for two in found[:place]:
            assert set(one.papers) != set(two.papers), (one.what, two.what)


@settings(max_examples=5, deadline=None)
@given(st.permutations(range(40)))
def test_the_order_in_which_papers_come_changes_no_signal(order: list[int]):
    readings = two_mailings()
    before = [readings[40:160]]
    found = term_signals([readings[place] for place in order], before, {}, 8)
    again = term_signals(readings[:40], before, {}, 8)
    assert [(each.what, set(each.papers), each.score) for each in found] == [
        (each.what, set(each.papers), each.score) for each in again
    ]


HOSTILE = st.lists(st.text(max_size=60), max_size=6)


@settings(max_examples=50, deadline=None)
@given(HOSTILE, HOSTILE)
def test_any_texts_give_signals_or_none(now: list[str], before: list[str]):
    readings = [Reading(f"2608.{n:05d}", text, text * 3) for n, text in enumerate(now)]
    older = [Reading(f"2607.{n:05d}", text, "") for n, text in enumerate(before)]
    assert len(term_signals(readings, [older], {}, 4)) <= 4


def entry(reading: Reading, theme: str, *related: str) -> Entry:
    paper = Paper(reading.id, reading.title, reading.abstract, ("A",), ("cs.AI",), "cs.AI")
    links = tuple(Link(*sorted((reading.id, other)), 0.7) for other in related)
    return Entry(paper, Ranked(reading.id, 0.5, 3, None), links, theme)


def digest(day: date, entries: tuple[Entry, ...], *themes: Theme, number: int = 0) -> Digest:
    return Digest(
        day, (day,), None, "", 0, 0, 0, "", 20, 3, (), (), "words", themes, entries, (),
        number=number,
    )  # fmt: skip


def days_of(themes: dict[str, int], *, days: int) -> Memory:
    """So many days before 20 August that show so many papers of each theme."""
    papers, digests = {}, {}
    readings = iter(two_mailings())
    for back in range(days, 0, -1):
        day = date(2026, 8, 20) - timedelta(back)
        shown = []
        for theme, most in themes.items():
            for _ in range(most):
                reading = next(readings)
                papers[reading.id] = KnownPaper(reading.id, reading, 3, theme, (day,), ())
                shown.append(reading.id)
        digests[day] = KnownDigest(day, tuple(shown), (day,), "", 20, 3, 0)
    known = {
        key: KnownTheme(StandingTheme(key, key.upper(), ()), ()) for key in themes.keys() - {""}
    }
    return Memory(papers, digests, known)


def test_a_day_tells_of_themes_that_are_new_and_that_grew():
    memory = days_of({"usual": 4, "small": 1}, days=10)
    readings = two_mailings()[300:309]
    entries = tuple(
        entry(each, theme)
        for each, theme in zip(readings, ["small"] * 5 + ["fresh"] * 3 + ["usual"], strict=True)
    )
    themes = [
        Theme(key, key.upper(), tuple(e.paper.id for e in entries if e.theme == key))
        for key in ("small", "fresh", "usual")
    ]
    found = day_signals(digest(date(2026, 8, 20), entries, *themes), memory)
    kinds = {signal.what: signal.kind for signal in found if signal.kind in {"grew", "new"}}
    assert kinds == {"small": "grew", "fresh": "new"}


def test_the_first_days_call_nothing_new_and_a_supplement_tells_no_signals():
    readings = two_mailings()[:6]
    entries = tuple(entry(each, "t") for each in readings)
    theme = Theme("t", "T", tuple(each.id for each in readings))
    day = date(2026, 8, 20)
    found = day_signals(digest(day, entries, theme), Memory())
    assert {signal.kind for signal in found} <= {"together"}
    three = about("neural operator", most=3)
    linked = tuple(entry(each, "", *(o.id for o in three if o is not each)) for each in three)
    assert day_signals(digest(day, linked), Memory()) != ()
    assert day_signals(digest(day, linked, number=1), Memory()) == ()


def test_a_days_signals_do_not_look_at_later_days():
    three = about("neural operator", most=4)
    entries = tuple(entry(each, "") for each in (*three, *without("neural operator", most=12)))
    day = date(2026, 8, 20)
    memory = days_of({"usual": 5}, days=8)
    later = KnownDigest(date(2026, 8, 21), (two_mailings()[-1].id,), (), "", 20, 3, 0)
    more = Memory(memory.papers, {**memory.digests, later.day: later}, memory.themes)
    one, two = (day_signals(digest(day, entries), each) for each in (memory, more))
    assert one == two


def test_every_kind_of_signal_is_worded_in_both_languages_with_its_papers():
    places = Places()
    places.claim("paper", "2608.00001", "", "One - 2608-00001")
    places.claim("theme", "t", "", "Credit Assignment")
    papers = ("2608.00001", *(f"2608.0000{n}" for n in range(2, 9)))
    titles = dict.fromkeys(papers, "[[One]]: #two") | {"2608.00001": "One: and more"}
    lines = {}
    for language in ("en", "zh"):
        words = Words(tomllib.loads(shipped()[f"words.{language}.toml"]))
        made = SignalLines(words, places, titles, {"t": "Gone", "gone": "*Gone*"})
        for kind in ("burst", "first", "together", "grew", "new", "back"):
            what = "t" if kind in {"grew", "new", "back"} else "a *b*"
            lines[language, kind] = made.line(Signal(kind, what, papers, 20, 2.5, 100, 4))
        assert made.theme("gone") == "\\*Gone\\*"
    for (_, kind), line in lines.items():
        assert "[[One - 2608-00001|One]]" in line
        assert "\\[\\[One\\]\\]" in line
        assert ("[[Credit Assignment]]" in line) is (kind in {"grew", "new", "back"})
    burst = lines["en", "burst"]
    assert burst.startswith('"a \\*b\\*": 8 of 20 papers, before 2.5 of 100 — [[')
    assert burst.endswith(" and 2 more")
    assert lines["zh", "back"].startswith("[[Credit Assignment]] 时隔 4 周重新出现：[[")
