"""A loopback server that speaks OpenAI's embeddings protocol, right or wrong as a test asks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[list[str]], tuple[int, bytes]]


@dataclass
class Server:
    url: str
    batches: list[list[str]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


def letter_counts(texts: list[str]) -> tuple[int, bytes]:
    """A true encoder of its own kind: counts of three letters; rows come back in reverse order."""
    rows = [
        {"index": at, "embedding": [float(text.count(letter)) for letter in "aeo"]}
        for at, text in enumerate(texts)
    ]
    return 200, json.dumps({"data": rows[::-1]}).encode()


@contextmanager
def embedding_server(answer: Answer = letter_counts) -> Iterator[Server]:
    server = Server("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(404, b"no such page")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.batches.append(body["input"])
            server.keys.append(self.headers["Authorization"])
            self._send(*answer(body["input"]))

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
