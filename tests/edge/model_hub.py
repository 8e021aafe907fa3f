"""A loopback stand-in for the model hub: one repository at one commit."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextmanager
def hub(files: Mapping[str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """The endpoint's address, and the paths asked so far."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            asked.append(self.path)
            path = self.path.partition("?")[0]
            if path.startswith("/api/models/"):
                listing = [{"rfilename": name} for name in files]
                body = json.dumps({"id": "lab/model", "sha": COMMIT, "siblings": listing}).encode()
                if "/tree/" in path:
                    tree = [
                        {"type": "file", "path": name, "size": len(content), "oid": f"{at:040x}"}
                        for at, (name, content) in enumerate(files.items())
                    ]
                    body = json.dumps(tree).encode()
            else:
                body = files.get(path.partition("/resolve/")[2].partition("/")[2])
            self.send_response(200 if body is not None else 404)
            body = body or b""
            self.send_header("Content-Length", str(len(body)))
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{len(body):040x}{path.count("e")}"')
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
