"""Whole notes of hostile, nasty and ordinary papers before all judges."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.edge.templates import shipped
from obsidian_digest.note import header
from obsidian_digest.note.latex import clean, plain
from obsidian_digest.note.names import paper_id
from tests.example_vault import EXAMPLE
from tests.judges.shape import PIECES, paragraphs, shape_faults, shown
from tests.vaults import notes

if TYPE_CHECKING:
    from tests.hostile_vaults import Made
    from tests.judges.node import Judges

pytestmark = pytest.mark.slow

WORDS = tomllib.loads(shipped()["words.en.toml"])
HEADINGS = {
    "paper": rf"{WORDS['abstract']}|{WORDS['related']}|{WORDS['own_notes']}|Notes",
    "digest": r"\d+\. \[\[ \]\]|\[\[ \]\]|Notes|" + f"{WORDS['also']}|{WORDS['signals']}",
    "week": "|".join(
        ["Notes", *(WORDS[f"week_{part}"] for part in ("themes", "standing", "picks", "moves"))]
    )
    + rf"|{WORDS['signals']}",
    "theme": r"\d{4}-\d\d-\d\d(?: · \[\[ \]\])?|Notes",
    "moc": ".*",
    "score": f"{WORDS['score_calibration']}|{WORDS['score_days']}|Notes",
}
FORMULA = re.compile(r"(?<!\\)\$((?:[^$\\]|\\.)+)\$")
DATES = {"published", "updated", "digest_date", "week_start"}


@pytest.fixture(params=["all_hostile", "all_nasty", "hostile_in_markdown_links"])
def vault(request: pytest.FixtureRequest) -> Made:
    return request.getfixturevalue(request.param)


def every_text(vault: Made) -> dict[str, str]:
    """The notes of ours, and those of the example vault."""
    example = {f"example/{path}": text for path, text in notes(EXAMPLE).items()}
    return {path: vault.texts[path] for path in vault.ours} | {
        path: text for path, text in example.items() if "digest:begin" in text
    }


def test_obsidians_yaml_library_reads_every_header_and_would_write_it_so(
    judges: Judges, vault: Made
):
    texts = {path: text for path, text in every_text(vault).items() if text.startswith("---")}
    sources = [header.split(text).yaml for text in texts.values()]
    for path, source, verdict in zip(texts, sources, judges.ask("yaml", sources), strict=True):
        assert verdict["troubles"] == [], path
        assert verdict["again"] == source, path
        for name, value in header.read(texts[path]).items():
            theirs = verdict["value"][name]
            assert (list(value) if isinstance(value, tuple) else value) == as_text(theirs), path


def as_text(value: object) -> object:
    """A number as the text it was written in, nothing as no text."""
    if isinstance(value, list):
        return value
    return "" if value is None else str(value)


def test_mathjax_shows_every_formula(judges: Judges, vault: Made):
    bodies = {path: header.split(text).body for path, text in every_text(vault).items()}
    formulas = {formula: path for path in bodies for formula in FORMULA.findall(bodies[path])}
    for (formula, path), verdict in zip(
        formulas.items(), judges.ask("mathjax", formulas), strict=True
    ):
        assert verdict["troubles"] == [], (path, formula)


def test_a_markdown_parser_finds_only_what_our_templates_make(judges: Judges, vault: Made):
    targets = {path.rsplit("/", 1)[-1].removesuffix(".md") for path in vault.texts}
    bodies = {path: header.split(vault.texts[path]).body for path in vault.ours}
    parsed = judges.ask("markdown", bodies.values())
    for path, tokens in zip(bodies, parsed, strict=True):
        headings = re.compile(HEADINGS[vault.ours[path].kind], re.DOTALL)
        assert shape_faults(tokens, targets, headings) == [], path


def test_what_a_papers_note_shows_first_are_its_authors_as_the_paper_names_them(
    judges: Judges, vault: Made
):
    named = {paper_id(paper["id"])[0]: paper.get("authors", []) for paper in vault.papers}
    regions = [note.regions["paper"] for note in vault.paper_notes.values()]
    for key, tokens in zip(vault.paper_notes, judges.ask("markdown", regions), strict=True):
        whole = (author.encode("utf-8", "replace").decode() for author in named[key])
        expected = ", ".join(filter(None, (plain(author) for author in whole)))
        if expected:
            first = paragraphs(tokens)[0]
            assert {piece["type"] for piece in first} <= PIECES | {"link_open", "link_close"}
            expected = expected.replace("<%", "< %").replace("%>", "% >")
            assert shown(first) == clean(expected), key


def test_moment_reads_every_date_as_that_day(judges: Judges, vault: Made):
    dates = [
        value
        for text in every_text(vault).values()
        for name, value in header.read(text).items()
        if name in DATES and value
    ]
    dates += [found for path in vault.ours for found in re.findall(r"\d{4}-\d\d-\d\d\.md", path)]
    days = [each.removesuffix(".md") for each in dates]
    for day, verdict in zip(
        days, judges.ask("moment", [[d, "YYYY-MM-DD"] for d in days]), strict=True
    ):
        assert verdict == {"day": day, "again": day}
