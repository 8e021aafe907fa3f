import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_listing import ArxivListing
from tests.edge.announcement_server import Mailing, serve_mailings
from tests.edge.announcing import (
    ALL_KINDS,
    FRIDAY,
    MAILINGS,
    RECORDINGS,
    THURSDAY,
    THURSDAY_NOON,
    WEDNESDAY,
    Recorded,
    listing,
    rss,
)
from tests.edge.arxiv_server import (
    EMPTY_BODY,
    HANG,
    Answer,
    cut_connection,
    cut_xml,
    failed,
    throttled,
    web_page,
)
from tests.edge.asking import paper

NEW, CATCHUP = "/list/cs.AI/new", "/catchup/cs.AI/2026-08-20"
SITE = "https://arxiv.org"


def read(*names: str, batch: date = THURSDAY, newest: date = THURSDAY):
    web = Recorded(*(f"listing/{name}" for name in names))
    return ArxivListing(SITE, web, newest).announced("cs.AI", batch), web.asked


class Said:
    def __init__(self, body: str) -> None:
        self.body = body.encode()

    def get(self, url, read):
        return read(self.body)


def said(body: str, newest: date = THURSDAY):
    return ArxivListing(SITE, Said(body), newest).announced("cs.AI", THURSDAY)


def new_page() -> str:
    return (RECORDINGS / "listing" / "new.html").read_text("utf-8")


def test_a_list_tells_each_paper_with_its_kind_version_and_day():
    answer, asked = read("new.html")
    assert [(row.kind, row.paper.id, row.paper.version) for row in answer.rows] == [
        ("new", "2608.18079", 1),
        ("new", "2608.18092", 1),
        ("new", "2608.18900", 1),
        ("cross", "2608.18813", 1),
        ("cross", "2311.06273", 2),
        ("replace", "2608.11240", 2),
        ("replace", "2608.12133", 1),
        ("replace-cross", "2608.11733", 3),
    ]
    assert (answer.day, answer.outcome, answer.expected) == (THURSDAY, "ok", 8)
    assert answer.detail == "new 3, cross-listed 2, replaced 3"
    assert [row.paper.announced for row in answer.rows] == [THURSDAY] * 5 + [None] * 3
    assert asked == [f"{SITE}/list/cs.AI/new"]


def test_a_list_keeps_what_it_says_of_a_paper():
    papers = {row.paper.id: row.paper for row in read("new.html")[0].rows}
    linked = papers["2608.18079"]
    assert linked.comment == (
        "Accepted by ICML 2026 Position Paper Track. https://icml.cc/virtual/2026/poster/67074"
    )
    assert linked.abstract.startswith("Game world modeling (GWM) and reinforcement learning (RL)")
    placed = papers["2608.18092"]
    assert placed.authors[-1] == "Wenyuan Jiang"
    assert placed.affiliations == ("Inria, Paris", "ETH Zürich")
    replaced = papers["2608.11733"]
    assert replaced.journal_ref == "Phys. Rev. A 113, 012345 (2026)"
    assert (replaced.primary, replaced.categories) == ("quant-ph", ("quant-ph", "cs.AI"))
    formula = papers["2608.18813"]
    assert formula.title == "A strengthening of the MCFL-ness of $O_2$"
    assert formula.categories == ("cs.FL", "cs.AI", "cs.LO", "math.LO")


def test_a_catch_up_page_says_the_same_about_a_past_day():
    past, asked = read("catchup.html", newest=FRIDAY)
    assert past == read("new.html")[0]
    assert asked == [f"{SITE}/catchup/cs.AI/2026-08-20?abs=True"]


def test_a_list_in_two_pages_is_put_together():
    paged, asked = read("new-paged-1.html", "new-paged-2.html")
    assert paged == read("new.html")[0]
    assert asked == [f"{SITE}/list/cs.AI/new", f"{SITE}/list/cs.AI/new?skip=4&show=2000"]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("newest", [THURSDAY, FRIDAY])
def test_lists_of_any_page_size_give_all_papers_once(size: int, newest: date, tmp_path: Path):
    friday = Mailing(FRIDAY, (replace(paper(8), announced=FRIDAY),))
    given = (*MAILINGS, friday) if newest == FRIDAY else MAILINGS
    now = THURSDAY_NOON + (newest - THURSDAY)
    with serve_mailings(given, now, page_size=size) as arxiv:
        answer = listing(arxiv, tmp_path, newest).announced("cs.AI", THURSDAY)
    assert (answer.outcome, answer.expected) == ("ok", 6)
    assert [row.kind for row in answer.rows] == ALL_KINDS
    assert len(arxiv.log) == -(-6 // size)


def test_a_feed_and_a_list_of_the_same_day_give_the_same_papers(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        listed = listing(arxiv, tmp_path).announced("cs.AI", THURSDAY).rows
        fed = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY).rows
    # What the feed lacks: the comments.
    bare = [(row.kind, replace(row.paper, comment="")) for row in listed]
    assert bare == [(row.kind, row.paper) for row in fed]
    assert {row.paper.comment for row in listed} == {"Code: https://example.org/a?b=1&c=2 (MIT)"}


def test_a_whole_archive_has_papers_of_its_categories_as_its_own(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        listed = listing(arxiv, tmp_path).announced("cs", THURSDAY).rows
        fed = rss(arxiv, tmp_path).announced("cs", THURSDAY).rows
    assert [row.kind for row in listed] == [row.kind for row in fed]
    assert [row.kind for row in listed] == ["new", "new", "new", "replace", "replace"]


def test_a_list_shows_the_new_batch_the_moment_it_is_announced(tmp_path: Path):
    evening = THURSDAY_NOON - timedelta(hours=16)
    with serve_mailings(MAILINGS, evening) as arxiv:
        assert listing(arxiv, tmp_path).announced("cs.AI", THURSDAY).outcome == "ok"
        arxiv.now = evening - timedelta(seconds=1)
        early = listing(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (early.outcome, early.day, len(early.rows)) == ("stale", WEDNESDAY, 1)
    assert early.detail == "arXiv's list for cs.AI still shows Wednesday, 19 August"


def test_a_list_that_is_past_the_batch_says_so(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        answer = listing(arxiv, tmp_path, WEDNESDAY).announced("cs.AI", WEDNESDAY)
    assert (answer.outcome, answer.day) == ("skipped", THURSDAY)
    assert answer.detail == (
        "arXiv's list for cs.AI shows Thursday, 20 August, no longer Wednesday, 19 August"
    )


def test_a_day_without_papers_in_the_category_is_empty():
    today, _ = read("new-none.html")
    past, _ = read("catchup-none.html", newest=FRIDAY)
    for answer in (today, past):
        assert (answer.outcome, answer.day, answer.expected) == ("empty", THURSDAY, 0)
        assert answer.detail == "arXiv's list for cs.AI is empty for Thursday, 20 August"


def test_an_empty_catch_up_page_from_before_the_announcement_is_stale(tmp_path: Path):
    """arXiv's caches keep such a page for a week, whoever asked for it too early."""
    friday = Mailing(FRIDAY, (replace(paper(8), announced=FRIDAY),))
    with serve_mailings((*MAILINGS, friday), THURSDAY_NOON + timedelta(days=1)) as arxiv:
        source = listing(arxiv, tmp_path, FRIDAY)
        assert source.announced("cs.AI", THURSDAY).outcome == "ok"
        assert source.announced("cs.LG", THURSDAY).outcome == "empty"
        arxiv.as_of[CATCHUP] = THURSDAY_NOON.replace(day=19)
        early = source.announced("cs.AI", THURSDAY)
    assert early.outcome == "stale"
    assert (
        early.detail == "arXiv's list for cs.AI was made before Thursday, 20 August was announced"
    )


def test_days_beyond_the_last_ninety_are_not_asked_for(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        answer = listing(arxiv, tmp_path).announced("cs.AI", THURSDAY - timedelta(days=91))
    assert (answer.outcome, answer.detail) == ("skipped", "arXiv's pages go back 90 days")
    assert arxiv.log == []


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        (throttled(), "throttled", "slow down (HTTP 429)"),
        (throttled(9, status=503), "throttled", "slow down (HTTP 503)"),
        (failed(503), "unreachable", "in trouble (HTTP 503)"),
        (failed(400), "unreachable", "did not accept the request (HTTP 400)"),
        (cut_connection, "unreachable", "arXiv"),
        (web_page(), "corrupt", "it names no day"),
        (EMPTY_BODY, "corrupt", "it is empty"),
        (cut_xml, "corrupt", "it is cut off, or no web page"),
        (Answer(b"Rate exceeded."), "throttled", "rate exceeded"),
    ],
)
@pytest.mark.parametrize("newest", [THURSDAY, FRIDAY])
def test_a_failure_that_stays_is_an_outcome_of_its_category(
    fault, outcome: str, words: str, newest: date, tmp_path: Path
):
    faults = {path: [fault] * 5 for path in (NEW, CATCHUP)}
    with serve_mailings(MAILINGS, THURSDAY_NOON, faults) as arxiv:
        answer = listing(arxiv, tmp_path, newest).announced("cs.AI", THURSDAY)
        assert listing(arxiv, tmp_path, newest).announced("cs.RO", THURSDAY).outcome == "ok"
    assert (answer.outcome, answer.day, answer.rows) == (outcome, None, ())
    assert words in answer.detail


def test_after_a_refusal_the_other_categories_lists_are_not_asked_for(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {NEW: [failed(403)]}) as arxiv:
        answers = [
            listing(arxiv, tmp_path).announced(category, THURSDAY)
            for category in ("cs.AI", "cs.RO")
        ]
    assert [answer.outcome for answer in answers] == ["throttled"] * 2
    assert "refuses requests" in answers[0].detail
    assert "refused requests" in answers[1].detail
    assert len(arxiv.log) == 1


@pytest.mark.parametrize("fault", [throttled(), failed(503), web_page(), cut_xml, cut_connection])
@pytest.mark.parametrize("page", [0, 1])
def test_a_failure_that_passes_costs_time_and_no_paper(fault, page: int, tmp_path: Path):
    faults = {NEW: [*[None] * page, fault, fault]}
    with serve_mailings(MAILINGS, THURSDAY_NOON, faults, page_size=4) as arxiv:
        answer = listing(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (answer.outcome, len(answer.rows)) == ("ok", 6)


def test_a_list_that_hangs_is_given_up(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {NEW: [HANG] * 2}) as arxiv:
        web = {"timeout": (1.0, 0.05), "tries": 2}
        answer = listing(arxiv, tmp_path, **web).announced("cs.AI", THURSDAY)
    assert (answer.outcome, answer.detail) == ("unreachable", "arXiv did not answer in time")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "New submissions (showing 3 of 3",
            "New (showing 4 of 4",
            "lists 8 papers where it counts 9",
        ),
        ("Total of 8 entries", "Total of 7 entries", "it lists more papers than it counts"),
        ("Showing new listings for", "Papers of", "it names no day"),
        ("20 August 2026", "31 June 2026", "out of range"),
        ("20 August 2026", "20 Brumaire 2026", "it names no day"),
        ("<h3>New submissions", "<h3>Old submissions", "an entry is not whole"),
        ("Cross submissions", "Strange submissions", "lists 8 papers where it counts 6"),
        ('"/abs/2608.18900"', '"/abs/evil"', "an entry has no id, title or subject"),
        ("Theory (cs.FL)", "Theory", "an entry has no id, title or subject"),
        ("<p class='mathjax'>", "<div>", "it has no abstracts"),
        ("2608.18900", "2608.18079", "it lists 2608.18079 twice"),
        ("<dd>", "<dl>", "an entry is not whole"),
        (
            "Position: Profiling Game Worlds by Transition Complexity",
            "",
            "an entry has no id, title",
        ),
    ],
)
def test_a_page_that_does_not_hold_what_it_says_is_corrupt(old: str, new: str, words: str):
    assert old in new_page()
    assert words in refusal(new_page().replace(old, new))


def refusal(body: str) -> str:
    answer = said(body)
    assert (answer.outcome, answer.day, answer.rows) == ("corrupt", None, ())
    return answer.detail


def test_an_entry_that_breaks_off_at_the_end_is_noticed():
    body, _, rest = new_page().rpartition("</dl>")
    broken = f'{body}<dt><a href="/abs/2608.00001">[9]</a></dt></dl>{rest}'
    assert "lists 8 papers where it counts 8 and begins another" in refusal(broken)


def test_a_page_that_lists_nothing_must_say_that_there_is_nothing():
    empty = re.sub(r"<dl id='articles'>.*</dl>", "", new_page(), flags=re.DOTALL)
    assert "lists no papers, though it counts 8" in refusal(empty)
    assert "though it counts 8" in refusal(empty.replace("</main>", "No updates today.</main>"))
    silent = re.sub(r"Total of 8 entries", "", empty)
    assert "does not say that there are none" in refusal(silent)


def test_a_list_that_changes_between_two_pages_is_corrupt(tmp_path: Path):
    def another_day(answer: Answer) -> Answer:
        body = answer.body.replace(b"Thursday, 20 August", b"Friday, 21 August")
        return replace(answer, body=body)

    def one_more(answer: Answer) -> Answer:
        return replace(answer, body=answer.body.replace(b"Total of 6", b"Total of 7"))

    for fault in (another_day, one_more):
        with serve_mailings(MAILINGS, THURSDAY_NOON, {NEW: [None, fault]}, 4) as arxiv:
            answer = listing(arxiv, tmp_path).announced("cs.AI", THURSDAY)
        assert answer.outcome == "corrupt"
        assert answer.detail.endswith("the list changed between two of its pages")


def test_words_in_an_abstract_are_not_taken_for_the_pages_own(tmp_path: Path):
    abstract = (
        "Total of 99 entries. <h3>New submissions (showing 9 of 9 entries)</h3> No updates today."
    )
    hostile = replace(paper(1, primary="cs.AI"), abstract=abstract)
    with serve_mailings([Mailing(THURSDAY, (hostile,))], THURSDAY_NOON) as arxiv:
        answer = listing(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (answer.outcome, answer.rows[0].paper.abstract) == ("ok", abstract)


def test_a_page_without_a_total_is_counted_by_its_sections():
    body = new_page().replace("Total of 8 entries", "")
    body = body.replace("Game world modeling (GWM)", "Total of 99 entries")
    assert (said(body).outcome, said(body).expected) == ("ok", 8)


def test_a_paper_without_authors_or_places_has_none():
    body = re.sub(
        r"<div class='list-authors'>.*?</div>",
        "<div class='list-authors'>(author list is unavailable)</div>",
        new_page(),
    )
    assert {(row.paper.authors, row.paper.affiliations) for row in said(body).rows} == {((), ())}
