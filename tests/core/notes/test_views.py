from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from obsidian_digest.core.notes.views import Views, stars, web_link
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.render import Words, literal
from obsidian_digest.edge.templates import Templates
from obsidian_digest.errors import TemplateError
from obsidian_digest.model import Entry, Link, NoteFile, Paper, Ranked, Reason, Snapshot

PAPER = Paper(
    id="2608.00001",
    title="Bandits: a survey",
    abstract="We survey bandits.",
    authors=("Ada Lovelace",),
    categories=("cs.LG",),
    primary="cs.LG",
)
REASONS = (
    Reason("reason_author", (("name", "Ada Lovelace"),)),
    Reason("reason_words", (("interest", "Bandits"), ("words", ("regret bounds", "arms")))),
    Reason("reason_also", (("interests", ("Games", "Markets")),)),
    Reason("reason_disliked", (("dislike", "[[ads]] <% now %> #tag"),)),
)


def words(language: str) -> Words:
    return Words(Templates(Path("nowhere")).words(language))


def views(language: str = "en") -> Views:
    return Views(words(language), Places.of(Snapshot()), {})


def shown(language: str, *reasons: Reason) -> list[str]:
    row = Ranked(PAPER.id, 0.5, 3, None, reasons)
    return [str(each) for each in views(language).paper(Entry(PAPER, row)).reasons]


def test_reasons_are_worded_in_english():
    assert shown("en", *REASONS[:3]) == [
        "By Ada Lovelace, whom you watch.",
        'Matches "Bandits" in regret bounds, arms.',
        'Also matches "Games", "Markets".',
    ]


def test_reasons_are_worded_in_chinese_with_chinese_marks():
    assert shown("zh", *REASONS[:3]) == [
        "你关注的作者：Ada Lovelace。",
        "符合“Bandits”：regret bounds、arms。",
        "也符合“Games”“Markets”。",
    ]


def test_a_single_paper_is_counted_in_the_readers_language():
    assert [str(words(language)("papers", n=1)) for language in ("en", "zh")] == [
        "1 paper",
        "1 篇",
    ]


KEPT = "2607.00001"
OF_OPINIONS = (
    Reason("reason_kept", (("title", "A | B"), ("id", KEPT))),
    Reason("reason_kept_words", (("words", ("traces", "tool use")),)),
    Reason("reason_unwanted", (("title", "Gone"), ("id", "2607.00002"))),
    Reason("reason_note", (("note", "Memory"), ("path", "Projects/Memory.md"))),
    Reason("reason_explore"),
)


def linked(language: str, *reasons: Reason, in_digest: bool = False) -> list[str]:
    """As in a vault with a note of the kept paper and one of the reader's own."""
    kept = NoteFile(f"arXiv/{KEPT}.md", "paper", KEPT, b"", {}, {})
    paths = (kept.path, "Projects/Memory.md")
    places = Places.of(Snapshot(notes=(kept,), paths=paths))
    entry = Entry(PAPER, Ranked(PAPER.id, 0.5, 3, None, reasons))
    view = Views(words(language), places, {}).paper(entry, in_digest=in_digest)
    return [str(each) for each in view.reasons]


def test_reasons_link_to_the_paper_or_note_that_they_name_where_there_is_one():
    assert linked("en", *OF_OPINIONS) == [
        rf'Close to "[[{KEPT}|A ∣ B]]" (2607\.00001), which you kept.',
        "Like what you kept: traces, tool use.",
        'Pushed down: close to "Gone" (2607\\.00002), which you did not want.',
        'Close to your note "[[Memory]]".',
        "Uncertain: shown to find out whether you care; rate it or delete it.",
    ]
    assert linked("zh", *OF_OPINIONS[:1], OF_OPINIONS[3]) == [
        rf"与你留下的《[[{KEPT}|A ∣ B]]》（2607\.00001）相近。",
        "与你的笔记《[[Memory]]》相近。",
    ]


def test_a_digest_names_a_note_of_the_readers_without_a_link():
    assert linked("en", OF_OPINIONS[3], in_digest=True) == ['Close to your note "Memory".']


@pytest.mark.parametrize("path", ["Projects/C#.md", "Projects/[x].md", f"Projects/{KEPT}.md"])
def test_a_note_that_no_link_can_lead_to_is_named_in_plain_text(path):
    reason = Reason("reason_note", (("note", "It"), ("path", path)))
    assert linked("en", reason) == ['Close to your note "It".']


def test_nothing_in_a_reason_acts_in_the_note():
    (reason,) = shown("en", REASONS[3])
    assert reason == f'Pushed down: "{literal("[[ads]] <% now %> #tag")}".'
    assert "[[" not in reason
    words_of_reader = Reason("reason_words", (("interest", "a"), ("words", ("[[x]]", "*y*"))))
    assert shown("en", words_of_reader) == [r'Matches "a" in \[\[x\]\], \*y\*.']


def test_a_table_without_a_list_s_separator_is_named_as_wrong():
    table = {"reason_words": "{words}", "pdf": "PDF"}
    row = Ranked(PAPER.id, 0.5, 3, None, (REASONS[1],))
    with pytest.raises(TemplateError, match="reason_words"):
        Views(Words(table), Places.of(Snapshot()), {}).paper(Entry(PAPER, row))


def test_a_related_paper_without_a_note_is_left_out():
    assert views().related(PAPER.id, (Link("2608.00001", "2608.00002", 1.0),)) == ()


def test_names_of_which_nothing_is_left_are_left_out():
    paper = replace(PAPER, authors=("\u200b", "Ada", "{}"), affiliations=("\ufeff",))
    view = views().paper(Entry(paper, Ranked(PAPER.id, 0.5, 3, None)))
    assert [str(author) for author in view.authors] == ["Ada"]
    assert str(view.authors_short) == "Ada"
    assert view.affiliations == ()


def test_stars_are_five_signs():
    assert [stars(count) for count in (1, 3, 5)] == ["★☆☆☆☆", "★★★☆☆", "★★★★★"]


def test_an_address_cannot_end_its_link_early():
    assert web_link("code", "https://x.org/a)b") == "[code](https://x.org/a%29b)"
