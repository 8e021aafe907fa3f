"""The pieces of a paper note's text that belong to one version, exchanged for another's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import title_of
from obsidian_digest.core.notes.changes import version_of
from obsidian_digest.core.notes.views import SUMMARY_LENGTH, plain_each
from obsidian_digest.core.texts.summary import summary
from obsidian_digest.core.vault.property_types import text_in, value_in
from obsidian_digest.core.vault.render import literal
from obsidian_digest.note.text import prose

if TYPE_CHECKING:
    from obsidian_digest.core.notes.changes import Change
    from obsidian_digest.model import NoteFile, Paper

_ABSTRACT = re.compile(r"^(?P<text>.*) \^abstract[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wording:
    """What a note says of one version, as Markdown; what is empty is not looked for."""

    version: str
    """Id with version, as links spell it."""
    abstract: str
    summary: str
    authors: str
    categories: str


def wordings(paper: Paper, note: NoteFile, found: Change, abstract: str) -> tuple[Wording, Wording]:
    """The pieces to look for in a note and what to put in their place; none for what stays."""
    standing, title = version_of(note), text_in(note.header, "title")
    new_title = title_of(paper) if found.title else title
    new_abstract = prose(paper.abstract) if found.abstract else abstract
    numbered = standing is not None and found.version is not None
    old = Wording(
        version=f"{paper.id}v{standing}" if numbered else "",
        abstract=abstract,
        summary=summary(title, abstract, max_chars=SUMMARY_LENGTH),
        authors=_listed(value_in(note.header, "authors")) if found.authors else "",
        categories=_listed(value_in(note.header, "arxiv_categories")) if found.categories else "",
    )
    new = Wording(
        version=f"{paper.id}v{found.version}" if numbered else "",
        abstract=new_abstract,
        summary=summary(new_title, new_abstract, max_chars=SUMMARY_LENGTH),
        authors=_listed(plain_each(paper.authors)) if found.authors else "",
        categories=_listed(paper.categories) if found.categories else "",
    )
    return old, new


def _listed(names: str | tuple[str, ...]) -> str:
    return ", ".join(map(literal, (names,) if isinstance(names, str) else names))


def abstract_in(text: str) -> str:
    """The abstract as it stands in the region, by its block id; empty if there is none."""
    found = _ABSTRACT.search(text)
    return found["text"] if found else ""


def exchanged(text: str, old: Wording, new: Wording) -> str:
    """The region's text with the old version's pieces exchanged where they stand as we write them.

    All else stays, a template's own words among it.
    """
    found = _ABSTRACT.search(text)
    if found is None:
        return _around(text, old, new)
    abstract = new.abstract or found["text"]
    before, behind = text[: found.start("text")], text[found.end("text") :]
    return _around(before, old, new) + abstract + _around(behind, old, new)


def _around(text: str, old: Wording, new: Wording) -> str:
    if old.version and new.version:
        pattern = rf"(?<![\w.-]){re.escape(old.version)}(?!\d)"
        text = re.sub(pattern, new.version, text)
    if old.summary and new.summary:
        text = text.replace(old.summary, new.summary)
    for before, after in ((old.authors, new.authors), (old.categories, new.categories)):
        if before and after:
            pattern = rf"(?:^|(?<= · )){re.escape(before)}(?=$| · )"
            text = re.sub(pattern, after.replace("\\", r"\\"), text, flags=re.MULTILINE)
    return text


def marked(text: str, mark: str) -> str:
    """The region's text with a remark below the abstract, where a note is born with one."""
    line = f"- {mark}"
    found = _ABSTRACT.search(text)
    if line in text.split("\n") or found is None:
        return text
    behind = text[found.end() :].lstrip("\n")
    between = "\n" if behind.startswith("- ") else "\n\n"
    return f"{text[: found.end()]}\n\n{line}{between if behind else ''}{behind}"
