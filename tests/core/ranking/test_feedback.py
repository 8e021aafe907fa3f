"""What a vault tells of the reader's mind: every sign by itself, together, and messy."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest import wiring
from obsidian_digest.config import Config, Folders, Notes, Ranking
from obsidian_digest.core.ranking.feedback import Feedback, Opinion, corpus, feedback, rated
from obsidian_digest.core.ranking.shown import readings_shown
from obsidian_digest.core.ranking.signs import wrote
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import Memory, NoteFile, OwnNote, Snapshot
from obsidian_digest.note.names import id_in, id_part
from tests.small_days import FIRST, SECOND, small_days
from tests.vaults import settle

if TYPE_CHECKING:
    from pathlib import Path

FIRST_DAY, SECOND_DAY = date.fromisoformat(FIRST), date.fromisoformat(SECOND)


@dataclass(frozen=True)
class Reader:
    """A vault after two days, and the hand of its reader."""

    vault: Path

    def notes(self) -> dict[str, Path]:
        """Paper notes by id."""
        found = {id_in(path.stem): path for path in sorted(self.vault.rglob("*.md"))}
        return {paper: path for paper, path in found.items() if paper}

    def of_day(self, day: str) -> list[str]:
        return [id_ for id_, path in self.notes().items() if f"digest {day}" in path.read_text()]

    def set(self, paper: str, name: str, value: str) -> None:
        path = self.notes()[paper]
        text, times = re.subn(rf"(?m)^{name}:.*$", lambda _: f"{name}: {value}", path.read_text())
        assert times == 1
        path.write_text(text)

    def write(self, path: str, text: str) -> None:
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def move(self, papers: list[str], folder: str) -> None:
        for paper in papers:
            path = self.notes()[paper]
            (self.vault / folder).mkdir(parents=True, exist_ok=True)
            path.rename(self.vault / folder / path.name)

    def snapshot(self) -> Snapshot:
        settle(self.vault)
        return wiring.open_vault(self.vault, ".obsidian").vault.snapshot()

    def told(self) -> dict[str, tuple[float, tuple[str, ...]]]:
        return {each.id: (each.value, each.signs) for each in self.feedback().opinions}

    def feedback(self) -> Feedback:
        return ask(self.snapshot(), wiring.open_vault(self.vault, ".obsidian").config)


def ask(snapshot: Snapshot, config: Config) -> Feedback:
    places = Places.of(snapshot)
    return feedback(snapshot, places, remember(snapshot, places), config)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    days = small_days(tmp_path_factory.mktemp("feedback"))
    days.run(days.first)
    days.run(days.second)
    return days.vault


@pytest.fixture
def reader(made: Path, tmp_path: Path) -> Reader:
    shutil.copytree(made, tmp_path / "vault")
    return Reader(tmp_path / "vault")


@pytest.fixture
def paper(reader: Reader) -> str:
    return reader.of_day(SECOND)[0]


def test_a_vault_that_nobody_touched_has_no_opinion(reader: Reader):
    assert len(reader.notes()) >= 8
    assert reader.feedback() == Feedback()


@pytest.mark.parametrize(
    ("value", "worth"),
    [("5", 1.0), ("4", 0.75), ("3", 0.25), ("2", -0.5), ("1", -1.0), ('"★★★★☆"', 0.75)],
)
def test_a_rating_is_an_opinion(reader: Reader, paper: str, value: str, worth: float):
    reader.set(paper, "rating", value)
    assert reader.feedback().opinions == (Opinion(paper, worth, SECOND_DAY, ("rated",)),)


@pytest.mark.parametrize(
    ("value", "worth", "sign"),
    [
        ("read", 0.5, "read"),
        ("Done", 0.5, "read"),
        ('"✅ 已读"', 0.5, "read"),
        ("reading", 0.5, "read"),
        ('"[[在读]]"', 0.5, "read"),
        ("skipped", -0.5, "skipped"),
        ("[跳过]", -0.5, "skipped"),
    ],
)
def test_reading_or_skipping_is_an_opinion(reader, paper, value, worth, sign):
    reader.set(paper, "reading", value)
    assert reader.told() == {paper: (worth, (sign,))}


@pytest.mark.parametrize("value", ["unread", "", "true", "soon", "[]", "{a: b}", "already read?!"])
def test_other_words_under_reading_say_nothing(reader: Reader, paper: str, value: str):
    reader.set(paper, "reading", value)
    assert reader.told() == {}


def test_text_below_the_heading_for_notes_is_an_opinion(reader: Reader, paper: str):
    path = reader.notes()[paper]
    path.write_text(path.read_text() + "\nGood idea.\n")
    assert reader.told() == {paper: (0.75, ("noted",))}


def test_text_anywhere_else_of_the_note_is_one_too(reader: Reader, paper: str):
    path = reader.notes()[paper]
    text = path.read_text().replace("\n---\n", "\n---\nRead this on Monday.\n", 1)
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert reader.told() == {paper: (0.75, ("noted",))}


@pytest.mark.parametrize(
    "added",
    [
        "\n\n\n",
        "### What is new\n\n### Questions\n",
        "- [ ] \n---\n",
        "[[MOC-Research]] · [[Home|Start]]\n",
        "%% later %%\n<!-- x -->\n",
        "```dataview\nLIST FROM [[]]\n```\n",
    ],
)
def test_what_a_template_lays_down_is_not_the_readers_word(reader, paper, added):
    path = reader.notes()[paper]
    path.write_bytes((path.read_text() + added).replace("\n", "\r\n").encode())
    assert reader.told() == {}


def test_a_note_whose_markers_broke_speaks_by_what_stands_under_its_heading_only(reader):
    one, two = reader.of_day(SECOND)[:2]
    for paper, added in ((one, ""), (two, "Mine.\n")):
        path = reader.notes()[paper]
        path.write_text(path.read_text().replace("%% digest:end paper %%\n", "", 1) + added)
    assert reader.told() == {two: (0.75, ("noted",))}


@pytest.mark.parametrize(
    "form", ["see [[{name}]]", "[it]({path})", "https://arxiv.org/abs/{id}v1", "[[{id}|it]]"]
)
def test_a_link_from_a_note_of_his_own_is_an_opinion(reader: Reader, paper: str, form: str):
    path = reader.notes()[paper]
    whole = path.relative_to(reader.vault).as_posix().replace(" ", "%20")
    reader.write("Projects/Plan.md", form.format(name=path.stem, path=whole, id=paper) + "\n")
    assert reader.told() == {paper: (0.75, ("linked",))}


def test_a_note_of_his_own_about_a_paper_is_a_link_to_it_and_not_a_remark_in_ours(reader, paper):
    reader.notes()[paper].unlink()
    reader.write("About.md", f"---\narxiv_id: '{paper}'\nrating: 2\n---\nI read it.\n")
    assert reader.told() == {paper: (-0.5, ("rated", "linked"))}
    reader.write("About.md", f"---\narxiv_id: '{paper}'\n---\nI read it.\n")
    assert reader.told() == {paper: (0.75, ("linked",))}


def test_an_index_of_papers_says_nothing(reader: Reader, paper: str):
    names = [path.stem for path in reader.notes().values()]
    assert len(names) >= 10
    reader.write("All my papers.md", "\n".join(f"- [[{name}]]" for name in names))
    assert reader.told() == {}
    reader.write("Project.md", f"[[{reader.notes()[paper].stem}]]")
    assert reader.told() == {paper: (0.75, ("linked",))}


def test_links_of_ours_and_links_to_other_notes_say_nothing(reader: Reader):
    reader.write("Plan.md", "[[Home]] [[MOC-Research]] [[arXiv digest 2026-08-20]] [[nowhere]]\n")
    reader.write("2401.00010.md", "[[Home]] https://arxiv.org/abs/2401.00010\n")
    assert reader.told() == {}


def test_a_paper_whose_note_was_deleted_is_one_he_did_not_want(reader: Reader, paper: str):
    reader.notes()[paper].unlink()
    assert reader.feedback().opinions == (Opinion(paper, -0.75, SECOND_DAY, ("deleted",)),)


def test_a_day_without_any_note_was_not_deleted_paper_by_paper(reader: Reader):
    for paper in reader.of_day(FIRST):
        reader.notes()[paper].unlink()
    assert reader.told() == {}


def test_without_paper_notes_nothing_is_deleted(reader: Reader, paper: str):
    reader.notes()[paper].unlink()
    config = Config(notes=Notes(paper_notes=False))
    assert ask(reader.snapshot(), config) == Feedback()


def test_a_deleted_paper_can_still_be_read_in_its_digest(reader: Reader, paper: str):
    before = remember(reader.snapshot(), Places.of(reader.snapshot())).papers[paper].reading
    reader.notes()[paper].unlink()
    shown = readings_shown(reader.snapshot(), {paper})[paper]
    assert shown.title == before.title
    assert shown.abstract[:40] in before.abstract
    assert readings_shown(reader.snapshot(), {"2401.00010"}) == {}


MANY = "Al Bo, Cy Do and 10 more authors of that group"
TOLD = "We show that agents forget. They need not."
CHINESE = "我们提出一个新方法" * 6 + "。"


@pytest.mark.parametrize(
    ("lines", "title", "summary"),
    [
        (["### 1. [[A b - 2608-00001|A: b]]", "- ★★"], "A: b", ""),
        (["### 1. [[A b - 2608-00001]]", "- ★★", "- Al Bo Jr."], "A b - 2608-00001", ""),
        (["### 2. A \\[b\\]", "- ★★", f"- {MANY}"], "A [b]", ""),
        (["### [A b](Papers/A%20b.md)", "* ★", f"* {TOLD}"], "A b", TOLD),
        (["### 1. 标题", "- ★", f"- {CHINESE}"], "标题", CHINESE),
        (["- ★", "- no heading above"], "", ""),
    ],
)
def test_every_form_of_an_entry_is_read_back(lines: list[str], title: str, summary: str):
    text = "\r\n".join([*lines, "- [x](https://arxiv.org) ^arxiv-2608-00001", "", "Mine"])
    note = NoteFile("d.md", "digest", SECOND, text.encode(), {}, {})
    found = readings_shown(Snapshot(notes=(note,)), {"2608.00001"})
    told = {(each.title, each.abstract) for each in found.values()}
    assert told == ({(title, summary)} if title else set())


def test_a_note_taken_out_of_its_folder_was_wanted(reader: Reader, paper: str):
    reader.move([paper], "Projects/Memory")
    assert reader.told() == {paper: (0.75, ("moved",))}


@pytest.mark.parametrize("folder", ["4 Archive", "arXiv/_trash", "归档"])
def test_a_note_put_away_was_not(reader: Reader, paper: str, folder: str):
    reader.move([paper], folder)
    assert reader.told() == {}


def test_a_folder_moved_as_a_whole_says_nothing(reader: Reader):
    (reader.vault / "arXiv" / "Papers").rename(reader.vault / "Bibliography")
    assert reader.told() == {}
    config = Config(folders=Folders(papers="Elsewhere"))
    assert ask(reader.snapshot(), config) == Feedback()


def test_a_day_that_was_born_in_another_folder_was_not_moved(reader: Reader):
    reader.move(reader.of_day(FIRST), "Old place")
    assert reader.told() == {}


def test_a_reader_who_files_every_note_says_nothing_by_it(reader: Reader):
    papers = reader.of_day(SECOND)
    for number, paper in enumerate(papers):
        reader.move([paper], f"Topics/{number}")
    assert reader.told() == {}


def test_a_rating_decides_alone(reader: Reader, paper: str):
    path = reader.notes()[paper]
    path.write_text(path.read_text() + "\nMuch to say.\n")
    reader.set(paper, "rating", "3")
    reader.set(paper, "reading", "read")
    assert reader.told() == {paper: (0.25, ("rated", "read", "noted"))}


def test_what_speaks_for_a_paper_adds_up_but_never_to_five_stars(reader: Reader, paper: str):
    path = reader.notes()[paper]
    reader.write("Plan.md", f"[[{path.stem}]]")
    reader.set(paper, "reading", "read")
    assert reader.told() == {paper: (0.85, ("read", "linked"))}
    path.write_text(path.read_text() + "\nGood.\n")
    reader.move([paper], "Projects")
    assert reader.told() == {paper: (0.95, ("read", "noted", "linked", "moved"))}


def test_what_speaks_against_a_paper_wins_and_counts_half_where_something_speaks_for_it(reader):
    skipped, gone = reader.of_day(SECOND)[:2]
    path = reader.notes()[skipped]
    path.write_text(path.read_text() + "\nToo narrow.\n")
    reader.set(skipped, "reading", "skipped")
    reader.write("Plan.md", f"[[{reader.notes()[gone].stem}]]")
    reader.notes()[gone].unlink()
    assert reader.told() == {
        skipped: (-0.25, ("skipped", "noted")),
        gone: (-0.375, ("linked", "deleted")),
    }


def test_the_newest_day_comes_first_and_what_has_none_last(reader: Reader):
    for paper in reader.notes():
        reader.set(paper, "rating", "4")
    last = reader.of_day(FIRST)[-1]
    for path in (reader.vault / "arXiv" / "Digests").glob(f"*{FIRST}*"):
        path.write_text(re.sub(rf"(?m) \^arxiv-{id_part(last)}$", "", path.read_text()))
    reader.set(last, "digests", "[]")
    path = reader.notes()[last]
    path.write_text(re.sub(r'  - "\[\[arXiv digest .*\n', "", path.read_text()))
    told = reader.feedback().opinions
    days = [each.day for each in told]
    assert days == sorted(days, key=lambda day: day or date.min, reverse=True)
    assert [each.id for each in told if each.day is None] == [last]
    by_day = [[each.id for each in told if each.day == day] for day in (SECOND_DAY, FIRST_DAY)]
    assert all(ids == sorted(ids) and ids for ids in by_day)


def test_the_order_of_the_vaults_files_does_not_matter(reader: Reader, paper: str):
    reader.set(paper, "rating", "5")
    reader.notes()[reader.of_day(FIRST)[0]].unlink()
    reader.write("Plan.md", f"[[{reader.notes()[reader.of_day(SECOND)[1]].stem}]]")
    seen, config = reader.snapshot(), Config()
    turned = replace(seen, notes=seen.notes[::-1], paths=seen.paths[::-1], own=seen.own[::-1])
    assert len(ask(seen, config).opinions) == 3
    assert ask(seen, config) == ask(turned, config)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4.5", 0.875), ("4,5", 0.875), ("2.5", -0.125), ("4/5", 0.75), ("8/10", 0.75),
        ("10 / 10", 1.0), ("1/10", -1.0), ("80/100", 0.75), ("４", 0.75), (" 4 stars ", 0.75),
        ("5星", 1.0), ("3分", 0.25), ("⭐⭐⭐⭐⭐", 1.0), ("⭐️⭐️", -0.5), ("★", -1.0), ("4★", 0.75),
    ],
)  # fmt: skip
def test_ratings_are_read_in_the_forms_people_and_plugins_write(text: str, value: float):
    assert rated(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "0", "0/5", "6", "9", "-3", "7/5", "4/7", "good", "★★★★★★", "☆☆☆", "1e1", "nan", "5 5"],
)
def test_what_is_no_rating_says_nothing(text: str):
    assert rated(text) is None


SCALARS = st.text(max_size=20) | st.from_regex(r"[0-9.,/★☆ ]{0,9}")
PAPERS = ["2608.00001", "2608.00002", "math/0309136"]
TARGETS = st.text(max_size=15) | st.sampled_from([*PAPERS, "A - 2608-00001", "../A - 2608-00001"])


@given(
    headers=st.lists(
        st.dictionaries(
            st.sampled_from(["rating", "reading", "arxiv_rating", "digests"]),
            SCALARS | st.lists(SCALARS, max_size=3).map(tuple),
        ),
        min_size=3,
        max_size=3,
    ),
    own=st.lists(st.tuples(st.text(max_size=9), st.lists(TARGETS, max_size=5))),
    raw=st.binary(max_size=80) | st.text(max_size=80).map(str.encode),
)
def test_no_vault_is_too_odd_to_ask(headers, own, raw):
    notes = tuple(
        NoteFile(f"x/A - {id_part(paper)}.md", "paper", paper, raw, given, {})
        for paper, given in zip(PAPERS, headers, strict=True)
    )
    owned = tuple(OwnNote(f"{name}.md", (), tuple(links)) for name, links in own)
    snapshot = Snapshot(notes=notes, paths=tuple(note.path for note in notes), own=owned)
    told = feedback(snapshot, Places.of(snapshot), Memory(), Config())
    assert all(-1 <= each.value <= 1 and each.signs for each in told.opinions)
    assert told == feedback(snapshot, Places.of(snapshot), Memory(), Config())


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_in_a_note_can_be_looked_at(before: str, after: str):
    marked = "%% digest:begin paper v1 seal=00000000 %%\n\nours\n\n%% digest:end paper %%"
    raw = f"{before}\n{marked}\n{after}".encode("utf-8", "replace")
    for regions in ({"paper": "ours"}, {}):
        assert wrote(NoteFile("a.md", "paper", "x", raw, {}, regions), ("Home",)) in (True, False)


def test_notes_of_the_corpus_stand_in_as_interests_by_path():
    own = tuple(OwnNote(f"Projects/{n:03}.md", text=f"text {n}") for n in range(400))
    more = (OwnNote("Projects/a.md"), OwnNote("Z.md", text="elsewhere"))
    found = corpus(Snapshot(own=own + more), Config(ranking=Ranking(corpus=("Projects",))))
    assert len(found) == 300
    assert (found[0].id, found[0].title, found[0].abstract) == ("Projects/000.md", "000", "text 0")
    assert corpus(Snapshot(own=own), Config()) == ()


def test_the_corpus_is_read_from_the_folders_that_the_config_names(reader: Reader):
    toml = reader.vault / "obsidian-digest.toml"
    text = toml.read_text()
    assert "corpus = []" in text
    toml.write_text(text.replace("corpus = []", 'corpus = ["Projects"]'))
    reader.write("Projects/Memory.md", "# Memory of agents\nIt *forgets*.\n")
    reader.write("Other.md", "Not this one.\n")
    config = wiring.open_vault(reader.vault, ".obsidian").config
    found = corpus(reader.snapshot(), config)
    assert [(each.id, each.abstract) for each in found] == [
        ("Projects/Memory.md", "Memory of agents It forgets.")
    ]
