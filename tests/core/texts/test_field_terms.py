from __future__ import annotations

from importlib.resources import files

import pytest

from obsidian_digest.core.texts.field_terms import (
    MAX_WORDS,
    field_heads,
    field_short_forms,
    field_terms,
    short_forms,
    word_runs,
)


@pytest.mark.parametrize(
    ("key", "spelling"),
    [
        ("coding agent", "Coding Agents"),
        ("prompt injection", "Prompt Injection"),
        ("credit assignment", "Credit Assignment"),
        ("rl", "Reinforcement Learning"),
        ("rag", "RAG"),
        ("gui agent", "GUI Agents"),
        ("chain of thought reasoning", ""),
        ("lie algebra", "Lie Algebras"),
    ],
)
def test_what_the_field_calls_by_a_name_is_known_as_titles_write_it(key: str, spelling: str):
    term = field_terms().get(key)
    assert (term.spelling if term else "") == spelling


@pytest.mark.parametrize("key", ["write", "fix", "invoke", "span", "improving agent", "swe bench"])
def test_verbs_fragments_and_benchmarks_are_no_terms(key: str):
    assert key not in field_terms()


def test_the_lexicon_is_small_and_every_line_of_it_can_be_found():
    folder = files("obsidian_digest.core.texts") / "field"
    text = (folder / "terms.txt").read_text(encoding="utf-8")
    assert len(text.encode()) <= 150_000
    assert text.splitlines() == sorted(text.splitlines())
    assert len(field_terms()) == len(text.splitlines())
    assert max(len(key.split()) for key in field_terms()) == MAX_WORDS


def test_a_long_form_is_read_as_its_short_one():
    forms = short_forms(field_short_forms())
    assert forms.key("Multi-Agent Reinforcement Learning") == "marl"
    assert forms.key("reinforcement-learning agents") == "rl agent"


def test_no_phrase_runs_over_punctuation():
    assert list(word_runs("Tool use: agents, e.g. GPT-4")) == [
        ["tool", "use"],
        ["agent"],
        ["e"],
        ["g"],
        ["gpt", "4"],
    ]


def test_heads_are_words_that_many_terms_end_with_spelt_as_titles_spell_them():
    heads = field_heads()
    assert (heads["skill"], heads["memory"], heads["planning"]) == ("Skills", "Memory", "Planning")
    assert "jailbreak" not in heads
