from __future__ import annotations

from datetime import date

import pytest

from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import Snapshot
from obsidian_digest.note.kinds import classify
from obsidian_digest.note.region import wrap


def recalled(files: dict[str, str]):
    notes = tuple(
        found for path, text in files.items() if (found := classify(path, text.encode(), "MOC"))
    )
    snapshot = Snapshot(notes, tuple(files))
    return remember(snapshot, Places.of(snapshot))


def paper(header: str, abstract: str = r"We show \#1 of $x^2$. ^abstract") -> str:
    return f"---\n{header}\n---\n\n{wrap('paper', abstract)}\n\n## Notes\n"


ONE = paper(
    'arxiv_id: "2608.00001"\ntitle: "One: two"\nrelevance: 4\ntheme: "[[Agents]]"\n'
    'digests:\n  - "[[arXiv digest 2026-08-19]]"\nrelated:\n  - "[[Two - 2608-00002]]"'
)
THEME = f"---\ntitle: Agents\ntheme_id: t-1\ntheme_terms: [RL]\n---\n{wrap('theme', 'x')}\n"
DIGEST = (
    "---\ndigest_date: 2026-08-19\ndigest_batches: [2026-08-18, 2026-08-19]\ndigest_pool: 9-a\n"
    f"digest_top: 5\ndigest_min_stars: 3\n---\n{wrap('digest', '- x ^arxiv-2608-00001')}\n\n"
    f"{wrap('supplement-1', '- y ^arxiv-math-GT-0309136')}\n"
)
FILES = {
    "One - 2608-00001.md": ONE,
    "Two - 2608-00002.md": paper('arxiv_id: "2608.00002"'),
    "Agents.md": THEME,
    "arXiv digest 2026-08-19.md": DIGEST,
}


def test_a_paper_note_tells_all_that_later_days_need():
    known = recalled(FILES).papers["2608.00001"]
    assert (known.reading.title, known.reading.abstract) == ("One: two", "We show #1 of x².")
    assert (known.stars, known.theme, known.related) == (4, "t-1", ("2608.00002",))
    assert known.digests == (date(2026, 8, 19),)


def test_a_paper_note_without_properties_is_known_by_its_name():
    known = recalled(FILES).papers["2608.00002"]
    assert (known.reading.title, known.stars, known.theme) == ("Two - 2608-00002", 0, "")


def test_a_digest_tells_what_it_picked_supplements_included():
    known = recalled(FILES).digests[date(2026, 8, 19)]
    assert known.picked == ("2608.00001", "math.GT/0309136")
    assert (known.pool, known.top, known.min_stars, known.supplements) == ("9-a", 5, 3, 1)


def test_a_theme_is_its_note_and_the_papers_that_name_it():
    known = recalled(FILES).themes["t-1"]
    assert (known.standing.name, known.standing.members) == ("Agents", ("2608.00001",))
    assert known.terms == ("RL",)


def test_a_renamed_theme_note_gives_the_theme_its_name():
    files = {**FILES, "Mine.md": THEME}
    del files["Agents.md"]
    known = recalled(files)
    assert known.themes["t-1"].standing.name == "Mine"
    assert known.papers["2608.00001"].theme == "t-1"


@pytest.mark.parametrize("form", ['"[[Agents]]"', "Agents", "t-1", "agents", '["[[Agents]]"]'])
def test_a_paper_is_of_the_theme_that_its_property_names_in_any_form(form: str):
    files = {**FILES, "Two - 2608-00002.md": paper(f'arxiv_id: "2608.00002"\ntheme: {form}')}
    assert recalled(files).papers["2608.00002"].theme == "t-1"


def test_nonsense_in_properties_is_no_crash():
    strange = paper('arxiv_id: "2608.00001"\nrelevance: ²\ndigests: [x, "[[y]]"]\ntheme: [a]')
    known = recalled({"a.md": strange}).papers["2608.00001"]
    assert (known.stars, known.digests, known.theme) == (0, (), "")


def test_a_note_of_the_readers_about_a_paper_is_remembered_as_his():
    memory = recalled({"Mine.md": "---\narxiv_id: '2608.00009'\n---\nmine\n"})
    assert (dict(memory.papers), memory.foreign) == ({}, frozenset({"2608.00009"}))


def test_a_paper_whose_region_was_edited_is_still_read():
    known = recalled({"a.md": ONE.replace("We show", "I say")})
    assert known.papers["2608.00001"].reading.abstract.startswith("I say")


def test_a_digest_whose_text_the_reader_cut_still_shows_the_papers_that_name_it():
    cut = DIGEST.replace("- x ^arxiv-2608-00001", "nothing").replace(
        "digest_top", "digest_papers: 2\ndigest_top"
    )
    known = recalled({**FILES, "arXiv digest 2026-08-19.md": cut})
    assert known.digests[date(2026, 8, 19)].picked == ("math.GT/0309136", "2608.00001")


def test_properties_under_our_own_names_are_read_where_the_plain_ones_are_the_readers():
    mine = "theme: mine\nrelated: mine\narxiv_theme:\n  - '[[Agents]]'\n"
    mine += "arxiv_related: ['[[Two - 2608-00002]]']"
    files = {**FILES, "One - 2608-00001.md": paper(f'arxiv_id: "2608.00001"\n{mine}')}
    known = recalled(files).papers["2608.00001"]
    assert (known.theme, known.related) == ("t-1", ("2608.00002",))


def test_links_of_properties_are_read_from_the_notes_own_folder():
    relative = ONE.replace("[[Agents]]", "[[../Themes/Agents]]").replace("[[Two", "[[./Two")
    known = recalled(
        {
            "Papers/One - 2608-00001.md": relative,
            "Papers/Two - 2608-00002.md": FILES["Two - 2608-00002.md"],
            "Themes/Agents.md": THEME,
        }
    )
    assert known.papers["2608.00001"].theme == "t-1"
    assert known.papers["2608.00001"].related == ("2608.00002",)
