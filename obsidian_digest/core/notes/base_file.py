"""`arXiv papers.base`: the vault's papers as tables that Obsidian itself sorts and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.note.yaml_form import scalar

if TYPE_CHECKING:
    from obsidian_digest.core.vault.render import Words

_BASE = """\
filters:
  and:
    - file.hasProperty("arxiv_id")
    - file.hasProperty("arxiv_version")
    - file.ext == "md"
formulas:
  arxiv: link("https://arxiv.org/abs/" + arxiv_id, arxiv_id)
properties:
  file.name:
    displayName: {paper}
  note.relevance:
    displayName: {stars}
  note.theme:
    displayName: {theme}
  note.published:
    displayName: {published}
  note.reading:
    displayName: {reading}
  note.rating:
    displayName: {rating}
  formula.arxiv:
    displayName: arXiv
views:
  - type: table
    name: {newest}
    order:
      - file.name
      - relevance
      - theme
      - published
      - reading
      - rating
      - formula.arxiv
    sort:
      - property: published
        direction: DESC
      - property: arxiv_id
        direction: DESC
    limit: 500
  - type: table
    name: {by_theme}
    groupBy:
      property: theme
      direction: ASC
    order:
      - file.name
      - relevance
      - published
      - reading
      - formula.arxiv
    sort:
      - property: published
        direction: DESC
  - type: table
    name: {unread}
    filters:
      and:
        - reading == "unread"
    order:
      - file.name
      - relevance
      - theme
      - published
      - formula.arxiv
    sort:
      - property: relevance
        direction: DESC
      - property: published
        direction: DESC
  - type: table
    name: {best}
    filters:
      or:
        - rating >= 4
        - relevance >= 4
    order:
      - file.name
      - rating
      - relevance
      - theme
      - published
      - formula.arxiv
    sort:
      - property: rating
        direction: DESC
      - property: relevance
        direction: DESC
      - property: published
        direction: DESC
"""
_NAMES = (
    "paper", "stars", "theme", "published", "reading", "rating",
    "newest", "by_theme", "unread", "best",
)  # fmt: skip


def base_text(words: Words) -> str:
    """The whole file, its columns and views named in the notes' language.

    Papers are found by their properties, wherever the reader moved their notes. The date of a
    note's file is not looked at: replacing a file resets it.
    """
    return _BASE.format(**{each: scalar(words.plain(f"base_{each}")) for each in _NAMES})
