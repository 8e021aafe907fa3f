from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.texts.phrases import phrase_key
from obsidian_digest.core.themes.names import MAX_LENGTH, name_themes
from obsidian_digest.model import Reading
from tests.core.recorded_papers import about, two_mailings

POOL = two_mailings()[:360]
SOME = POOL[:120]


def names(groups: list[list[str]], taken: tuple[str, ...] = ()) -> list[str]:
    return [one.name for one in name_themes(groups, POOL, taken)]


def ids(*words: str, most: int = 8) -> list[str]:
    here = {reading.id for reading in POOL}
    return [reading.id for reading in about(*words) if reading.id in here][:most]


def test_a_theme_is_called_by_what_its_papers_share():
    attacks, robots, splats = names(
        [ids("attack", "injection", "jailbreak"), ids("robot"), ids("splatting")]
    )
    assert "Attack" in attacks
    assert "Robot" in robots or "Manipulation" in robots
    assert "Gaussian Splatting" in splats


def titled(*titles: str) -> tuple[Reading, ...]:
    return tuple(Reading(f"t{place}", title, "") for place, title in enumerate(titles))


def called(*titles: str) -> str:
    """The name of a theme of papers with these titles in the recorded pool."""
    papers = titled(*titles)
    (name,) = name_themes([[paper.id for paper in papers]], [*papers, *SOME])
    return name.name


def test_a_name_is_written_as_the_field_writes_it():
    assert called("A multi agent system", "On a multi-agent system") == "Multi-Agent Systems"


def test_a_short_form_in_one_title_and_the_long_one_in_another_are_one_phrase():
    assert called("Faster RL", "Reinforcement learning for pumps") == "Reinforcement Learning"


def test_words_apart_in_titles_count_for_the_phrase_that_they_make():
    name = called("Memory for agents", "Agents that lose memory", "How agents use their memory")
    assert name == "Agent Memory"


def test_verbs_name_nothing():
    name = called(
        "Alice writes and fixes code generation", "Bob writes and invokes code generation"
    )
    assert name == "Code Generation"


def test_a_word_that_the_field_does_not_know_names_a_theme_that_most_titles_name_by_it():
    titles = ("Zorble grids at night", "Zorble grids by day", "Why zorble grids hum")
    assert called(*titles) == "Zorble Grids"
    assert "Zorble" not in called("Zorble grids and tool use", "Tool use", "Better tool use")


def test_a_general_phrase_gives_way_to_a_telling_one():
    name = called("Prompt injection of LLM agents", "LLM agents and prompt injection")
    assert name == "Prompt Injection"


def test_two_themes_are_not_called_by_the_same_thing_in_other_words():
    papers = titled(
        "Coding agents",
        "Coding agents",
        "Code agents and prompt injection",
        "Code agents under prompt injection",
    )
    found = name_themes([["t0", "t1"], ["t2", "t3"]], [*papers, *SOME])
    assert sum("Cod" in one.name for one in found) == 1


def test_acronyms_keep_their_capitals():
    papers = tuple(
        Reading(str(place), f"GUI agents that see {word}", f"We train GUI agents on {word}.")
        for place, word in enumerate(("windows", "menus", "icons"))
    )
    (name,) = name_themes([["0", "1", "2"]], [*papers, *POOL[:60]])
    assert name.name == "GUI Agents"


def test_a_name_can_be_the_name_of_a_file():
    groups = [[one.id for one in POOL[start : start + 5]] for start in range(0, 300, 5)]
    found = names(groups)
    assert all(re.fullmatch(r"[A-Za-z0-9 &-]+", name) for name in found)
    assert max(map(len, found)) <= MAX_LENGTH
    assert all(name == name.strip() for name in found)


def test_no_two_themes_have_one_name_whatever_the_case():
    groups = [[one.id for one in POOL[start : start + 3]] for start in range(0, 300, 3)]
    taken = ("reinforcement learning", "Language models")
    found = [name.casefold() for name in names(groups, taken)]
    assert len(set(found)) == len(found)
    assert not set(found) & {name.casefold() for name in taken}


def test_two_themes_of_the_same_papers_still_differ():
    group = ids("diffusion", most=4)
    first, second = names([group, group[::-1]])
    assert first != second


def test_the_order_of_groups_and_papers_changes_no_name():
    groups = [ids("agent"), ids("robot"), ids("splatting")]
    turned = name_themes([group[::-1] for group in groups[::-1]], POOL[::-1])
    assert {one.name for one in turned} == set(names(groups))


def test_a_phrase_of_every_third_paper_names_nothing():
    texts = ("credit assignment", "memory graphs", "web navigation")
    papers = tuple(
        Reading(f"{topic}{place}", f"{topic} with large language models", f"{topic} {place}.")
        for topic in texts
        for place in range(4)
    )
    found = name_themes([[p.id for p in papers if topic in p.title] for topic in texts], papers)
    assert [one.name for one in found] == ["Credit Assignment", "Memory Graphs", "Web Navigation"]


def test_papers_that_share_nothing_are_called_by_the_best_ones_title():
    strangers = (
        Reading("1", "Superfluid helium films", "Cold."),
        Reading("2", "Roman coin hoards", "Old."),
    )
    (name,) = name_themes([["1", "2"]], [*strangers, *POOL[:50]])
    assert name.name == "Superfluid Helium Films"


def test_a_theme_whose_papers_have_no_usable_word_still_has_a_name():
    blank = (Reading("1", "42", ""), Reading("2", "?", ""))
    first, second = name_themes([["1"], ["2"]], blank)
    assert {first.name, second.name} == {"Theme 2", "Theme 3"}


def test_terms_are_telling_phrases_none_inside_another():
    (name,) = name_themes([ids("reinforcement learning", most=10)], POOL)
    lowered = [set(term.lower().split()) for term in name.terms]
    assert 4 <= len(lowered) <= 6
    assert not any(a < b for a in lowered for b in lowered)


def test_a_themes_terms_do_not_say_its_name_again():
    groups = [[one.id for one in POOL[start : start + 6]] for start in range(0, 300, 6)]
    told = 0
    for one in name_themes(groups, POOL):
        said = [set(phrase_key(part).split()) for part in one.name.split(" and ")]
        for term in one.terms:
            words = set(phrase_key(term).split())
            assert not any(words <= part or part <= words for part in said), (one.name, term)
            told += 1
    assert told > 100


def test_a_theme_whose_papers_share_nothing_but_its_name_has_no_terms():
    papers = titled("Prompt injection", "Prompt injection")
    (name,) = name_themes([[paper.id for paper in papers]], [*papers, *SOME])
    assert (name.name, name.terms) == ("Prompt Injection", ())


def test_two_phrases_name_a_theme_that_one_does_not_cover():
    titles = ["Tool use by agents", "Better tool use", "Prompt injection", "Prompt injection now"]
    assert called(*titles) in {"Tool Use & Prompt Injection", "Prompt Injection & Tool Use"}


def test_what_both_phrases_of_a_name_say_is_said_once():
    assert names([ids("benchmark")]) == ["Agent Benchmarks & Safety"]


def test_a_long_form_is_not_cut_in_two():
    titles = [
        "Reinforcement learning",
        "Reinforcement learning",
        "Robot learning",
        "Robot learning",
    ]
    assert "Reinforcement Learning" in called(*titles)


def test_a_word_of_many_titles_stands_beside_a_phrase_that_leaves_it_out():
    assert names([ids("planning")]) == ["Policy Optimization & Planning"]


def test_an_area_stands_beside_what_its_papers_say_of_it_though_few_titles_say_its_name():
    assert names([ids("memory", most=5)]) == ["Neural Memory & Retrieval"]


def test_no_theme_is_also_called_by_what_most_papers_of_a_smaller_one_are_about():
    papers = titled(
        "Credit assignment",
        "Credit assignment now",
        "Better credit assignment",
        "Reinforcement learning",
        "Faster reinforcement learning",
        "Reinforcement learning of pumps",
        "Reinforcement learning at sea",
    )
    groups = [[f"t{place}" for place in range(5)], ["t5", "t6"]]
    larger, smaller = name_themes(groups, [*papers, *SOME])
    assert (larger.name, smaller.name) == ("Credit Assignment", "Reinforcement Learning")


def test_a_standing_name_of_two_phrases_keeps_both_from_new_themes():
    group = ids("splatting")
    (name,) = names([group], ("Agent Memory & Gaussian Splatting",))
    assert "Gaussian Splatting" not in name


def test_what_the_reader_called_a_theme_in_his_own_words_names_no_new_one():
    papers = ids("reinforcement", "policy optimization")
    (before,) = names([papers])
    assert before.startswith("Reinforcement Learning")
    for own in ("RL for LLMs", "The RL", "reinforcement learning in LLMs"):
        (after,) = names([papers], (own,))
        assert "Reinforcement" not in after, own


def test_titles_that_hold_use_and_llm_apart_are_not_about_llm_use():
    titles = ("Tool-Use LLM Agents", "Can LLMs Actually Use Skills", "How an LLM May Use Maps")
    assert "LLM Use" not in called(*titles)


def test_one_phrase_names_a_theme_that_it_covers():
    titles = ["Tool use of one kind", "Better tool use", "Tool use with maps", "Tool use at sea"]
    assert called(*titles) == "Tool Use"


def test_names_of_benchmarks_tell_that_papers_are_about_benchmarks():
    name = called("WorkBench: agents at work", "AppBench for agents", "SeaBench: agents at sea")
    assert name == "Agent Benchmarks"


def test_what_abstracts_say_of_a_theme_decides_between_phrases_of_a_few_titles():
    about_safety = "The safety of such agents matters, and safety is what we measure."
    papers = [
        Reading("s0", "Agent safety", about_safety),
        Reading("s1", "Agent safety and memory management", about_safety),
        Reading("s2", "Agents with memory management", about_safety),
        Reading("s3", "Agents at work", about_safety),
    ]
    (name,) = name_themes([[paper.id for paper in papers]], [*papers, *SOME])
    assert name.name.startswith("Agent Safety")


def test_a_phrase_in_more_than_a_third_of_the_papers_names_no_theme():
    common = [
        Reading(f"c{place}", one.title, f"{one.abstract} We use large language models.")
        for place, one in enumerate(SOME)
    ]
    groups = [[one.id for one in common[start : start + 6]] for start in range(0, 120, 6)]
    found = [one.name.casefold() for one in name_themes(groups, common)]
    texts = [one.text.casefold() for one in common]
    for name in found:
        for part in name.split(" & "):
            assert sum(part.rstrip("s") in text for text in texts) <= len(texts) / 3, name
    assert not any("language model" in name for name in found if "vision" not in name)


def test_what_suits_everything_is_never_put_before_what_a_few_papers_share():
    groups = [[one.id for one in POOL[start : start + 6]] for start in range(0, 360, 6)]
    pale = {"LLM Agents", "AI Agents", "AI Systems", "Language Models", "LLMs"}
    assert len(pale & set(names(groups))) <= 1


def test_every_word_of_a_name_begins_with_a_capital_but_small_ones():
    groups = [[one.id for one in POOL[start : start + 4]] for start in range(0, 360, 4)]
    small = {"and", "for", "of", "in", "with", "to", "the", "on"}
    for name in names(groups):
        words = name.replace("&", " ").split()
        assert all(word[0].isupper() or word in small for word in words), name
        assert words[0][0].isupper(), name


def test_papers_in_chinese_get_names_too():
    papers = [
        Reading(f"z{place}", f"智能体的记忆 {place}", "我们研究智能体。") for place in range(3)
    ]
    (name,) = name_themes([[paper.id for paper in papers]], [*papers, *SOME])
    assert re.fullmatch(r"[A-Za-z0-9 &-]+", name.name)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_no_title_breaks_a_name(hostile: list[str]):
    papers = titled(*hostile)
    (name,) = name_themes([[paper.id for paper in papers]], papers)
    assert re.fullmatch(r"[A-Za-z0-9 &-]+", name.name)
    assert len(name.name) <= MAX_LENGTH
