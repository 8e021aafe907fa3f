import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from obsidian_digest.edge.polite_web import Clock, PoliteWeb, WebError
from obsidian_digest.errors import InputError
from tests.edge.arxiv_server import (
    Answer,
    failed,
    serve,
    serve_papers,
    throttled,
)
from tests.edge.asking import FakeClock, ask, paper, web


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
    with serve([failed(500), failed(500), throttled(40), Answer(b"fine")]) as arxiv:
        assert polite.get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [2.0, 4.0, 40.0]


def test_retry_after_may_be_a_date(tmp_path: Path):
    time_ = FakeClock()
    date = datetime.fromtimestamp(time_.seconds + 90, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    with serve([throttled(date), throttled("soon"), Answer(b"fine")]) as arxiv:
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [90.0, 0.0]


@pytest.mark.parametrize("far", ["9" * 400, "Fri, 31 Dec 9999 23:59:59 -1200"])
def test_a_wait_without_an_end_ends_the_run_and_is_no_bug(far: str, tmp_path: Path):
    with serve([throttled(far)] * 9) as arxiv, pytest.raises(WebError, match="slow down"):
        web(tmp_path).get(arxiv.url, bytes)


@pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".org"])
def test_a_host_that_no_name_server_knows_how_to_ask_for_is_told(host: str, tmp_path: Path):
    with pytest.raises(WebError, match="is not an address that can be asked"):
        web(tmp_path).get(f"http://{host}/", bytes)


def test_a_wait_beyond_our_patience_ends_the_run_and_is_told(tmp_path: Path):
    time_ = FakeClock()
    with (
        serve([throttled(3600)]) as arxiv,
        pytest.raises(WebError, match="try again in 61 minutes"),
    ):
        web(tmp_path, time_).get(arxiv.url, bytes)
    assert time_.naps == []


def test_another_run_waits_as_well_when_arxiv_has_asked_us_to(tmp_path: Path):
    time_, other = FakeClock(), FakeClock()
    with serve([throttled(40), Answer(b"other"), Answer(b"fine")]) as arxiv:

        def sleep(seconds: float) -> None:
            assert web(tmp_path, other).get(arxiv.url, bytes) == b"other"
            time_.sleep(seconds)

        impatient = Clock(now=lambda: time_.seconds, sleep=sleep, jitter=lambda: 0.0)
        assert PoliteWeb(tmp_path, 0.0, clock=impatient).get(arxiv.url, bytes) == b"fine"
    assert other.naps == [40.0]


def test_an_interval_below_three_seconds_is_honoured_for_loopback_only(tmp_path: Path):
    polite = PoliteWeb(tmp_path, 0.25)
    assert polite._interval("http://127.0.0.1:80/api") == 0.25
    assert polite._interval("http://[::1]:80/api") == 0.25
    assert polite._interval("http://localhost/api") == 0.25
    assert polite._interval("https://export.arxiv.org/api/query") >= 3.0
    assert polite._interval("http://127.0.0.1.example.org/") >= 3.0
    assert PoliteWeb(tmp_path, 10.0)._interval("https://export.arxiv.org/") >= 10.0


def test_a_clock_that_was_set_back_costs_one_interval_and_no_more(tmp_path: Path):
    time_ = FakeClock()
    (tmp_path / "arxiv.clock").write_text(f"{time_.seconds + 86_400} 0.0\n")
    with serve([Answer(b"fine")]) as arxiv:
        assert PoliteWeb(tmp_path, 2.0, clock=time_.clock).get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [2.0]


def test_a_broken_clock_file_is_written_anew(tmp_path: Path):
    (tmp_path / "arxiv.clock").write_text("gibberish")
    with serve([Answer(b"fine")]) as arxiv:
        assert web(tmp_path).get(arxiv.url, bytes) == b"fine"
    assert len((tmp_path / "arxiv.clock").read_text().split()) == 2


def test_a_folder_that_cannot_hold_the_clock_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="OBSIDIAN_DIGEST_CACHE"):
        web(tmp_path / "file").get("http://127.0.0.1:9/", bytes)


ASK_THREE_TIMES = """
import sys
from pathlib import Path
from obsidian_digest.edge.polite_web import PoliteWeb
for _ in range(3):
    PoliteWeb(Path(sys.argv[1]), 0.3).get(sys.argv[2], bytes)
"""


def test_two_runs_at_once_share_one_queue_and_keep_the_interval(tmp_path: Path):
    with serve([Answer(b"fine")] * 6) as arxiv:
        command = [sys.executable, "-c", ASK_THREE_TIMES, str(tmp_path), arxiv.url]
        runs = [subprocess.Popen(command) for _ in range(2)]
        assert [run.wait(60) for run in runs] == [0, 0]
    assert len(arxiv.log) == 6
    assert arxiv.busiest == 1
    # Half the interval: on a busy machine one request may take longer to arrive than the next.
    assert min(arxiv.gaps) > 0.15


def test_requests_of_two_clients_in_one_process_keep_the_interval_in_real_time(tmp_path: Path):
    with serve([Answer(b"1"), Answer(b"2")]) as arxiv:
        began = time.monotonic()
        for _ in range(2):
            PoliteWeb(tmp_path, 0.2).get(arxiv.url, bytes)
    assert time.monotonic() - began >= 0.2
