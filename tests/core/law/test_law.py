"""The law of a note, case by case: what is found in the vault, what a run does, what it says."""

from __future__ import annotations

import re

import pytest

from obsidian_digest.core.law.plan import born
from obsidian_digest.model import Create, NoteDraft, Plan, Region, Update
from obsidian_digest.note.region import wrap
from obsidian_digest.note.text import prose
from tests.core.law.test_plan import OTHER, PATH, draft, planned, vault

NEW = draft(
    owned={"title": "One", "arxiv_id": "2608.00001", "arxiv_version": 2, "related": ()},
    regions=(Region("paper", "New"), Region("related", "- new")),
)
OLD = born(
    draft(
        owned={"title": "One", "arxiv_id": "2608.00001", "arxiv_version": 1, "related": ()},
        regions=(Region("paper", "Old"), Region("related", "- old")),
    )
)
COPY = PATH.replace(".md", " (Conflicted copy Ann's phone 202608201200).md")
YOURS = "your own note about this paper"
CANNOT = "the properties cannot be read"
HANGS = "a property of yours hangs on one of ours"


def told(plan: Plan) -> list[tuple[str, str, str]]:
    return [(keep.path, keep.reason, keep.detail) for keep in plan.kept]


def without(text: str, start: str, end: str) -> str:
    first = text.index(start)
    return text[:first] + text[text.index(end, first) + len(end) :]


def cut(name: str, text: str = OLD) -> str:
    return without(text, f"%% digest:begin {name}", f"%% digest:end {name} %%")


CRLF = OLD.replace("\n", "\r\n")
HEADLESS = OLD.partition("---\n\n")[2]


@pytest.mark.parametrize(
    ("found", "reason", "detail"),
    [
        (OLD.replace("Old", "Mine"), "edited", "region paper"),
        (cut("related"), "deleted", "region related"),
        (OLD.replace("arxiv_version: 1\n", ""), "deleted", "property arxiv_version"),
        (OLD.replace("version: 1", "version: &v 1\nmine: *v"), "unreadable", HANGS),
    ],
)
def test_what_the_reader_changed_stays_and_the_rest_is_brought_up_to_date(found, reason, detail):
    plan = planned(vault({PATH: found}), NEW)
    (change,) = plan.changes
    assert isinstance(change, Update)
    after = change.after.decode()
    assert told(plan) == [(PATH, reason, detail)]
    assert ("New" in after) == (detail != "region paper")
    assert ("- new" in after) == (detail != "region related")
    assert ("arxiv_version: 2" in after) == ("arxiv_version: 1\n" in found)
    assert planned(vault({PATH: after}), NEW).changes == ()


def test_a_note_whose_regions_were_all_taken_out_keeps_only_its_properties_up_to_date():
    known = "arxiv_primary: cs.AI\narxiv_categories: [cs.AI]\narxiv_version: 1"
    text = cut("paper", cut("related")).replace("arxiv_version: 1", known) + "My own words.\n"
    plan = planned(vault({PATH: text}), NEW)
    assert plan.changes[0].after.decode() == text.replace("version: 1", "version: 2")
    assert [detail for _, _, detail in told(plan)] == ["region paper", "region related"]


UNREADABLE = [
    (OLD.replace("%% digest:end paper %%\n", ""), "markers are nested, unclosed or out of order"),
    (OLD.replace("Old", HEADLESS), "markers are nested, unclosed or out of order"),
    (without(OLD, "%% digest:end related", "%%\n"), "a region is not closed"),
    (OLD.replace("%% digest:begin rel", "- %% digest:begin rel"), "a region is not closed"),
    (OLD.replace("%% digest:begin rel", "> %% digest:begin rel"), "a marker line was changed"),
    (OLD + wrap("paper", "again"), "a region stands twice"),
    (OLD.replace("title: One", "title: a: b"), f"{CANNOT} (line 2: mapping values are not"),
    (OLD.replace("title: One", "\ttitle: One"), f"{CANNOT} (line 2: found character '\\t'"),
    (OLD.replace("title: One", "title: One\ntitle: Two"), "the property title stands twice"),
    (OLD.replace("---\ntitle", "---\n{title").replace("unread\n", "unread}\n"), CANNOT),
    (f'---\n{{"arxiv_id": "2608.00001"}}\n---\n{HEADLESS}', "do not stand one below the other"),
    (OLD.replace("reading: unread\n---", "source: x---"), "properties have no closing line ---"),
    (HEADLESS, "its properties are gone"),
    ("", "the file is empty or may not be read"),
    (OLD.replace('arxiv_id: "2608.00001"\n', ""), "its property arxiv_id is gone"),
    (OLD.encode() + b"\xff", "it is not UTF-8 text"),
    (OLD.encode("utf-16"), "it is not UTF-8 text"),
]
CONFLICTS = [
    OLD.replace("Old", "<<<<<<< HEAD\nOld\n=======\nHi\n>>>>>>> x"),
    OLD.replace("title: One", "<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x"),
    OLD + "=======\nx\n>>>>>>> left over\n",
]


@pytest.mark.parametrize(
    ("found", "reason", "detail"),
    [
        *((found, "unreadable", detail) for found, detail in UNREADABLE),
        *((found, "conflict", "git left conflict markers in it") for found in CONFLICTS),
        ("Only my own words.\n", "foreign", YOURS),
    ],
)
def test_a_note_that_is_not_as_we_left_it_is_not_touched_and_gets_no_twin(found, reason, detail):
    plan = planned(vault({PATH: found}), NEW, deleted=("2608.00001",))
    assert plan.changes == ()
    assert [(path, why) for path, why, _ in told(plan)] == [(PATH, reason)]
    assert detail in told(plan)[0][2]


@pytest.mark.parametrize(
    "found",
    [
        "\ufeff" + OLD,
        CRLF,
        "\ufeff" + CRLF,
        CRLF.replace("## Notes\r\n", "## Notes\nmine\r\n"),
        OLD.replace("title: One", 'meta: {a: 1, b: ["x", y]}\n# mine\ntitle: One'),
        OLD.replace("arxiv_version: 1", "mine:\n- a\n- 'b'\narxiv_version: 1 # seen"),
        OLD.replace("reading: unread", 'tab: "a\tb"'),
        OLD + "\n\n\nno end of line",
        OLD + "\n=======\n\n> > > > > > > quoted\n",
        OLD.replace("## Notes", "```\n<% tp.date.now() %>\n```\n## Notes"),
    ],
)
def test_a_note_in_another_form_is_edited_in_that_form(found: str):
    plan = planned(vault({PATH: found}), NEW)
    (change,) = plan.changes
    assert plan.kept == ()
    after = change.after.decode()
    ours = re.compile(r"arxiv_version: \d|seal=\w+|(?<=\n)(?:- )?(?:old|new)|Old|New")
    assert ours.sub("", after) == ours.sub("", found)
    assert "arxiv_version: 2" in after
    assert after.count("\n") - after.count("\r\n") == found.count("\n") - found.count("\r\n")


def test_marker_text_in_an_abstract_is_text():
    abstract = f"We end\n%% digest:end paper %%\nand begin {wrap('paper', 'x')} `%%` <!-- %% -->"
    text = born(draft(regions=(Region("paper", prose(abstract)),)))
    plan = planned(vault({PATH: text}), NEW)
    assert plan.changes[0].after.decode().count("%% digest:") == 2
    assert [keep for keep in plan.kept if keep.reason != "deleted"] == []


def test_two_notes_of_one_paper_are_both_left_alone_and_each_is_told_of_the_other():
    plan = planned(vault({PATH: OLD, "Mine/Other.md": OLD}), NEW)
    assert plan.changes == ()
    assert told(plan) == [
        ("Mine/Other.md", "doubled", f"the same arxiv_id as {PATH}"),
        (PATH, "doubled", "the same arxiv_id as Mine/Other.md"),
    ]


def test_the_copy_of_a_sync_program_is_told_and_the_original_goes_on():
    plan = planned(vault({PATH: OLD, COPY: OLD.replace("Old", "Older")}), NEW)
    assert [change.path for change in plan.changes] == [PATH]
    assert told(plan) == [(COPY, "conflict", f"a copy of {PATH}, as sync programs make")]


def test_a_copy_without_its_original_is_not_written_and_the_paper_gets_no_twin():
    plan = planned(vault({COPY: OLD}), NEW)
    assert plan.changes == ()
    assert told(plan) == [
        (COPY, "conflict", "a copy whose original is gone, as sync programs make")
    ]


@pytest.mark.parametrize(
    "mine",
    [
        "---\narxiv: 2608.00001\n---\nMy words.\n",
        "---\nsource: https://arxiv.org/abs/2608.00001v2\n---\nMy words.\n",
        "# One\n\n[One](https://arxiv.org/abs/2608.00001)\n\nMy words.\n",
    ],
)
def test_a_note_of_the_readers_about_the_paper_is_linked_and_no_second_one_made(mine: str):
    plan = planned(vault({"Reading/One.md": mine}), NEW)
    assert plan.changes == ()
    assert told(plan) == [("Reading/One.md", "foreign", YOURS)]
    assert planned(vault({"Reading/One.md": mine})).kept == ()


def test_a_note_of_the_readers_does_not_stop_ours():
    plan = planned(vault({"One.md": "https://arxiv.org/abs/2608.00001\n", PATH: OLD}), NEW)
    assert [change.path for change in plan.changes] == [PATH]
    assert plan.kept == ()


def test_a_deleted_note_stays_deleted_wherever_it_lay():
    plan = planned(vault({}), NEW, deleted=("2608.00001",))
    assert plan.changes == ()
    assert told(plan) == [(PATH, "deleted", "its note was deleted")]


def test_a_moved_note_is_followed_and_links_to_it_are_too():
    linking = draft(
        key="2608.00002",
        path=OTHER,
        owned={"arxiv_id": "2608.00002", "related": ("[[One - 2608-00001]]",)},
        regions=(Region("related", "- [[One - 2608-00001]]"),),
    )
    plan = planned(vault({"My name.md": OLD, OTHER: born(linking)}), NEW)
    assert [change.path for change in plan.changes] == ["My name.md", OTHER]
    assert plan.changes[1].after.decode().count("[[My name]]") == 2


def test_a_supplement_to_a_digest_without_regions_is_not_put_in():
    digest = NoteDraft(
        "digest", "2026-08-20", "D.md",
        owned={"digest_date": "2026-08-20", "digest_pool": "1-a"},
        added=(Region("supplement-1", "x"),), birth=False,
    )  # fmt: skip
    text = "---\ndigest_date: 2026-08-20\ndigest_pool: 1-a\n---\nmine\n"
    plan = planned(vault({"D.md": text}), digest)
    assert told(plan) == [("D.md", "foreign", "all its regions were taken out")]


TYPED = {"related": "text", "published": "datetime", "theme": "multitext"}


def test_a_new_note_follows_the_vaults_types_and_a_later_run_finds_its_properties():
    fresh = draft(owned={"arxiv_id": "2608.00001", "theme": "[[T]]", "related": ("[[A]]",)})
    files = {"A.md": "", "T.md": ""}
    (change,) = planned(vault(files, TYPED), fresh).changes
    assert isinstance(change, Create)
    text = change.after.decode()
    assert 'theme:\n  - "[[T]]"\narxiv_related:\n  - "[[A]]"\n' in text
    mine = text.replace("theme:", 'related: "[[Mine]]"\ntheme:')
    later = draft(
        owned={"arxiv_id": "2608.00001", "theme": None, "related": ("[[B]]",)}, birth=False
    )
    digest = "---\ndigest_date: 2026-08-20\n---\n\n"
    digest += wrap("digest", "## [[T]]") + "\n"
    standing = vault({PATH: mine, "B.md": "", "Digest.md": digest, **files}, TYPED)
    (update,) = planned(standing, later).changes
    assert 'theme:\narxiv_related:\n  - "[[B]]"\n' in update.after.decode()
    assert 'related: "[[Mine]]"\n' in update.after.decode()


def test_a_vault_whose_types_were_not_found_still_leaves_the_readers_property_alone():
    text = OLD.replace("related: []", 'related: "[[Mine]]"\narxiv_related: []')
    (update,) = planned(
        vault({PATH: text, "A.md": ""}), draft(owned={"related": ("[[A]]",)})
    ).changes
    assert 'related: "[[Mine]]"\narxiv_related:\n  - "[[A]]"\n' in update.after.decode()
