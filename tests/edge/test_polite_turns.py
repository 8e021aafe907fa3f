import json
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import filelock
import pytest

from obsidian_digest.edge.polite_web import PoliteWeb, WebError, turns
from obsidian_digest.errors import InputError
from tests.edge.arxiv_server import HANG, Answer, failed, serve, throttled
from tests.edge.asking import FakeClock, web

FINE = Answer(b"fine")
ASK = """
import sys
from pathlib import Path
from obsidian_digest.edge.polite_web import PoliteWeb
for _ in range(int(sys.argv[3])):
    PoliteWeb(Path(sys.argv[1]), 0.1).get(sys.argv[2], bytes)
"""


def another_run(folder: Path, url: str, times: int = 1) -> subprocess.Popen[bytes]:
    """Another process that asks."""
    command = [sys.executable, "-c", ASK, str(folder), url, str(times)]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def test_two_runs_at_once_share_one_queue_and_keep_the_interval(tmp_path: Path):
    moved = Answer(status=302, headers=(("Location", "?moved=1"),))
    with serve([FINE, failed(503), throttled(), moved, *[FINE] * 3]) as arxiv:
        runs = [another_run(tmp_path, arxiv.url, 2) for _ in range(2)]
        assert [run.wait(60) for run in runs] == [0, 0]
    assert len(arxiv.log) == 7
    assert arxiv.busiest == 1
    assert min(arxiv.gaps) >= 0.1


def test_a_run_that_is_killed_while_it_asks_leaves_its_turn_and_the_interval_behind(
    tmp_path: Path,
):
    with serve([HANG, FINE]) as arxiv:
        run = another_run(tmp_path, arxiv.url)
        while not arxiv.log:
            time.sleep(0.01)
        time.sleep(0.25)  # longer than the interval since the request began
        killed = time.monotonic()
        run.kill()
        assert PoliteWeb(tmp_path, 0.2).get(arxiv.url, bytes) == b"fine"
        run.wait(10)
    assert 0.2 <= arxiv.log[1].at - killed < 20


def test_a_run_in_another_process_knows_that_arxiv_refused_us(tmp_path: Path):
    with serve([failed(403), FINE]) as arxiv:
        assert another_run(tmp_path, arxiv.url).wait(60) == 1
        with pytest.raises(WebError, match="arXiv refused requests from this machine"):
            PoliteWeb(tmp_path, 0.2).get(arxiv.url, bytes)
    assert len(arxiv.log) == 1


def test_a_run_with_many_questions_lets_another_ask_in_between(tmp_path: Path):
    other_is_done = threading.Event()

    def ask_often() -> None:
        while not other_is_done.is_set() and len(arxiv.log) < 40:
            PoliteWeb(tmp_path, 0.05).get(arxiv.url, bytes)

    with serve([FINE] * 50) as arxiv:
        many = threading.Thread(target=ask_often)
        many.start()
        while not arxiv.log:
            time.sleep(0.01)
        for _ in range(2):
            PoliteWeb(tmp_path, 0.05).get(f"{arxiv.url}?other=1", bytes)
        assert len(arxiv.log) < 40
        other_is_done.set()
        many.join()
    assert arxiv.busiest == 1


def test_requests_of_two_clients_in_one_process_keep_the_interval_in_real_time(tmp_path: Path):
    with serve([FINE, FINE]) as arxiv:
        for _ in range(2):
            PoliteWeb(tmp_path, 0.2).get(arxiv.url, bytes)
    assert min(arxiv.gaps) >= 0.2


def test_the_interval_counts_from_the_moment_the_answer_began(tmp_path: Path):
    time_ = FakeClock()

    def reading(body: bytes) -> bytes:
        time_.seconds += 2.5  # as a long body would take
        return body

    polite = PoliteWeb(tmp_path, 3.0, clock=time_.clock)
    with serve([FINE, FINE]) as arxiv:
        for _ in range(2):
            polite.get(arxiv.url, reading)
    assert time_.naps == [0.5]


def test_another_run_waits_as_well_when_arxiv_has_asked_us_to(tmp_path: Path):
    time_, other = FakeClock(), FakeClock()
    with serve([throttled(40), Answer(b"other"), FINE]) as arxiv:

        def sleep(seconds: float) -> None:
            assert web(tmp_path, other).get(arxiv.url, bytes) == b"other"
            time_.sleep(seconds)

        slow = replace(time_.clock, sleep=sleep)
        assert PoliteWeb(tmp_path, 0.0, clock=slow).get(arxiv.url, bytes) == b"fine"
    assert other.naps == [40.0]


def test_arxivs_other_services_are_asked_while_one_has_said_no(tmp_path: Path):
    with serve([failed(403), FINE]) as arxiv, serve([throttled(3600), FINE]) as other:
        for served in (arxiv, other):
            with pytest.raises(WebError):
                web(tmp_path).get(served.url, bytes)
            with pytest.raises(WebError):
                web(tmp_path).get(f"{served.url}?again=1", bytes)
            assert web(tmp_path).get(f"{served.root}/rss/cs.AI", bytes) == b"fine"


def test_a_lock_that_another_run_never_gives_back_is_told(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(turns, "LOCK_PATIENCE", 0.01)
    with filelock.FileLock(tmp_path / "arxiv.lock"), pytest.raises(WebError) as failure:
        web(tmp_path).get("http://127.0.0.1:9/", bytes)
    assert failure.value.what.startswith("another run of obsidian-digest has been asking arXiv")


def test_a_longer_pause_is_not_shortened_by_a_later_word(tmp_path: Path):
    time_ = FakeClock()
    web_ = web(tmp_path, time_)
    web_._turns.hold("arxiv.org", 100.0)
    assert web_._turns.hold("arxiv.org", 10.0).until == time_.seconds + 100.0


def test_an_interval_below_three_seconds_is_honoured_for_loopback_only(tmp_path: Path):
    polite = PoliteWeb(tmp_path, 0.25)
    assert polite._interval("http://127.0.0.1:80/api") == 0.25
    assert polite._interval("http://[::1]:80/api") == 0.25
    assert polite._interval("http://localhost/api") == 0.25
    assert polite._interval("https://export.arxiv.org/api/query") >= 3.0
    assert polite._interval("http://127.0.0.1.example.org/") >= 3.0
    assert PoliteWeb(tmp_path, 10.0)._interval("https://export.arxiv.org/") >= 10.0


@pytest.mark.parametrize("jump", [-86_400.0, -1.0, 5.0, 86_400.0])
def test_a_clock_that_is_set_costs_an_interval_at_most_and_never_shortens_it(
    jump: float, tmp_path: Path
):
    time_ = FakeClock()
    polite = PoliteWeb(tmp_path, 2.0, clock=time_.clock)
    with serve([FINE] * 3) as arxiv:
        polite.get(arxiv.url, bytes)
        time_.set_by = jump
        polite.get(arxiv.url, bytes)
        polite.get(arxiv.url, bytes)
    assert time_.naps == [2.0, 2.0]


@pytest.mark.parametrize(("later", "uptime", "nap"), [(60, 5.0, 2.0), (0.5, 2e9, 1.5)])
def test_a_machine_started_anew_and_one_that_shares_the_folder_keep_the_interval(
    later: float, uptime: float, nap: float, tmp_path: Path
):
    first, then = FakeClock(), FakeClock()
    started = uptime - then.seconds
    anew = replace(
        then.clock,
        now=lambda: then.seconds + later,
        steady=lambda: then.seconds + started,
    )
    with serve([FINE] * 2) as arxiv:
        PoliteWeb(tmp_path, 2.0, clock=first.clock).get(arxiv.url, bytes)
        PoliteWeb(tmp_path, 2.0, clock=anew).get(arxiv.url, bytes)
    assert then.naps == [nap]


def test_a_pause_does_not_grow_when_the_clock_is_set_back(tmp_path: Path):
    time_ = FakeClock()
    with serve([throttled(3600), FINE]) as arxiv:
        with pytest.raises(WebError):
            web(tmp_path, time_).get(arxiv.url, bytes)
        time_.set_by = -30 * 86_400.0
        with pytest.raises(WebError, match="asked to wait"):
            web(tmp_path, time_).get(arxiv.url, bytes)
        time_.seconds += 3601
        assert web(tmp_path, time_).get(arxiv.url, bytes) == b"fine"


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "gibberish \xe9",
        "1787000000.0 0.0\n",
        "[]",
        '{"last": 3, "holds": {}}',
        '{"last": [1], "holds": {}}',
        '{"last": null, "holds": {}}',
        '{"last": [1, 2], "holds": [3]}',
        '{"last": [1, 2], "holds": {"a": [1]}}',
    ],
)
def test_a_clock_file_that_tells_nothing_costs_an_interval_and_is_written_anew(
    stored: str, tmp_path: Path
):
    time_ = FakeClock()
    (tmp_path / "arxiv.clock").write_text(stored, "latin-1")
    with serve([FINE]) as arxiv:
        assert PoliteWeb(tmp_path, 2.0, clock=time_.clock).get(arxiv.url, bytes) == b"fine"
    assert time_.naps == [2.0]
    written = json.loads((tmp_path / "arxiv.clock").read_text())
    assert written == {"last": [time_.seconds, time_.seconds], "holds": {}}


def test_the_first_request_ever_does_not_wait(tmp_path: Path):
    time_ = FakeClock()
    with serve([FINE]) as arxiv:
        PoliteWeb(tmp_path / "new", 2.0, clock=time_.clock).get(arxiv.url, bytes)
    assert time_.naps == []


def test_pauses_that_are_over_leave_the_clock_file(tmp_path: Path):
    time_ = FakeClock()
    with serve([throttled(40), failed(403)]) as arxiv, pytest.raises(WebError):
        web(tmp_path, time_).get(arxiv.url, bytes)
    (name,) = json.loads((tmp_path / "arxiv.clock").read_text())["holds"]
    assert name == f"{arxiv.root.removeprefix('http://')}/api"
    time_.seconds += 86_400
    with serve([FINE]) as arxiv:
        web(tmp_path, time_).get(arxiv.url, bytes)
    assert json.loads((tmp_path / "arxiv.clock").read_text())["holds"] == {}


def test_a_folder_that_cannot_hold_the_clock_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="OBSIDIAN_DIGEST_CACHE"):
        web(tmp_path / "file").get("http://127.0.0.1:9/", bytes)
    (tmp_path / "arxiv.clock").mkdir()
    with pytest.raises(InputError, match="OBSIDIAN_DIGEST_CACHE"):
        web(tmp_path).get("http://127.0.0.1:9/", bytes)
