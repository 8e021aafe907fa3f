"""What an answer means: usable, worth another try, or the end; and the words for each."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from obsidian_digest.errors import SourceError

if TYPE_CHECKING:
    from obsidian_digest.edge.polite_web.exchange import Answer
    from obsidian_digest.edge.polite_web.turns import Hold
    from obsidian_digest.model import SourceOutcome

OK, FORBIDDEN, IN_TROUBLE = 200, 403, 500
THROTTLED = frozenset({406, 429})
PASSING = THROTTLED | {408, 425}
# Answers of success and of caching that hold nothing to read, and what they are.
NO_ANSWER: dict[int, tuple[SourceOutcome, str]] = {
    202: ("unreachable", "arXiv took the question and has no answer yet"),
    204: ("corrupt", "arXiv's answer has no content"),
    206: ("corrupt", "arXiv's answer is only a part of one"),
    304: ("corrupt", "arXiv answered that nothing has changed, which nobody asked"),
}
OWN_WORDS = (
    "{*}entry/{*}summary",  # the search API's errors
    "channel/description",  # a feed's
    "{*}subtitle",  # a feed's in Atom
    "{*}error",  # OAI-PMH's
)
MOST_WORDS = 200
MINUTE = 60


class WebError(SourceError):
    """An address gave nothing that can be used; `source_outcome` is its row in the report."""

    def __init__(
        self, what: str, where: str, hint: str, source_outcome: SourceOutcome = "unreachable"
    ) -> None:
        super().__init__(what, where, f"Nothing was lost; {hint}")
        self.source_outcome = source_outcome


class PassingError(Exception):
    """A failure that may pass: worth another try."""

    def __init__(
        self, outcome: SourceOutcome, what: str, service: str, retry_after: float = 0.0
    ) -> None:
        super().__init__(what)
        self.outcome, self.what, self.service = outcome, what, service
        self.retry_after = retry_after


class RefusedError(Exception):
    """arXiv refuses this machine."""

    def __init__(self, service: str) -> None:
        super().__init__(service)
        self.service = service


def check(answer: Answer, now: float) -> None:
    """Raises PassingError, RefusedError or WebError unless the answer has content or leads on."""
    status, service = answer.status, answer.service
    if status == OK or answer.leads_on:
        return
    wait = _retry_after(answer.retry_after, now)
    if status in PASSING or status >= IN_TROUBLE:
        if status in THROTTLED or wait:
            what = f"arXiv asks us to slow down (HTTP {status})"
            raise PassingError("throttled", what, service, wait)
        what = f"arXiv's server is in trouble (HTTP {status})"
        raise PassingError("unreachable", what, service)
    if status == FORBIDDEN:
        raise RefusedError(service)
    if status < 400:  # noqa: PLR2004 - HTTP's own border
        unknown: tuple[SourceOutcome, str] = ("corrupt", "arXiv's answer is of an unexpected kind")
        outcome, what = NO_ANSWER.get(status, unknown)
        raise PassingError(outcome, f"{what} (HTTP {status})", service, wait)
    raise WebError(
        f"arXiv did not accept the request (HTTP {status}){_own_words(answer.body)}",
        service,
        "but asking the same again will not help: check the categories and ids asked for.",
    )


def unusable(answer: Answer, error: ValueError) -> PassingError:
    """What it means that the answer's content could not be read."""
    # The words arXiv sends, sometimes with status 200, when it has had enough of us.
    if b"rate exceeded" in answer.body[:500].lower():
        return PassingError("throttled", "arXiv answered: rate exceeded", answer.service)
    what = f"arXiv's answer cannot be used: {error}"
    return PassingError("corrupt", what, answer.service)


def gave_up(trouble: PassingError, hold: Hold | None, now: float) -> WebError:
    """The error after the last try; `hold` is what arXiv's wish for a pause has led to."""
    what, hint = trouble.what, "check the network connection, or try again later."
    if trouble.outcome == "corrupt":
        hint = "try again in an hour; arXiv repairs such answers itself."
    elif hold and trouble.retry_after:
        what += f": not before {_clock_time(hold.until, now)}"
        hint = "run again after that; until then it is not asked."
    elif trouble.outcome == "throttled":
        hint = "try again in 15 minutes or more."
    return WebError(what, trouble.service, hint, trouble.outcome)


def held(service: str, hold: Hold, now: float, *, just_now: bool = False) -> WebError:
    """The error while arXiv is not to be asked, and the one that begins such a day."""
    until = _clock_time(hold.until, now)
    if not hold.refused:
        what, hint = f"arXiv asked to wait until {until}", "no request was sent. Run again then."
        return WebError(what, service, hint, "throttled")
    refused = "refuses" if just_now else "refused"
    return WebError(
        f"arXiv {refused} requests from this machine (HTTP 403) and is not asked until {until}",
        service,
        "do not ask again before tomorrow: arXiv treats requests after a refusal as an attack.",
        "throttled",
    )


def _clock_time(instant: float, now: float) -> str:
    """The reader's own time, in whole minutes and never too early."""
    whole = -(-instant // MINUTE) * MINUTE
    at, today = (datetime.fromtimestamp(t, UTC).astimezone() for t in (whole, now))
    return f"{at:%H:%M} your time" if at.date() == today.date() else f"{at:%A %H:%M} your time"


def _retry_after(value: str, now: float) -> float:
    """Seconds asked for by a Retry-After header: a number or a date (RFC 9110, 10.2.3)."""
    try:
        if value.strip().isdecimal():
            return float(value)
        at = parsedate_to_datetime(value)
        return max(0.0, at.replace(tzinfo=at.tzinfo or UTC).timestamp() - now)
    except (ValueError, OverflowError):
        return 0.0


def _own_words(body: bytes) -> str:
    """The reason that arXiv gives."""
    from lxml import etree  # noqa: PLC0415 - 40 ms that most commands never need

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(body[: 2**16].lstrip(), parser)
    except etree.XMLSyntaxError:
        return ""
    found = (root.findtext(path) for path in OWN_WORDS) if root is not None else ()
    words = " ".join(next(filter(None, found), "").split())
    words = "".join(filter(str.isprintable, words))
    return f": {words[:MOST_WORDS]}{'…' * (len(words) > MOST_WORDS)}" if words else ""
