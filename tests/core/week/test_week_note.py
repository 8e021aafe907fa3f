from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.config import parse
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.ranking.feedback import Opinion
from obsidian_digest.core.trends.week_facts import week_facts
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.render import Renderer
from obsidian_digest.core.vault.week_moves import move_line, moves_in
from obsidian_digest.core.week.note import sparkline, week_drafts
from obsidian_digest.edge.templates import shipped
from obsidian_digest.model import (
    FileDraft,
    KnownPaper,
    Memory,
    Move,
    NoteDraft,
    Reading,
    Snapshot,
)
from obsidian_digest.note.kinds import classify
from tests.core.week_vaults import memory_of
from tests.hostile_strings import hostile_strings
from tests.judges.scan import note_faults

WEEKS = {
    **{f"2026-W{number}": {"a": 5, "b": 5, "c": 10} for number in range(30, 34)},
    "2026-W34": {"a": 12, "c": 6, "new": 2, "": 1},
}


def renderer(language: str = "en") -> Renderer:
    texts = shipped()
    templates = {name: text for name, text in texts.items() if name.endswith(".j2")}
    return Renderer(templates, tomllib.loads(texts[f"words.{language}.toml"]))


def placed(memory: Memory) -> Places:
    """A vault that has a note for everything the memory knows."""
    places = Places()
    for key, paper in memory.papers.items():
        places.claim("paper", key, "arXiv/Papers", f"{paper.id.replace('.', '-')}")
    for key in memory.themes:
        places.claim("theme", key, "arXiv/Themes", f"Theme {key}")
    for day in memory.digests:
        places.claim("digest", day.isoformat(), "arXiv/Digests", f"arXiv digest {day}")
    places.claim("moc", "moc", "", "MOC-Research")
    return places


def drafted(
    memory: Memory, language: str = "en", moves: tuple[Move, ...] = (), *opinions: Opinion
) -> tuple[FileDraft, NoteDraft]:
    config = parse("")
    places = placed(memory)
    picture, note = week_drafts(
        "2026-W34", memory, config, renderer(language), places, moves, opinions
    )
    assert isinstance(picture, FileDraft)
    assert isinstance(note, NoteDraft)
    return picture, note


def text(note: NoteDraft) -> str:
    return note.regions[0].text


def test_the_note_tells_how_themes_fare_with_figures():
    picture, note = drafted(memory_of(WEEKS))
    said = text(note)
    assert note.path == "arXiv/Weeks/arXiv week 2026-W34.md"
    assert note.owned["digest_week"] == "2026-W34"
    assert note.owned["week_start"] == date(2026, 8, 17)
    assert note.owned["week_papers"] == 21
    assert "> [!info] 2026-08-17 to 2026-08-23: 21 papers, 1 digest\n" in said
    assert "> [[arXiv digest 2026-08-17]]\n" in said
    assert "- **Growing**: [[Theme a]] (12, 5.2 expected)\n" in said
    assert "- **New**: [[Theme new]] (2)\n" in said
    assert "- **Fading**: [[Theme b]] (0, 5.2 expected)" in said
    assert "| [[Theme a]] | 12 | 5 | 5 | ▃▃▃▃▇ | growing |".replace("▃▃▃▃▇", "▄▄▄▄█") in said
    assert "![[arXiv week 2026-W34 trend.svg]]" in said
    assert picture.path == "arXiv/Weeks/arXiv week 2026-W34 trend.svg"
    assert note.tail == "## Notes\n\n[[MOC-Research]]"


def test_the_first_week_says_that_there_is_nothing_to_compare_with():
    said = text(drafted(memory_of({"2026-W34": {"a": 3, "b": 2}}))[1])
    assert "No weeks before to compare with." in said
    assert "| Theme | This week |\n| --- | --- |\n| [[Theme a]] | 3 |\n" in said
    assert "expected" not in said


def test_the_mean_of_the_weeks_before_has_a_column_where_there_are_several():
    one = text(drafted(memory_of({"2026-W33": {"a": 2}, "2026-W34": {"a": 3}}))[1])
    assert "| Theme | This week | Week before | Trend |" in one
    assert "| [[Theme a]] | 3 | 2 | " in one
    two = {"2026-W32": {"a": 4}, "2026-W33": {"a": 2}, "2026-W34": {"a": 3}}
    more = text(drafted(memory_of(two))[1])
    assert "| Theme | This week | Week before | Mean of 2 weeks before | Trend |" in more
    assert "| [[Theme a]] | 3 | 2 | 3 | " in more


def test_a_week_without_themes_has_a_note_and_no_picture():
    memory = memory_of({"2026-W34": {"": 3}})
    (note,) = week_drafts("2026-W34", memory, parse(""), renderer(), placed(memory))
    assert "svg" not in note.regions[0].text
    assert "Themes of the week" not in note.regions[0].text
    assert note.regions[0].text.count("[[2608-") == 3


def test_a_theme_that_comes_back_after_weeks_is_a_signal():
    weeks = {
        "2026-W29": {"back": 3, "a": 3},
        **{f"2026-W{number}": {"a": 5} for number in range(30, 34)},
        "2026-W34": {"a": 5, "back": 2},
    }
    memory = memory_of(weeks)
    facts = week_facts("2026-W34", memory)
    assert facts is not None
    assert [(each.kind, each.what, each.weeks) for each in facts.signals] == [("back", "back", 4)]
    said = text(drafted(memory)[1])
    assert "- [[Theme back]] is back after 4 weeks: [[2608-" in said


def test_a_week_without_a_digest_has_no_note():
    memory = memory_of(WEEKS)
    assert week_drafts("2026-W29", memory, parse(""), renderer(), placed(memory)) == ()
    assert week_facts("2026-W29", memory) is None


def test_a_chinese_note_is_chinese():
    said = text(drafted(memory_of(WEEKS), "zh")[1])
    assert "2026-08-17 至 2026-08-23：21 篇，1 份速览" in said
    assert "**升温**：[[Theme a]]（12 篇，预期 5.2 篇）" in said
    assert "| 主题 | 本周 | 上周 | 前 4 周平均 | 走势 | 状态 |" in said
    for word in ("Theme |", "Growing", "papers", "expected", "steady"):
        assert word not in said


def test_the_best_paper_of_each_theme_stands_for_the_week():
    memory = memory_of(WEEKS)
    week = [key for key, paper in memory.papers.items() if paper.digests == (date(2026, 8, 17),)]
    best, central = week[5], week[14]
    papers = dict(memory.papers)
    papers[best] = replace(papers[best], stars=5)
    papers[central] = replace(papers[central], related=(week[0], week[1]))
    facts = week_facts("2026-W34", replace(memory, papers=papers))
    assert facts is not None
    assert facts.standing[:2] == (best, central)
    assert len(facts.standing) == 3


def test_the_readers_picks_are_those_he_likes_dearest_first():
    memory = memory_of(WEEKS)
    week = [key for key, paper in memory.papers.items() if paper.digests == (date(2026, 8, 17),)]
    other = next(key for key in memory.papers if key not in week)
    opinions = (
        Opinion(week[0], 0.5, None, ("read",)),
        Opinion(week[1], 1.0, None, ("rated", "noted")),
        Opinion(week[2], -0.5, None, ("skipped",)),
        Opinion(other, 1.0, None, ("rated",)),
    )
    said = text(drafted(memory, "en", (), *opinions)[1])
    picks = said.partition("## Your picks\n\n")[2].splitlines()
    assert [line.rpartition("]] · ")[2] for line in picks] == [
        "rated by you · with your notes",
        "read or being read",
    ]
    assert week[1].replace(".", "-") in picks[0]


def test_moves_are_listed_and_read_back():
    memory = memory_of(WEEKS)
    moves = (
        Move("2608.00001", "a", "b"),
        Move("2608.00002", "", "c"),
        Move("2608.00003", "c", ""),
    )
    _, note = drafted(memory, "en", moves)
    places = placed(memory)
    assert moves_in(text(note), note.path, places) == moves
    line = "- [[2608-00001|Paper 2608.00001]] · [[Theme a]] → [[Theme b]] ^moved-2608-00001"
    assert line in text(note).splitlines()


def test_a_move_outlives_the_note_of_its_theme():
    memory = memory_of(WEEKS)
    places = placed(memory)
    line = f"- {move_line(Move('2608.00001', 'a', 'b'), 'Paper', places)}"
    gone = Places()
    gone.claim("theme", "b", "arXiv/Themes", "Theme b")
    mended = gone.mend(line, "arXiv/Weeks/x.md")
    (move,) = moves_in(mended, "arXiv/Weeks/x.md", gone)
    assert move == Move("2608.00001", "Theme a", "b")
    assert moves_in(f"- {move_line(move, 'Paper', gone)}", "", gone) == (move,)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_written_note_is_remembered_with_its_moves_and_drafted_the_same(language: str):
    memory = memory_of(WEEKS)
    moves = (Move("2608.00001", "a", "b"),)
    drafts = drafted(memory, language, moves)
    planned = plan(drafts, Snapshot(), Places(), ())
    picture, created = planned.changes
    note = classify(created.path, created.after, "MOC-Research")
    assert note is not None
    assert (note.kind, note.key, note.trouble) == ("week", "2026-W34", None)
    places = placed(memory)
    seen = remember(Snapshot(notes=(note,), paths=(note.path,)), places)
    assert seen.weeks["2026-W34"].moves == moves
    assert picture.path.endswith(" trend.svg")


NAMES = st.one_of(st.text(min_size=1, max_size=80), st.sampled_from(list(hostile_strings(300))))


@settings(max_examples=40, deadline=None)
@given(st.lists(NAMES, min_size=4, max_size=8))
def test_nothing_in_a_title_or_a_themes_name_acts(names: list[str]):
    memory = memory_of({"2026-W33": {"a": 4}, "2026-W34": {"a": len(names), "b": 1}})
    papers = dict(memory.papers)
    keys = [key for key, paper in papers.items() if paper.digests == (date(2026, 8, 17),)]
    for key, name in zip(keys, names, strict=False):
        others = tuple(other for other in keys if other != key)
        papers[key] = replace(papers[key], reading=Reading(key, name, name), related=others)
    themes = {
        key: replace(theme, standing=replace(theme.standing, name=names[0]))
        for key, theme in memory.themes.items()
    }
    memory = replace(memory, papers=papers, themes=themes)
    moves = (Move(keys[0], "a", "gone"), Move(keys[1], names[1], "b"))
    bare = Places()
    bare.claim("paper", keys[0], "arXiv/Papers", "first")
    for places in (placed(memory), bare):
        drafts = week_drafts("2026-W34", memory, parse(""), renderer(), places, moves)
        said = drafts[1].regions[0].text
        targets = {path.rsplit("/", 1)[-1].removesuffix(".md") for path in places.by_path}
        assert note_faults(said, targets) == []


def test_a_sparkline_has_eight_heights():
    assert sparkline((0, 1, 2, 3, 4, 5, 6, 7)) == "▁▂▃▄▅▆▇█"
    assert sparkline((0, 0)) == "▁▁"
    assert sparkline((1, 100)) == "▂█"
    assert sparkline(()) == ""


def test_a_paper_without_a_note_is_counted_and_named_by_its_id_at_most():
    memory = memory_of({"2026-W34": {"a": 3}})
    gone = next(iter(memory.papers))
    left: dict[str, KnownPaper] = {key: one for key, one in memory.papers.items() if key != gone}
    _, note = drafted(replace(memory, papers=left))
    assert note.owned["week_papers"] == 3
    assert gone.replace(".", "-") not in text(note)
