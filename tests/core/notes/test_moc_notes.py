from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.core.notes.moc_notes import BASE, DIGESTS, THEMES, WEEKS, moc_text
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.render import Renderer
from obsidian_digest.edge.templates import Templates
from obsidian_digest.model import (
    KnownDigest,
    KnownPaper,
    KnownTheme,
    KnownWeek,
    Memory,
    Reading,
    StandingTheme,
)
from tests.vaults import LINK

if TYPE_CHECKING:
    from pathlib import Path

FIRST = date(2026, 1, 5)


@pytest.fixture
def render(tmp_path: Path) -> Renderer:
    templates = Templates(tmp_path)
    return Renderer(templates.texts(), templates.words("en"))


def old_vault() -> tuple[Memory, Places]:
    """Years of use: many themes (some empty), digests (some without papers), weeks, lone papers."""
    days = [FIRST + timedelta(n) for n in range(60)]
    digests = {day: KnownDigest(day, (), (day,), "", 20, 3, 0) for day in days}
    papers = {
        f"2601.{n:05}": KnownPaper(
            f"2601.{n:05}", Reading("", f"Paper {n}", ""), 3,
            f"t-{n % 50}" if n < 200 else "", (days[n % 20],) if n < 200 else (), (),
        )
        for n in range(210)
    }  # fmt: skip
    themes = {
        f"t-{n}": KnownTheme(
            StandingTheme(
                f"t-{n}", f"Theme {n}", tuple(k for k, p in papers.items() if p.theme == f"t-{n}")
            ),
            (),
        )
        for n in range(55)
    }
    weeks = {f"2026-W{n:02}": KnownWeek(f"2026-W{n:02}") for n in range(1, 31)}
    places = Places()
    for day in days:
        places.claim("digest", day.isoformat(), "", f"arXiv digest {day}")
    for key in papers:
        places.claim("paper", key, "", f"Paper {key.replace('.', '-')}")
    for key in themes:
        places.claim("theme", key, "", f"Theme {key}")
    for key in weeks:
        places.claim("week", key, "", f"arXiv week {key}")
    return Memory(papers, digests, themes, weeks), places


def test_whatever_no_other_note_links_to_is_linked_from_the_map(render: Renderer):
    memory, places = old_vault()
    linked = set(LINK.findall(moc_text(memory, places, render)))
    for paper in memory.papers.values():
        linked |= {f"arXiv digest {day}" for day in paper.digests}
        linked |= {f"Theme {paper.theme}"} if paper.theme else set()
    for theme in memory.themes.values():
        linked |= {f"Paper {each.replace('.', '-')}" for each in theme.standing.members}
    assert {path.removesuffix(".md") for path in places.paths.values()} <= linked


def test_lists_are_sorted_and_capped(render: Renderer):
    memory, places = old_vault()
    text = moc_text(memory, places, render)
    rows = [row for row in text.splitlines() if row.startswith("- ")]
    themes = [row for row in rows if row.startswith("- [[Theme")]
    assert len(themes) == THEMES + 5
    digests = [row for row in rows if row.startswith("- [[arXiv digest")]
    assert len(digests) == DIGESTS
    assert digests == sorted(digests, reverse=True)
    assert len([row for row in rows if row.startswith("- [[arXiv week")]) == WEEKS
    assert len([row for row in rows if row.startswith("- Earlier: ")]) == 2
    assert "arXiv digest 2026-01-05" not in text, "its papers link to it"


def test_an_empty_vault_gets_an_empty_map(render: Renderer):
    assert moc_text(Memory(), Places(), render) == (
        "## Themes\n\n- none yet\n\n## Latest digests\n\n- none yet"
    )


def test_the_table_of_all_papers_is_linked_where_it_stands(render: Renderer):
    places = Places()
    places.reserve(f"arXiv/{BASE}")
    assert moc_text(Memory(), places, render).startswith(f"All papers as a table: [[{BASE}]]")
