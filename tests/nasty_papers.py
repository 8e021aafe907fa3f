"""Real papers, picked for every kind of trouble that arXiv's metadata holds."""

from __future__ import annotations

import json
import lzma
from functools import lru_cache
from pathlib import Path
from typing import Any

_RECORDING = Path(__file__).parent / "recordings" / "text" / "nasty-papers.jsonl.xz"


@lru_cache(maxsize=1)
def nasty_papers() -> tuple[dict[str, Any], ...]:
    """840 uniform records (README.md beside the recording), by id; fields may be missing."""
    with lzma.open(_RECORDING, "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def text_of(paper: dict[str, Any], field: str) -> str:
    """A field's text, empty where the paper has none."""
    return paper.get(field) or ""
