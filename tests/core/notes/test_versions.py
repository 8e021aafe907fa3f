from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path

import pytest

from obsidian_digest.config import Config
from obsidian_digest.core.checks.lint import lint
from obsidian_digest.core.day.compose import claim, titles
from obsidian_digest.core.law.plan import born, plan
from obsidian_digest.core.notes.drafts import Drafts
from obsidian_digest.core.notes.versions import Revisions, announced_anew, revise
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.render import Renderer
from obsidian_digest.edge.templates import Templates
from obsidian_digest.model import (
    Digest,
    Entry,
    Harvest,
    Keep,
    Memory,
    Paper,
    Plan,
    Ranked,
    Reason,
    Snapshot,
    Update,
    VaultSettings,
)
from obsidian_digest.note.kinds import classify

FIRST, DAY, NEXT = date(2026, 8, 19), date(2026, 8, 20), date(2026, 8, 21)
ONE = Paper(
    id="2608.17001",
    title="Bandits: a survey of $\\epsilon$-greedy play",
    abstract="We survey bandits with $K$ arms. We show that greedy play is 5% better than UCB.",
    authors=("Ada Lovelace", "Émilie du Châtelet"),
    categories=("cs.LG", "cs.AI"),
    primary="cs.LG",
    published=datetime(2026, 8, 18, 9, tzinfo=UTC),
    updated=datetime(2026, 8, 18, 9, tzinfo=UTC),
    comment="12 pages",
)
OTHER = replace(ONE, id="2608.17002", title="Robots", abstract="We build robots.")
NEW_ABSTRACT = (
    "We survey bandits with $K$ arms. We present a proof that greedy play beats UCB by 7%."
)
V2 = replace(
    ONE,
    version=2,
    title="Bandits: the survey",
    abstract=NEW_ABSTRACT,
    updated=datetime(2026, 8, 19, 9, tzinfo=UTC),
)
PATH = "arXiv/Papers/Bandits - a survey of ε-greedy play - 2608-17001.md"
DIGEST = "arXiv/Digests/arXiv digest 2026-08-19.md"


@lru_cache
def renderer(language: str = "en") -> Renderer:
    templates = Templates(Path("nowhere"))
    return Renderer(templates.texts(), templates.words(language))


def digest(*papers: Paper, day: date = FIRST, number: int = 0) -> Digest:
    reason = Reason("reason_author", (("name", "Ada Lovelace"),))
    entries = tuple(Entry(each, Ranked(each.id, 0.5, 4, None, (reason,))) for each in papers)
    return Digest(
        day=day,
        batches=(day,),
        window=None,
        newest="",
        collected=2,
        unique=2,
        new=2,
        pool="2-x",
        top=20,
        min_stars=3,
        sources=(),
        missing=(),
        encoder="words",
        themes=(),
        entries=entries,
        near_misses=(),
        number=number,
    )


@dataclass(frozen=True)
class Desk:
    """A vault in memory."""

    files: dict[str, str]
    language: str = "en"
    types: tuple[tuple[str, str], ...] = ()

    @property
    def snapshot(self) -> Snapshot:
        found = (classify(path, self.files[path].encode(), "MOC") for path in sorted(self.files))
        settings = VaultSettings(property_types=dict(self.types))
        return Snapshot(tuple(filter(None, found)), tuple(sorted(self.files)), settings=settings)

    def hears(self, *papers: Paper, day: date = DAY) -> tuple[Revisions, Plan]:
        """What replacements of a day make of it."""
        return self.sees(Harvest((), (), revised=papers), day=day)

    def sees(self, harvest: Harvest, day: date = DAY) -> tuple[Revisions, Plan]:
        snapshot = self.snapshot
        places = Places.of(snapshot)
        anew = announced_anew(harvest, snapshot, day)
        memory = remember(snapshot, places)
        found = revise(anew, day, snapshot, memory, renderer(self.language), places)
        return found, plan(found.drafts(()), snapshot, places, ())

    def after(self, planned: Plan) -> Desk:
        updated = {each.path: each.after.decode() for each in planned.changes}
        return replace(self, files=self.files | updated)

    def edited(self, *changes: tuple[str, str]) -> Desk:
        text = self.files[PATH]
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return replace(self, files={**self.files, PATH: text})

    @property
    def text(self) -> str:
        return self.files[PATH]

    @property
    def memory(self) -> Memory:
        return remember(self.snapshot, Places.of(self.snapshot))


def desk(*papers: Paper, language: str = "en", types: tuple[tuple[str, str], ...] = ()) -> Desk:
    """A vault whose digest of the first day shows these papers."""
    config, made = Config(), digest(*papers or (ONE,))
    places = Places.of(Snapshot())
    claim(config, made, places)
    drafts = Drafts(config, renderer(language), places, titles(made, Memory()))
    notes = [drafts.paper(entry, (FIRST,)) for entry in made.entries] + [drafts.digest(made)]
    return Desk({each.path: born(each) for each in notes}, language, types)


def heard(vault: Desk, *papers: Paper, day: date = DAY) -> Desk:
    return vault.after(vault.hears(*papers, day=day)[1])


def test_a_new_version_changes_what_belongs_to_it_and_says_so():
    text = heard(desk(), V2).text
    assert 'title: "Bandits: the survey"\n' in text
    assert "arxiv_version: 2\n" in text
    assert "published: 2026-08-18\nupdated: 2026-08-19\n" in text
    assert "beats UCB by 7%. ^abstract\n" in text
    assert "5% better" not in text
    assert "[2608.17001v2](https://arxiv.org/abs/2608.17001v2)" in text
    assert "https://arxiv.org/pdf/2608.17001v2" in text
    assert "17001v1" not in text
    told = (
        "## New version, 2026-08-20\n\n"
        "[2608.17001v2](https://arxiv.org/abs/2608.17001v2): "
        'title changed (before: "Bandits: a survey of ε-greedy play"), abstract changed'
        " ^version-2026-08-20\n\n- Version 2, updated 2026-08-19.\n"
    )
    assert told in text


def test_stars_reasons_and_the_readers_text_stay_as_they_stand():
    vault = desk().edited(("## Notes\n", "## Notes\n\nMy own thoughts.\n"))
    before, after = vault.text, heard(vault, V2).text
    for line in (
        "**★★★★☆** By Ada Lovelace, whom you watch.",
        "relevance: 4",
        "- Comment: 12 pages",
    ):
        assert line in before
        assert line in after
    assert after.endswith("## Notes\n\nMy own thoughts.\n")
    assert [line for line in before.splitlines() if line.startswith("aliases")] == [
        line for line in after.splitlines() if line.startswith("aliases")
    ]


def test_the_summary_follows_the_abstract():
    before, after = desk().text, heard(desk(), V2).text
    assert "> We survey bandits with $K$ arms. We show that greedy play is 5% better" in before
    assert "> We survey bandits with $K$ arms. We present a proof that greedy play beats" in after


def test_hearing_of_it_again_changes_nothing():
    after = heard(desk(), V2)
    assert after.hears(V2)[1].changes == ()
    assert after.hears(V2, day=NEXT)[1].changes == ()
    assert after.hears(ONE, day=NEXT)[1].changes == ()


def test_every_version_is_told_below_the_one_before():
    vault = heard(heard(desk(), V2), replace(V2, version=3, authors=("Ada Lovelace",)), day=NEXT)
    text = vault.text
    assert text.index("^version-2026-08-20") < text.index("17001v3): authors changed ^version-2026")
    assert "arxiv_version: 3" in text
    assert "authors:\n  - Ada Lovelace\npublished" in text
    assert "\nAda Lovelace\n\n[2608.17001v3]" in text
    assert text.count("digest:begin") == 4


def test_a_version_with_the_same_words_is_told_too():
    text = heard(desk(), replace(ONE, version=2)).text
    assert "17001v2): new text under the same title and abstract ^version-2026-08-20" in text


def test_the_reader_hears_of_it_in_chinese():
    text = heard(desk(language="zh"), V2).text
    assert "## 新版本（2026-08-20）" in text
    assert "标题改动（原为《Bandits: a survey of ε-greedy play》），摘要改动 ^version" in text


def test_a_withdrawn_paper_is_marked_and_keeps_what_there_was_to_read():
    gone = replace(
        V2,
        title="Withdrawn",
        abstract="This paper has been withdrawn by the authors.",
        comment="This paper has been withdrawn due to an error in Theorem 3",
    )
    found, planned = desk().hears(gone)
    text = desk().after(planned).text
    assert found.versions[0].withdrawn
    assert "17001v2): **withdrawn** ^version-2026-08-20\n\n" in text
    assert "- Comment: This paper has been withdrawn due to an error in Theorem 3\n" in text
    assert "than UCB. ^abstract\n\n- **withdrawn**\n- Comment: 12 pages\n" in text
    assert "arxiv_version: 2\n" in text
    assert 'title: "Bandits: a survey of ε-greedy play"\n' in text
    assert "https://arxiv.org/pdf/2608.17001v1" in text


def test_a_note_without_remarks_is_marked_below_its_abstract():
    text = heard(desk(replace(ONE, comment="")), replace(V2, comment="Withdrawn")).text
    assert "than UCB. ^abstract\n\n- **withdrawn**\n\n%% digest:end paper %%" in text


def test_a_text_the_reader_edited_is_left_alone_and_the_new_one_stands_below():
    vault = desk().edited(("greedy play is", "==greedy play== is"))
    found, planned = vault.hears(V2)
    assert planned.kept == (Keep(PATH, "edited", "region paper"),)
    text = vault.after(planned).text
    assert "==greedy play== is" in text
    assert "arxiv_version: 2\n" in text
    assert "> [!abstract]- Abstract\n> We survey bandits with $K$ arms. We present" in text
    assert found.memory.papers[ONE.id] == vault.after(planned).memory.papers[ONE.id]


def test_a_property_the_reader_took_out_stays_out_and_is_told():
    vault = desk().edited(("arxiv_version: 1\n", ""), ("updated: 2026-08-18\n", ""))
    _, planned = vault.hears(V2)
    assert planned.kept == (
        Keep(PATH, "deleted", "property arxiv_version"),
        Keep(PATH, "deleted", "property updated"),
    )
    after = vault.after(planned)
    assert "arxiv_version" not in after.text
    assert "17001v2): title changed" in after.text
    assert after.hears(V2)[1].changes == ()


def test_a_region_the_reader_took_out_stays_out():
    after = heard(desk(), V2)
    start = after.text.index("\n\n%% digest:begin version-2026-08-20")
    end = after.text.index("%% digest:end version-2026-08-20 %%")
    cut = after.edited((after.text[start : end + len("%% digest:end version-2026-08-20 %%")], ""))
    assert cut.hears(V2)[1].changes == ()
    assert "^version-2026-08-21" in heard(cut, replace(V2, version=3), day=NEXT).text


def test_a_note_without_any_region_hears_only_in_its_properties():
    text = desk().text
    head, tail = text.split("%% digest:begin paper")[0], "## Notes\n"
    vault = desk().edited((text, head + tail))
    _, planned = vault.hears(V2)
    assert vault.after(planned).text == heard(desk(), V2).text.split("%% digest")[0] + tail
    assert Keep(PATH, "deleted", "region version-2026-08-20") in planned.kept


def test_a_note_that_git_left_in_conflict_is_not_touched():
    vault = desk().edited(("## Notes\n", "## Notes\n<<<<<<< HEAD\n=======\n>>>>>>> x\n"))
    assert vault.hears(V2)[1].changes == ()


def test_line_ends_of_windows_survive():
    unix = heard(desk(), V2).text
    vault = desk().edited(("\n", "\r\n"))
    assert heard(vault, V2).text == unix.replace("\n", "\r\n")


def test_a_template_of_the_readers_keeps_its_own_words():
    templates = Templates(Path("nowhere")).texts()
    templates["paper.md.j2"] = (
        "Mine! {{ p.stars }}\n\n{{ p.abstract }} ^abstract\n\nRead {{ p.links[1] }} today.\n"
    )
    own = Renderer(templates, Templates(Path("nowhere")).words("en"))
    made, places = digest(ONE), Places.of(Snapshot())
    claim(Config(), made, places)
    note = Drafts(Config(), own, places, {}).paper(made.entries[0], (FIRST,))
    text = heard(Desk({note.path: born(note)}), V2).text
    assert "Mine! ★★★★☆\n\nWe survey bandits with $K$ arms. We present a proof" in text
    assert "Read [PDF](https://arxiv.org/pdf/2608.17001v2) today.\n" in text


def test_categories_change_as_a_whole_and_codes_of_other_schemes_do_not_count():
    same = replace(ONE, version=2, categories=("cs.LG", "68T05", "I.2.6", "cs.AI"))
    assert "categories" not in heard(desk(), same).text.split("digest:begin version")[1]
    moved = replace(ONE, version=2, categories=("cs.LG", "stat.ML"), primary="cs.LG")
    text = heard(desk(), moved).text
    assert "17001v2): categories changed ^version" in text
    assert "arxiv_categories:\n  - cs.LG\n  - stat.ML\n" in text
    assert "17001v2) · cs.LG, stat.ML · 2026-08-18\n" in text


def test_a_list_of_authors_cut_off_by_a_listing_page_is_no_change():
    many = tuple(f"Author Number{n}" for n in range(150))
    vault = desk(replace(ONE, authors=many))
    listed = replace(ONE, version=2, authors=many[:100])
    assert "Number149" in heard(vault, listed).text
    assert "authors changed" not in heard(vault, listed).text
    assert "authors changed" in heard(vault, replace(listed, authors=many[:3])).text


def test_spelling_of_another_service_is_no_change():
    listed = replace(
        ONE,
        version=2,
        title="Bandits: a survey of ε -greedy play",
        authors=("Ada Lovelace", "\\'Emilie du Ch\\^atelet"),
    )
    told = heard(desk(), listed).text.split("digest:begin version")[1]
    assert "new text under the same title and abstract" in told


def test_code_that_moved_is_linked_anew_and_a_comment_that_is_not_known_takes_none_away():
    vault = desk(replace(ONE, comment="Code: https://github.com/ada/old"))
    assert "code: https://github.com/ada/old\n" in vault.text
    silent = replace(V2, comment="", published=None, updated=None)
    assert "code: https://github.com/ada/old\n" in heard(vault, silent).text
    named = replace(V2, comment="Code: https://github.com/ada/new")
    assert "code: https://github.com/ada/new\n" in heard(vault, named).text


class TestAVersionThatTheSourceDoesNotTell:
    LISTED = replace(V2, version=1, published=None, updated=None)

    def test_is_new_where_the_words_differ(self):
        text = heard(desk(), self.LISTED).text
        assert "[2608.17001](https://arxiv.org/abs/2608.17001): new version, title changed" in text
        assert "arxiv_version: 1\n" in text
        assert "updated:\n" in text
        assert "beats UCB by 7%. ^abstract" in text

    def test_is_none_where_they_are_the_same(self):
        same = replace(ONE, published=None, updated=None)
        assert desk().hears(same)[1].changes == ()

    def test_does_not_take_back_what_a_later_day_brought(self):
        vault = heard(desk(), replace(V2, version=3), day=NEXT)
        assert vault.hears(replace(self.LISTED, abstract="Between."))[1].changes == ()
        assert desk().hears(self.LISTED, day=FIRST)[1].changes == ()

    def test_is_told_once(self):
        after = heard(desk(), self.LISTED)
        assert after.hears(self.LISTED)[1].changes == ()
        assert after.hears(self.LISTED, day=NEXT)[1].changes == ()

    def test_tells_a_withdrawal(self):
        gone = replace(ONE, published=None, updated=None, comment="withdrawn")
        after = heard(desk(), gone)
        assert "2608.17001): **withdrawn** ^version" in after.text
        assert after.hears(gone, day=NEXT)[1].changes == ()


class TestWhatElseArrives:
    def test_a_newer_paper_of_a_file_counts_and_an_equal_or_unknown_one_does_not(self):
        vault = desk()
        assert vault.sees(Harvest((V2, OTHER), ()))[0].versions[0].id == ONE.id
        assert vault.sees(Harvest((ONE, OTHER), ()))[0].versions == ()
        assert vault.hears(replace(OTHER, version=2))[0].versions == ()

    def test_of_two_rows_for_one_paper_the_higher_version_counts_in_any_order(self):
        v3 = replace(V2, version=3, title="Third")
        one, other = desk().hears(V2, v3), desk().hears(v3, V2)
        assert one == other
        assert "arxiv_version: 3" in desk().after(one[1]).text


class TestTheDigest:
    def view(self, vault: Desk, found: Revisions, made: Digest) -> str:
        places = Places.of(vault.snapshot)
        claim(Config(), made, places)
        drafts = Drafts(Config(), renderer(vault.language), places, titles(made, found.memory))
        note = drafts.digest(made, found.told(made, vault.snapshot))
        return (note.regions or note.added)[0].text

    def test_names_the_papers_under_their_new_titles(self):
        vault = desk(ONE, OTHER)
        found, _ = vault.hears(V2, replace(OTHER, version=2, comment="withdrawn"))
        made = digest(replace(ONE, id="2608.18000", title="Third"), day=DAY)
        assert self.view(vault, found, made).endswith(
            "> [!note]- New versions of papers you have (2)\n"
            f"> - [[{PATH[13:-3]}|Bandits: the survey]] · "
            "[2608.17001v2](https://arxiv.org/abs/2608.17001v2): title changed (before: "
            '"Bandits: a survey of ε-greedy play"), abstract changed\n'
            "> - [[Robots - 2608-17002|Robots]] · "
            "[2608.17002v2](https://arxiv.org/abs/2608.17002v2): **withdrawn**"
        )

    def test_is_the_same_when_the_run_before_was_cut_short(self):
        vault, made = desk(ONE, OTHER), digest(replace(ONE, id="2608.18000"), day=DAY)
        news = (V2, replace(OTHER, version=2, comment="withdrawn"))
        found, planned = vault.hears(*news)
        whole = self.view(vault, found, made)
        half = vault.after(replace(planned, changes=planned.changes[:1]))
        again, rest = half.hears(*news)
        assert self.view(half, again, made) == whole
        assert half.after(rest).files == vault.after(planned).files
        done = vault.after(planned)
        assert self.view(done, done.hears(*news)[0], made) == whole
        file = Harvest(news, ())
        assert self.view(done, done.sees(file)[0], made) == whole

    def test_of_a_supplement_names_only_what_the_day_has_not_told(self):
        vault = heard(desk(ONE, OTHER), V2)
        path = "arXiv/Digests/arXiv digest 2026-08-20.md"
        found = vault.hears(V2)[0]
        first = digest(replace(ONE, id="2608.18000"), day=DAY)
        places = Places.of(vault.snapshot)
        claim(Config(), first, places)
        drafts = Drafts(Config(), renderer(), places, titles(first, found.memory))
        note = born(drafts.digest(first, found.told(first, vault.snapshot)))
        standing = replace(vault, files={**vault.files, path: note})
        more = digest(replace(ONE, id="2608.18001"), day=DAY, number=1)
        found = standing.hears(V2, replace(OTHER, version=2))[0]
        assert [key for key, _ in found.told(more, standing.snapshot)] == [OTHER.id]

    def test_does_not_name_a_paper_that_it_shows(self):
        found = desk().hears(V2)[0]
        assert found.told(digest(V2, day=DAY), desk().snapshot) == ()
        assert found.drafts({ONE.id}) == ()


def test_the_vault_knows_at_once_what_its_notes_will_tell():
    for vault in (desk(ONE, OTHER), desk(ONE, language="zh"), desk(types=(("title", "number"),))):
        found, planned = vault.hears(V2)
        assert found.memory.papers == vault.after(planned).memory.papers
    assert found.memory.papers[ONE.id].reading.abstract.endswith("beats UCB by 7%.")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_in_a_hostile_version_acts_in_the_note(language):
    nasty = "[[x]] <% now %> `= 1` %% hi\n%% digest:end paper %%\n# h ^abstract ![](http://a.b) $$x"
    evil = replace(
        V2, title=nasty, abstract=nasty, comment=nasty, authors=(nasty,), journal_ref=nasty
    )
    after = heard(desk(language=language), evil)
    found = lint(after.snapshot, Places.of(after.snapshot))
    assert {each.detail for each in found} == {"the link to MOC-Research leads to no note"}
    assert after.hears(evil)[1].changes == ()
    assert after.memory.papers[ONE.id].reading.abstract


def test_an_update_replaces_the_bytes_it_saw():
    (change,) = desk().hears(V2)[1].changes
    assert change == Update(PATH, desk().text.encode(), change.after)
