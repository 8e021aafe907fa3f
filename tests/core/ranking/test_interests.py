from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.ranking.interests import parse_interests
from obsidian_digest.model import Interest, Interests

NOTES = {"Agent Lightning": "2608.17528", "arXiv/Papers/LEGO-RL - 2608-17393": "2608.17393"}


def parsed(markdown: str) -> Interests:
    return parse_interests(markdown, NOTES.get)


def test_every_second_level_heading_with_its_text_is_an_interest():
    note = (
        "words before\n# My research\n## Agents\nThat use tools.\n\nAnd plan.\n"
        "## Safety ##\nOf agents.\n"
    )
    assert parsed(note).interests == (
        Interest("Agents", "That use tools. And plan."),
        Interest("Safety", "Of agents."),
    )


def test_deeper_headings_belong_to_the_interest_above_them():
    note = "## Agents\nText.\n### More\nDetail.\n# Other things\nnot mine\n"
    assert parsed(note).interests == (Interest("Agents", "Text. More Detail."),)


def test_a_heading_without_text_counts_by_its_name_and_an_empty_one_not_at_all():
    assert [one.name for one in parsed("## Agents\n## \n##\n").interests] == ["Agents"]


@pytest.mark.parametrize(
    "hidden",
    [
        "%% ## Hidden\ntext %%",
        "%%\n## Hidden\n\ntext\n%%",
        "<!-- ## Hidden\n## Hidden -->",
        "```\n## Hidden\n```",
        "~~~~md\n## Hidden\n~~~\n## Hidden\n~~~~",
    ],
)
def test_comments_and_code_are_no_interests(hidden: str):
    assert parsed(f"{hidden}\n## Agents\nText.\n{hidden}\n").interests == (
        Interest("Agents", "Text."),
    )


def test_percent_signs_in_inline_code_do_not_hide_what_follows():
    assert [one.name for one in parsed("## A\nuse `%%` here\n## B\n").interests] == ["A", "B"]


def test_bullets_under_not_interested_are_dislikes_whatever_their_mark():
    note = (
        "## not Interested:\n- medical imaging\n* surveys\n+ traffic\n"
        "1. finance\n2) games\n- [ ] law\n"
    )
    assert parsed(note).dislikes == (
        "medical imaging", "surveys", "traffic", "finance", "games", "law",
    )  # fmt: skip


def test_an_indented_line_goes_on_with_the_bullet_above():
    assert parsed("## Not interested\n- position papers\n  without experiments\n").dislikes == (
        "position papers without experiments",
    )


def test_watch_takes_author_names_and_arxiv_ids():
    note = (
        "## WATCH\n- Yejin Choi (UW)\n- Jaques, Natasha\n- [[People/Bo Liu]], Simon Yu\n"
        "- arXiv:2608.19197v2\n- [[Agent Lightning]]\n- https://arxiv.org/abs/2608.18682\n"
    )
    found = parsed(note)
    assert found.watched_authors == ("Yejin Choi", "Natasha Jaques", "Bo Liu", "Simon Yu")
    assert found.watched_ids == ("2608.19197", "2608.17528", "2608.18682")
    assert found.interests == ()


def test_chinese_headings_work_like_english_ones():
    found = parsed("## 智能体\n会用工具。\n## 不感兴趣\n- 医学影像\n## 关注\n- Yejin Choi\n")
    assert found == Interests(
        (Interest("智能体", "会用工具。"),), ("医学影像",), ("Yejin Choi",), ()
    )


def test_links_to_papers_are_examples_and_leave_no_trace_in_the_text():
    note = (
        "## Agents\nLike [[Agent Lightning|that one]] and "
        "![[arXiv/Papers/LEGO-RL - 2608-17393#Notes]],\n"
        "2608.19009, arXiv:2608.18389v1, "
        "https://arxiv.org/pdf/2608.18307v1.pdf and math.GT/0309136.\n"
    )
    (interest,) = parsed(note).interests
    assert interest.examples == (
        "2608.17528", "2608.17393", "2608.19009", "2608.18389", "2608.18307", "math/0309136",
    )  # fmt: skip
    assert not any(sign in interest.text for sign in ("[[", "]]", "26", "http", "LEGO", "0309"))
    assert interest.text.startswith("Like and")


def test_links_to_other_notes_and_pages_keep_the_words_one_sees():
    note = (
        "## [[Agents]]\nSee [[Maps/Tool use]], [[x|planning]], "
        "[a page](https://a.b/c), **bold** #rl, 3.14.\n"
    )
    assert parsed(note).interests == (
        Interest("Agents", "See Tool use, planning, a page, bold rl, 3.14."),
    )


def test_windows_line_ends_change_nothing():
    note = "## Agents\nText\n%%\n## Gone\n%%\n\n## Watch\n- Yejin Choi\n- 2608.19197\n"
    assert parsed(note.replace("\n", "\r\n")) == parsed(note)
    assert parsed(note).watched_authors == ("Yejin Choi",)


def test_a_note_without_any_interest_is_false():
    assert not parsed("%% ## Explained %%\n\n## Not interested\n\n## Watch\n")


@given(st.text(alphabet="#-*[]|()%`~<>!: \n\r\tabA关注1.", max_size=60))
def test_no_text_whatever_breaks_the_reading(text: str):
    found = parsed(text)
    assert all(one.name or one.text or one.examples for one in found.interests)
    assert all(found.dislikes)
