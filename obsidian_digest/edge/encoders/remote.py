"""A server that speaks OpenAI's embeddings protocol: vLLM, TEI, Ollama on a lab's machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from obsidian_digest.errors import EncoderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.ports import Progress

BATCH = 32
"""Texts a request: TEI's own limit unless told otherwise (`--max-client-batch-size`)."""
MAX_CHARACTERS = 1500
"""Of each text: servers refuse more than their context, and the first sentences tell the topic."""
CONNECT_SECONDS, ANSWER_SECONDS = 3.0, 120.0
HINT = 'Start the server, or set [encoder] name = "static", which needs none.'


class RemoteEncoder:
    """Vectors from `POST {url}/embeddings`."""

    def __init__(self, url: str, model: str, *, key: str = "") -> None:
        self._url, self._model, self._key = url.rstrip("/"), model, key

    @property
    def name(self) -> str:
        """Address and model, without any user name and password in the address."""
        parts = urlsplit(self._url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}#{self._model}"

    def check(self) -> None:
        """Raise EncoderError when no model is named or nothing answers; one small request."""
        if not self._model:
            hint = 'Write [encoder] name = "http://host/v1#model".'
            raise EncoderError("names no model after #", self.name, hint)
        self._ask("GET", "/models", seconds=CONNECT_SECONDS)

    def embed(self, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
        """Unit rows, shape (len(texts), d); EncoderError when the server fails or answers oddly."""
        import numpy as np  # noqa: PLC0415 (0.2 s)

        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self._batch([text[:MAX_CHARACTERS] for text in texts[start : start + BATCH]])
            progress("embed", len(rows), len(texts))
        try:
            matrix = np.array(rows, dtype=np.float32).reshape(len(rows), -1 if rows else 0)
        except (ValueError, TypeError) as error:
            raise EncoderError("sent vectors of unequal length", self.name) from error
        if not np.isfinite(matrix).all():
            raise EncoderError("sent vectors that are not finite", self.name)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        return (matrix / np.where(norms > 0, norms, 1)).astype(np.float32)

    def _batch(self, texts: list[str]) -> list[list[float]]:
        answer = self._ask("POST", "/embeddings", {"model": self._model, "input": texts})
        try:
            if answer.status_code != 200:  # noqa: PLR2004 (HTTP's OK)
                detail = f"answered {answer.status_code}: {answer.text[:200].strip()}"
                raise EncoderError(detail, self.name, HINT)
            items = sorted(answer.json()["data"], key=lambda item: item["index"])
            rows = [item["embedding"] for item in items]
        except (ValueError, KeyError, TypeError) as error:
            raise EncoderError("did not answer with embeddings", self.name, HINT) from error
        if len(rows) != len(texts):
            raise EncoderError(f"sent {len(rows)} vectors for {len(texts)} texts", self.name)
        return rows

    def _ask(
        self, verb: str, path: str, body: object = None, seconds: float = ANSWER_SECONDS
    ) -> Any:
        import requests  # noqa: PLC0415 (0.2 s)

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            return requests.request(
                verb,
                self._url + path,
                json=body,
                headers=headers,
                timeout=(CONNECT_SECONDS, seconds),
            )
        except requests.RequestException as error:
            detail = f"cannot be reached ({type(error).__name__})"
            raise EncoderError(detail, self.name, HINT) from error
