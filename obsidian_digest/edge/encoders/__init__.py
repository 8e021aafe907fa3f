"""Encoders by name: texts to vectors, on this machine or on another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from obsidian_digest.edge.encoders.remote import RemoteEncoder
from obsidian_digest.edge.encoders.sentence import SentenceEncoder, holds_model, model_folder
from obsidian_digest.edge.encoders.static import SHIPPED, StaticEncoder, holds_table
from obsidian_digest.edge.encoders.words import WordsEncoder

if TYPE_CHECKING:
    from obsidian_digest.ports import Encoder

__all__ = ["encoder_for", "model_folder"]


def encoder_for(
    name: str, *, vault: Path | None = None, may_download: bool = False, key: str = ""
) -> Encoder:
    """The encoder that the config names; cheap, and silent about what is missing until `check`.

    Args:
        name: `words`, `static`, `http://host/v1#model`, the folder of a model or of a distilled
            table (absolute, or relative to `vault`), or the name of a sentence-transformers model.
        vault: What a relative folder starts from; None: the current folder.
        may_download: Whether `check` may fetch missing weights from the hub; for people, not for
            automation.
        key: Bearer token for a remote server; empty for none.
    """
    if name == "words":
        return WordsEncoder()
    if name == "static":
        return StaticEncoder(SHIPPED, label="static")
    if name.startswith(("http://", "https://")):
        url, _, model = name.partition("#")
        return RemoteEncoder(url, model, key=key)
    folder = (vault or Path()) / Path(name).expanduser()
    if holds_table(folder):
        return StaticEncoder(folder, label=folder.name)
    named_as_path = name.startswith((".", "~")) or Path(name).is_absolute() or "\\" in name
    path = folder if named_as_path or holds_model(folder) else None
    return SentenceEncoder(name, path=path, may_download=may_download)
