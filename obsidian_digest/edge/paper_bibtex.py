"""BibTeX files: the papers of arXiv among their entries, the only door to `bibtexparser`.

Where exports put the id: arXiv and INSPIRE in `eprint`, DBLP in `eprint` and `volume`, Mendeley in
`arxivId`, Google Scholar in the name of the journal, publishers in `doi` (10.48550/arXiv.…).
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from obsidian_digest.model import Paper
from obsidian_digest.note.latex import plain
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Iterator

BIBTEX = re.compile(r"^\s*@\s*[A-Za-z]+\s*[{(]", re.MULTILINE)
PLACES = ("arxivid", "eprint", "doi", "url", "volume", "journal", "note", "howpublished", "link")
NAMED = re.compile(r"arxiv(?:\.org/(?:abs|pdf|html)/|[\s:./]+)(\S+)", re.IGNORECASE)
COMMA_MISSING = re.compile(r"[}\"]\s*[A-Za-z]+\s*=")
OTHERS = "others"
PROTECTED = re.compile(r"(?<![^\s{(/-])\{([^{}\\]*)\}")
NO_BRACES = str.maketrans("", "", "{}")


def read_bibtex(text: str) -> tuple[tuple[Paper, ...], tuple[str, ...], str] | None:
    """Entries with title and abstract as papers, of the others the ids, how many are not arXiv's.

    Ids have their version where the entry tells it. None for a text without entries. Raises
    ValueError with the line of an entry that is not whole.
    """
    if not BIBTEX.search(text):
        return None
    papers, ids, foreign = [], [], 0
    for fields in _entries(text):
        named = _id(fields)
        if named is None:
            foreign += 1
        elif fields.get("title") and fields.get("abstract"):
            papers.append(_paper(named, fields))
        else:
            ids.append(named[0] if named[1] is None else f"{named[0]}v{named[1]}")
    words = f"entries that are no papers of arXiv's left out: {foreign}" if foreign else ""
    return tuple(papers), tuple(ids), words


def _entries(text: str) -> Iterator[dict[str, str]]:
    """The fields of every entry, by name in lower case."""
    from bibtexparser import model  # noqa: PLC0415 - 30 ms that most commands never need
    from bibtexparser.entrypoint import parse_string  # noqa: PLC0415 - as above

    # It tells of broken entries on its own as well; we do in our words.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    for block in parse_string(text).blocks:
        if isinstance(block, model.DuplicateBlockKeyBlock | model.DuplicateFieldKeyBlock):
            # Harmless here; such entries come with the braces around their values.
            entry, wrapped = block.ignore_error_block, True
        elif isinstance(block, model.ParsingFailedBlock):
            what = f"line {(block.start_line or 0) + 1}: this entry is not whole"
            raise ValueError(what)  # noqa: TRY004 - the reader's contract
        else:
            entry, wrapped = block, False
        if isinstance(entry, model.Entry):
            yield {f.key.lower(): _text(f, wrapped=wrapped) for f in entry.fields}


def _text(field: Any, *, wrapped: bool) -> str:
    value = str(field.value)
    if wrapped and value[:1] + value[-1:] in ("{}", '""'):
        value = value[1:-1]
    elif field.enclosing == "no-enclosing" and COMMA_MISSING.search(value):
        raise ValueError(f'line {field.start_line + 1}: a comma is missing after "{field.key}"')
    return " ".join(value.split())


def _id(fields: dict[str, str]) -> tuple[str, int | None] | None:
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv"
    for place in PLACES:
        value = fields.get(place, "")
        if place == "eprint" and archive.lower() != "arxiv":
            continue
        if place in PLACES[:4] and (found := paper_id(value)):
            return found
        if value.startswith("abs/") and (found := paper_id(value.removeprefix("abs/"))):
            return found
        for name in NAMED.findall(value):
            if found := paper_id(name.rstrip(".,;)]}")):
                return found
    return None


def _paper(named: tuple[str, int | None], fields: dict[str, str]) -> Paper:
    category = fields.get("primaryclass", "")
    doi = fields.get("doi", "")
    journal = fields.get("journal", "")
    return Paper(
        id=named[0],
        version=named[1] or 1,
        title=_unprotected(fields["title"]),
        abstract=fields["abstract"],
        authors=_authors(fields.get("author", "")),
        categories=(category,) if category else (),
        primary=category,
        journal_ref="" if re.search(r"\barxiv\b|\bcorr\b", journal, re.IGNORECASE) else journal,
        doi="" if paper_id(doi) else doi,
    )


def _authors(line: str) -> tuple[str, ...]:
    """Names as they are spoken: Jacob Devlin for `Devlin, Jacob`; teams without their braces."""
    from bibtexparser.middlewares.names import (  # noqa: PLC0415 - see _entries
        parse_single_name_into_parts,
        split_multiple_persons_names,
    )

    names = []
    for person in split_multiple_persons_names(line):
        parts = parse_single_name_into_parts(person, strict=False)
        name = plain(" ".join((*parts.first, *parts.von, *parts.last, *parts.jr)))
        names.append(name.translate(NO_BRACES))
    return tuple(name for name in names if name and name != OTHERS)


def _unprotected(title: str) -> str:
    """The title without the braces that keep its capitals; formulas and commands keep theirs."""
    parts = title.split("$")
    for place in range(0, len(parts), 2):
        count = 1
        while count:
            parts[place], count = PROTECTED.subn(r"\1", parts[place])
    return "$".join(parts)
