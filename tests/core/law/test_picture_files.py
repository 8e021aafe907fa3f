from __future__ import annotations

import pytest

from obsidian_digest.core.law.after import after
from obsidian_digest.core.law.picture_files import embed
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import Create, FileDraft, Keep, Plan, Snapshot, Update
from obsidian_digest.note.links import links
from obsidian_digest.note.region import seal
from obsidian_digest.note.sealed_file import SEAL_HERE, is_ours, sealed, untouched

PATH = "arXiv/day map.svg"
OLD, NEW = '<svg xmlns="x"><text>old</text></svg>\n', '<svg xmlns="x"><text>new</text></svg>\n'
CANVAS = f'{{\n\t"nodes":[\n\t\t{{"id":"{SEAL_HERE}","type":"text"}}\n\t]\n}}\n'


def vault(**files: bytes) -> Snapshot:
    named = {key.replace("_", "/", 1) + " map.svg": raw for key, raw in files.items()}
    return Snapshot(paths=tuple(named), files={k: v for k, v in named.items() if is_ours(v)})


def planned(snapshot: Snapshot, text: str = NEW, *, birth: bool = True) -> Plan:
    return plan([FileDraft(PATH, text, birth)], snapshot, Places.of(snapshot), ())


def test_a_picture_is_made_once_and_left_as_it_is_while_nothing_is_new():
    first = planned(Snapshot())
    assert first.changes == (Create(PATH, sealed(NEW).encode()),)
    second = planned(after(Snapshot(), first))
    assert (second.changes, second.unchanged) == ((), (PATH,))


def test_a_picture_that_nobody_touched_is_replaced():
    old = sealed(OLD).encode()
    assert planned(vault(arXiv_day=old)).changes == (Update(PATH, old, sealed(NEW).encode()),)


def test_line_ends_that_git_changed_are_no_edit():
    windows = sealed(NEW).replace("\n", "\r\n").encode()
    assert planned(vault(arXiv_day=windows)).changes == ()
    assert planned(vault(arXiv_day=windows), OLD).changes[0].path == PATH


def test_a_picture_that_the_reader_changed_is_left_alone_and_told():
    edited = sealed(OLD).replace("old", "mine").encode()
    found = planned(vault(arXiv_day=edited))
    assert (found.changes, found.kept) == ((), (Keep(PATH, "edited", "the file"),))


def test_a_file_of_the_readers_with_that_name_is_left_alone_wherever_it_lies():
    found = planned(vault(Pictures_day=b"<svg/>"))
    assert found.changes == ()
    assert [keep.reason for keep in found.kept] == ["foreign"]


def test_a_picture_that_was_moved_is_replaced_where_it_lies():
    old = sealed(OLD).encode()
    (change,) = planned(vault(Elsewhere_day=old)).changes
    assert change.path == "Elsewhere/day map.svg"


def test_a_picture_that_is_gone_is_not_made_again_for_a_note_that_stands():
    assert planned(Snapshot(), birth=False) == Plan()


@pytest.mark.parametrize("text", [NEW, CANVAS])
def test_the_seal_is_found_again_and_breaks_with_any_other_byte(text: str):
    raw = sealed(text).encode()
    assert is_ours(raw)
    assert untouched(raw)
    assert not untouched(raw + b" ")
    assert not is_ours(text.replace(SEAL_HERE, "a").encode())


def test_what_a_paper_says_cannot_pass_for_the_seal():
    forged = sealed(f"<svg><text>{SEAL_HERE} seal-0123456789abcdef</text></svg>")
    assert untouched(forged.encode())
    assert forged.count(SEAL_HERE) == 1


def test_a_note_shows_a_picture_that_stands_or_is_about_to_be_made():
    nowhere = Places.of(Snapshot())
    assert embed(PATH, nowhere, birth=False) is None
    assert embed(PATH, nowhere, birth=True) == "![[day map.svg]]"
    assert embed(PATH, Places.of(Snapshot(paths=("Else/day map.svg",))), birth=False)


def test_an_embedded_picture_is_no_link_to_a_note_and_counts_for_the_seal():
    assert [link.target for link in links("![[a map.svg]] [[b]] [[c.canvas]] ![[d.base#e]]")] == [
        "b"
    ]
    assert seal("![[a map.svg]]") != seal("![[mine.svg]]")
    assert seal("[[a]]") == seal("[[b]]")
