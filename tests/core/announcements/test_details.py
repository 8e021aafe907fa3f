from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from obsidian_digest.core.announcements.details import (
    detailed,
    lacking,
    merged,
    notice,
    placed,
    withdrawn,
)
from obsidian_digest.model import Paper

DAY = date(2026, 8, 20)
ANNOUNCED = Paper(
    id="2608.17001",
    title="As announced",
    abstract="As announced.",
    authors=("Ada", "Bob"),
    categories=("cs.LG", "cs.AI"),
    primary="cs.LG",
    announced=DAY,
)
DETAIL = Paper(
    id="2608.17001",
    title="As announced ",
    abstract="As  announced.",
    authors=("Ada", "Bob", "Cleo"),
    categories=("cs.LG", "cs.AI", "68T05"),
    primary="cs.LG",
    published=datetime(2026, 8, 18, 9, tzinfo=UTC),
    updated=datetime(2026, 8, 19, 9, tzinfo=UTC),
    comment="12 pages",
    journal_ref="J. 1",
    doi="10.1/x",
    affiliations=("Inria",),
)


def test_papers_without_a_time_are_asked_for_in_the_version_that_was_announced():
    papers = (ANNOUNCED, replace(ANNOUNCED, id="2608.17002", version=3), DETAIL, ANNOUNCED)
    assert lacking(papers) == ("2608.17001v1", "2608.17002v3")


def test_a_replacement_of_unknown_version_is_asked_for_as_it_is_now():
    replaced = replace(ANNOUNCED, announced=None)
    assert lacking([replaced]) == ("2608.17001",)
    assert lacking([replace(replaced, version=2)]) == ("2608.17001v2",)


def test_details_are_added_and_the_words_stay_as_they_were_ranked():
    whole = merged(ANNOUNCED, DETAIL)
    assert whole == replace(
        DETAIL,
        title=ANNOUNCED.title,
        abstract=ANNOUNCED.abstract,
        categories=ANNOUNCED.categories,
        announced=DAY,
    )


def test_what_the_search_api_does_not_have_is_kept():
    bare = replace(DETAIL, comment="", journal_ref="", doi="", affiliations=(), authors=("Ada",))
    told = replace(ANNOUNCED, comment="c", journal_ref="j", doi="d", affiliations=("Inria", "CNRS"))
    whole = merged(told, bare)
    assert (whole.comment, whole.journal_ref, whole.doi) == ("c", "j", "d")
    assert whole.affiliations == ("Inria", "CNRS")
    assert whole.authors == ("Ada", "Bob")


def test_the_comment_of_a_later_version_is_not_taken():
    later = merged(ANNOUNCED, replace(DETAIL, version=2, comment="withdrawn"))
    assert (later.version, later.comment, later.updated) == (1, "", None)
    assert later.published == DETAIL.published
    assert later.authors == DETAIL.authors


def test_a_replacement_of_unknown_version_is_taken_as_it_is_now():
    replaced = replace(ANNOUNCED, announced=None, affiliations=("CNRS",))
    now = replace(DETAIL, version=4, title="New", affiliations=())
    assert merged(replaced, now) == replace(now, affiliations=("CNRS",))


def test_a_search_api_that_lags_takes_nothing_back():
    replaced = replace(ANNOUNCED, announced=None, title="New", abstract="New.")
    assert merged(replaced, DETAIL) == replaced
    named_only = Paper("2608.17001", "A title", "", (), (), "")
    assert merged(named_only, DETAIL) == DETAIL


def test_papers_keep_their_order_and_unknown_ones_stay():
    other = replace(ANNOUNCED, id="2608.17002")
    assert detailed([other, ANNOUNCED], {DETAIL.id: DETAIL}) == (other, merged(ANNOUNCED, DETAIL))
    assert detailed([other], {}) == (other,)


def test_affiliations_found_elsewhere_do_not_replace_a_papers_own():
    found = {DETAIL.id: ("CNRS",)}
    assert placed([ANNOUNCED, DETAIL], found) == (
        replace(ANNOUNCED, affiliations=("CNRS",)),
        DETAIL,
    )
    assert placed([ANNOUNCED], {}) == (ANNOUNCED,)


@pytest.mark.parametrize(
    ("comment", "gone"),
    [
        ("This paper has been withdrawn by the author due to an error in eq. 3", True),
        ("Withdrawn", True),
        ("8 pages, 1 figure (withdrawn)", True),
        ("withdrawn from arXiv for now", True),
        ("arXiv admin note: this submission has been withdrawn by arXiv administrators", True),
        ("Withdrawn from ICLR 2026, submitted to ICML", False),
        ("This version replaces the withdrawn one", False),
        ("New version of withdrawn arXiv:2501.00001", False),
        ("A longer form of a previously withdrawn note", False),
        ("12 pages", False),
        ("", False),
    ],
)
def test_a_comment_tells_a_withdrawal(comment, gone):
    assert withdrawn(replace(ANNOUNCED, comment=comment)) is gone


@pytest.mark.parametrize(
    ("abstract", "gone"),
    [
        ("This paper has been withdrawn by the authors.", True),
        ("The submission was temporarily withdrawn.", True),
        ("This paper has been withdrawn", True),
        ("[Withdrawn] We no longer stand by this.", True),
        ("We study how withdrawn children learn.", False),
        ("Patients were withdrawn from treatment.", False),
        ("This survey shows that most claims have been withdrawn.", False),
    ],
)
def test_a_notice_in_place_of_the_abstract_tells_it_too(abstract, gone):
    paper = replace(ANNOUNCED, abstract=abstract)
    assert withdrawn(paper) is gone
    assert notice(paper) is gone
