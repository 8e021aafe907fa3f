from __future__ import annotations

import pytest

from obsidian_digest.core.texts.phrase_index import index_phrases
from obsidian_digest.core.texts.phrases import acronyms, phrases, singular
from obsidian_digest.model import Reading


def keys(text: str, **short_forms: str) -> list[str]:
    return [phrase.key for phrase in phrases(text, short_forms)]


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("agents", "agent"),
        ("policies", "policy"),
        ("searches", "search"),
        ("bias", "bias"),
        ("analysis", "analysis"),
        ("physics", "physics"),
        ("LLMs", "llm"),
        ("gas", "gas"),
        ("ties", "tie"),
    ],
)
def test_a_plural_ending_is_taken_off(plural: str, expected: str):
    assert singular(plural) == expected


def test_phrases_are_whole_noun_phrases_and_their_inner_ones():
    found = keys("We propose turn-level credit assignment for coding agents.")
    assert "turn level credit assignment" in found
    assert "credit assignment" in found
    assert "coding agent" in found
    assert not any("propose" in key or " for " in key for key in found)


def test_verbs_adjectives_and_numbers_end_no_phrase():
    found = keys(
        "Agents efficiently explore 128 sparse worlds and are agentic, sequential or trainable"
    )
    assert found == ["agent"]


def test_names_of_models_and_methods_are_no_phrases():
    found = keys("Qwen3.5-9B with AgentJet outperforms GPT on SciWorld planning")
    assert found == ["planning"]


def test_hyphens_and_plurals_make_no_other_phrase():
    assert "graph search plan" in set(keys("graph-search plans")) & set(keys("graph search plan"))


def test_a_hyphenated_attribute_wants_its_noun():
    found = keys("multi-agent systems")
    assert "multi agent system" in found
    assert "multi agent" not in found


def test_short_forms_are_read_from_the_texts_that_define_them():
    texts = ["reinforcement learning (RL) for agents", "large language models (LLMs)", "see (AB)"]
    assert acronyms(texts) == {"large language models": "LLM", "reinforcement learning": "RL"}


def test_each_of_two_brackets_close_together_has_its_own_long_form():
    text = f"{'Far away ' * 40}deep learning (DL) and tree search (TS) (of many (MANY) kinds)"
    assert acronyms([text]) == {"deep learning": "DL", "tree search": "TS"}


def test_a_long_form_counts_as_its_short_form_but_keeps_its_spelling():
    found = list(phrases("Agentic reinforcement learning", {"reinforcement learning": "RL"}))
    assert ("agentic rl", "Agentic reinforcement learning") in [(p.key, p.spelling) for p in found]


def test_the_index_counts_papers_and_not_mentions():
    papers = (
        Reading("1", "Credit assignment", "Credit assignment, credit assignment."),
        Reading("2", "Planning", "We study credit assignment."),
    )
    index = index_phrases(papers)
    assert index.papers["credit assignment"] == {"1", "2"}
    assert "credit assignment" in index.in_title["1"]
    assert "credit assignment" not in index.in_title["2"]
    assert index.spellings["1"]["credit assignment"] == {
        "Credit assignment": 4,
        "credit assignment": 1,
    }


def test_a_hundred_thousand_letters_without_a_blank_are_read_in_no_time():
    assert acronyms(["word" * 25_000]) == {}
