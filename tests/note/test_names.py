"""Names that every file system, git, link and phone can carry."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.note.names import (
    LONGEST_NAME,
    collision_key,
    file_stem,
    id_in,
    id_part,
    paper_id,
    safe_part,
    sort_key,
    unique,
    wikilink,
)


def each(*pairs):
    return pytest.mark.parametrize(("source", "name"), pairs)


@each(
    ("BERT: Pre-training", "BERT - Pre-training"),
    ("Input/Output and C:\\temp", "Input-Output and C-temp"),
    ('What? <x> a*b|c "q"', "What x abc q"),
    ("C# and [O III] at ^2", "C and O III at 2"),
    ("100%% of %#% and 5%", "100 of and 5%"),
    ("A `= 1+1` and `$= dv.x()` b", "A = 1+1 and = dv.x() b"),
    ("$5 %$% off", "5 off"),
    ("  two   spaces\n\tand\u00a0more ", "two spaces and more"),
    ("...hidden. .", "hidden"),
    ("CON", "_CON"),
    ("nul.txt", "_nul.txt"),
    ("Com1", "_Com1"),
    ("Console", "Console"),
    ("a\u202eb\u200bc\x07", "abc"),
    ("e\u0301te\u0301", "\u00e9t\u00e9"),
    ("GPT-4.1 explained", "GPT-4.1 explained"),
    ("???", ""),
)
def test_a_title_becomes_a_plain_file_name(source, name):
    assert safe_part(source) == name


def test_a_long_title_is_cut_at_a_word_and_never_inside_a_character():
    assert safe_part("word " * 60) == " ".join(["word"] * 20)
    assert len(safe_part("é" * 99).encode()) == 100
    assert safe_part("x" * 99 + "e\u0323\u0304") == "x" * 99
    assert safe_part("🇩🇪" * 30) == "🇩🇪" * 12
    assert safe_part("👍🏽" * 30) == "👍🏽" * 12


def test_a_name_is_in_one_unicode_form_also_where_a_sign_went_out_of_it():
    assert safe_part("a?\u0301") == "\u00e1"


def test_a_cut_leaves_no_blank_dot_or_device_name():
    assert safe_part("abc. def", 5) == "abc"
    assert safe_part("con xxxxxxxx", 4) == "_con"


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_text_makes_a_name_that_every_system_takes(text):
    name = safe_part(text)
    assert len(name.encode()) <= 101
    assert name == unicodedata.normalize("NFC", name)
    assert not re.search(r'[*"\\/<>:|?#^\[\]`$\x00-\x1f\x7f-\x9f]|%%', name)
    assert name == name.strip(" .")
    assert not re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)", name.partition(".")[0])
    assert safe_part(name) == name


def test_a_paper_note_is_named_by_title_and_id():
    assert file_stem("Scaling: a look", "2608.19197") == "Scaling - a look - 2608-19197"
    assert file_stem("???", "math/0309136") == "math-0309136"
    assert file_stem("Short", "2608.19197", "{id} {title}") == "2608-19197 Short"


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_a_paper_notes_name_is_short_enough_and_ends_in_its_id(title):
    stem = file_stem(title, "quant-ph/0201082")
    assert len(f"{stem} 99.md".encode()) <= LONGEST_NAME
    assert id_in(stem) == "quant-ph/0201082"


@pytest.mark.parametrize(
    "arxiv_id",
    ["2608.19197", "0704.0010", "1412.9999", "math/0309136", "math.GT/0309136", "quant-ph/0201082"],
)
def test_the_id_is_read_back_from_a_name(arxiv_id):
    for name in (id_part(arxiv_id), f"A title - {id_part(arxiv_id)}"):
        assert id_in(name) == arxiv_id
        assert id_in(f"{name} 2.md") == arxiv_id


@pytest.mark.parametrize(
    "name",
    [
        "arXiv digest 2026-08-20",
        "Budget 2012-2013",
        "foo-2608-19197",
        "2413-12345",
        "tel-0309136",
        "",
    ],
)
def test_a_name_without_an_id_has_none(name):
    assert id_in(name) is None


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("2401.00010", ("2401.00010", None)),
        ("arXiv:2401.00010v2", ("2401.00010", 2)),
        ("ArXiv: 2401.00010 [cs.LG]", ("2401.00010", None)),
        ("https://arxiv.org/abs/2401.00010v2", ("2401.00010", 2)),
        ("http://export.arxiv.org/pdf/2401.00010.pdf", ("2401.00010", None)),
        ("https://arxiv.org/pdf/2401.00010v3?download=1", ("2401.00010", 3)),
        ("https://arxiv.org/html/2401.00010v1/", ("2401.00010", 1)),
        ("https://doi.org/10.48550/arXiv.2401.00010", ("2401.00010", None)),
        ("oai:arXiv.org:0704.0001", ("0704.0001", None)),
        ("math.GT/0309136", ("math/0309136", None)),
        ("https://arxiv.org/abs/quant-ph/0201082v1", ("quant-ph/0201082", 1)),
        ("cond-mat.mes-hall/9901001", ("cond-mat/9901001", None)),
    ],
)
def test_every_spelling_of_an_id_is_understood(text, paper):
    assert paper_id(text) == paper


@pytest.mark.parametrize(
    "text",
    ["1501.0001", "1412.12345", "0703.0001", "2401.00010v0", "2413.00010", "2401.00000",
     "math/0704001",
     "foo/9901001", "hep-th/9106001", "math/0013001", "2401.00010x", "v2", "",
     "https://example.org/abs/2401.00010", "２４０１.00010", "2401.0001٢", "math/030913٦",
     "tel/0309136", "2401.00010v9999999999"],
)  # fmt: skip
def test_an_id_that_cannot_exist_is_none(text):
    assert paper_id(text) is None


def test_papers_sort_newest_first_over_both_kinds_of_ids():
    newest_first = [
        "2608.19197", "2608.00002", "1501.00001", "1412.9999", "0704.0001",
        "cs/0703002", "math/0309136", "cs/0001001", "hep-th/9912001", "hep-th/9108001",
    ]  # fmt: skip
    assert sorted(sorted(newest_first), key=sort_key) == newest_first


def test_names_that_some_system_takes_for_one_have_one_key():
    assert collision_key("Caf\u00e9.md") == collision_key("CAFE\u0301.MD")
    assert collision_key("a\u00a0b\u202fc") == collision_key("A b c")
    assert collision_key("x//y") == collision_key("x/y")
    assert collision_key("a") != collision_key("b")


def test_a_taken_name_gets_a_number():
    taken = {collision_key("Theme"), collision_key("theme 2")}
    assert unique("THEME", taken) == "THEME 3"
    assert unique("Other", taken) == "Other"


def test_a_wikilink_shows_its_label_and_cannot_be_broken_out_of():
    assert wikilink("arXiv/Papers/A - 2608-19197.md") == "[[arXiv/Papers/A - 2608-19197]]"
    assert wikilink("A", "A") == "[[A]]"
    assert wikilink("A", "x | [y] *z*") == r"[[A|x ∣ (y) \*z\*]]"
    assert wikilink("A", "") == "[[A]]"


def test_foreign_digits_in_a_name_are_no_id():
    assert id_in("A title - 2608-1919٧") is None
    assert id_in("A title - math-030913６") is None
