from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.texts.language import (
    ADVISED,
    Unread,
    english_only,
    foreign_share,
    legible,
    sentences,
)
from obsidian_digest.model import Interest, Interests, Reading
from tests.core.ranked_readers import Readers
from tests.core.ranking.test_rank import AGENTS, HALF, ROBOTS, ranked
from tests.vaults import call, mailing, new_vault

CHINESE = Interest("智能体训练", "用强化学习训练大语言模型智能体，研究多轮交互中的信用分配。")
MIXED = Interest(
    "智能体训练", "关注 reinforcement learning、credit assignment 与 harness 在智能体训练中的作用。"
)
FOREIGN = {
    "Chinese": CHINESE,
    "Japanese": Interest("ロボット操作", "ロボットアームによる物体の把持と操作を学習する研究。"),
    "Korean": Interest("에이전트 안전", "도구를 사용하는 에이전트에 대한 공격과 감사 추적."),
    "Russian": Interest("Теория графов", "Спектральные оценки и раскраски графов."),
    "Greek": Interest("Ασφάλεια πρακτόρων", "Επιθέσεις σε πράκτορες που χρησιμοποιούν εργαλεία."),
    "Arabic": Interest("تعلم الروبوتات", "تعلم الإمساك بالأجسام وتحريكها بذراع آلية."),
    "Hebrew": Interest("תורת הגרפים", "חסמים ספקטרליים וצביעה של גרפים."),
    "Hindi": Interest("एजेंट सुरक्षा", "उपकरण चलाने वाले एजेंटों पर हमले और उनकी जाँच।"),
    "Thai": Interest("ความปลอดภัยของเอเจนต์", "การโจมตีเอเจนต์ที่ใช้เครื่องมือ"),
}
ENGLISH = {
    "a name with accents": Interest("Erdős problems", "Extremal graph theory after Paul Erdős."),
    "names in their own script": Interest(
        "Agents", "Tool use and planning of agents, as in the work of 姚顺雨 and Юрий Нестеров."
    ),
    "a Chinese heading": Interest("智能体训练", AGENTS.text),
    "a Japanese heading": Interest("ロボット", ROBOTS.text),
    "formulas": Interest("Optimal transport", "Wasserstein distances, α-divergences, ∇f and Σ."),
    "nothing but signs": Interest("3D / 4D", ""),
    "German": Interest("Graphentheorie", "Färbungen und Spektren von Graphen."),
}
READ_ENGLISH = (
    "all-MiniLM-L6-v2",
    "sentence-transformers/all-mpnet-base-v2",
    "static",
    "static@0123abcd",
    "words",
    "BAAI/bge-small-en-v1.5",
    "jinaai/jina-embeddings-v2-base-en",
    "intfloat/e5-base-v2",
    "thenlper/gte-large",
    "allenai/specter2_base",
    "models/all-MiniLM-L6-v2",
)
READ_MORE = (
    ADVISED,
    "sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
    "BAAI/bge-m3",
    "BAAI/bge-small-zh-v1.5",
    "sentence-transformers/LaBSE",
    "intfloat/multilingual-e5-small",
    "Alibaba-NLP/gte-multilingual-base",
    "jinaai/jina-embeddings-v3",
    "Qwen/Qwen3-Embedding-0.6B",
    "distiluse-base-multilingual-cased-v2",
    "http://127.0.0.1:8080/v1#all-minilm",
    "my-own-model",
)


@pytest.mark.parametrize("name", READ_ENGLISH)
def test_encoders_known_to_read_only_english_are_known(name):
    assert english_only(name)


@pytest.mark.parametrize("name", READ_MORE)
def test_multilingual_encoders_servers_and_unknown_ones_are_trusted(name):
    assert not english_only(name)
    written = Interests((CHINESE,), ("无人机导航",))
    notes = (Reading("项目.md", "项目", CHINESE.text),)
    assert legible(written, notes, name) == (written, notes, Unread())


@pytest.mark.parametrize("language", FOREIGN)
def test_an_interest_in_another_script_is_left_out_and_named_with_what_to_do(language):
    interest = FOREIGN[language]
    kept, _, unread = legible(Interests((AGENTS, interest)), (), "all-MiniLM-L6-v2")
    assert kept.interests == (AGENTS,)
    assert unread.interests == (interest.name,)
    (said,) = sentences(unread)
    assert interest.name in said
    assert "all-MiniLM-L6-v2" in said
    assert ADVISED in said


@pytest.mark.parametrize("what", ENGLISH)
def test_english_with_foreign_names_headings_and_signs_is_read_as_it_is(what):
    written = Interests((ENGLISH[what],))
    assert legible(written, (), "static") == (written, (), Unread("static"))
    assert sentences(Unread("static")) == ()


def test_of_a_mixed_interest_the_english_words_stay_and_it_is_said():
    kept, _, unread = legible(Interests((MIXED,)), (), "static")
    assert kept.interests[0].name == MIXED.name
    assert kept.interests[0].read_as == "reinforcement learning credit assignment harness"
    assert unread.interests == (MIXED.name,)


def test_an_interest_that_cannot_be_read_keeps_its_examples():
    shown = Interest(CHINESE.name, CHINESE.text, ("2608.00001",))
    kept, _, _ = legible(Interests((shown,)), (), "words")
    assert [(each.read_as, each.examples) for each in kept.interests] == [("", ("2608.00001",))]


def test_dislikes_and_own_notes_that_cannot_be_read_are_left_out_and_counted():
    notes = (Reading("a.md", "项目", CHINESE.text), Reading("b.md", "Project", AGENTS.text))
    written = Interests((AGENTS,), ("无人机导航", "drones"), ("Ada Lovelace",), ("2608.00001",))
    kept, read, unread = legible(written, notes, "static")
    assert (kept.dislikes, read) == (("drones",), notes[1:])
    assert (kept.watched_authors, kept.watched_ids) == (written.watched_authors, ("2608.00001",))
    assert (unread.dislikes, unread.notes) == (("无人机导航",), 1)
    assert [said.partition(" is ")[0] for said in sentences(unread)] == [
        'The dislike "无人机导航"',
        "1 of your own notes",
    ]


@pytest.mark.parametrize("encoder", ["words", "static"])
def test_an_interest_that_cannot_be_read_changes_no_score(encoder):
    alone = ranked(HALF, Interests((AGENTS,)), encoder=encoder)
    kept, _, _ = legible(Interests((CHINESE, AGENTS)), (), encoder)
    assert ranked(HALF, kept, encoder=encoder) == alone


def test_an_interest_with_examples_alone_ranks_by_them_and_says_so():
    liked = HALF[5]
    pool = tuple(one for one in HALF if one.id != liked.id)
    written = Interests((Interest(CHINESE.name, CHINESE.text, (liked.id,)),))
    kept, _, _ = legible(written, (), "static")
    found = Readers(pool, "static").ranking(kept, liked=(liked,))
    keys = {reason.key for row in found.rows for reason in row.reasons}
    assert "reason_example" in keys
    assert keys <= {"reason_example", "reason_also"}


def test_of_mixed_interests_the_english_words_rank_as_if_they_stood_alone():
    kept, _, _ = legible(Interests((MIXED,)), (), "static")
    words = Interest("reinforcement", "")
    plain = Interests((Interest(kept.interests[0].read_as or "", ""),))
    of_mixed = ranked(HALF, kept, encoder="static")
    assert [row.score for row in of_mixed] == [
        row.score for row in ranked(HALF, plain, encoder="static")
    ]
    assert of_mixed != ranked(HALF, Interests((words,)), encoder="static")


def test_a_run_warns_of_interests_it_cannot_read_in_json_and_in_the_digest(tmp_path):
    text = f"## {CHINESE.name}\n{CHINESE.text}\n\n## Agents\n{AGENTS.text}\n"
    vault = new_vault(tmp_path, interests=text)
    ran = call(vault, "run", "--from-file", str(mailing(tmp_path, "2026-08-20", 60)), "--json")
    (warning,) = ran.json["warnings"]
    assert f'"{CHINESE.name}"' in warning
    assert ADVISED in warning
    digest = (vault / ran.json["digest"]).read_text("utf-8")
    head = digest[: digest.index("\n## ")] if "\n## " in digest else digest
    assert f'> Not in English: "{CHINESE.name}".' in head
    assert {paper["interest"] for paper in ran.json["papers"]} <= {"Agents"}


def test_where_no_interest_can_be_read_the_day_is_shown_and_nobody_says_that_none_is_written(
    tmp_path,
):
    vault = new_vault(tmp_path, interests=f"## {CHINESE.name}\n{CHINESE.text}\n")
    ran = call(vault, "run", "--from-file", str(mailing(tmp_path, "2026-08-20", 60)), "--json")
    assert ran.json["selected"] > 0
    assert "can read none of your interests" in ran.json["message"]
    digest = (vault / ran.json["digest"]).read_text("utf-8")
    assert "No interest could be read" in digest
    assert "No interests yet" not in digest


def test_the_doctor_warns_of_them_too(tmp_path):
    vault = new_vault(tmp_path, interests=f"## {CHINESE.name}\n{CHINESE.text}\n")
    assert f'"{CHINESE.name}" is not written in English' in call(vault, "doctor").out


@given(st.text(min_size=1, max_size=200), st.text(max_size=40))
def test_any_text_has_a_share_and_what_is_left_of_it_is_read_as_it_is(text, name):
    assert 0 <= foreign_share(text) <= 1
    written = Interests((Interest(name, text),), (text,))
    kept, _, unread = legible(written, (), "static")
    if not unread:
        assert kept == written
    again = tuple(
        Interest(each.read_as or each.name, "") for each in kept.interests if each.read_as
    )
    assert legible(Interests(again, kept.dislikes), (), "static")[2] == Unread("static")
