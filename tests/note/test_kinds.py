from __future__ import annotations

import pytest

from obsidian_digest.note.kinds import classify
from obsidian_digest.note.region import wrap

BODY = "\n" + wrap("paper", "Hello") + "\n\n## Notes\n"


def paper(header: str, body: str = BODY) -> bytes:
    return f"---\n{header}\n---\n{body}".encode()


def test_a_paper_note_is_known_by_its_id_wherever_it_lies():
    note = classify("Reading/whatever.md", paper('arxiv_id: "2608.00010"'), "MOC")
    assert note is not None
    assert (note.kind, note.key, note.trouble) == ("paper", "2608.00010", None)
    assert note.regions == {"paper": "Hello"}


def test_an_id_that_lost_its_quotes_is_the_same_id():
    note = classify("a.md", paper("arxiv_id: 2608.00010"), "MOC")
    assert note is not None
    assert note.key == "2608.00010"


@pytest.mark.parametrize(
    ("raw", "trouble"),
    [
        (paper("arxiv_id: '2608.00010'\na: b: c"), "unreadable"),
        (b"---\narxiv_id: '2608.00010'\nsource: x---\n" + BODY.encode(), "unreadable"),
        (paper("arxiv_id: '2608.00010'", BODY.replace("%% digest:end paper %%", "")), "unreadable"),
        (paper("arxiv_id: '2608.00010'") + b"\xff\xfe", "unreadable"),
        (paper("arxiv_id: '2608.00010'", "my own text\n"), "foreign"),
        (
            paper("arxiv_id: '2608.00010'", f"<<<<<<< HEAD\n{BODY}=======\n>>>>>>> x\n"),
            "conflict",
        ),
        (
            paper("<<<<<<< HEAD\narxiv_id: '2608.00010'\n=======\narxiv_id: '1'\n>>>>>>> x"),
            "conflict",
        ),
    ],
)
def test_a_note_that_cannot_be_edited_safely_is_still_known_by_its_id(raw: bytes, trouble: str):
    note = classify("a.md", raw, "MOC")
    assert note is not None
    assert (note.key, note.trouble) == ("2608.00010", trouble)


def test_a_line_in_the_body_that_looks_like_an_id_is_no_identity():
    assert classify("a.md", b"---\ntags: [x]\n---\n\narxiv_id: 2608.00010\n", "MOC") is None


def test_the_readers_own_map_of_content_is_not_ours_without_our_markers():
    assert classify("MOC.md", b"# My map\n", "MOC") is None
    note = classify("deep/MOC.md", wrap("moc", "x").encode(), "MOC")
    assert note is not None
    assert note.kind == "moc"


def test_a_heading_underline_of_equal_signs_is_no_conflict_marker():
    note = classify("a.md", paper("arxiv_id: '1'", BODY + "\nTitle\n=======\n"), "MOC")
    assert note is not None
    assert note.trouble is None


def test_the_map_of_content_is_known_under_any_name():
    note = classify("Map.md", wrap("moc", "x").encode(), "MOC")
    assert note is not None
    assert note.kind == "moc"


@pytest.mark.parametrize("identity", ["digest_date: 2026-08-20", "theme_id: mine"])
def test_a_readers_note_that_shares_one_of_our_properties_is_his(identity: str):
    assert classify("Daily/2026-08-20.md", paper(identity, "my day\n"), "MOC") is None


def test_a_digest_whose_regions_the_reader_removed_is_still_the_digest_of_its_day():
    note = classify("a.md", paper("digest_date: 2026-08-20\ndigest_pool: 1-a", "mine\n"), "MOC")
    assert note is not None
    assert (note.kind, note.trouble) == ("digest", "foreign")


def test_a_replacement_character_is_text_like_any_other():
    note = classify("a.md", paper("arxiv_id: '1'\ntitle: a \ufffd b"), "MOC")
    assert note is not None
    assert note.trouble is None


@pytest.mark.parametrize(
    "strange",
    [
        "title: {{title}}",
        "{{title}}: x",
        "[a, b]: x",
        "? [a]\n: b",
        "a: &a [*a]",
        "a: " + "[" * 3000,
    ],
)
def test_a_template_or_broken_note_of_the_readers_is_none_of_ours(strange: str):
    assert classify("T.md", paper(strange, "x"), "MOC") is None
