from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note import region


def anyone(target: str) -> bool:
    return True


def note(text: str) -> str:
    return f"mine above\n\n{region.wrap('paper', text)}\n\nmine below\n"


def test_a_region_that_nobody_touched_is_intact():
    (found,) = region.find(note("Hello\n\n- a\n- b"))
    assert found.text == "Hello\n\n- a\n- b"
    assert region.intact(found, anyone)


def test_a_changed_word_breaks_the_seal():
    (found,) = region.find(note("Hello").replace("Hello", "Hullo"))
    assert not region.intact(found, anyone)


def test_line_ends_and_list_markers_are_no_edit():
    text = note("Hello\n\n- a\n- b")
    (found,) = region.find(text.replace("\n", "\r\n").replace("- a", "* a"))
    assert region.intact(found, anyone)


def test_a_link_that_obsidian_renamed_is_no_edit_but_one_to_another_note_is():
    def ours(target: str) -> bool:
        return target != "My note"

    text = region.wrap("related", "- [[Old name|T]]")
    renamed = region.find(text.replace("Old name", "New name"))[0]
    retargeted = region.find(text.replace("Old name", "My note"))[0]
    relabelled = region.find(text.replace("|T", "|My words"))[0]
    assert region.intact(renamed, ours)
    assert not region.intact(retargeted, ours)
    assert not region.intact(relabelled, ours)


def test_a_note_that_begins_with_a_byte_order_mark_has_its_regions():
    text = "\ufeff" + region.wrap("moc", "x")
    (found,) = region.find(text)
    assert region.replace(text, found, "y") == "\ufeff" + region.wrap("moc", "y")


def test_replacing_keeps_every_byte_outside_the_region():
    text = note("Hello")
    new = region.replace(text, region.find(text)[0], "New text")
    assert new == note("New text")


def test_replacing_in_a_windows_note_writes_windows_line_ends():
    text = note("Hello\n\nworld").replace("\n", "\r\n")
    new = region.replace(text, region.find(text)[0], "New\n\ntext")
    assert new == note("New\n\ntext").replace("\n", "\r\n")


def test_text_that_came_from_a_windows_note_goes_back_with_its_line_ends_not_doubled():
    text = note("Hello\n\n- [[Old]]").replace("\n", "\r\n")
    (found,) = region.find(text)
    new = region.replace(text, found, found.text.replace("Old", "New"))
    assert new == note("Hello\n\n- [[New]]").replace("\n", "\r\n")


BEGIN = "%% digest:begin paper v1 seal=00000000 %%"
END = "%% digest:end paper %%"


@pytest.mark.parametrize(
    "broken",
    [
        BEGIN,
        END,
        f"{END}\n{BEGIN}",
        f"{BEGIN}\n{BEGIN}\n{END}\n{END}",
        f"{BEGIN}\n{END}\n{BEGIN}\n{END}",
        f"{BEGIN}\n%% digest:end related %%",
        f"{BEGIN}\n{END} and text of mine",
        f"  {BEGIN}\n{END}",
        f"> {BEGIN}\n> {END}",
        "%% digest:begin paper v1 seal=xyz %%\n" + END,
    ],
)
def test_markers_that_are_not_whole_are_an_error_and_no_guess(broken: str):
    with pytest.raises(region.BrokenMarkersError):
        region.find(broken)


def test_a_note_without_markers_has_no_regions():
    assert region.find("only mine, 100 %% certain") == ()


def test_a_region_is_added_below_the_last_one_and_only_once():
    text = note("Hello")
    more = region.append(text, "supplement-1", "More")
    assert [found.name for found in region.find(more)] == ["paper", "supplement-1"]
    assert more.startswith(text[: text.index("\n\nmine below")])
    assert more.endswith("\n\nmine below\n")
    assert region.append(more, "supplement-1", "Other") == more


def test_nothing_is_added_to_a_note_whose_regions_the_reader_removed():
    assert region.append("mine\n", "supplement-1", "More") == "mine\n"


_text = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r%"), max_size=80)


@given(_text, _text, _text, st.booleans())
def test_text_around_a_region_survives_any_replacement(
    before: str, after: str, new: str, crlf: bool
):
    text = f"{before}\n{region.wrap('paper', 'ours')}\n{after}"
    text = text.replace("\n", "\r\n") if crlf else text
    found = region.find(text)[0]
    replaced = region.replace(text, found, new)
    assert replaced.startswith(text[: found.start])
    assert replaced.endswith(text[found.end :])
    assert region.intact(region.find(replaced)[0], anyone)


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("related", "- [[Mine]] — this paper mentions it", True),
        ("related", "- [[Folder/Mine]] — links here", True),
        ("related", "- [Mine](../Folder/Mine.md) — links here", True),
        ("related", "- [[Mine|A paper]] — both: agents", False),
        ("related", "- [A paper](Mine.md) — both: agents", False),
        ("paper", 'Close to your note "[[Mine]]".', True),
        ("paper", 'Close to "[[Mine|A paper]]", which you kept.', False),
        ("digest", "- [[Mine]]", False),
    ],
)
def test_only_in_a_papers_note_a_bare_link_may_lead_to_a_note_of_the_readers(name, text, stands):
    (found,) = region.find(region.wrap(name, text))
    assert region.intact(found, lambda target: "Mine" not in target) == stands
