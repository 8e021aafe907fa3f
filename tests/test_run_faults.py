"""What goes wrong at arXiv, each thing at each source: the right word, no paper lost, no haste."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.edge.polite_web import PoliteWeb
from tests.edge.announcement_server import Announcing, Mailing, serve_mailings
from tests.edge.arxiv_server import (
    EMPTY_BODY,
    HANG,
    Answer,
    cut_connection,
    cut_xml,
    failed,
    throttled,
    web_page,
    without_entries,
)
from tests.edge.asking import FakeClock, paper
from tests.edge.oai_server import EXPIRED, NOTHING, Row, serve_oai
from tests.vaults import call, contents, new_vault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obsidian_digest.model import Paper
    from tests.edge.arxiv_server import Fault, Served

WEDNESDAY, THURSDAY = date(2026, 8, 19), date(2026, 8, 20)
CATEGORIES = ("cs.AI", "cs.RO")
PATHS = {
    "rss": [f"/rss/{category}" for category in CATEGORIES],
    "listing": [f"/list/{category}/new" for category in CATEGORIES],
    "api": ["/api/query"],
}


def of_day(day: date, first: int, minutes: int) -> Mailing:
    kinds = ("cs.AI", "cs.RO", "cs.AI")
    some = [paper(first + n, minutes + n, kinds[n % 3], announced=day) for n in range(7)]
    return Mailing(day, tuple(replace(each, comment=f"{n} pages") for n, each in enumerate(some)))


MAILINGS = (of_day(WEDNESDAY, 0, -600), of_day(THURSDAY, 20, 600))
PAPERS: tuple[Paper, ...] = tuple(each for mailing in MAILINGS for each in mailing.new)
NEW = {each.id for each in MAILINGS[1].new}


def no_hits(answer: Answer) -> Answer:
    """A search that counts nothing in a busy category."""
    body = re.sub(rb"totalResults>\d+<", b"totalResults>0<", without_entries(answer).body)
    return replace(answer, body=body)


def one_twice(answer: Answer) -> Answer:
    """A search that lists a paper twice and another one, which it counts, not at all."""
    entries = re.findall(rb"  <entry>.*?</entry>\n", answer.body, flags=re.DOTALL)
    return replace(answer, body=answer.body.replace(entries[-1], entries[0]) if entries else b"")


FAULTS: dict[str, tuple[Fault, str]] = {
    "429": (throttled(), "throttled"),
    "429 with Retry-After": (throttled(20), "throttled"),
    "429 for an hour": (throttled(3600), "throttled"),
    "503": (failed(503), "unreachable"),
    "406": (failed(406), "throttled"),
    "403": (failed(403), "throttled"),
    "web page": (web_page(), "corrupt"),
    "empty body": (EMPTY_BODY, "corrupt"),
    "cut XML": (cut_xml, "corrupt"),
    "cut connection": (cut_connection, "unreachable"),
    "hang": (HANG, "unreachable"),
}
FAST = {
    ("429", "rss"), ("429 for an hour", "rss"), ("403", "listing"), ("cut XML", "listing"),
    ("503", "api"), ("web page", "api"),
}  # fmt: skip
MATRIX = [
    pytest.param(*pair, marks=[] if pair in FAST else [pytest.mark.slow], id="-".join(pair))
    for pair in product(FAULTS, PATHS)
]


@dataclass
class Reader:
    """A vault that has Wednesday's digest, on Thursday morning."""

    vault: Path
    arxiv: Announcing
    clock: FakeClock

    def run(self, *words: str):
        return call(self.vault, "run", "--json", *words)

    def spoil(self, fault: Fault, *sources: str, times: int = 99) -> None:
        for source in sources:
            for path in PATHS[source]:
                self.arxiv.faults[path] = [fault] * times

    def recover(self) -> None:
        self.arxiv.faults.clear()
        self.arxiv.as_of.clear()
        self.arxiv.holds.clear()
        self.clock.seconds += 90_000  # what arXiv refuses it refuses for a day


def settings(monkeypatch: pytest.MonkeyPatch, folder: Path, served: Served) -> None:
    monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0.001")
    monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(folder / "cache"))
    urls = {"RSS": f"{served.root}/rss", "LIST": served.root, "API": served.url}
    for name, url in urls.items():
        monkeypatch.setenv(f"OBSIDIAN_DIGEST_{name}_URL", url)
    on_day(monkeypatch, THURSDAY)


def on_day(monkeypatch: pytest.MonkeyPatch, day: date) -> datetime:
    now = datetime(day.year, day.month, day.day, 16, tzinfo=UTC)
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", now.isoformat())
    return now


def small_vault(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    vault = new_vault(folder, encoder="words")
    config = vault / "obsidian-digest.toml"
    text = config.read_text().replace('["cs.AI", "cs.CL"]', '["cs.AI", "cs.RO"]')
    config.write_text(text.replace("min_stars = 3", "min_stars = 0"))
    return vault


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> dict[str, Path]:
    """The vault after Wednesday's run, and after Thursday's where nothing went wrong."""
    folder = tmp_path_factory.mktemp("prepared")
    with (
        pytest.MonkeyPatch.context() as patched,
        serve_mailings(MAILINGS, datetime.max.replace(tzinfo=UTC)) as arxiv,
    ):
        settings(patched, folder, arxiv)
        arxiv.now = on_day(patched, WEDNESDAY)
        vault = small_vault(folder)
        assert call(vault, "run", "--json").json["selected"] == 7
        shutil.copytree(vault, folder / "wednesday")
        arxiv.now = on_day(patched, THURSDAY)
        assert call(vault, "run", "--json").json["selected"] == 7
    return {"wednesday": folder / "wednesday", "thursday": vault}


@pytest.fixture
def reader(prepared, tmp_path, monkeypatch) -> Iterator[Reader]:
    with at_arxiv(prepared, tmp_path, monkeypatch, MAILINGS) as one:
        yield one


@contextmanager
def at_arxiv(prepared, folder: Path, monkeypatch, mailings, **how) -> Iterator[Reader]:
    """Without waiting: the clock runs on by itself when somebody sleeps."""
    shutil.copytree(prepared["wednesday"], folder / "vault")
    clock = FakeClock()

    def web(cache: Path, *, tries: int = 3, patience: float = 300.0) -> PoliteWeb:
        short = {"timeout": (5.0, 0.2), "clock": clock.clock}
        return PoliteWeb(cache, 3.0, tries=tries, corrupt_tries=2, patience=patience, **short)

    monkeypatch.setattr("obsidian_digest.services.polite_web", web)
    noon = datetime(2026, 8, 20, 16, tzinfo=UTC)
    with serve_mailings(mailings, noon, **how) as arxiv:
        settings(monkeypatch, folder, arxiv)
        yield Reader(folder / "vault", arxiv, clock)


def words(ran) -> dict[str, str]:
    return {row["name"]: row["outcome"] for row in ran.json["sources"]}


def whole(prepared, vault: Path, *, searched: bool = False) -> bool:
    """Whether the vault is the one that had no trouble, but for the word "search" in the digest."""
    found, expected = contents(vault), contents(prepared["thursday"])
    if not searched:
        return found == expected
    seals = re.compile(rb"seal=[0-9a-f]+|Source: .*|Submitted .*")
    return {key: seals.sub(b"", raw) for key, raw in found.items()} == {
        key: seals.sub(b"", raw) for key, raw in expected.items()
    }


@pytest.mark.parametrize(("name", "source"), MATRIX)
def test_a_source_that_fails_is_told_by_its_word_and_the_next_one_gives_the_whole_day(
    prepared, reader, name, source
):
    fault, word = FAULTS[name]
    before = [each for each in PATHS if each != source][: list(PATHS).index(source)]
    reader.spoil(failed(503), *before)
    reader.spoil(fault, source)
    if source == "api":  # the last one: then there is nobody left
        ran, standing = reader.run(), contents(prepared["wednesday"])
        assert (ran.code, ran.json["exit"], ran.json["outcome"]) == (4, 4, "unreachable")
        assert words(ran) == {"rss": "unreachable", "listing": "unreachable", "api": word}
        assert contents(reader.vault) == standing
        assert "Nothing was written or lost" in ran.json["message"]
        reader.recover()
        assert reader.run().code == 0
        assert whole(prepared, reader.vault)
        return
    ran = reader.run()
    assert (ran.code, ran.json["outcome"], ran.json["missing"]) == (0, "digest", [])
    assert {each["id"] for each in ran.json["papers"]} == NEW
    assert words(ran)[source] == word
    assert "ok" in words(ran).values()
    assert whole(prepared, reader.vault, searched=source == "listing")
    after = contents(reader.vault)
    reader.recover()
    assert reader.run().json["outcome"] == "no-announcement"
    assert contents(reader.vault) == after


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("rss", marks=pytest.mark.slow),
        "listing",
        pytest.param("api", marks=pytest.mark.slow),
    ],
)
def test_a_named_source_is_the_only_one_that_is_asked(prepared, reader, source):
    reader.spoil(web_page(), source)
    ran = reader.run("--source", source)
    assert (ran.code, words(ran)) == (4, {source: "corrupt"})
    assert {each.path for each in reader.arxiv.log} <= set(PATHS[source])
    assert "web page" in ran.json["message"]
    assert contents(reader.vault) == contents(prepared["wednesday"])
    reader.recover()
    ran = reader.run("--source", source)
    assert (ran.code, words(ran)) == (0, {source: "ok"})
    assert whole(prepared, reader.vault, searched=source == "api")


def test_a_feed_of_yesterday_is_told_as_such_and_the_list_used(prepared, reader):
    for path in PATHS["rss"]:
        reader.arxiv.as_of[path] = reader.arxiv.now - timedelta(days=1)
    ran = reader.run()
    assert (ran.code, words(ran)) == (0, {"rss": "stale", "listing": "ok"})
    assert "arXiv's feed for cs.AI still shows Wednesday, 19 August" in str(ran.json["sources"])
    assert whole(prepared, reader.vault)


def test_one_category_that_is_a_day_old_everywhere_is_named_and_completed_later(prepared, reader):
    for path in ("/rss/cs.RO", "/list/cs.RO/new"):
        reader.arxiv.as_of[path] = reader.arxiv.now - timedelta(days=1)
    reader.arxiv.as_of["/api/query"] = reader.arxiv.now - timedelta(days=1)
    ran = reader.run()
    assert (ran.code, ran.json["outcome"], ran.json["missing"]) == (3, "partial", ["cs.RO"])
    assert words(ran) == {"rss": "stale", "listing": "stale", "api": "empty"}
    assert "list for cs.RO still shows Wednesday" in ran.json["message"]
    reader.recover()
    ran = reader.run()
    assert (ran.code, ran.json["missing"]) == (0, [])
    assert whole(prepared, reader.vault)


def test_yesterdays_papers_under_todays_date_are_not_believed(prepared, reader):
    for path in PATHS["rss"]:
        reader.arxiv.holds[path] = WEDNESDAY
    ran = reader.run()
    assert (ran.code, words(ran)) == (0, {"rss": "stale", "listing": "ok"})
    assert "which were announced before" in str(ran.json["sources"])
    assert whole(prepared, reader.vault)


@pytest.mark.parametrize("source", ["rss", "listing"])
def test_yesterdays_papers_from_the_only_source_write_nothing(prepared, reader, source):
    for path in PATHS[source]:
        reader.arxiv.holds[path] = WEDNESDAY
    ran = reader.run("--source", source)
    assert (ran.code, ran.json["outcome"], words(ran)) == (4, "stale", {source: "stale"})
    assert contents(reader.vault) == contents(prepared["wednesday"])
    reader.recover()
    assert reader.run("--source", source).code == 0
    assert whole(prepared, reader.vault)


@pytest.mark.parametrize(("fault", "word"), [(no_hits, "empty"), (one_twice, "truncated")])
def test_a_search_that_counts_wrong_is_not_believed_and_the_changes_are_asked_for(
    prepared, reader, monkeypatch, fault, word
):
    monkeypatch.setattr(ArxivApi.__init__, "__defaults__", (100,))
    reader.spoil(web_page(), "rss", "listing")
    reader.arxiv.faults["/api/query"] = [fault] * 2
    before = contents(reader.vault)
    ran = reader.run()
    assert (ran.code, words(ran)["api"]) == (4, word)
    assert contents(reader.vault) == before
    reader.spoil(fault, "api", times=2)
    with serve_oai([Row(each, each.announced or THURSDAY) for each in PAPERS]) as oai:
        monkeypatch.setenv("OBSIDIAN_DIGEST_OAI_URL", f"{oai.root}/oai")
        ran = reader.run()
    assert (ran.code, words(ran)["api"], words(ran)["oai"]) == (0, word, "ok")
    assert {each["id"] for each in ran.json["papers"]} == NEW


@pytest.mark.parametrize("source", [pytest.param("listing", marks=pytest.mark.slow), "api"])
def test_an_empty_second_page_is_no_end_of_the_list(prepared, tmp_path, monkeypatch, source):
    monkeypatch.setattr(ArxivApi.__init__, "__defaults__", (3,))
    with at_arxiv(prepared, tmp_path, monkeypatch, MAILINGS, page_size=3) as reader:
        for path in PATHS[source]:
            empty = without_entries if source == "api" else emptied
            reader.arxiv.faults[path] = [None, *[empty] * 99]
        ran = reader.run("--source", source)
        assert (ran.code, words(ran)) == (4, {source: "corrupt"})
        assert contents(reader.vault) == contents(prepared["wednesday"])
        reader.recover()
        assert reader.run("--source", source).code == 0
        assert whole(prepared, reader.vault, searched=source == "api")


def emptied(answer: Answer) -> Answer:
    """A page of a list that says how much there is and shows nothing of it."""
    return replace(answer, body=re.sub(rb"<dl.*</dl>", b"", answer.body, flags=re.DOTALL))


@pytest.mark.slow
def test_a_feed_of_exactly_two_thousand_items_is_not_taken_for_the_whole_day(
    prepared, tmp_path, monkeypatch
):
    more = (paper(100 + n, n % 1000, "cs.RO", announced=THURSDAY) for n in range(1993))
    busy = replace(MAILINGS[1], new=(*MAILINGS[1].new, *more))
    assert [len(busy.rows(category)) for category in CATEGORIES] == [2000, 2000]
    with at_arxiv(prepared, tmp_path, monkeypatch, (MAILINGS[0], busy)) as reader:
        ran = reader.run()
    assert (ran.code, words(ran)) == (0, {"rss": "truncated", "listing": "ok"})
    assert ran.json["unique"] == len(busy.new)
    assert "2,000 items" in str(ran.json["sources"])


@pytest.mark.parametrize(
    ("faults", "word"),
    [
        ([None, EXPIRED], "ok"),
        ([EXPIRED] * 9, "corrupt"),
        pytest.param([NOTHING] * 9, "empty", marks=pytest.mark.slow),
        pytest.param([failed(503)] * 9, "unreachable", marks=pytest.mark.slow),
        pytest.param([None, *[web_page()] * 9], "corrupt", marks=pytest.mark.slow),
        pytest.param([throttled(3600)], "throttled", marks=pytest.mark.slow),
        pytest.param([failed(403)], "throttled", marks=pytest.mark.slow),
    ],
)
def test_the_list_of_changes_is_whole_or_no_answer(prepared, reader, monkeypatch, faults, word):
    rows = [Row(each, each.announced or THURSDAY) for each in PAPERS]
    with serve_oai(rows, faults) as oai:
        monkeypatch.setenv("OBSIDIAN_DIGEST_OAI_URL", f"{oai.root}/oai")
        ran = reader.run("--source", "oai")
        assert words(ran) == {"oai": word}
        if word != "ok":
            assert ran.code == 4
            assert contents(reader.vault) == contents(prepared["wednesday"])
            reader.recover()
            oai.log.clear()
    with serve_oai(rows) as oai:
        monkeypatch.setenv("OBSIDIAN_DIGEST_OAI_URL", f"{oai.root}/oai")
        assert reader.run("--source", "oai").code == 0
    assert whole(prepared, reader.vault, searched=True)


@pytest.mark.parametrize("fault", [no_hits, one_twice])
def test_a_span_of_submissions_is_not_believed_from_a_search_that_counts_wrong(
    reader, monkeypatch, fault
):
    monkeypatch.setattr(ArxivApi.__init__, "__defaults__", (100,))
    reader.spoil(fault, "api")
    before = contents(reader.vault)
    with serve_oai([Row(each, each.announced or THURSDAY) for each in PAPERS]) as oai:
        ran = reader.run("--days", "2")
        assert ran.code == (4 if fault is one_twice else 0)
        assert contents(reader.vault) == before
        monkeypatch.setenv("OBSIDIAN_DIGEST_OAI_URL", f"{oai.root}/oai")
        reader.spoil(fault, "api", times=4)
        ran = reader.run("--days", "2")
    assert ran.code == 0
    assert words(ran)["oai"] == "ok"
    assert {each["id"] for each in ran.json["papers"]} == NEW


def test_without_a_network_the_run_ends_within_about_a_minute(reader, monkeypatch):
    for name in ("RSS", "LIST", "API", "OAI"):
        monkeypatch.setenv(f"OBSIDIAN_DIGEST_{name}_URL", "http://127.0.0.1:1/nothing")
    began = reader.clock.seconds
    ran = reader.run()
    assert (ran.code, set(words(ran).values())) == (4, {"unreachable"})
    assert "could not be reached" in ran.json["message"]
    assert reader.clock.seconds - began < 60


@pytest.mark.slow
def test_two_runs_at_once_never_ask_closer_than_the_limit(tmp_path, monkeypatch):
    interval = 0.1
    bad = {path: [failed(503)] for path in [*PATHS["rss"], *PATHS["listing"]]}
    with serve_mailings(MAILINGS, datetime(2026, 8, 20, 16, tzinfo=UTC), bad) as arxiv:
        settings(monkeypatch, tmp_path, arxiv)
        monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", str(interval))
        vaults = [small_vault(tmp_path / name) for name in ("one", "two")]
        command = [sys.executable, "-m", "obsidian_digest", "run", "--quiet", "--vault"]
        here = Path(__file__).parents[1]
        runs = [subprocess.Popen([*command, str(vault)], cwd=here) for vault in vaults]
        assert [run.wait(60) for run in runs] == [0, 0]
    assert len(arxiv.log) >= 6
    assert min(arxiv.gaps) >= interval
    assert arxiv.busiest == 1
    assert contents(vaults[0]) == contents(vaults[1])
