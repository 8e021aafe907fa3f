import gzip
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from obsidian_digest.edge.polite_web import PoliteWeb, WebError, exchange
from tests.edge.arxiv_server import (
    EMPTY_BODY,
    Answer,
    error_feed,
    failed,
    serve,
    serve_papers,
    throttled,
)
from tests.edge.asking import RECORDINGS, FakeClock, ask, paper, web

FINE = Answer(b"fine")


@contextmanager
def local_time(zone: str) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("Windows cannot change its zone")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("TZ", zone)
        time.tzset()
        yield
    time.tzset()


def trouble(served, folder: Path, time_: FakeClock | None = None, **changes: object) -> WebError:
    """How asking fails."""
    with pytest.raises(WebError) as failure:
        web(folder, time_, **changes).get(served.url, bytes)
    return failure.value


def test_every_request_names_us_and_what_we_accept(tmp_path: Path):
    with serve_papers([paper(1)]) as arxiv:
        ask(arxiv, tmp_path)
    headers = arxiv.log[0].headers
    assert headers["User-Agent"].startswith("obsidian-digest/")
    assert "arXiv digests" in headers["User-Agent"]
    assert "application/atom+xml" in headers["Accept"]


def test_pauses_double_and_retry_after_is_obeyed(tmp_path: Path):
    time_ = FakeClock()
    polite = PoliteWeb(tmp_path, 1.0, clock=time_.clock)
    with serve([failed(500), failed(500), throttled(40), FINE]) as arxiv:
        assert polite.get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [2.0, 4.0, 40.0]


def test_retry_after_may_be_a_date(tmp_path: Path):
    time_ = FakeClock()
    date = datetime.fromtimestamp(time_.seconds + 90, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    with serve([throttled(date), throttled("soon"), throttled("-5"), FINE]) as arxiv:
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [90.0]


def test_a_date_without_a_zone_is_utc_and_one_that_is_past_asks_for_no_pause(tmp_path: Path):
    time_ = FakeClock()
    with local_time("Asia/Shanghai"), serve([throttled("Mon, 17 Aug 2026 20:54:20"), FINE]) as busy:
        assert web(tmp_path, time_).get(busy.url, bytes) == b"fine"
    assert time_.naps == [60.0]
    with serve([throttled("Mon, 17 Aug 2026 20:00:00 GMT", status=503)] * 5) as broken:
        assert "in trouble" in trouble(broken, tmp_path, time_).what


def test_a_pause_is_kept_after_an_answer_that_is_not_ready_as_well(tmp_path: Path):
    time_ = FakeClock()
    with serve([Answer(status=202, headers=(("Retry-After", "30"),)), FINE]) as arxiv:
        assert "not before" in trouble(arxiv, tmp_path, time_, patience=20.0).what
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [30.0]


@pytest.mark.parametrize(("zone", "until"), [("UTC", "21:54"), ("Asia/Shanghai", "05:54")])
def test_a_pause_beyond_our_patience_is_kept_by_the_runs_that_follow(
    zone: str, until: str, tmp_path: Path
):
    time_ = FakeClock()
    with local_time(zone), serve([throttled(3600), FINE]) as arxiv:
        first = trouble(arxiv, tmp_path, time_)
        time_.seconds += 3000
        then = trouble(arxiv, tmp_path, time_, patience=500.0)
        assert len(arxiv.log) == 1
        time_.seconds += 300
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"
    assert first.what == f"arXiv asks us to slow down (HTTP 429): not before {until} your time"
    assert first.hint == "Nothing was lost; run again after that; until then it is not asked."
    assert then.what == f"arXiv asked to wait until {until} your time"
    assert then.hint == "Nothing was lost; no request was sent. Run again then."
    assert {first.source_outcome, then.source_outcome} == {"throttled"}
    assert {first.exit_code, then.exit_code} == {4}
    assert time_.naps == [300.0]


@pytest.mark.parametrize("far", ["9" * 400, "Fri, 31 Dec 9999 23:59:59 -1200"])
def test_a_pause_without_an_end_ends_the_run_and_lasts_a_day(far: str, tmp_path: Path):
    time_ = FakeClock()
    with serve([throttled(far), FINE]) as arxiv:
        assert "slow down" in trouble(arxiv, tmp_path, time_).what
        time_.seconds += 86_399 - 300
        assert "asked to wait" in trouble(arxiv, tmp_path, time_, patience=200.0).what
        time_.seconds += 301
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"


@pytest.mark.parametrize(
    ("zone", "until"),
    [("UTC", "Tuesday 00:00"), ("Asia/Shanghai", "08:00")],
)
def test_a_refusal_is_told_with_its_end_and_outlives_the_run(zone: str, until: str, tmp_path: Path):
    time_ = FakeClock()
    with local_time(zone), serve([failed(403), FINE]) as arxiv:
        first = trouble(arxiv, tmp_path, time_)
        time_.seconds += 3 * 3600
        then = trouble(arxiv, tmp_path, time_, patience=300.0)
        time_.seconds += 401  # midnight UTC
        assert len(arxiv.log) == 1
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"
    machine, hint = "requests from this machine (HTTP 403) and is not asked until", first.hint
    assert first.what == f"arXiv refuses {machine} {until} your time"
    assert then.what == f"arXiv refused {machine} {until} your time"
    assert hint.startswith("Nothing was lost; do not ask again before tomorrow: arXiv treats")
    assert then.hint == hint
    assert {first.source_outcome, then.source_outcome} == {"throttled"}


@pytest.mark.parametrize(
    ("status", "outcome", "words", "requests"),
    [
        (202, "unreachable", "took the question and has no answer yet (HTTP 202)", 5),
        (204, "corrupt", "arXiv's answer has no content (HTTP 204)", 3),
        (206, "corrupt", "arXiv's answer is only a part of one (HTTP 206)", 3),
        (304, "corrupt", "nothing has changed, which nobody asked (HTTP 304)", 3),
        (300, "corrupt", "of an unexpected kind (HTTP 300)", 3),
        (408, "unreachable", "arXiv's server is in trouble (HTTP 408)", 5),
        (520, "unreachable", "arXiv's server is in trouble (HTTP 520)", 5),
        (404, "unreachable", "arXiv did not accept the request (HTTP 404)", 1),
    ],
)
def test_every_status_is_told_as_what_it_is(
    status: int, outcome: str, words: str, requests: int, tmp_path: Path
):
    with serve([failed(status) if status >= 206 else Answer(status=status)] * 5) as arxiv:
        failure = trouble(arxiv, tmp_path)
    assert words in failure.what
    assert (failure.source_outcome, len(arxiv.log)) == (outcome, requests)


FEED_ERROR = (RECORDINGS.parent / "rss" / "error.xml").read_bytes()
LONG = "Bad subject class 'XX'. Valid subject classes for the archive 'cs' are: cs.AI, cs.AR, cs.CC"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (error_feed("incorrect id format for abc").body, ": incorrect id format for abc"),
        (FEED_ERROR, f": {LONG}."),
        (FEED_ERROR.replace(b"cs.CC.", b"cs.CC" * 40), f": {LONG}{'cs.CC' * 40}"[:202] + "…"),
        (b"<rss><channel><description><![CDATA[a <b>\n\xc2\x9bc]]></description>", ": a <b> c"),
        (
            b'<feed xmlns="http://www.w3.org/2005/Atom"><subtitle>No such list</subtitle></feed>',
            ": No such list",
        ),
        (
            b'<OAI-PMH xmlns="urn:oai"><error code="badVerb">Which?</error></OAI-PMH>',
            ": Which?",
        ),
        (b"<html><body>400</body></html>", ""),
        (b"\xff\xfe\x00", ""),
        (b"", ""),
    ],
)
def test_a_request_that_arxiv_rejects_is_told_with_arxivs_own_reason(
    body: bytes, words: str, tmp_path: Path
):
    with serve([Answer(body, 400)] * 5) as arxiv:
        failure = trouble(arxiv, tmp_path)
    assert failure.what == f"arXiv did not accept the request (HTTP 400){words}"
    assert len(arxiv.log) == 1


def unread(body: bytes) -> bytes:
    raise ValueError("it is no feed")


def test_an_answer_that_stays_corrupt_is_asked_for_less_often_than_one_that_does_not_come(
    tmp_path: Path,
):
    for changes, corrupt, failing in [({}, 3, 5), ({"corrupt_tries": 2, "tries": 4}, 2, 4)]:
        with serve([FINE] * 9) as arxiv, pytest.raises(WebError, match="it is no feed"):
            web(tmp_path, **changes).get(arxiv.url, unread)
        assert len(arxiv.log) == corrupt
        with serve([Answer(b"Rate exceeded.")] * 9) as arxiv, pytest.raises(WebError):
            web(tmp_path, **changes).get(arxiv.url, unread)
        assert len(arxiv.log) == failing


def test_corrupt_answers_are_counted_apart_from_other_troubles(tmp_path: Path):
    answers = [failed(500), EMPTY_BODY, failed(503), EMPTY_BODY, FINE]
    with serve(answers) as arxiv:
        assert web(tmp_path).get(arxiv.url, lambda body: body or unread(body)) == b"fine"


def test_what_hangs_is_asked_again_only_while_our_patience_lasts(tmp_path: Path):
    time_ = FakeClock()

    def hanging(body: bytes) -> bytes:
        time_.seconds += 100
        return unread(body)

    with serve([FINE] * 9) as arxiv, pytest.raises(WebError):
        web(tmp_path, time_, corrupt_tries=9, patience=250.0).get(arxiv.url, hanging)
    assert len(arxiv.log) == 3


@contextmanager
def dripping(head: bytes, drop: bytes = b"x") -> Iterator[str]:
    """A server that says `head` and then one byte now and then; the address."""
    over = threading.Event()

    def drip() -> None:
        with suppress(OSError):
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(head)
                while not over.wait(0.02):
                    connection.sendall(drop)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        finally:
            over.set()
            thread.join()


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<rss/>",
        b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 100000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
    ],
)
def test_an_answer_that_comes_byte_by_byte_is_given_up_in_time(head: bytes, tmp_path: Path):
    began = time.monotonic()
    with dripping(head) as url, pytest.raises(WebError) as failure:
        PoliteWeb(tmp_path, 0.0, tries=1, timeout=(1.0, 0.5), longest_answer=0.1).get(url, bytes)
    assert failure.value.what == "arXiv's answer did not end within 0 seconds"
    assert failure.value.source_outcome == "unreachable"
    assert time.monotonic() - began < 5


def test_an_answer_without_an_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exchange, "BIGGEST_ANSWER", 2**20)
    zeros = gzip.compress(bytes(2**21))
    with serve([Answer(zeros, headers=(("Content-Encoding", "gzip"),))]) as arxiv:
        assert trouble(arxiv, tmp_path, tries=1).what == "arXiv did not answer in time"


def test_damaged_compression_is_told_as_a_corrupt_answer(tmp_path: Path):
    with serve([Answer(b"no gzip", headers=(("Content-Encoding", "gzip"),))] * 5) as arxiv:
        failure = trouble(arxiv, tmp_path)
    assert failure.what == "arXiv's answer cannot be used: its compression is damaged"
    assert (failure.source_outcome, len(arxiv.log)) == ("corrupt", 3)


@pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".org", "[", "[::1", "a:0", "a:port", ""])
def test_a_host_that_no_name_server_knows_how_to_ask_for_is_told(host: str, tmp_path: Path):
    with pytest.raises(WebError, match="is not an address that can be asked"):
        web(tmp_path).get(f"http://{host}/", bytes)
