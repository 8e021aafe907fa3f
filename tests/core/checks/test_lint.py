from __future__ import annotations

import pytest

from obsidian_digest.core.checks.findings import RULES
from obsidian_digest.core.checks.lint import lint
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import NoteFile, Snapshot, VaultSettings
from obsidian_digest.note import header, region
from obsidian_digest.note.kinds import classify
from obsidian_digest.note.text import prose

FIRST = "arXiv/Papers/First - 2608-00001.md"
SECOND = "arXiv/Papers/Second - 2608-00002.md"
DIGEST = "arXiv/Digests/arXiv digest 2026-08-20.md"
MOC = "MOC-Research.md"


def paper(arxiv_id: str, text: str = "We present a paper. ^abstract", **more: object) -> str:
    properties = {"title": "A: paper", "arxiv_id": arxiv_id, "arxiv_version": 1, **more}
    head = header.write({**properties, "up": "[[MOC-Research]]"})
    return f"{head}\n{region.wrap('paper', text)}\n\n## Notes\n"


def digest(rows: str) -> str:
    properties = {"title": "arXiv digest 2026-08-20", "digest_date": "2026-08-20"}
    head = header.write({**properties, "digest_pool": "1-00", "up": "[[MOC-Research]]"})
    return f"{head}\n{region.wrap('digest', rows)}\n"


def look(
    notes: dict[str, str | bytes], types: dict[str, str] | None = None
) -> list[tuple[str, int, str, str]]:
    """All findings as (note, line, rule, detail); a map of content is always there."""
    notes = {MOC: region.wrap("moc", "") + "\n", **notes}
    found = []
    for path, text in notes.items():
        raw = text if isinstance(text, bytes) else text.encode()
        found.append(classify(path, raw, "MOC-Research"))
    settings = VaultSettings(property_types=types or {})
    snapshot = Snapshot(tuple(filter(None, found)), tuple(notes), settings=settings)
    places = Places.of(snapshot, ("MOC-Research", "Home", "Research interests"))
    findings = lint(snapshot, places)
    assert all(each.hint for each in findings)
    return [(each.note, each.line, each.rule, each.detail) for each in findings]


def one(notes: dict[str, str | bytes], types: dict[str, str] | None = None) -> tuple[int, str, str]:
    """The only finding, without its note."""
    (finding,) = look(notes, types)
    return finding[1:]


def test_a_note_as_a_run_writes_it_has_no_finding():
    related = "## Related papers\n\n- [[Second - 2608-00002|Second]] — both: agents"
    first = paper("2608.00001", related=("[[Second - 2608-00002]]",), code=None, authors=())
    first = first.replace("## Notes", region.wrap("related", related) + "\n\n## Notes")
    notes = {FIRST: first, SECOND: paper("2608.00002"), DIGEST: digest("[[First - 2608-00001]]")}
    assert look(notes) == []
    assert look({path: text.replace("\n", "\r\n") for path, text in notes.items()}) == []


def test_what_the_reader_writes_around_our_text_is_never_looked_at():
    text = paper("2608.00001", mine="[[nowhere]]").replace("mine:", "# a comment\nmine:")
    assert look({FIRST: text + "`= 1` <% x %> ![](http://x/y.png) [[nowhere]] #tag\n"}) == []


def test_the_readers_own_note_about_a_paper_is_never_looked_at():
    assert look({"a:b.md": header.write({"arxiv_id": "2608.00001"}) + "[[nowhere]]\n"}) == []


# Damage


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("arxiv_id: ", "arxiv_id: x: ", 3, "line 3"),
        ("title: ", "title: x\ntitle: ", 1, "title stands twice"),
        ("%% digest:end paper %%", "", 8, "not closed"),
        ("%% digest:end paper %%", "%% digest:end other %%", 12, "out of order"),
        ("## Notes", "%% digest:begin paper v1 seal=0000ffff %%\n%% digest:end paper %%", 14, "tw"),
        ("## Notes", "%% digest:begin %%", 14, "marker line"),
        ("---\n\n", "\n\n", 1, "no closing line"),
    ],
)  # fmt: skip
def test_a_damaged_note_is_told_with_the_line(old: str, new: str, line: int, words: str):
    found = one({FIRST: paper("2608.00001").replace(old, new)})
    assert found[:2] == (line, "unreadable")
    assert words in found[2]


def test_bytes_that_are_no_text_are_told_with_the_line():
    raw = paper("2608.00001").encode().replace(b"## Notes", b"## Notes\n\n\xff")
    assert one({FIRST: raw})[:2] == (16, "unreadable")


def test_a_note_that_may_not_be_read_is_told():
    note = NoteFile(FIRST, "paper", "2608.00001", b"", {}, {}, "unreadable")
    snapshot = Snapshot((note,), (FIRST,))
    (found,) = lint(snapshot, Places.of(snapshot))
    assert (found.rule, found.state) == ("unreadable", "problem")


def test_conflict_markers_are_told_with_the_line():
    text = paper("2608.00001") + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
    assert one({FIRST: text})[:2] == (15, "conflict")


def test_two_notes_of_one_paper_point_to_each_other():
    copy = "arXiv/Papers/Another - 2608-00001.md"
    found = look({FIRST: paper("2608.00001"), copy: paper("2608.00001")})
    assert [each[:3] for each in found] == [(copy, 3, "doubled"), (FIRST, 3, "doubled")]
    assert copy in found[1][3]


def test_a_copy_that_a_sync_program_made_is_told():
    copy = "arXiv/Papers/First - 2608-00001.sync-conflict-20260820-101010-ABCDEFG.md"
    found = look({FIRST: paper("2608.00001"), copy: paper("2608.00001")})
    assert [each[:3] for each in found] == [(copy, 1, "conflict")]
    assert FIRST in found[0][3]


# Properties


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('arxiv_id: "2608.00001"', "arxiv_id: 2608.00001", 'arxiv_id: "2608.00001"'),
        ('title: "A: paper"', "title: 'A: paper'", 'title: "A: paper"'),
        ("arxiv_version: 1", "arxiv_version:   1", "arxiv_version: 1"),
        ("arxiv_version: 1", "arxiv_version: 01", 'arxiv_version: "01"'),
        ("arxiv_version: 1", "arxiv_version: 1\nauthors: [A, B]", "authors: / - A / - B"),
        ("arxiv_version: 1", "arxiv_version: 1\nauthors:\n    - A", "authors: / - A"),
        ("arxiv_version: 1", "arxiv_version: 1\ncode: null", "code:"),
    ],
)
def test_a_property_of_ours_that_obsidian_would_write_otherwise_is_told(
    old: str, new: str, wanted: str
):
    text = paper("2608.00001")
    assert old in text
    line, rule, detail = one({FIRST: text.replace(old, new)})
    assert rule == "form"
    assert detail == f"this should stand as {wanted}"
    assert text.replace(old, new).split("\n")[line - 1].startswith(wanted.partition(":")[0])


@pytest.mark.parametrize(
    "line", ['arxiv_version: "1"', "code:", 'code: ""', "authors: []", "authors:\n- A\n- B"]
)
def test_forms_that_obsidian_keeps_are_fine(line: str):
    text = paper("2608.00001").replace("arxiv_version: 1", line)
    assert look({FIRST: text}) == []


def test_a_property_of_another_type_than_the_vault_gives_it_is_told():
    text = paper("2608.00001", authors=("A",), published="2026-08-18", aliases=("A",))
    types = {"authors": "text", "arxiv_version": "text", "published": "date", "aliases": "aliases"}
    line, rule, detail = one({FIRST: text}, types)
    assert (line, rule) == (5, "type")
    assert detail.startswith("authors is of another type")


def test_a_property_that_the_vault_uses_otherwise_is_the_readers_and_ours_has_its_own_name():
    text = paper("2608.00001", authors="me: and", arxiv_authors=("A",)).replace('"me: and"', "'me'")
    assert look({FIRST: text}, {"authors": "text"}) == []
    text = text.replace("arxiv_authors:\n  - A", "arxiv_authors: [A]")
    assert one({FIRST: text}, {"authors": "text"})[1] == "form"


@pytest.mark.parametrize(
    ("name", "value", "kind", "fits"),
    [
        ("relevance", 3, "number", True),
        ("title", "A paper", "number", False),
        ("title", "A paper", "multitext", False),
        ("published", "2026-08-18", "datetime", False),
        ("published", "yesterday", "date", False),
        ("updated", None, "date", True),
        ("reading", "unread", "checkbox", False),
        ("reading", "unread", "a-plugin's-type", True),
        ("mine", "a text", "number", True),
    ],
)
def test_types_of_the_vault(name: str, value: object, kind: str, fits: bool):
    found = look({FIRST: paper("2608.00001", **{name: value})}, {name: kind})
    assert [each[2] for each in found] == ([] if fits else ["type"])


# Links


@pytest.mark.parametrize("target", ["[[Gone theme]]", "[Gone theme](Gone%20theme.md)"])
def test_a_link_of_ours_to_nothing_is_told(target: str):
    text = paper("2608.00001", f"See\n{target}")
    assert one({FIRST: text}) == (11, "dangling", "the link to Gone theme leads to no note")


def test_a_link_in_a_property_that_leads_to_nothing_is_told_with_its_own_line():
    text = paper("2608.00001", digests=("[[arXiv digest 2026-08-20]]", "[[Gone]]"))
    found = one({FIRST: text, DIGEST: digest("")})
    assert found == (7, "dangling", "the link to Gone leads to no note")


def test_a_link_to_a_note_that_was_renamed_elsewhere_says_which_one_is_meant():
    text = paper("2608.00001", "See [[Second - 2608-00002]]")
    found = one({FIRST: text, "arXiv/Papers/That one.md": paper("2608.00002")})
    assert found[:2] == (10, "dangling")
    assert found[2].endswith("means arXiv/Papers/That one.md, which bears another name now")


def test_a_link_to_a_paper_whose_note_was_deleted_is_no_error():
    rows = "- [[Second - 2608-00002|Second]] ^arxiv-2608-00002"
    assert look({DIGEST: digest(rows), FIRST: paper("2608.00001")}) == []


def test_a_link_that_leads_to_two_notes_is_told():
    notes = {FIRST: paper("2608.00001", "[[Home]]"), "Home.md": "", "Old/Home.md": ""}
    assert look(notes) == []  # the one at the root is meant
    notes = {FIRST: paper("2608.00001", "[[Home]]"), "New/Home.md": "", "Old/Home.md": ""}
    assert one(notes) == (10, "ambiguous", "the link to Home leads to 2 notes")


def test_a_missing_map_of_content_is_told_in_every_note():
    snapshot = Snapshot(tuple(filter(None, [classify(FIRST, paper("2608.00001").encode(), "M")])))
    (found,) = lint(snapshot, Places.of(snapshot, ("MOC-Research",)))
    assert (found.rule, found.line) == ("dangling", 5)
    assert "obsidian-digest init" in found.hint


# Regions


def test_an_edited_region_is_told_and_what_it_holds_is_the_readers():
    text = paper("2608.00001").replace("We present", "`= 1` [[nowhere]] We present")
    assert one({FIRST: text}) == (8, "edited", "the region paper was edited")


def test_a_link_of_ours_that_was_turned_to_a_note_of_the_readers_is_told():
    ours = "[[Second - 2608-00002|Second]]"
    text = paper("2608.00001", ours).replace("Second - 2608-00002", "Diary")
    found = one({FIRST: text, "Diary.md": ""})
    assert found == (10, "edited", "the region paper links to a note of yours: Diary")


def test_a_block_id_that_stands_twice_is_told():
    text = paper("2608.00001") + "My own abstract. ^abstract\n\nMore. ^mine\n\nAgain. ^mine\n"
    assert one({FIRST: text}) == (15, "block-id", "the block id ^abstract stands twice")


ACTIVE = [
    "<% tp.file.cursor() %>", "a %> b", "![[Home]]", "![](https://example.org/x.png)",
    "`= this.file`", "~~~dataviewjs", "key:: value", "%% hidden", "<img src=x>", "</b>", "<!-- x",
    "[x](obsidian://open)", "[x](<javascript:1>)", "go to obsidian://new", "file:///etc/passwd",
]  # fmt: skip


@pytest.mark.parametrize("text", ACTIVE)
def test_what_acts_inside_a_region_is_a_problem(text: str):
    found = look({FIRST: paper("2608.00001", f"See\n{text}"), "Home.md": "# Home"})
    assert {each[1:3] for each in found} == {(11, "active")}
    assert RULES["active"][0] == "problem"


@pytest.mark.parametrize("text", [*ACTIVE, "a <b> $x$ \\% %% :: ` [[Home]] https://a.org/x::y"])
def test_the_same_text_escaped_is_none(text: str):
    assert look({FIRST: paper("2608.00001", f"See {prose(text)}")}) == []


@pytest.mark.parametrize(
    "text",
    ["[PDF](https://arxiv.org/pdf/2608.00001v1)", "<https://example.org/a_b>", "> [!abstract] In",
     "$a \\lt b$", "**★★★☆☆** Matches", "100 % of 5 %"],
)  # fmt: skip
def test_what_our_own_templates_write_is_fine(text: str):
    assert look({FIRST: paper("2608.00001", text)}) == []


# Names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("What? - 2608-00001", '"?", which not every system can store'),
        ("a: b - 2608-00001", '":"'),
        (".hidden - 2608-00001", '"."'),
        ("2608-00001 ends.", '"."'),
        ("C# - 2608-00001", '"#", which breaks links'),
        ("a %% b - 2608-00001", '"%%"'),
        ("CON", "a device of Windows"),
        ("lpt1.x", "a device of Windows"),
        ("é" * 70, "143 bytes"),
    ],
)  # fmt: skip
def test_a_name_that_not_every_system_can_carry_is_told(name: str, words: str):
    line, rule, detail = one({f"arXiv/Papers/{name}.md": paper("2608.00001")})
    assert (line, rule) == (1, "name")
    assert words in detail


def test_a_path_that_windows_may_not_reach_is_told():
    folder = "/".join(["a folder with a long name"] * 6)
    assert "characters" in one({f"{folder}/First - 2608-00001.md": paper("2608.00001")})[2]


@pytest.mark.parametrize("other", ["Diary/first - 2608-00001.md", "FIRST - 2608-00001.md"])
def test_a_name_that_another_note_has_but_for_its_case_is_told(other: str):
    found = one({FIRST: paper("2608.00001"), other: "A list."})
    assert found == (1, "name", f"its name is also that of {other}")


def test_a_name_that_another_note_has_in_another_unicode_form_is_told():
    mine, other = "arXiv/Papers/É - 2608-00001.md", "Old/E\u0301 - 2608-00001.md"
    assert one({mine: paper("2608.00001"), other: "A list."})[1] == "name"
