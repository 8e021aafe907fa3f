import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_rss import ArxivRss
from obsidian_digest.edge.paper_feed import read_feed
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

FEED = "/rss/cs.AI"
SATURDAY = date(2026, 8, 22)


def read(name: str, batch: date = THURSDAY):
    return ArxivRss("https://rss.arxiv.org/rss", Recorded(f"rss/{name}"), read_feed).announced(
        "cs.AI", batch
    )


class Said:
    def __init__(self, body: str) -> None:
        self.body = body.encode()

    def get(self, url, read):
        return read(self.body)


def trouble(body: str) -> str:
    """Why an answer is refused."""
    with pytest.raises(ValueError) as refused:
        ArxivRss("https://rss.arxiv.org/rss", Said(body), read_feed).announced("cs.AI", THURSDAY)
    return str(refused.value)


def mailing() -> str:
    return (RECORDINGS / "rss" / "mailing.xml").read_text("utf-8")


def test_a_feed_tells_each_paper_with_its_kind_version_and_day():
    said = read("mailing.xml")
    assert [(row.kind, row.paper.id, row.paper.version) for row in said.rows] == [
        ("new", "2608.18079", 1),
        ("new", "2608.18092", 1),
        ("new", "2608.18900", 1),
        ("cross", "2608.18813", 1),
        ("cross", "2311.06273", 2),
        ("replace", "2608.11240", 2),
        ("replace", "2608.12133", 2),
        ("replace-cross", "2608.11733", 3),
    ]
    assert (said.category, said.day, said.outcome, said.expected) == ("cs.AI", THURSDAY, "ok", None)
    assert said.detail == "new 3, cross-listed 2, replaced 3"
    assert [row.paper.announced for row in said.rows] == [THURSDAY] * 5 + [None] * 3


def test_a_feed_keeps_what_it_says_of_a_paper():
    papers = {row.paper.id: row.paper for row in read("mailing.xml").rows}
    placed = papers["2608.18092"]
    assert placed.authors[:2] == ("Xin Yang", "Letian Li")
    assert placed.affiliations[0] == "Inria, Paris"
    assert placed.abstract.startswith("LLM-based multi-agent systems")
    replaced = papers["2608.11733"]
    assert replaced.journal_ref == "Phys. Rev. A 113, 012345 (2026)"
    assert replaced.doi == "10.1103/PhysRevA.113.012345"
    assert (replaced.primary, replaced.categories) == ("quant-ph", ("quant-ph", "cs.AI"))


def test_the_atom_form_of_a_feed_says_the_same():
    assert read("mailing-atom.xml") == read("mailing.xml")


def test_one_request_asks_for_one_category(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        for category in ("cs.AI", "cs.RO"):
            rss(arxiv, tmp_path).announced(category, THURSDAY)
    assert [asked.path for asked in arxiv.log] == [FEED, "/rss/cs.RO"]


def test_a_paper_is_new_in_its_own_category_and_cross_listed_in_the_others(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        here = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
        there = rss(arxiv, tmp_path).announced("cs.RO", THURSDAY)
    assert [row.kind for row in here.rows] == ALL_KINDS
    kinds = {row.paper.id: row.kind for row in there.rows}
    assert (kinds["2608.17002"], kinds["2608.17001"]) == ("new", "cross")


def test_a_feed_of_the_day_before_is_stale_until_midnight_in_new_york(tmp_path: Path):
    announced = datetime(2026, 8, 20, 0, tzinfo=UTC)
    with serve_mailings(MAILINGS, announced) as arxiv:
        said = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
        arxiv.now = announced + timedelta(hours=4)
        later = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (said.outcome, said.day) == ("stale", WEDNESDAY)
    assert said.detail == "arXiv's feed for cs.AI still shows Wednesday, 19 August"
    assert (later.outcome, later.day) == ("ok", THURSDAY)


def test_one_category_may_be_stale_while_another_is_not(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        arxiv.as_of[FEED] = THURSDAY_NOON - timedelta(days=1)
        outcomes = [
            rss(arxiv, tmp_path).announced(category, THURSDAY).outcome
            for category in ("cs.AI", "cs.RO")
        ]
    assert outcomes == ["stale", "ok"]


def test_a_saturdays_feed_says_nothing_about_fridays_batch():
    said = read("saturday.xml", FRIDAY)
    assert (said.outcome, said.day, said.rows) == ("skipped", SATURDAY, ())
    assert said.detail == (
        "arXiv's feed for cs.AI shows an empty Saturday, 22 August, no longer Friday, 21 August"
    )


def test_a_saturdays_feed_is_empty_as_the_feed_itself_foretells():
    said = read("saturday.xml", SATURDAY)
    assert said.outcome == "empty"
    assert said.detail == (
        "arXiv's feed for cs.AI is empty for Saturday, 22 August, a day without announcements"
    )


def test_an_empty_feed_on_a_working_day_is_empty_without_a_reason(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON + timedelta(days=1)) as arxiv:
        said = rss(arxiv, tmp_path).announced("cs.AI", FRIDAY)
    assert (said.outcome, said.day) == ("empty", FRIDAY)
    assert said.detail == "arXiv's feed for cs.AI is empty for Friday, 21 August"


@pytest.mark.parametrize(("count", "outcome"), [(1999, "ok"), (2000, "truncated")])
def test_a_feed_of_2000_items_may_lack_new_papers_and_says_so(
    count: int, outcome: str, tmp_path: Path
):
    papers = [replace(paper(n, primary="cs.AI"), abstract="A.") for n in range(count)]
    with serve_mailings([Mailing(THURSDAY, tuple(papers))], THURSDAY_NOON) as arxiv:
        said = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (said.outcome, len(said.rows)) == (outcome, count)
    assert ("2,000 items" in said.detail) == (outcome == "truncated")


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        (throttled(), "throttled", "slow down (HTTP 429)"),
        (throttled(9), "throttled", "slow down (HTTP 429)"),
        (failed(406), "throttled", "slow down (HTTP 406)"),
        (failed(503), "unreachable", "in trouble (HTTP 503)"),
        (failed(400), "unreachable", "did not accept the request (HTTP 400)"),
        (cut_connection, "unreachable", "arXiv"),
        (web_page(), "corrupt", "it is a web page, not a feed"),
        (EMPTY_BODY, "corrupt", "it is empty"),
        (cut_xml, "corrupt", "it is cut off or damaged"),
    ],
)
def test_a_failure_that_stays_is_an_outcome_of_its_category(
    fault, outcome: str, words: str, tmp_path: Path
):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {FEED: [fault] * 5}) as arxiv:
        said = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
        assert rss(arxiv, tmp_path).announced("cs.RO", THURSDAY).outcome == "ok"
    assert (said.outcome, said.day, said.rows) == (outcome, None, ())
    assert words in said.detail


@pytest.mark.parametrize(
    ("fault", "first", "then"),
    [
        (failed(403), "arXiv refuses requests", "arXiv refused requests"),
        (throttled(3600), "arXiv asks us to slow down", "arXiv asked to wait until"),
    ],
)
def test_after_arxivs_no_the_other_feeds_are_not_asked_for_but_its_lists_are(
    fault, first: str, then: str, tmp_path: Path
):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {FEED: [fault]}) as arxiv:
        said = [rss(arxiv, tmp_path).announced(c, THURSDAY) for c in ("cs.AI", "cs.RO")]
        assert listing(arxiv, tmp_path).announced("cs.AI", THURSDAY).outcome == "ok"
    assert [answer.outcome for answer in said] == ["throttled"] * 2
    assert said[0].detail.startswith(first)
    assert said[1].detail.startswith(then)
    assert [asked.path for asked in arxiv.log] == [FEED, "/list/cs.AI/new"]


def test_a_control_character_in_an_abstract_does_not_spoil_the_feed(tmp_path: Path):
    def spoil(answer: Answer) -> Answer:
        return replace(answer, body=answer.body.replace(b"We move", b"We \x0c\x1bmove"))

    with serve_mailings(MAILINGS, THURSDAY_NOON, {FEED: [spoil]}) as arxiv:
        said = [rss(arxiv, tmp_path).announced("cs.AI", THURSDAY) for _ in range(2)]
    assert said[0] == said[1]
    assert len(arxiv.log) == 2


@pytest.mark.parametrize("fault", [throttled(), failed(503), web_page(), cut_xml, cut_connection])
def test_a_failure_that_passes_costs_time_and_no_paper(fault, tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {FEED: [fault, fault]}) as arxiv:
        said = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (said.outcome, len(said.rows)) == ("ok", 6)


def test_a_feed_that_hangs_is_given_up(tmp_path: Path):
    with serve_mailings(MAILINGS, THURSDAY_NOON, {FEED: [HANG] * 2}) as arxiv:
        said = rss(arxiv, tmp_path, timeout=(1.0, 0.05), tries=2).announced("cs.AI", THURSDAY)
    assert (said.outcome, said.detail) == ("unreachable", "arXiv did not answer in time")


def test_arxivs_own_error_is_not_an_empty_day():
    assert trouble((RECORDINGS / "rss" / "error.xml").read_text("utf-8")).startswith(
        "it is an error: Bad subject class 'XX'"
    )


def test_a_feed_whose_dates_disagree_is_refused():
    items = mailing().replace("<pubDate>Thu, 20 Aug 2026", "<pubDate>Wed, 19 Aug 2026", 1)
    assert trouble(items) == "it is of 2 different days"
    assert trouble(re.sub("<pubDate>.*?</pubDate>", "", mailing())) == "it has no date"
    assert "as a date" in trouble(mailing().replace("20 Aug 2026", "32 Aug 2026"))


def test_a_date_of_another_zone_is_taken_as_arxivs_day():
    feed = mailing().replace("00:00:00 -0400", "03:59:59 +0000")
    web = Said(feed)
    said = ArxivRss("https://rss.arxiv.org/rss", web, read_feed).announced("cs.AI", THURSDAY)
    assert said.day == WEDNESDAY


def test_the_description_tells_the_kind_where_the_element_is_missing():
    feed = re.sub(r"\s*<arxiv:announce_type>.*?</arxiv:announce_type>", "", mailing())
    said = ArxivRss("https://rss.arxiv.org/rss", Said(feed), read_feed).announced("cs.AI", THURSDAY)
    assert said == read("mailing.xml")
    nowhere = feed.replace("Announce Type: new", "New")
    assert "an item has no announce type" in trouble(nowhere)


def test_an_item_of_an_unknown_kind_is_left_out_and_counted():
    feed = mailing().replace(">replace-cross<", ">no_match<")
    said = ArxivRss("https://rss.arxiv.org/rss", Said(feed), read_feed).announced("cs.AI", THURSDAY)
    assert len(said.rows) == 7
    assert said.detail == "new 3, cross-listed 2, replaced 2, of an unknown kind 1 (left out)"
    strange = re.sub(r"(?<=announce_type>)[\w-]+(?=<)", "no_match", mailing())
    assert trouble(strange) == "its items are of unknown kinds (no_match)"


def test_one_item_that_cannot_be_read_spoils_the_feed():
    assert "paper 2" in trouble(mailing().replace("oai:arXiv.org:2608.18092v1", "post-17"))


def test_a_feed_with_entities_or_of_another_kind_is_refused():
    body = mailing().partition("?>")[2]
    declared = '<!DOCTYPE rss [<!ENTITY s SYSTEM "file:///etc/hostname"><!ENTITY l0 "ha">'
    assert "document type" in trouble(f"{declared}]>{body}")
    assert "document type" in trouble(f"{declared}]>{body.replace('Position:', '&s;')}")
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    for bomb in (("Position:", "&l8;"), ('version="2.0"', 'version="&l8;"')):
        assert "cut off or damaged" in trouble(f"{declared}{laughs}]>{body.replace(*bomb)}")
    assert trouble("<urlset/>") == "it is XML of another kind (urlset)"
    assert trouble("<html><body>Rate exceeded.</body></html>") == "it is a web page, not a feed"
    assert "cut off or damaged" in trouble("busy")


def test_the_words_of_throttling_with_status_200_are_understood(tmp_path: Path):
    fault = Answer(b"Rate exceeded.")
    with serve_mailings(MAILINGS, THURSDAY_NOON, {FEED: [fault] * 5}) as arxiv:
        assert rss(arxiv, tmp_path).announced("cs.AI", THURSDAY).outcome == "throttled"


def test_yesterdays_papers_under_todays_date_look_right_to_this_source_alone(tmp_path: Path):
    """What only the papers' ids can tell, for the one who compares sources and days."""
    with serve_mailings(MAILINGS, THURSDAY_NOON) as arxiv:
        arxiv.holds[FEED] = WEDNESDAY
        said = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (said.outcome, [row.paper.id for row in said.rows]) == ("ok", ["2608.17000"])


def test_new_papers_under_yesterdays_date_are_not_trusted(tmp_path: Path):
    with serve_mailings(MAILINGS, datetime(2026, 8, 20, 1, tzinfo=UTC)) as arxiv:
        arxiv.early_feeds = True
        said = rss(arxiv, tmp_path).announced("cs.AI", THURSDAY)
    assert (said.outcome, said.day, len(said.rows)) == ("stale", WEDNESDAY, 6)
