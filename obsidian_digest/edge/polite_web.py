"""The one door to arXiv's addresses: one request at a time on this machine, well spaced, patient.

arXiv allows one request every three seconds and one connection at a time, summed over all its
interfaces and all machines of one user (https://info.arxiv.org/help/api/tou.html). A lock and a
clock file keep that promise across processes, which no client object can.
"""

from __future__ import annotations

import random
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from obsidian_digest import __version__
from obsidian_digest.errors import InputError, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import filelock
    import requests

    from obsidian_digest.model import SourceOutcome

T = TypeVar("T")

HEADERS = {
    "User-Agent": f"obsidian-digest/{__version__} (arXiv digests in an Obsidian vault)",
    # arXiv's front answers 406 to clients that do not say what they accept.
    "Accept": "application/atom+xml, application/rss+xml, text/html;q=0.9, */*;q=0.8",
}
ALLOWED_INTERVAL = 3.0
# Setting up the first connection delays that request more than the next one is delayed, so that
# requests sent exactly three seconds apart may arrive closer together.
MARGIN = 1.05
THROTTLED = frozenset({406, 429})
ASK_AGAIN = THROTTLED | {500, 502, 503, 504}
BIGGEST_ANSWER = 64 * 2**20
LONGEST_ANSWER = 180.0
LOCK_PATIENCE = 900.0
LONGEST_HOLD = 7 * 86_400.0


class WebError(SourceError):
    """An address gave nothing that can be used; `source_outcome` is its row in the report."""

    def __init__(
        self, what: str, where: str, hint: str, source_outcome: SourceOutcome = "unreachable"
    ) -> None:
        super().__init__(what, where, f"Nothing was lost; {hint}")
        self.source_outcome = source_outcome


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as the waiting needs it, replaceable in tests."""

    now: Callable[[], float] = time.time
    """Seconds since 1970: the clock file is read by other processes."""
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    """0 to 1, so that two machines that failed together do not come back together."""


class PoliteWeb:
    """Gets arXiv's answers, asking again where that helps.

    `folder` holds the lock and the clock file shared by all runs of this machine. `min_interval`
    is the number of seconds between the starts of two requests; less than 3 is honoured for
    loopback addresses only. `patience` is the longest total wait, in seconds, for one answer.
    """

    def __init__(
        self,
        folder: Path,
        min_interval: float = ALLOWED_INTERVAL,
        *,
        tries: int = 5,
        patience: float = 300.0,
        timeout: tuple[float, float] = (10.0, 60.0),
        clock: Clock | None = None,
    ) -> None:
        self._folder = folder
        self._clock_file = folder / "arxiv.clock"
        self._min_interval = min_interval
        self._tries = tries
        self._patience = patience
        self._timeout = timeout
        self._clock = clock or Clock()

    def get(self, url: str, read: Callable[[bytes], T]) -> T:
        """What `read` makes of the answer's bytes; `read` raises ValueError for a corrupt one.

        Raises WebError, worded for the reader, when no try gave an answer that can be read.
        """
        waited = 0.0
        for attempt in range(1, self._tries + 1):
            try:
                return self._read(url, read)
            except _AskAgainError as trouble:
                backoff = self._interval(url) * 2.0**attempt * (1 + self._clock.jitter() / 4)
                pause = max(backoff, trouble.retry_after)
                waited += pause
                if attempt == self._tries or waited > self._patience:
                    raise _gave_up(url, trouble) from trouble
                if trouble.outcome == "throttled":
                    self._hold_everyone(url, pause)
                self._clock.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _read(self, url: str, read: Callable[[bytes], T]) -> T:
        answer = self._ask(url)
        try:
            return read(answer)
        except ValueError as error:
            # The words arXiv sends, sometimes with status 200, when it has had enough of us.
            if b"rate exceeded" in answer[:500].lower():
                raise _AskAgainError("throttled", "arXiv answered: rate exceeded") from error
            raise _AskAgainError("corrupt", f"arXiv's answer cannot be used: {error}") from error

    def _ask(self, url: str) -> bytes:
        import requests  # noqa: PLC0415 - 150 ms that most commands never need

        with self._turn(url):
            try:
                # No session: a connection kept open between requests would save nothing here.
                with requests.get(
                    url, headers=HEADERS, timeout=self._timeout, stream=True
                ) as response:
                    body = self._body(response)
            except (requests.exceptions.RequestException, ValueError) as error:
                if isinstance(error, ValueError):
                    raise WebError(
                        f"{url} is not an address that can be asked",
                        "",
                        "correct the address and run again.",
                    ) from error
                raise _AskAgainError("unreachable", _network_words(error)) from error
        _check_status(url, response, body, self._clock.now())
        return body

    def _body(self, response: requests.Response) -> bytes:
        import requests  # noqa: PLC0415 - see _ask

        body, deadline = bytearray(), self._clock.now() + LONGEST_ANSWER
        for piece in response.iter_content(2**16):
            body += piece
            if len(body) > BIGGEST_ANSWER or self._clock.now() > deadline:
                raise requests.exceptions.ReadTimeout("the answer does not end")
        return bytes(body)

    @contextmanager
    def _turn(self, url: str) -> Iterator[None]:
        """This process's turn: the lock is held from the wait until the answer is in."""
        lock = self._locked(url)
        try:
            self._wait(self._interval(url))
            yield
        finally:
            lock.release()

    def _locked(self, url: str) -> filelock.BaseFileLock:
        import filelock  # noqa: PLC0415 - 70 ms that most commands never need

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._clock_file.touch()
            lock = filelock.FileLock(self._folder / "arxiv.lock", timeout=LOCK_PATIENCE)
            lock.acquire()
        except filelock.Timeout as error:
            raise WebError(
                "another run of obsidian-digest has been asking arXiv for a long time",
                urlsplit(url).netloc,
                "try again when it has ended.",
            ) from error
        except OSError as error:
            raise self._no_clock(error) from error
        return lock

    def _wait(self, interval: float) -> None:
        last, hold = self._read_clock()
        wait = max(last + interval, hold) - self._clock.now()
        if wait > 0:
            # A wait beyond all patience is a clock that was set back since, not a request to wait.
            self._clock.sleep(wait if wait <= max(interval, self._patience) else interval)
        self._write_clock(self._clock.now(), 0.0)

    def _hold_everyone(self, url: str, pause: float) -> None:
        """Make the other runs of this machine wait as well."""
        lock = self._locked(url)
        try:
            self._write_clock(self._read_clock()[0], self._clock.now() + pause)
        finally:
            lock.release()

    def _read_clock(self) -> tuple[float, float]:
        try:
            last, hold = self._clock_file.read_text("ascii").split()
            return float(last), float(hold)
        except ValueError:
            return 0.0, 0.0

    def _write_clock(self, last: float, hold: float) -> None:
        try:
            self._clock_file.write_text(f"{last!r} {hold!r}\n", "ascii")
        except OSError as error:
            raise self._no_clock(error) from error

    def _no_clock(self, error: OSError) -> InputError:
        return InputError(
            f"the clock that spaces requests to arXiv cannot be kept here ({error.strerror})",
            str(self._folder),
            "Set OBSIDIAN_DIGEST_CACHE to a folder that can be written.",
        )

    def _interval(self, url: str) -> float:
        loopback = urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
        return (
            self._min_interval if loopback else max(self._min_interval, ALLOWED_INTERVAL) * MARGIN
        )


class _AskAgainError(Exception):
    """A failure that may pass: worth another try."""

    def __init__(self, outcome: SourceOutcome, what: str, retry_after: float = 0.0) -> None:
        super().__init__(what)
        self.outcome, self.what, self.retry_after = outcome, what, retry_after


def _check_status(url: str, response: requests.Response, body: bytes, now: float) -> None:
    status = response.status_code
    if status == 200:  # noqa: PLR2004 - HTTP's own number
        return
    host = urlsplit(url).netloc
    if status in ASK_AGAIN:
        wait = _retry_after(response.headers.get("Retry-After", ""), now)
        if status in THROTTLED or wait:
            raise _AskAgainError("throttled", f"arXiv asks us to slow down (HTTP {status})", wait)
        raise _AskAgainError("unreachable", f"arXiv's server is in trouble (HTTP {status})")
    if status == 403:  # noqa: PLR2004
        raise WebError(
            "arXiv refuses requests from this machine (HTTP 403)",
            host,
            "do not ask again before tomorrow: arXiv treats requests after a refusal as an attack.",
            "throttled",
        )
    raise WebError(
        f"arXiv did not accept the request (HTTP {status}){_own_words(body)}",
        host,
        "but asking the same again will not help: check the categories and ids asked for.",
    )


def _own_words(body: bytes) -> str:
    """The reason arXiv gives: its errors are feeds with one entry that says what is wrong."""
    found = re.search(rb"<entry>.*?<summary[^>]*>([^<]{1,200})", body, re.DOTALL)
    return f": {' '.join(found[1].decode('utf-8', 'replace').split())}" if found else ""


def _retry_after(value: str, now: float) -> float:
    """Seconds asked for by a Retry-After header: a number or a date (RFC 9110, 10.2.3)."""
    try:
        number = value.strip().isdecimal()
        seconds = float(value) if number else parsedate_to_datetime(value).timestamp() - now
    except (ValueError, OverflowError):
        return 0.0
    return min(max(0.0, seconds), LONGEST_HOLD)


def _network_words(error: requests.exceptions.RequestException) -> str:
    import requests  # noqa: PLC0415 - see PoliteWeb._ask

    kinds = requests.exceptions
    if isinstance(error, kinds.Timeout):
        return "arXiv did not answer in time"
    if isinstance(error, kinds.ProxyError):
        return "the proxy that leads to arXiv does not work"
    if isinstance(error, kinds.SSLError):
        return "the connection to arXiv is not secure (certificate problem)"
    if isinstance(error, kinds.ChunkedEncodingError):
        return "the connection to arXiv was cut in the middle of an answer"
    return "arXiv could not be reached"


def _gave_up(url: str, trouble: _AskAgainError) -> WebError:
    minutes = max(15, int(trouble.retry_after // 60) + 1)
    hint = {
        "throttled": f"try again in {minutes} minutes or more.",
        "corrupt": "try again in an hour; arXiv repairs such answers itself.",
    }.get(trouble.outcome, "check the network connection, or try again later.")
    return WebError(trouble.what, urlsplit(url).netloc, hint, trouble.outcome)
