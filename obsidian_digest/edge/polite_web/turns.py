"""Whose turn it is to ask arXiv, over all runs of this machine, which no client object can tell.

A lock file is held while a request is under way; a clock file beside it tells when the last one
reached arXiv, and which services asked for a pause or refused us.
"""

from __future__ import annotations

import json
import random
import time
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from obsidian_digest.edge.polite_web.answers import WebError
from obsidian_digest.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import filelock

LOCK_PATIENCE = 900.0
POLL = 0.01
# A longer wait is a slip of the server's, or is said again tomorrow.
LONGEST_HOLD = 86_400.0

Instant = tuple[float, float]
"""One moment by both clocks: seconds since 1970, and since the machine was started."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as the waiting needs it, replaceable in tests."""

    now: Callable[[], float] = time.time
    """Seconds since 1970; may be set, forward or back."""
    steady: Callable[[], float] = time.monotonic
    """Seconds since the machine started, the same in all its processes; never set."""
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    """0 to 1, so that two machines that failed together do not come back together."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A service's word that it is not to be asked before `until`, in seconds since 1970."""

    since: float
    until: float
    refused: bool = False


class HeldError(Exception):
    """The service is not to be asked for longer than the run can wait."""

    def __init__(self, service: str, hold: Hold) -> None:
        super().__init__(service)
        self.service, self.hold = service, hold


class Turns:
    """The queue whose lock and clock file lie in `folder`."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock_file = folder / "arxiv.clock"
        self._clock = clock

    @contextmanager
    def take(self, service: str, interval: float, deadline: float) -> Iterator[Callable[[], None]]:
        """This run's turn to ask, after what is left of the interval and of the service's hold.

        Gives what to call when the answer begins: the request has then reached arXiv, and the next
        interval counts from there, so that the two cannot arrive closer together. Raises HeldError
        if the hold ends after `deadline`, by the steady clock.
        """
        lock = self._lock()
        try:
            while (wait := self._wait(service, interval, deadline)) > 0:
                # Not under the lock: a run of a thousand requests would let no other in.
                lock.release()
                self._clock.sleep(wait)
                self._acquire(lock)
            _, holds = self._read()
            self._write(None, holds)

            def arrived() -> None:
                self._write(self._instant(), holds)

            yield arrived
        finally:
            lock.release()

    def hold(self, service: str, seconds: float, *, refused: bool = False) -> Hold:
        """Let no run ask the service for so long; what holds now, by an older word maybe longer."""
        lock = self._lock()
        try:
            last, holds = self._read()
            now = self._clock.now()
            hold = Hold(now, now + min(seconds, LONGEST_HOLD), refused)
            if old := holds.get(service):
                hold = Hold(now, max(hold.until, old.until), refused or old.refused)
            self._write(last, holds | {service: hold})
        finally:
            lock.release()
        return hold

    def _wait(self, service: str, interval: float, deadline: float) -> float:
        """Seconds until this run may ask."""
        last, holds = self._read()
        now, steady = self._instant()
        hold = holds.get(service)
        if hold and steady + hold.until - now > deadline:
            raise HeldError(service, hold)
        # The shorter one: a clock that was set forward has not made the time pass.
        gone = min(now - last[0], steady - last[1])
        return max(interval - gone, hold.until - now if hold else 0.0)

    def _read(self) -> tuple[Instant, dict[str, Hold]]:
        """When the last request reached arXiv, and the holds that last, for who has the lock."""
        now, steady = self._instant()
        stored = last, holds = self._stored()
        if last is None or last[0] > now or last[1] > steady:
            # No answer began or the run died; a clock was set back; a machine was started anew.
            last = now, steady
        lasting = {}
        for service, hold in holds.items():
            if hold.since > now:
                lasting[service] = Hold(now, now + hold.until - hold.since, hold.refused)
            elif hold.until > now:
                lasting[service] = hold
        if (last, lasting) != stored:
            self._write(last, lasting)
        return last, lasting

    def _stored(self) -> tuple[Instant | None, dict[str, Hold]]:
        try:
            stored = json.loads(self._clock_file.read_text("ascii"))
            holds = {service: Hold(*hold) for service, hold in stored["holds"].items()}
            last = stored["last"]
            return (float(last[0]), float(last[1])) if last else None, holds
        except FileNotFoundError:
            return (0.0, 0.0), {}
        except OSError as error:
            raise self._no_clock(error) from error
        except (ValueError, TypeError, LookupError, AttributeError):
            return None, {}

    def _write(self, last: Instant | None, holds: dict[str, Hold]) -> None:
        stored = {"last": last, "holds": {name: astuple(hold) for name, hold in holds.items()}}
        # Replaced in one step: a run that dies here must not take the holds along.
        new = self._clock_file.with_suffix(".new")
        try:
            new.write_text(json.dumps(stored), "ascii")
            new.replace(self._clock_file)
        except OSError as error:
            raise self._no_clock(error) from error

    def _instant(self) -> Instant:
        return self._clock.now(), self._clock.steady()

    def _lock(self) -> filelock.BaseFileLock:
        """The lock, held."""
        import filelock  # noqa: PLC0415 - 70 ms that most commands never need

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self._folder / "arxiv.lock", timeout=LOCK_PATIENCE)
        except OSError as error:
            raise self._no_clock(error) from error
        self._acquire(lock)
        return lock

    def _acquire(self, lock: filelock.BaseFileLock) -> None:
        import filelock  # noqa: PLC0415 - see _lock

        try:
            lock.acquire(poll_interval=POLL)
        except filelock.Timeout as error:
            raise WebError(
                "another run of obsidian-digest has been asking arXiv for a long time",
                str(self._folder),
                "try again when it has ended.",
            ) from error
        except OSError as error:
            raise self._no_clock(error) from error

    def _no_clock(self, error: OSError) -> InputError:
        return InputError(
            f"the clock that spaces requests to arXiv cannot be kept here ({error.strerror})",
            str(self._folder),
            "Set OBSIDIAN_DIGEST_CACHE to a folder that can be written.",
        )
