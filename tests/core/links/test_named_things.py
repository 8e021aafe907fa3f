from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.core.links.named_things import NamedThings
from obsidian_digest.model import Naming, Reading

HOME = Reading(
    "2601.00001",
    "ToolMaze: Benchmarking Recovery in Tool Use",
    "Tools fail. We introduce ToolMaze, a benchmark of 800 tasks in which tools fail silently.",
)
METHOD = Reading(
    "2601.00002",
    "PASE: Speech Enhancement with Phonological Priors",
    "We propose the Phonologically Anchored Speech Enhancer (PASE), which hallucinates less.",
)


def paper(abstract: str, title: str = "Some Paper", arxiv_id: str = "2602.00003") -> Reading:
    return Reading(arxiv_id, title, abstract)


def near(one: str, other: str) -> float:
    return 1.0


def namings(*readings: Reading, overlap=near) -> tuple[Naming, ...]:
    return NamedThings(readings, overlap, 0.03).touching([one.id for one in readings])


def says(sentence: str, home: Reading = HOME) -> list[str]:
    return [one.says for one in namings(home, paper(sentence))]


@pytest.mark.parametrize(
    "sentence",
    [
        "We evaluate on GAIA and ToolMaze.",
        "Our agent raises success on ToolMaze from 10 % to 28 %, an improvement.",
        "Experiments on three benchmarks, including ToolMaze, show gains.",
    ],
)
def test_a_paper_that_tells_results_on_a_benchmark_of_the_vault_evaluates_on_it(sentence: str):
    assert says(sentence) == ["evaluates"]


@pytest.mark.parametrize(
    "sentence",
    [
        "We build on PASE and add a critic.",
        "UniPASE is an extension of the low-hallucination PASE framework.",
        "Our model is based on PASE.",
    ],
)
def test_a_paper_that_builds_on_a_method_of_the_vault_says_so(sentence: str):
    assert says(sentence, METHOD) == ["builds"]


def test_a_bare_mention_is_no_more_than_that():
    assert says("Failures as in ToolMaze are rare.") == ["mentions"]
    assert says("Unlike PASE, ours needs no labels.", METHOD) == ["mentions"]


def test_the_naming_tells_which_paper_says_it():
    (found,) = namings(HOME, paper("We evaluate on ToolMaze."))
    assert found == Naming("2602.00003", "2601.00001", "ToolMaze", "evaluates")
    things = NamedThings([HOME, paper("We evaluate on ToolMaze.")], near, 0.03)
    assert things.between("2602.00003", "2601.00001") == found
    assert things.between("2601.00001", "2602.00003") == found


@pytest.mark.parametrize(
    "sentence",
    [
        "We evaluate on toolmaze and TOOLMAZE.",
        "We evaluate on ToolMaze-Pro and Multi-ToolMaze.",
        "We evaluate on ToolMazes and MyToolMaze.",
        "We introduce ToolMaze, another thing of this name.",
    ],
)
def test_what_only_looks_like_the_name_is_none(sentence: str):
    assert says(sentence) == []


def test_a_name_spelt_out_in_other_words_is_another_thing():
    assert says("We use Phase-Aware Sound Encoding (PASE) throughout.", METHOD) == []
    assert says("PASE (Phase-Aware Sound Encoding) is used.", METHOD) == []
    assert says("The Phonologically Anchored Speech Enhancer (PASE) is used.", METHOD)


def test_a_name_that_two_papers_claim_belongs_to_neither():
    rival = paper("We present ToolMaze, a game.", arxiv_id="2602.00009")
    assert namings(HOME, rival, paper("We evaluate on ToolMaze.")) == ()


def test_a_paper_defines_nothing_that_an_older_one_mentions():
    older = paper("We evaluate on ToolMaze.", arxiv_id="2512.00001")
    assert namings(HOME, older) == ()


def test_names_that_the_whole_field_uses_are_left_alone():
    home = Reading("2601.00001", "GRPO: A Study", "We introduce GRPO, which is known.")
    assert namings(home, paper("We train with GRPO.")) == ()
    home = Reading("2601.00001", "VLMs: A Study", "We introduce VLMs, which are known.")
    assert namings(home, paper("We train VLMs.")) == ()


def test_a_name_that_could_be_a_word_counts_only_within_a_sentence():
    home = Reading("2601.00001", "Knows: Research Notes", "We present Knows, a format for notes.")
    assert namings(home, paper("Nothing.", "What the Model Knows")) == ()
    assert namings(home, paper("All is fine. Knows helps.")) == ()
    assert namings(home, paper("All is stored with Knows by agents."))


def test_papers_of_other_subjects_do_not_mean_the_same_thing_by_a_name():
    def far(one: str, other: str) -> float:
        return 0.06

    assert namings(METHOD, paper("We build on PASE."), overlap=far) == ()
    assert namings(HOME, paper("We evaluate on ToolMaze."), overlap=far)


@given(st.text(max_size=300), st.text(max_size=60))
def test_no_text_breaks_the_search_for_names(abstract: str, title: str):
    for found in namings(HOME, METHOD, paper(abstract, title), paper(abstract, title, "2602.9")):
        assert found.by != found.of
        assert found.thing in abstract + title
