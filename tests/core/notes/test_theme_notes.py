"""Theme notes through real runs, and what is counted for them."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from obsidian_digest.core.notes.theme_notes import central, growth, nearest
from obsidian_digest.core.vault.theme_pins import with_merged
from obsidian_digest.model import KnownPaper, KnownTheme, Memory, Reading, StandingTheme
from tests.vaults import call, contents, dangling, new_vault, notes, recorded, stamps

FIRST, SECOND = "2026-08-19", "2026-08-20"
WORDS = ("memory", "robot", "attack", "gaussian", "code")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with one digest of recorded papers on five subjects."""
    made = new_vault(tmp_path, encoder="words")
    run(made, FIRST)
    return made


def run(vault: Path, day: str) -> dict:
    papers = [(line, json.loads(line)) for line in recorded()]
    rows = [
        line
        for word in WORDS
        for line in [
            line
            for line, paper in papers
            if paper["announced"] == day and word in paper["title"].lower()
        ][:6]
    ]
    file = vault.parent / f"{day}.jsonl"
    file.write_text("".join(dict.fromkeys(rows)), "utf-8")
    words = ("run", "--from-file", str(file), "--min-stars", "0", "--top", "40", "--json")
    ran = call(vault, *words)
    assert ran.code == 0, ran.err
    return ran.json


def themes(vault: Path) -> dict[str, str]:
    return {name: text for name, text in notes(vault).items() if "/Themes/" in name}


def two_largest(vault: Path) -> list[str]:
    """Base names of the two themes with most papers, largest first."""

    def size(name: str) -> int:
        return -int(re.search(r"^theme_papers: (\d+)", found[name], re.MULTILINE)[1])

    found = themes(vault)
    return [Path(name).stem for name in sorted(found, key=lambda one: (size(one), one))[:2]]


def papers_of(vault: Path, theme: str) -> list[str]:
    """Names of the notes of papers that say they belong to a theme."""
    says = f'theme: "[[{theme}]]"'
    return [name for name, text in notes(vault).items() if says in text and "/Papers/" in name]


def place(vault: Path, name: str, theme: str) -> None:
    """The reader sets the theme of a paper."""
    path = vault / name
    text = re.sub(r"^theme: .*$", f'theme: "[[{theme}]]"', path.read_text(), flags=re.MULTILINE)
    path.write_text(text)


def arxiv_part(name: str) -> str:
    return re.search(r"\d{4}-\d{5}", name)[0]


def test_a_theme_note_lists_its_papers_under_their_day_with_stars(vault: Path):
    large, _ = two_largest(vault)
    text = themes(vault)[f"arXiv/Themes/{large}.md"]
    listed = re.findall(r"^- [★☆]{5} \[\[([^|\]]+)", text, re.MULTILINE)
    assert sorted(listed) == sorted(Path(name).stem for name in papers_of(vault, large))
    assert f"## {FIRST} · [[arXiv digest {FIRST}]]" in text
    assert not dangling(vault)


def test_a_second_run_over_the_same_papers_writes_nothing(vault: Path):
    before = stamps(vault)
    assert run(vault, FIRST)["outcome"] == "nothing-new"
    assert stamps(vault) == before


def test_no_paper_of_ours_is_taken_for_one_that_the_reader_placed(vault: Path):
    run(vault, SECOND)
    run(vault, SECOND)
    assert not any("^placed-" in text for text in themes(vault).values())


def test_a_paper_that_the_reader_places_is_shown_so_and_stays(vault: Path):
    large, other = two_largest(vault)
    name = papers_of(vault, large)[0]
    place(vault, name, other)
    run(vault, FIRST)
    mark = f" · placed by you ^placed-{arxiv_part(name)}"
    assert mark in themes(vault)[f"arXiv/Themes/{other}.md"]
    assert Path(name).stem not in themes(vault)[f"arXiv/Themes/{large}.md"]
    run(vault, SECOND)
    assert mark in themes(vault)[f"arXiv/Themes/{other}.md"]
    before = stamps(vault)
    run(vault, SECOND)
    assert stamps(vault) == before
    place(vault, name, large)
    run(vault, SECOND)
    assert mark in themes(vault)[f"arXiv/Themes/{large}.md"]
    assert mark not in themes(vault)[f"arXiv/Themes/{other}.md"]


def test_where_a_theme_note_was_edited_nobody_knows_who_placed_a_paper(vault: Path):
    large, other = two_largest(vault)
    path = vault / "arXiv" / "Themes" / f"{other}.md"
    path.write_text(path.read_text().replace("- ★", "- mine ★", 1))
    name = papers_of(vault, large)[0]
    place(vault, name, other)
    run(vault, FIRST)
    assert not any("^placed-" in text for text in themes(vault).values())


@pytest.mark.parametrize("form", ['"[[{name}]]"', "{id}", "{name}"])
def test_a_theme_merged_by_the_reader_is_followed_by_its_papers(vault: Path, form: str):
    heir, gone = two_largest(vault)
    known = re.search(r"^theme_id: (\S+)", themes(vault)[f"arXiv/Themes/{heir}.md"], re.MULTILINE)[
        1
    ]
    path = vault / "arXiv" / "Themes" / f"{gone}.md"
    value = form.format(name=heir, id=known)
    path.write_text(path.read_text().replace("theme_id:", f"merged_into: {value}\ntheme_id:", 1))
    movers = papers_of(vault, gone)
    run(vault, FIRST)
    assert set(movers) <= set(papers_of(vault, heir))
    assert not papers_of(vault, gone)
    assert f"Merged into [[{heir}]]" in path.read_text()
    assert "\n0 papers" not in path.read_text()
    listed = (vault / "MOC-Research.md").read_text()
    assert f"\n- [[{gone}]] · merged into [[{heir}]]\n" in listed
    assert " 0 papers" not in listed
    assert f"merged_into: {value}\n" in path.read_text()
    assert not any("^placed-" in text for text in themes(vault).values())
    before = stamps(vault)
    run(vault, FIRST)
    assert stamps(vault) == before
    run(vault, SECOND)
    assert not papers_of(vault, gone)
    before = stamps(vault)
    run(vault, SECOND)
    assert stamps(vault) == before


def test_a_renamed_theme_note_keeps_its_name_everywhere(vault: Path):
    large, _ = two_largest(vault)
    path = vault / "arXiv" / "Themes" / f"{large}.md"
    path.rename(path.with_name("My own name.md"))
    run(vault, FIRST)
    text = themes(vault)["arXiv/Themes/My own name.md"]
    assert 'title: "My own name"' in text or "title: My own name" in text
    assert "[[My own name]]" in notes(vault)["MOC-Research.md"]
    assert papers_of(vault, "My own name")
    assert not papers_of(vault, large)
    answer = run(vault, SECOND)
    assert "My own name" in {theme["name"] for theme in answer["themes"]}
    assert "[[My own name]]" in notes(vault)[f"arXiv/Digests/arXiv digest {SECOND}.md"]
    assert not dangling(vault)


def test_a_day_leaves_theme_notes_alone_whose_papers_it_leaves_alone(vault: Path):
    before = contents(vault)
    run(vault, SECOND)
    after = contents(vault)
    touched = {Path(name).stem for name in after if after[name] != before.get(name)}
    for name, text in themes(vault).items():
        if after[name] != before.get(name):
            assert touched & set(re.findall(r"\[\[([^|\]]+)\|", text)), name


def test_what_the_reader_writes_into_a_theme_note_stays(vault: Path):
    large, _ = two_largest(vault)
    path = vault / "arXiv" / "Themes" / f"{large}.md"
    path.write_text(path.read_text() + "\nMy thoughts.\n")
    run(vault, SECOND)
    assert path.read_text().endswith("\nMy thoughts.\n")


def paper(number: int, *related: int, theme: str = "t-1", stars: int = 3, day: int = 19):
    key = f"2608.{number:05}"
    links = tuple(f"2608.{other:05}" for other in related)
    digests = (date(2026, 8, day),)
    return KnownPaper(key, Reading(key, f"Paper {number}", ""), stars, theme, digests, links)


def test_central_papers_are_those_that_most_of_the_theme_links_to():
    papers = [paper(1), paper(2, 1), paper(3, 1), paper(4, 1), paper(5, 1, 2), paper(6)]
    assert [one.id for one in central(papers)] == ["2608.00001", "2608.00002", "2608.00005"]
    assert central(papers[:4]) == []


def test_one_link_more_turns_no_order_of_central_papers_over():
    links = [(2, 3), (3,), (), (2, 3), (2,), (3,)]
    papers = [paper(number, *others) for number, others in enumerate(links, 1)]
    more = [*papers[:5], replace(papers[5], related=("2608.00003", "2608.00002"))]
    assert [one.id for one in central(papers)][:2] == [one.id for one in central(more)][:2]


def test_growth_is_told_by_weeks_that_had_any_from_the_second_on():
    assert growth([paper(1), paper(2)]) == ()
    rows = growth([paper(1, day=5), paper(2, day=19), paper(3, day=20)])
    assert [(row.week, row.count, row.bar) for row in rows] == [
        ("2026-W32", 1, "█"),
        ("2026-W34", 2, "██"),
    ]
    many = growth([paper(number, day=19) for number in range(100)] + [paper(200, day=5)])
    assert [len(row.bar) for row in many] == [1, 20]


def test_neighbours_are_the_themes_with_most_ties_and_one_tie_is_none():
    assert nearest(Counter({"t-1": 1, "t-2": 2, "t-3": 9, "t-4": 3, "t-5": 2})) == [
        "t-3",
        "t-2",
        "t-4",
    ]


def test_mergers_are_followed_to_their_end_and_rings_are_left_alone():
    def theme(key: str, into: str | None) -> KnownTheme:
        return KnownTheme(StandingTheme(key, key, (), into), ())

    papers = {"2608.00001": paper(1, theme="t-1")}
    chain = {key: theme(key, into) for key, into in (("t-1", "t-2"), ("t-2", "t-3"), ("t-3", None))}
    merged, moved = with_merged(Memory(papers=papers, themes=chain))
    assert moved == ("2608.00001",)
    assert merged.themes["t-3"].standing.members == moved
    ring = {key: theme(key, into) for key, into in (("t-1", "t-2"), ("t-2", "t-1"))}
    memory = Memory(papers=papers, themes=ring)
    assert with_merged(memory) == (memory, ())
