from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from obsidian_digest.config import Config, parse
from obsidian_digest.core.checks.status import Status, status
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import Snapshot
from obsidian_digest.note import header, region
from obsidian_digest.note.kinds import classify

THURSDAY = datetime(2026, 8, 20, 6, tzinfo=UTC)
PAPER = "arXiv/Papers/A paper - 2608-00001.md"
TEXT = "We present a paper. ^abstract"


def paper(arxiv_id: str, text: str = TEXT, **more: object) -> str:
    properties = {"title": "A paper", "arxiv_id": arxiv_id, **more}
    return header.write(properties) + "\n" + region.wrap("paper", text) + "\n\n## Notes\n"


def digest(day: str, *ids: str, batches: tuple[str, ...] = ()) -> str:
    title = f"arXiv digest {day}"
    properties = {"title": title, "digest_date": day, "digest_batches": batches or (day,)}
    rows = "\n".join(f"- a paper ^arxiv-{each.replace('.', '-')}" for each in ids)
    return header.write({**properties, "digest_pool": "1-00"}) + region.wrap("digest", rows) + "\n"


def look(
    notes: dict[str, str], config: Config | None = None, seen: frozenset[str] | None = None
) -> Status:
    found = [classify(path, text.encode(), "MOC-Research") for path, text in notes.items()]
    snapshot = Snapshot(tuple(filter(None, found)), tuple(notes), seen=seen)
    places = Places.of(snapshot, ("MOC-Research", "Home", "Research interests"))
    return status(snapshot, places, remember(snapshot, places), config or Config(), THURSDAY)


def kept(found: Status) -> list[tuple[str, str, str]]:
    return [(each.reason, each.path, each.detail) for each in found.kept]


def digests(*days: str) -> dict[str, str]:
    return {f"arXiv/Digests/arXiv digest {day}.md": digest(day) for day in days}


def test_an_empty_vault_has_nothing_of_ours_and_the_next_run_fetches_the_latest_batch():
    found = look({"Home.md": "# Home"})
    assert (found.notes, found.kept, found.covered.digests) == ({}, (), 0)
    assert found.batches == (date(2026, 8, 20),)


def test_notes_are_counted_by_kind_and_the_readers_own_are_not():
    own = header.write({"arxiv_id": "2608.00002"}) + "My own words.\n"
    theme = header.write({"title": "Agents", "theme_id": "t-1"}) + region.wrap("theme", "") + "\n"
    moc = region.wrap("moc", "") + "\n"
    notes = {PAPER: paper("2608.00001"), "Own.md": own, "MOC-Research.md": moc}
    found = look({**notes, "arXiv/Themes/Agents.md": theme, **digests("2026-08-20")})
    assert found.notes == {"paper": 1, "digest": 1, "theme": 1, "moc": 1}
    assert kept(found) == [("foreign", "Own.md", "your own note about this paper")]


def test_a_region_that_was_edited_is_named():
    text = paper("2608.00001").replace("We present", "They present")
    assert kept(look({PAPER: text})) == [("edited", PAPER, "region paper")]


def test_a_region_that_links_to_a_note_of_the_readers_counts_as_edited():
    text = paper("2608.00001", "See [[Agents - 2608-00002]]. ^abstract")
    text = text.replace("[[Agents - 2608-00002]]", "[[Home]]")
    assert kept(look({PAPER: text, "Diary.md": "", "Home.md": ""})) == []
    text = text.replace("[[Home]]", "[[Diary|Agents]]")
    assert kept(look({PAPER: text, "Diary.md": ""})) == [("edited", PAPER, "region paper")]


def test_a_note_in_another_folder_was_moved_and_the_config_says_where_new_ones_go():
    place = "Read/A paper - 2608-00001.md"
    found = look({place: paper("2608.00001")})
    assert kept(found) == [("moved", place, "new ones go to arXiv/Papers")]
    assert look({place: paper("2608.00001")}, parse('[folders]\npapers = "Read"\n')).kept == ()


@pytest.mark.parametrize(
    ("path", "text", "detail"),
    [
        ("arXiv/Papers/That one.md", paper("2608.00001"), "renamed; it is 2608.00001"),
        (
            "arXiv/Digests/Thursday.md",
            digest("2026-08-20"),
            "renamed; it was arXiv digest 2026-08-20",
        ),
        (
            "Read/That one.md",
            paper("2608.00001"),
            "new ones go to arXiv/Papers; renamed; it is 2608.00001",
        ),
        ("Maps/All papers.md", region.wrap("moc", "") + "\n", "renamed; it was MOC-Research"),
    ],
)
def test_a_note_with_another_name_was_renamed(path: str, text: str, detail: str):
    assert kept(look({path: text})) == [("moved", path, detail)]


def test_a_number_behind_a_name_that_was_taken_is_no_renaming():
    assert look({"arXiv/Digests/arXiv digest 2026-08-20 2.md": digest("2026-08-20")}).kept == ()


def test_a_paper_that_a_digest_names_and_that_has_no_note_was_deleted():
    path = "arXiv/Digests/arXiv digest 2026-08-20.md"
    notes = {PAPER: paper("2608.00001"), path: digest("2026-08-20", "2608.00001", "2608.00002")}
    assert kept(look(notes)) == [("deleted", "2608.00002", "shown on 2026-08-20")]


def test_a_vault_without_paper_notes_has_none_that_were_deleted():
    notes = {"arXiv/Digests/arXiv digest 2026-08-20.md": digest("2026-08-20", "2608.00002")}
    assert look(notes, parse("[notes]\npaper_notes = false\n")).kept == ()


def test_notes_that_share_an_id_or_cannot_be_written_are_told_with_the_reason():
    notes = {
        PAPER: paper("2608.00001"),
        "arXiv/Papers/Copy - 2608-00001.md": paper("2608.00001"),
        "arXiv/Papers/Torn - 2608-00002.md": paper("2608.00002").replace("digest:end", "digest:x"),
        "arXiv/Papers/Split - 2608-00003.md": paper("2608.00003")
        + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
    }
    assert [each[:2] for each in kept(look(notes))] == [
        ("doubled", PAPER),
        ("doubled", "arXiv/Papers/Copy - 2608-00001.md"),
        ("unreadable", "arXiv/Papers/Torn - 2608-00002.md"),
        ("conflict", "arXiv/Papers/Split - 2608-00003.md"),
    ]


def test_a_working_day_without_a_digest_is_missing_but_no_weekend_and_no_holiday():
    august = look(digests("2026-08-13", "2026-08-18")).covered
    assert august.missing == (date(2026, 8, 14), date(2026, 8, 17))
    assert (august.first, august.newest) == (date(2026, 8, 13), date(2026, 8, 18))
    # Nothing was announced on 20 January 2026, after the holiday of the 19th.
    assert look(digests("2026-01-19", "2026-01-21")).covered.missing == ()


def test_one_digest_for_several_batches_covers_all_of_them():
    batches = ("2026-08-18", "2026-08-19", "2026-08-20")
    notes = {
        **digests("2026-08-17"),
        "arXiv/Digests/arXiv digest 2026-08-20.md": digest("2026-08-20", batches=batches),
    }
    assert look(notes).covered.missing == ()


@pytest.mark.parametrize("day", ["2031-01-01", "9999-12-31", "0001-01-01"])
def test_a_digest_of_an_impossible_day_leaves_the_days_and_the_next_run_as_they_are(day: str):
    found = look(digests("2026-08-19", day))
    assert found.batches == (date(2026, 8, 20),)
    assert found.covered.first == found.covered.newest == date(2026, 8, 19)


def test_when_nothing_is_due_the_next_announcement_is_known():
    found = look(digests("2026-08-20"))
    assert (found.batches, found.coming) == ((), datetime(2026, 8, 21, tzinfo=UTC))


def test_the_order_of_the_notes_on_disk_does_not_matter():
    notes = {f"Read/P - 2608-0000{n}.md": paper(f"2608.0000{n}") for n in range(1, 6)}
    assert look(notes) == look(dict(reversed(notes.items())))


def test_most_notes_gone_at_once_is_why_a_run_would_do_nothing():
    ids = [f"2608.{number:05}" for number in range(1, 21)]
    notes = {"arXiv/Digests/arXiv digest 2026-08-20.md": digest("2026-08-20", *ids)}
    assert look(notes).refusal.startswith("20 of 20 paper notes are gone at once")
    assert look(notes, parse("[notes]\npaper_notes = false\n")).refusal == ""
    standing = {f"arXiv/Papers/{each.replace('.', '-')}.md": paper(each) for each in ids[:11]}
    assert look({**notes, **standing}).refusal == ""
    assert look({**notes, **standing}, seen=frozenset(ids)).refusal == ""
    gone = dict(list(standing.items())[:9])
    assert look({**notes, **gone}, seen=frozenset(ids)).refusal.startswith("11 of 20")
