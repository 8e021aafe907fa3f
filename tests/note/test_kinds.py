from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note.kinds import classify, may_be_ours, why
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


OURS = paper("arxiv_id: '2608.00010'")
NAME = "Deep/A title - 2608-00010.md"
DIGEST = "---\ndigest_date: 2026-08-20\ndigest_pool: 1-a\n---\n\n" + wrap("digest", "x")


@pytest.mark.parametrize(
    ("raw", "particulars"),
    [
        (b"\xef\xbb\xbf" + OURS, None),
        (OURS.replace(b"\n", b"\r\n"), None),
        (OURS.replace(b"---\n", b"---\r\n"), None),
        (paper("ARXIV_ID : '2608.00010'"), None),
        (paper("'arxiv_id': 2608.00010v2"), None),
        (paper("arxiv_id: arXiv:2608.00010"), None),
        (paper("arxiv_id: 2608.001"), None),
        (paper("arxiv_id: '2608.00010'\nm: {a: 1, b: [2]}"), None),
        (paper("arxiv_id: '2608.00010'\n\tm: 1"), "cannot be read (line 3: "),
        (paper("arxiv_id: '2608.00010'\nm: 1\nm: 2"), "the property m stands twice"),
        (paper("arxiv_id: '2608.00010'\narxiv_id: 'x'"), "the property arxiv_id stands twice"),
        (paper('{"arxiv_id": "2608.00010"}'), "do not stand one below the other"),
        (paper('{"a": 1, "arxiv_id": "2608.00010"}'), "do not stand one below the other"),
        (paper('{\n  "a": 1,\n  "arxiv_id": "2608.00010"\n}'), "do not stand one below"),
        (OURS.replace(b"'\n---", b"'\nsource: x---"), "no closing line ---"),
        (OURS.replace(b"'\n---", b"'\nsource: x---") + b"---\nmine\n", "cannot be read (line "),
        (BODY.encode(), "its properties are gone"),
        (b"My words.\n" + BODY.encode(), "its properties are gone"),
        (b"", "the file is empty"),
        (b"\n", "the file is empty"),
        (paper("title: x"), "its property arxiv_id is gone"),
        (paper("arxiv_id:"), "its property arxiv_id is gone"),
        (OURS + b"%% digest:begin paper v1 seal=00000000 %%\n", "a region is not closed"),
        (OURS + BODY.encode(), "a region stands twice"),
        (OURS.replace(b"seal=", b"seal= "), "a marker line was changed"),
        (OURS.replace(b"%% digest:end", b"> %% digest:end"), "a marker line was changed"),
        (OURS.replace(b"Hello", BODY.encode()), "nested, unclosed or out of order"),
        (OURS.decode().encode("utf-16"), "it is not UTF-8 text"),
        (OURS + "é".encode("latin-1"), "it is not UTF-8 text"),
        (OURS + b"\n=======\nx\n>>>>>>> other\n", "git left conflict markers in it"),
    ],
)
def test_a_note_of_ours_is_known_in_any_state_and_its_trouble_told(raw: bytes, particulars: str):
    assert may_be_ours("A title - 2608-00010", raw)
    note = classify(NAME, raw, "MOC")
    assert note is not None
    assert (note.kind, note.key) == ("paper", "2608.00010")
    assert (note.trouble is None) == (particulars is None)
    assert (particulars or "") in why(note)


def test_a_digest_is_known_by_its_name_once_its_properties_are_gone():
    name = "arXiv digest 2026-08-20 2.md"
    for text in (wrap("digest", "x"), DIGEST.replace("digest_date", "mine")):
        note = classify(name, text.encode(), "MOC")
        assert note is not None
        assert (note.kind, note.key, note.trouble) == ("digest", "2026-08-20", "unreadable")
    assert classify("2026-08-20.md", wrap("daily", "x").encode(), "MOC") is None


def test_a_digests_day_is_a_day_also_where_the_vault_writes_the_time():
    text = DIGEST.replace("2026-08-20", "2026-08-20T00:00:00")
    note = classify("a.md", text.encode(), "MOC")
    assert note is not None
    assert (note.key, note.trouble) == ("2026-08-20", None)


def test_a_renamed_paper_is_known_by_its_address_once_its_properties_are_gone():
    linked = wrap("paper", "A, B\n\n[2608.00010v1](https://arxiv.org/abs/2608.00010v1)\n\ntext")
    also = "arxiv_version: 1\narxiv_primary: c\narxiv_categories: [c]"
    for text in (linked, f"---\n{also}\nurl: https://arxiv.org/abs/2608.00010\n---\n{BODY}"):
        note = classify("My own name.md", text.encode(), "MOC")
        assert note is not None
        assert (note.kind, note.key, note.trouble) == ("paper", "2608.00010", "unreadable")


def test_a_theme_or_week_that_lost_its_properties_is_known_by_its_name():
    for name, region, key in (("Agents", "theme", "Agents"), ("W 2026-W34", "week", "2026-W34")):
        note = classify(f"{name}.md", wrap(region, "x").encode(), "MOC")
        assert note is not None
        assert (note.kind, note.key, note.trouble) == (region, key, "unreadable")


def test_a_note_of_the_readers_that_holds_a_pasted_region_is_his():
    for region in ("theme", "paper", "digest"):
        assert classify("Ideas.md", f"See:\n\n{wrap(region, 'x')}".encode(), "MOC") is None


def test_a_paper_or_theme_without_regions_is_ours_by_its_properties():
    for header in (
        "arxiv_id: '2608.00010'\narxiv_version: 1\narxiv_primary: c\narxiv_categories: [c]",
        "theme_id: t\ntheme_papers: 3",
    ):
        note = classify("a.md", paper(header, "mine\n"), "MOC")
        assert note is not None
        assert note.trouble is None


def test_notes_that_are_set_apart_are_about_no_paper():
    text = b"https://arxiv.org/abs/2608.00010\n"
    for name in ("Interests", "MOC", "conflict-files-obsidian-git"):
        assert classify(f"{name}.md", text, "MOC", ("Interests",)) is None
    note = classify("Mine.md", text, "MOC", ("Interests",))
    assert note is not None
    assert (note.kind, note.key, note.trouble) == ("paper", "2608.00010", "foreign")
    assert why(note) == "your own note about this paper"


def test_a_readers_note_with_a_broken_header_gets_no_twin():
    note = classify("a.md", paper("arxiv_id: '2608.00010'\na: b: c", "mine"), "MOC")
    assert note is not None
    assert (note.key, note.trouble) == ("2608.00010", "foreign")


def test_most_notes_of_a_vault_need_no_second_look():
    for text in ("", "# A\nwords and [[links]]\n", "---\ntags: [x]\nurl: https://x.org\n---\n"):
        assert not may_be_ours("Plain note", text.encode())


@given(
    st.sampled_from(["arxiv_id", "ARXIV_ID", "arxiv", "eprint", "doi", "url", "digest_date", "x"]),
    st.sampled_from(["2608.00010", "https://arxiv.org/abs/2608.00010", "2026-08-20", "q"]),
    st.sampled_from(
        ["", "https://ARXIV.org/abs/2608.00010", wrap("moc", "x"), wrap("digest", "x")]
    ),
    st.sampled_from(["a", "A - 2608-00010", "arXiv digest 2026-08-20", "MOC"]),
    st.booleans(),
)
def test_no_note_that_would_be_classified_is_passed_over(name, value, body, stem, wide):
    raw = f"---\n{name}: {value}\n---\n{body}\n".encode("utf-16" if wide else "utf-8")
    assert may_be_ours(stem, raw) or classify(f"{stem}.md", raw, "MOC") is None
