from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.law.plan import born, plan
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import Create, Keep, NoteDraft, Region, Snapshot, Update, VaultSettings
from obsidian_digest.note.kinds import classify

if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = "arXiv/Papers/One - 2608-00001.md"
OTHER = "arXiv/Papers/Two - 2608-00002.md"


def draft(**changes: object) -> NoteDraft:
    values: dict[str, object] = {
        "kind": "paper",
        "key": "2608.00001",
        "path": PATH,
        "owned": {"title": "One", "arxiv_id": "2608.00001", "related": ("[[Two - 2608-00002]]",)},
        "seeded": {"reading": "unread"},
        "regions": (Region("paper", "Hello"), Region("related", "- [[Two - 2608-00002]]")),
        "tail": "## Notes",
    }
    return NoteDraft(**{**values, **changes})  # type: ignore[arg-type]


def other() -> NoteDraft:
    return draft(
        key="2608.00002",
        path=OTHER,
        owned={"title": "Two", "arxiv_id": "2608.00002", "related": ()},
        regions=(Region("paper", "Hi"),),
    )


def vault(files: Mapping[str, str | bytes], types: Mapping[str, str] | None = None) -> Snapshot:
    raw = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    found = (classify(path, content, "MOC") for path, content in sorted(raw.items()))
    settings = VaultSettings(property_types=types or {})
    return Snapshot(tuple(note for note in found if note), tuple(sorted(raw)), settings=settings)


def text_of(one: NoteDraft) -> str:
    return born(one)


def planned(snapshot: Snapshot, *drafts: NoteDraft, deleted: tuple[str, ...] = ()):
    places = Places.of(snapshot)
    for one in drafts:
        folder, _, stem = one.path.removesuffix(".md").rpartition("/")
        places.claim(one.kind, one.key, folder, stem)
    return plan(drafts, snapshot, places, deleted)


def standing(change: tuple[str, str] = ("", "")) -> dict[str, str]:
    return {PATH: text_of(draft()).replace(*change), OTHER: text_of(other())}


def updated(files: dict[str, str], *drafts: NoteDraft) -> str:
    (change,) = planned(vault(files), *drafts).changes
    assert isinstance(change, Update)
    return change.after.decode()


def test_a_paper_without_a_note_gets_one():
    (change,) = planned(vault({}), draft(regions=(Region("paper", "Hello"),))).changes
    assert isinstance(change, Create)
    assert change.path == PATH
    text = change.after.decode()
    assert text.startswith('---\ntitle: One\narxiv_id: "2608.00001"\n')
    assert text.endswith("%% digest:end paper %%\n\n## Notes\n")


def test_the_same_drafts_again_change_nothing():
    result = planned(vault(standing()), draft(), other())
    assert result.changes == ()
    assert result.unchanged == (PATH, OTHER)


def test_a_moved_and_renamed_note_is_updated_where_it_lies():
    files = standing()
    files["Mine/My name.md"] = files.pop(PATH)
    (change,) = planned(vault(files), draft(regions=(Region("paper", "New"),))).changes
    assert change.path == "Mine/My name.md"


def test_links_follow_a_note_that_was_renamed_outside_obsidian():
    files = standing()
    files["Mine/My name.md"] = files.pop(OTHER)
    text = updated(files, draft(birth=False, owned={}, regions=()))
    assert 'related:\n  - "[[My name]]"\n' in text
    assert "- [[My name]]\n" in text
    assert planned(vault({**files, PATH: text})).changes == ()


def test_links_that_obsidian_renamed_itself_break_no_seal():
    files = standing()
    files["My name.md"] = files.pop(OTHER)
    files[PATH] = files[PATH].replace("Two - 2608-00002", "My name")
    text = updated(files, draft(regions=(Region("related", "- [[My name]] both: x"),), owned={}))
    assert "- [[My name]] both: x" in text


def test_links_to_a_deleted_note_go_and_its_title_stays():
    one = draft(regions=(Region("paper", "Hello"), Region("related", "- [[Two - 2608-00002|Two]]")))
    files = {PATH: text_of(one)}
    text = updated(files, draft(birth=False, owned={}, regions=()))
    assert "related: []\n" in text
    assert "\n- Two\n" in text


def test_a_deleted_note_stays_deleted():
    result = planned(vault({}), draft(), deleted=("2608.00001",))
    assert result.changes == ()
    assert result.kept == (Keep(PATH, "deleted", "its note was deleted"),)


def test_an_edited_region_is_left_alone_while_the_other_one_is_brought_up_to_date():
    files = standing(("Hello", "Hello, said I"))
    wanted = draft(regions=(Region("paper", "New"), Region("related", "- none")), owned={})
    result = planned(vault(files), wanted)
    assert result.kept == (Keep(PATH, "edited", "region paper"),)
    after = result.changes[0].after.decode()
    assert "Hello, said I" in after
    assert "- none" in after


def test_a_region_and_a_property_that_the_reader_removed_stay_removed():
    text = text_of(draft())
    start = text.index("%% digest:begin related")
    end = text.index("%% digest:end related %%") + len("%% digest:end related %%")
    files = {**standing(), PATH: text[:start] + text[end:]}
    files[PATH] = files[PATH].replace('related:\n  - "[[Two - 2608-00002]]"\n', "")
    assert planned(vault(files), draft()).changes == ()


def test_text_around_the_regions_stays():
    files = standing(("## Notes\n", "## Notes\nMy thought.\n\n> quoted\n"))
    text = updated(files, draft(regions=(Region("paper", "New"),)))
    assert text == files[PATH].replace("Hello", "New").replace(
        text_of(draft()).split("seal=")[1][:8], text.split("seal=")[1][:8], 1
    )


def test_two_notes_of_one_paper_are_both_left_alone():
    files = {**standing(), "Copy.md": text_of(draft())}
    result = planned(vault(files), draft(regions=(Region("paper", "New"),)))
    assert result.changes == ()
    assert {keep.path for keep in result.kept} == {PATH, "Copy.md"}
    assert {keep.reason for keep in result.kept} == {"doubled"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("arxiv_id", "a: b: c\narxiv_id"), "unreadable"),
        (("%% digest:end paper %%", ""), "unreadable"),
        (("Hello", "<<<<<<< HEAD\nHello\n=======\nHi\n>>>>>>> other"), "conflict"),
    ],
)
def test_a_note_in_trouble_is_left_alone_and_named(change: tuple[str, str], reason: str):
    result = planned(vault(standing(change)), draft(regions=(Region("paper", "New"),)))
    assert result.changes == ()
    assert [(keep.path, keep.reason) for keep in result.kept] == [(PATH, reason)]


def test_the_readers_own_note_about_a_paper_is_linked_and_never_written_into():
    files = {"Mine.md": "---\narxiv_id: '2608.00001'\ntitle: my title\n---\nMy text.\n"}
    result = planned(vault(files), draft())
    assert result.changes == ()
    assert result.kept == (Keep("Mine.md", "foreign", "your own note about this paper"),)


def test_changes_come_in_the_order_of_the_drafts():
    result = planned(vault({}), other(), draft())
    assert [change.path for change in result.changes] == [OTHER, PATH]


def theme(**changes: object) -> NoteDraft:
    values: dict[str, object] = {
        "kind": "theme",
        "key": "t-1",
        "path": "Themes/Agents.md",
        "owned": {"title": "Agents", "theme_id": "t-1", "theme_papers": 1},
        "regions": (Region("theme", "- [[One - 2608-00001]] · [[arXiv digest 2026-08-19]]"),),
    }
    return NoteDraft(**{**values, **changes})  # type: ignore[arg-type]


def test_a_link_to_a_digest_that_was_deleted_freezes_nothing():
    files = {"Themes/Agents.md": born(theme()), PATH: text_of(draft(regions=()))}
    result = planned(vault(files), theme(regions=(Region("theme", "- new"),)))
    assert result.kept == ()
    assert "- new" in result.changes[0].after.decode()


def test_a_link_in_our_region_to_a_note_of_the_readers_is_his_edit():
    text = born(theme()).replace("One - 2608-00001", "My note")
    files = {"Themes/Agents.md": text, "My note.md": "mine"}
    result = planned(vault(files), theme(regions=(Region("theme", "- new"),)))
    assert [keep.reason for keep in result.kept] == ["edited"]


def test_a_note_of_the_readers_with_a_themes_name_takes_none_of_its_papers():
    one = draft(
        owned={"arxiv_id": "2608.00001", "theme": "[[Agents]]"}, regions=(Region("paper", "x"),)
    )
    files = {"Themes/Agents.md": born(theme()), PATH: text_of(one), "Agents.md": "mine"}
    snapshot = vault(files)
    assert Places.of(snapshot).identity("Agents") == ("theme", "t-1")
    (change,) = (change for change in planned(snapshot).changes if change.path == PATH)
    assert 'theme: "[[Themes/Agents]]"' in change.after.decode()


def test_properties_of_other_notes_than_papers_are_the_readers():
    mine = 'related: [plain, "[[Gone - 2608-00009]]"]  # mine\n'
    text = born(theme()).replace("theme_id", f"{mine}theme_id")
    files = {"Themes/Agents.md": text, PATH: text_of(draft(regions=()))}
    result = planned(vault(files), theme(regions=(Region("theme", "- new"),)))
    assert mine in result.changes[0].after.decode()


def test_a_damaged_note_is_told_even_if_nothing_was_to_be_written_into_it():
    files = standing(("%% digest:begin related v1", "%% digest:begin related v2x"))
    assert [keep.reason for keep in planned(vault(files)).kept] == ["unreadable"]


def test_a_theme_that_was_deleted_leaves_its_papers_without_one():
    one = draft(
        owned={"arxiv_id": "2608.00001", "theme": "[[Gone]]"}, regions=(Region("paper", "x"),)
    )
    shown = draft(
        kind="digest",
        key="2026-08-20",
        owned={"digest_date": date(2026, 8, 20), "up": "[[MOC]]"},
        regions=(Region("digest", "## [[Gone]]\n\n- One"),),
    )
    files = {PATH: text_of(one), "Digest.md": text_of(shown)}
    changes = {change.path: change.after.decode() for change in planned(vault(files)).changes}
    assert "theme:\n" in changes[PATH]
    assert "## Gone\n" in changes["Digest.md"]


def test_a_theme_of_the_readers_that_never_had_a_note_is_kept_and_told():
    one = draft(
        owned={"arxiv_id": "2608.00001", "theme": "[[Mine]]"}, regions=(Region("paper", "x"),)
    )
    later = draft(
        owned={"arxiv_id": "2608.00001", "theme": None},
        regions=(Region("paper", "y"),),
        birth=False,
    )
    result = planned(vault({PATH: text_of(one)}), later)
    (change,) = result.changes
    assert 'theme: "[[Mine]]"\n' in change.after.decode()
    assert [(keep.path, keep.reason) for keep in result.kept] == [(PATH, "edited")]
