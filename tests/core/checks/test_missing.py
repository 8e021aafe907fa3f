from __future__ import annotations

import pytest

from obsidian_digest.core.checks.missing import refuse_if_most_are_gone
from obsidian_digest.errors import VaultBusyError

TWENTY = frozenset(f"2608.{number:05}" for number in range(1, 21))


def first(count: int) -> frozenset[str]:
    return frozenset(sorted(TWENTY)[:count])


@pytest.mark.parametrize("here", [0, 5, 9])
def test_a_vault_of_which_most_notes_are_gone_at_once_is_left_alone(here: int):
    with pytest.raises(VaultBusyError) as caught:
        refuse_if_most_are_gone(frozenset(), first(here), TWENTY)
    assert caught.value.exit_code == 5
    told = str(caught.value)
    assert f"{20 - here} of 20 paper notes are gone" in told
    assert "a sync may be under way" in told
    assert "Nothing was done" in told
    assert "--accept-deletions" in told


@pytest.mark.parametrize(
    ("here", "seen"), [(10, TWENTY), (20, TWENTY), (0, first(9)), (0, frozenset())]
)
def test_a_reader_who_tidies_up_is_not_asked(here: int, seen: frozenset[str]):
    refuse_if_most_are_gone(TWENTY, first(here), seen)


def test_notes_that_came_meanwhile_make_up_for_none_that_went():
    others = frozenset(f"2607.{number:05}" for number in range(1, 50))
    with pytest.raises(VaultBusyError):
        refuse_if_most_are_gone(TWENTY, others, TWENTY)


def test_without_the_last_runs_memory_only_an_almost_empty_vault_is_refused():
    with pytest.raises(VaultBusyError, match="19 of 20"):
        refuse_if_most_are_gone(TWENTY, first(1), None)
    refuse_if_most_are_gone(TWENTY, first(2), None)
    refuse_if_most_are_gone(frozenset(), frozenset(), None)
