"""A table of token vectors distilled from a sentence model: a whole day in a second, no torch."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from obsidian_digest.errors import EncoderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.ports import Progress

SHIPPED = Path(__file__).parents[2] / "encoders" / "static"
TABLE, TOKENIZER = "table.npz", "tokenizer.json"
MAX_TOKENS = 512
"""As model2vec does it; an abstract of arXiv has at most 1,920 characters."""
BATCH = 256


def holds_table(folder: Path) -> bool:
    """Whether a folder holds what `python -m obsidian_digest.edge.distill` writes."""
    return (folder / TABLE).is_file() and (folder / TOKENIZER).is_file()


class StaticEncoder:
    """Mean of the table's rows over a text's tokens, at unit length (model2vec's recipe).

    Sums run in a fixed order, so every machine gets the same bits.
    """

    def __init__(self, folder: Path, label: str) -> None:
        self._folder, self._label = folder, label
        self._parts: tuple[Any, NDArray[np.int8], NDArray[np.float32]] | None = None

    @cached_property
    def name(self) -> str:
        """The label and the first 8 digits of the hash over table and tokenizer."""
        self._require_files()
        digest = hashlib.sha256()
        for file in (TABLE, TOKENIZER):
            digest.update((self._folder / file).read_bytes())
        return f"{self._label}@{digest.hexdigest()[:8]}"

    def check(self) -> None:
        """Raise EncoderError when the table or the package `tokenizers` is missing."""
        self._require_files()
        if find_spec("tokenizers") is None:
            raise EncoderError(
                "the encoder needs the package `tokenizers`, which is not installed",
                self._label,
                'pip install tokenizers, or set [encoder] name = "words".',
            )

    def embed(self, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
        """Unit rows, shape (len(texts), d); a text without a known token gives a row of zeros."""
        import numpy as np  # noqa: PLC0415 (0.2 s)

        tokenizer, rows, scales = self._load()
        vectors = np.zeros((len(texts), rows.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = tokenizer.encode_batch(
                list(texts[start : start + BATCH]), add_special_tokens=False
            )
            for row, encoding in enumerate(batch, start):
                ids = encoding.ids
                total = (rows[ids] * scales[ids, None]).sum(axis=0)
                norm = np.sqrt(np.square(total, dtype=np.float64).sum())
                vectors[row] = total / norm if norm > 0 else 0
            progress("embed", min(start + BATCH, len(texts)), len(texts))
        return vectors

    def _load(self) -> tuple[Any, NDArray[np.int8], NDArray[np.float32]]:
        if self._parts is None:
            self._parts = _read(self._folder)
        return self._parts

    def _require_files(self) -> None:
        if not holds_table(self._folder):
            raise EncoderError(
                f"{TABLE} or {TOKENIZER} is missing",
                str(self._folder),
                "Reinstall obsidian-digest, or make the table: obsidian-digest encoder distill.",
            )


def _read(folder: Path) -> tuple[Any, NDArray[np.int8], NDArray[np.float32]]:
    import numpy as np  # noqa: PLC0415 (0.2 s)
    from tokenizers import Tokenizer  # noqa: PLC0415 (compiled, 0.1 s)

    try:
        with np.load(folder / TABLE, allow_pickle=False) as table:
            rows, scales = table["rows"], table["scales"].astype(np.float32)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # tokenizers raises bare Exception for a broken file
        raise EncoderError(f"cannot be read ({error})", str(folder)) from error
    if not len(rows) == len(scales) == tokenizer.get_vocab_size():
        raise EncoderError(f"{TABLE} and {TOKENIZER} do not belong together", str(folder))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer, rows, scales
