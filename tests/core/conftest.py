"""Phrases of the same papers are looked up once for all tests that name themes."""

from __future__ import annotations

from functools import lru_cache

import pytest

from obsidian_digest.core.themes import names as theme_names

SETS_OF_PAPERS = 8


@pytest.fixture(autouse=True, scope="session")
def phrases_once():
    index = lru_cache(maxsize=SETS_OF_PAPERS)(theme_names.index_phrases)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme_names, "index_phrases", lambda readings: index(tuple(readings)))
        yield
