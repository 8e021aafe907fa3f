"""A sentence-transformers model of a few kilobytes, made on the spot: real files, real loader."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["agents", "plan", "tools", "robots", "grasp", "objects", "stars", "shine"]


def build_tiny_model(folder: Path) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # version 6 moved `models`
        _build(folder)
    return folder / "tiny"


def _build(folder: Path) -> None:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(0)
    parts = folder / "parts"
    parts.mkdir(parents=True)
    letters = [letter for one in "abcdefghijklmnopqrstuvwxyz" for letter in (one, f"##{one}")]
    framing = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = parts / "vocab.txt"
    vocabulary.write_text("\n".join([*framing, *letters, *WORDS]) + "\n", encoding="utf-8")
    BertTokenizerFast(str(vocabulary)).save_pretrained(parts)
    config = BertConfig(
        vocab_size=len(framing) + len(letters) + len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    BertModel(config).save_pretrained(parts)
    body = Transformer(str(parts), max_seq_length=256)
    whole = SentenceTransformer(modules=[body, Pooling(32)], device="cpu")
    whole.save(str(folder / "tiny"))
