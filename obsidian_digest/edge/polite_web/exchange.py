"""One request and its answer, within a time that nothing can stretch."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from obsidian_digest import __version__
from obsidian_digest.edge.polite_web.addresses import no_address, service
from obsidian_digest.edge.polite_web.answers import PassingError

if TYPE_CHECKING:
    from collections.abc import Callable

    import requests
    from requests.adapters import HTTPAdapter

    from obsidian_digest.model import SourceOutcome

HEADERS = {
    "User-Agent": f"obsidian-digest/{__version__} (arXiv digests in an Obsidian vault)",
    # arXiv's front answers 406 to clients that do not say what they accept.
    "Accept": "application/atom+xml, application/rss+xml, text/html;q=0.9, */*;q=0.8",
}
REDIRECTS = frozenset({301, 302, 303, 307, 308})
BIGGEST_ANSWER = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from one address, whatever its status."""

    service: str
    status: int
    body: bytes
    location: str = ""
    retry_after: str = ""

    @property
    def leads_on(self) -> bool:
        """Whether it only says where the answer is."""
        return self.status in REDIRECTS


def call(
    url: str, timeout: tuple[float, float], longest: float, arrived: Callable[[], None]
) -> Answer:
    """The answer of one address, not followed any further; `arrived` is called as it begins.

    `timeout` is for connecting and for each silence, `longest` for the whole, all in seconds.
    Raises PassingError, or WebError for an address that cannot be asked.
    """
    import requests  # noqa: PLC0415 - 150 ms that most commands never need

    line = _Line()
    alarm = threading.Timer(longest, line.hang_up)
    alarm.daemon = True
    alarm.start()
    try:
        answer = _answer(url, timeout, line, arrived)
    except (requests.exceptions.RequestException, ValueError) as error:
        if isinstance(error, ValueError):
            raise no_address(url) from error
        if not line.hung_up:
            outcome, what = _network_words(error)
            raise PassingError(outcome, what, service(url)) from error
    finally:
        alarm.cancel()
    if line.hung_up:  # an answer of no stated length then looks whole
        what = f"arXiv's answer did not end within {longest:.0f} seconds"
        raise PassingError("unreachable", what, service(url))
    return answer


def _answer(
    url: str, timeout: tuple[float, float], line: _Line, arrived: Callable[[], None]
) -> Answer:
    import requests  # noqa: PLC0415 - see call

    with requests.Session() as session, closing(_adapter(line)) as adapter:
        request = session.prepare_request(requests.Request("GET", url, headers=HEADERS))
        around: Any = session.merge_environment_settings(
            url, {}, stream=True, verify=None, cert=None
        )
        # Past the session, which would read a redirect's body whole, however long it is.
        with adapter.send(request, timeout=timeout, **around) as response:
            arrived()
            headers = response.headers
            return Answer(
                service(url),
                response.status_code,
                _body(response),
                headers.get("Location", ""),
                headers.get("Retry-After", ""),
            )


def _body(response: requests.Response) -> bytes:
    import requests  # noqa: PLC0415 - see call

    body = bytearray()
    for piece in response.iter_content(2**16):
        body += piece
        if len(body) > BIGGEST_ANSWER:
            raise requests.exceptions.ReadTimeout("the answer does not end")
    return bytes(body)


class _Line:
    """The connection of one request, to be hung up: the timeout for silence begins anew each byte.

    A server that sends a byte now and then would hold us for days.
    """

    def __init__(self) -> None:
        self.hung_up = False
        self._socket: socket.socket | None = None

    def pick_up(self, connected: socket.socket) -> None:
        self._socket = connected
        if self.hung_up:
            self.hang_up()

    def hang_up(self) -> None:
        self.hung_up = True
        if self._socket is not None:
            with suppress(OSError):
                # Of the plain socket: that of TLS takes its state away from the reader's thread.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _adapter(line: _Line) -> HTTPAdapter:
    from requests.adapters import HTTPAdapter  # noqa: PLC0415 - see call

    class Watched(HTTPAdapter):
        def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
            pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
            kind: Any = pool.ConnectionCls

            class Connection(kind):  # type: ignore[misc]
                def connect(self) -> None:
                    super().connect()
                    line.pick_up(self.sock)

            pool.ConnectionCls = Connection
            return pool

    return Watched()


def _network_words(error: requests.exceptions.RequestException) -> tuple[SourceOutcome, str]:
    import requests  # noqa: PLC0415 - see call

    kinds = requests.exceptions
    if isinstance(error, kinds.Timeout):
        return "unreachable", "arXiv did not answer in time"
    if isinstance(error, kinds.ProxyError):
        return "unreachable", "the proxy that leads to arXiv does not work"
    if isinstance(error, kinds.SSLError):
        return "unreachable", "the connection to arXiv is not secure (certificate problem)"
    if isinstance(error, kinds.ChunkedEncodingError):
        return "unreachable", "the connection to arXiv was cut in the middle of an answer"
    if isinstance(error, kinds.ContentDecodingError):
        return "corrupt", "arXiv's answer cannot be used: its compression is damaged"
    return "unreachable", "arXiv could not be reached"
