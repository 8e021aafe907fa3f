from __future__ import annotations

from datetime import date

import pytest

from obsidian_digest.core.vault.property_types import (
    fitted,
    name_in,
    ours_in,
    to_edit,
    value_in,
    warnings,
)

DAY = date(2026, 8, 3)


@pytest.mark.parametrize(
    ("name", "value", "kind", "written"),
    [
        ("theme", "[[T]]", "multitext", {"theme": ("[[T]]",)}),
        ("theme", None, "multitext", {"theme": None}),
        ("theme", "[[T]]", "text", {"theme": "[[T]]"}),
        ("authors", ("A", "B"), "multitext", {"authors": ("A", "B")}),
        ("published", DAY, "datetime", {"published": "2026-08-03T00:00:00"}),
        ("published", DAY, "date", {"published": DAY}),
        ("published", DAY, "text", {"published": "2026-08-03"}),
        ("published", DAY, "multitext", {"published": ("2026-08-03",)}),
        ("relevance", 4, "text", {"relevance": "4"}),
        ("relevance", 4, "number", {"relevance": 4}),
        ("relevance", 4, "multitext", {"relevance": ("4",)}),
        ("title", "X", "a plugin's own type", {"title": "X"}),
        ("authors", ("A",), "text", {"arxiv_authors": ("A",)}),
        ("authors", (), "number", {"arxiv_authors": ()}),
        ("related", ("[[A]]",), "checkbox", {"arxiv_related": ("[[A]]",)}),
        ("title", "X", "number", {"arxiv_title": "X"}),
        ("code", None, "checkbox", {"arxiv_code": None}),
        ("up", "[[M]]", "date", {"arxiv_up": "[[M]]"}),
        ("published", DAY, "number", {"arxiv_published": DAY}),
        ("relevance", 4, "datetime", {"arxiv_relevance": 4}),
        ("arxiv_id", "2608.00001", "number", {"arxiv_id": "2608.00001"}),
        ("digest_date", DAY, "checkbox", {"digest_date": DAY}),
        ("theme_id", "t-1", "multitext", {"theme_id": "t-1"}),
        ("arxiv_version", 1, "checkbox", {"arxiv_version": 1}),
        ("tags", ("arxiv",), "tags", {"tags": ("arxiv",)}),
    ],
)
def test_a_new_property_takes_the_vaults_form_or_another_name(name, value, kind, written):
    assert fitted({name: value}, {name: kind}) == written


def test_in_a_vault_that_agrees_or_says_nothing_nothing_is_changed():
    properties = {"title": "X", "authors": ("A",), "published": DAY, "relevance": 4, "code": None}
    agreeing = {"title": "text", "authors": "multitext", "published": "date", "relevance": "number"}
    assert fitted(properties, {}) == properties
    assert fitted(properties, agreeing) == properties
    assert warnings(agreeing) == ()


def test_the_order_of_properties_stays_under_other_names():
    properties = {"title": "X", "authors": ("A",), "url": "u"}
    assert list(fitted(properties, {"authors": "text"})) == ["title", "arxiv_authors", "url"]


def test_a_note_that_stands_is_edited_under_the_name_it_was_born_with():
    owned = {"theme": "[[T]]", "related": ("[[A]]",), "published": DAY}
    types = {"related": "text", "theme": "multitext", "published": "datetime"}
    header = {"theme": "", "related": "mine", "arxiv_related": (), "published": "2026-08-01"}
    changes, removed = to_edit(header, owned, types)
    assert changes == {
        "theme": ("[[T]]",),
        "arxiv_related": ("[[A]]",),
        "published": "2026-08-03T00:00:00",
    }
    assert removed == ()


def test_a_plain_property_is_the_readers_where_ours_would_not_bear_its_name():
    assert ours_in({"related": "mine"}, "related", {"related": "text"}) is None
    assert ours_in({"related": ("[[A]]",)}, "related", {}) == "related"
    assert ours_in({"related": "mine", "arxiv_related": ()}, "related", {}) == "arxiv_related"
    assert to_edit({"related": "mine"}, {"related": ()}, {"related": "text"}) == ({}, ())


def test_what_the_reader_took_out_is_named():
    assert to_edit({}, {"related": (), "theme": None}, {"related": "text"}) == (
        {},
        ("arxiv_related", "theme"),
    )


def test_reading_prefers_the_name_that_is_ours():
    assert value_in({"theme": "mine", "arxiv_theme": "[[T]]"}, "theme") == "[[T]]"
    assert value_in({"theme": "[[T]]"}, "theme") == "[[T]]"
    assert value_in({}, "theme") == ""
    assert name_in({}, "arxiv_id") == "arxiv_id"


def test_the_reader_is_told_of_each_property_that_moved():
    assert warnings({"authors": "text", "url": "multitext", "reading": "checkbox"}) == (
        "This vault keeps `authors` as text; notes of ours carry `arxiv_authors` instead.",
        "This vault keeps `reading` as a checkbox; notes of ours carry `arxiv_reading` instead.",
    )
