"""The one door to arXiv's addresses: one request at a time on this machine, well spaced, patient.

arXiv allows one request every three seconds and one connection at a time, summed over all its
interfaces and all machines of one user (https://info.arxiv.org/help/api/tou.html).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from obsidian_digest.edge.polite_web.addresses import address, is_loopback, next_address, service
from obsidian_digest.edge.polite_web.answers import (
    PassingError,
    RefusedError,
    WebError,
    check,
    gave_up,
    held,
    unusable,
)
from obsidian_digest.edge.polite_web.exchange import Answer, call
from obsidian_digest.edge.polite_web.turns import Clock, HeldError, Turns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Clock", "PoliteWeb", "WebError"]

T = TypeVar("T")

ALLOWED_INTERVAL = 3.0


class PoliteWeb:
    """Gets arXiv's answers, asking again where that helps.

    `folder` holds the lock and the clock file shared by all runs of this machine. `min_interval`
    is the number of seconds from one request to the next; less than 3 is honoured for loopback
    addresses only. An address is asked `tries` times at most, `corrupt_tries` times if what comes
    cannot be read, and not again once it has taken `patience` seconds; once only where nothing came
    back for the last address: without a network the run shall end soon. `timeout` is for connecting
    and for each silence of the server, `longest_answer` for one answer from first to last byte.
    """

    def __init__(
        self,
        folder: Path,
        min_interval: float = ALLOWED_INTERVAL,
        *,
        tries: int = 5,
        corrupt_tries: int = 3,
        patience: float = 300.0,
        timeout: tuple[float, float] = (10.0, 60.0),
        longest_answer: float = 180.0,
        clock: Clock | None = None,
    ) -> None:
        self._min_interval = min_interval
        self._tries = tries
        self._corrupt_tries = corrupt_tries
        self._patience = patience
        self._timeout = timeout
        self._longest_answer = longest_answer
        self._clock = clock or Clock()
        self._turns = Turns(folder, self._clock)
        self._answered = True
        """Whether anything came back for the last request."""

    def get(self, url: str, read: Callable[[bytes], T]) -> T:
        """What `read` makes of the answer's bytes; `read` raises ValueError for a corrupt one.

        Raises WebError, worded for the reader, when no try gave an answer that can be read, and
        without any request while arXiv's word that it is not to be asked holds.
        """
        deadline, corrupt = self._clock.steady() + self._patience, 0
        tries = self._tries if self._answered else 1
        for attempt in range(1, tries + 1):
            try:
                return self._read(url, read, deadline)
            except PassingError as trouble:
                corrupt += trouble.outcome == "corrupt"
                last = attempt == tries or corrupt == self._corrupt_tries
                self._pause(url, trouble, attempt, None if last else deadline)
            except RefusedError as refusal:
                raise self._stop_for_the_day(refusal.service) from refusal
            except HeldError as wait:
                raise held(wait.service, wait.hold, self._clock.now()) from wait
        raise AssertionError("the last try returns or raises")

    def _read(self, url: str, read: Callable[[bytes], T], deadline: float) -> T:
        asked = [url]
        while (answer := self._ask(asked[-1], deadline)).leads_on:
            asked.append(next_address(asked, answer.location))
        try:
            return read(answer.body)
        except ValueError as error:
            raise unusable(answer, error) from error

    def _ask(self, url: str, deadline: float) -> Answer:
        with self._turns.take(service(url), self._interval(url), deadline) as arrived:
            self._answered = False
            answer = call(url, self._timeout, self._longest_answer, arrived)
            self._answered = True
        check(answer, self._clock.now())
        return answer

    def _pause(self, url: str, trouble: PassingError, attempt: int, deadline: float | None) -> None:
        """Wait before the next try; raises WebError if there is none, or no time for it."""
        backoff = self._interval(url) * 2.0**attempt * (1 + self._clock.jitter() / 4)
        pause = max(backoff, trouble.retry_after)
        hold = None
        if trouble.outcome == "throttled" or trouble.retry_after:
            # All runs of this machine wait; this one by asking for its turn.
            hold = self._turns.hold(trouble.service, pause)
        if deadline is None or self._clock.steady() + pause > deadline:
            raise gave_up(trouble, hold, self._clock.now()) from trouble
        if hold is None:
            self._clock.sleep(pause)

    def _stop_for_the_day(self, refused: str) -> WebError:
        now = self._clock.now()
        today = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        tomorrow = (today + timedelta(days=1)).timestamp()
        hold = self._turns.hold(refused, tomorrow - now, refused=True)
        return held(refused, hold, now, just_now=True)

    def _interval(self, url: str) -> float:
        if is_loopback(address(url).hostname):
            return self._min_interval
        return max(self._min_interval, ALLOWED_INTERVAL)
