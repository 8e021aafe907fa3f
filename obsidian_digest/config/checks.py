"""Whether the values of a config can be worked with, told in sentences."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from obsidian_digest.config import Config

_CATEGORY = re.compile(r"[a-z-]+(\.[A-Za-z-]+)?\Z")
# Beside what file systems refuse: what ends a wikilink, or starts code, a formula or a comment.
_FORBIDDEN_IN_NAMES = re.compile(r'[\\:*?"<>|#^\[\]`$\x00-\x1f\x7f]|%%|^[. ]|[. ]$')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)", re.IGNORECASE)
_LONGEST_NAME = 134
"""Bytes of a name, as in `note.names`: with a number and `.md` it stays within 140."""
_SHORTEST_TITLE = "Reasoning with words"
"""What must be left of a paper's title in its file name."""
_NO_NAME = "is no name that every system and link allows"

SOURCES = ("auto", "rss", "listing", "api", "oai")


def problems_of(config: Config) -> list[str]:
    """One sentence for each value that no run could work with."""
    problems = [
        f'arxiv.categories: "{category}" is no arXiv category (like cs.AI)'
        for category in config.arxiv.categories
        if not _CATEGORY.match(category)
    ]
    choices = (
        ("arxiv.source", config.arxiv.source, SOURCES),
        ("arxiv.affiliations", config.arxiv.affiliations, ("feed", "html")),
        ("digest.catch_up", config.digest.catch_up, ("days", "one")),
    )
    problems += [
        f'{key}: "{value}" is not {", ".join(known[:-1])} or {known[-1]}'
        for key, value, known in choices
        if value not in known
    ]
    if config.digest.top < 1:
        problems.append("digest.top must be at least 1")
    if not 0 <= config.digest.min_stars <= 5:  # noqa: PLR2004 (stars)
        problems.append("digest.min_stars must be 0 to 5")
    if config.notes.daily_locale not in ("", "en"):
        problems.append(f'notes.daily_locale: "{config.notes.daily_locale}" is not en, nor empty')
    if config.digest.near_misses < 0:
        problems.append("digest.near_misses must not be negative")
    if not config.encoder.name.strip():
        problems.append('encoder.name is empty; "static" needs nothing else')
    if not 0 <= config.ranking.explore <= 3:  # noqa: PLR2004 (more would crowd out what is sure)
        problems.append("ranking.explore must be 0 to 3")
    problems += [
        f'ranking.corpus: "{folder}" is no folder of the vault (like Projects or Work/Agents)'
        for folder in config.ranking.corpus
        if "\\" in folder or not all(map(_may_hold_notes, folder.split("/")))
    ]
    problems += _check_names(config)
    return problems


def _may_hold_notes(part: str) -> bool:
    """Whether a folder of the reader's may be called so; Obsidian shows none with a first dot."""
    return bool(part.strip()) and not part.startswith(".") and "\0" not in part


def _check_names(config: Config) -> list[str]:
    problems = [
        *_check_pattern("paper", config.names.paper, id="quant-ph-0201082", title=_SHORTEST_TITLE),
        *_check_pattern("digest", config.names.digest, date="2026-08-20"),
        *_check_pattern("week", config.names.week, week="2026-W34"),
    ]
    for each in fields(config.folders):
        folder = getattr(config.folders, each.name)
        if folder and not all(map(_is_name, folder.split("/"))):
            problems.append(f'folders.{each.name}: "{folder}" {_NO_NAME}')
    for key, name in (
        ("moc", config.notes.moc),
        ("home", config.notes.home or "none"),
        ("interests", config.notes.interests),
    ):
        if not _is_name(name) or "/" in name:
            problems.append(f'notes.{key}: "{name}" {_NO_NAME} (a note\'s bare name, no folder)')
    problems += [
        f'notes.tags: "{tag}" is no tag (letters, digits, - _ /; not digits alone)'
        for tag in config.notes.tags
        if not re.fullmatch(r"(?=.*[^\d/])[\w/-]+", tag)
    ]
    return problems


def _is_name(part: str) -> bool:
    """Whether every file system, git and link can carry this as the name of a note or folder."""
    allowed = part and not _FORBIDDEN_IN_NAMES.search(part) and not _DEVICE.match(part)
    return bool(allowed) and len(part.encode()) <= _LONGEST_NAME


def _check_pattern(kind: str, pattern: str, **samples: str) -> list[str]:
    """The problems of one pattern of `[names]`; the first sample is what it must hold."""
    needed = next(iter(samples))
    known = ", ".join(f"{{{each}}}" for each in sorted(samples))
    key = f'names.{kind}: "{pattern}"'
    filled = re.sub(rf"\{{({'|'.join(samples)})\}}", lambda found: samples[found[1]], pattern)
    if f"{{{needed}}}" not in pattern or re.search("[{}]", filled):
        return [f"{key} must hold {{{needed}}} (known: {known}) and no other braces"]
    if kind != "paper" and filled.strip(" .") == samples[needed]:
        return [f"{key} is what daily and weekly notes are called; add a word"]
    if len(filled.encode()) > _LONGEST_NAME:
        return [f"{key} makes file names of more than {_LONGEST_NAME} bytes"]
    return [] if _is_name(filled) and "/" not in filled else [f"{key} {_NO_NAME}"]
