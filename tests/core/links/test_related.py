from __future__ import annotations

import random
from collections import defaultdict
from functools import lru_cache

import pytest

from obsidian_digest.core.links.related import related
from obsidian_digest.model import Link, Reading
from tests.core.recorded_papers import about, two_mailings, words_only

POOL = two_mailings()
CROWD = tuple(random.Random(3).sample(POOL, 150))


def standing(links: tuple[Link, ...]) -> dict[str, tuple[str, ...]]:
    near: defaultdict[str, set[str]] = defaultdict(set)
    for link in links:
        near[link.a].add(link.b)
        near[link.b].add(link.a)
    return {paper: tuple(sorted(others)) for paper, others in near.items()}


@lru_cache(maxsize=1)
def crowd() -> tuple[Link, ...]:
    """The links of `CROWD` where all of them are new."""
    return link(CROWD, CROWD)


def link(readings, new, before=None, **options) -> tuple[Link, ...]:
    readings = tuple(readings)
    fresh = [one.id for one in new]
    return related(readings, words_only(readings), fresh, before or {}, **options).links


@lru_cache(maxsize=2)
def days(readings, size: int):
    """Each day's papers, all so far, and the links before and after."""
    found = []
    before: tuple[Link, ...] = ()
    for start in range(0, len(readings), size):
        have, new = readings[: start + size], readings[start : start + size]
        after = link(have, new, standing(before))
        found.append((new, have, before, after))
        before = after
    return found


def test_a_new_paper_points_to_the_old_one_of_its_subject():
    old, new = POOL[:200], about("federated", most=2)
    have = tuple(dict.fromkeys((*old, *about("federated"))))
    links = link(have, new)
    federated = {one.id for one in about("federated")}
    assert links
    assert sum(one.a in federated and one.b in federated for one in links) >= len(links) / 2


def test_links_are_undirected_sorted_and_weighed_between_zero_and_one():
    links = crowd()
    assert all(one.a < one.b for one in links)
    assert list(links) == sorted(links, key=lambda one: (one.a, one.b))
    assert all(0 < one.weight <= 1 and one.weight == round(one.weight, 4) for one in links)
    assert len({(one.a, one.b) for one in links}) == len(links)


def test_every_link_says_what_both_papers_share():
    texts = {one.id: one.text.lower() for one in CROWD}
    found = related(CROWD, words_only(CROWD), [one.id for one in CROWD], {})
    for one in map(found.told, found.links):
        assert 1 <= len(one.why) <= 3
        for shared in one.why:
            head = shared.lower().replace("-", " ").split()[0].rstrip("s")[:6]
            assert head in texts[one.a].replace("-", " ")
            assert head in texts[one.b].replace("-", " ")


def test_papers_that_share_no_subject_get_no_link():
    strangers = (
        Reading("1", "Roman coin hoards", "Silver denarii buried in Britain under Hadrian."),
        Reading("2", "Superfluid helium films", "Vortices unbind at a critical temperature."),
        Reading("3", "Bird song dialects", "Sparrows learn local tunes from neighbours."),
    )
    assert link(strangers, strangers) == ()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_an_empty_or_tiny_vault_breaks_nothing(count: int):
    few = POOL[:count]
    assert len(link(few, few)) <= 1


def test_no_paper_has_more_links_than_the_cap_on_either_side():
    near = standing(link(CROWD, CROWD, cap=3))
    assert max(len(others) for others in near.values()) == 3


def test_asked_again_with_its_own_result_it_says_the_same_day_after_day():
    for new, have, _, after in days(CROWD, 30):
        assert link(have, new, standing(after)) == after
        assert link(have, [], standing(after)) == after


def test_a_day_changes_at_most_a_handful_of_old_papers():
    changed_on = []
    for new, have, before, after in days(CROWD, 50):
        was, now = standing(before), standing(after)
        old = {one.id for one in have} - {one.id for one in new}
        changed = [paper for paper in old if was.get(paper, ()) != now.get(paper, ())]
        changed_on.append(len(changed))
    assert max(changed_on) <= 15
    assert sum(changed_on) > 5


def test_the_limit_of_changed_papers_keeps_the_strongest_links():
    old, new = CROWD[:110], CROWD[110:]
    before = standing(link(old, old))
    few = link(CROWD, new, before, max_old_changed=3)
    many = link(CROWD, new, before, max_old_changed=30)
    fresh = {one.id for one in new}
    across = [
        [one.weight for one in links if (one.a in fresh) != (one.b in fresh)]
        for links in (few, many)
    ]
    assert 0 < len(across[0]) < len(across[1])
    assert max(across[0]) == max(across[1])


def test_an_old_link_gives_way_only_to_a_clearly_nearer_paper():
    pushed = 0
    for new, _, before, after in days(CROWD, 30):
        fresh = {one.id for one in new}
        now = {(one.a, one.b): one.weight for one in after}
        for gone in [one for one in before if (one.a, one.b) not in now]:
            taker = [
                weight
                for (a, b), weight in now.items()
                if {a, b} & {gone.a, gone.b} and {a, b} & fresh
            ]
            assert max(taker) > gone.weight
            pushed += 1
    assert pushed < 20


def test_links_to_deleted_papers_are_dropped_and_the_others_stand():
    links = crowd()
    gone = links[0].a
    left = tuple(one for one in CROWD if one.id != gone)
    kept = {(one.a, one.b) for one in link(left, [], standing(links))}
    assert kept == {(one.a, one.b) for one in links if gone not in (one.a, one.b)}


def test_a_link_that_only_one_note_names_stands_for_both():
    a, b = sorted((CROWD[0].id, CROWD[1].id))
    assert [(one.a, one.b) for one in link(CROWD, [], {b: (a,)})] == [(a, b)]


def test_the_order_in_which_papers_arrive_changes_no_link():
    shuffled = list(CROWD)
    random.Random(5).shuffle(shuffled)
    assert link(shuffled, shuffled[:40]) == link(CROWD, shuffled[:40])
