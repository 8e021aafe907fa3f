"""`score` through the command line, over a vault whose days were announced by a loopback arXiv."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.edge.paper_file import read_papers
from obsidian_digest.edge.paper_record import read_record
from tests.edge.announcement_server import mailings, serve_mailings
from tests.remembered import forget
from tests.small_days import small_days
from tests.vaults import call, contents, dangling, mailing, new_vault, notes, stamps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAYS = ("2026-08-19", "2026-08-20")
NOW = datetime(2026, 8, 20, 6, tzinfo=UTC)
NOTE, PICTURE = "arXiv/arXiv score.md", "arXiv/arXiv score.svg"
OTHER = "## Graph theory\nSpectral graph theory and networks.\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two days that were fetched, of which three papers each are rated."""
    root = tmp_path_factory.mktemp("score")
    vault = new_vault(root, encoder="words")
    papers = [
        paper
        for day in DAYS
        for paper in read_papers(mailing(root, day, 60), read_feed, read_record)
    ]
    with pytest.MonkeyPatch.context() as patched, serve_mailings(mailings(papers), NOW) as arxiv:
        patched.setenv("OBSIDIAN_DIGEST_NOW", NOW.isoformat())
        patched.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0.001")
        patched.setenv("OBSIDIAN_DIGEST_RSS_URL", arxiv.rss)
        patched.setenv("OBSIDIAN_DIGEST_LIST_URL", arxiv.site)
        patched.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        for day in DAYS:
            ran = call(vault, "run", "--date", day, "--min-stars", "0", "--top", "8")
            assert ran.code == 0, ran.err
        for day in DAYS:
            for path in of_day(vault, day)[:3]:
                rate(path, 5)
        yield vault


@pytest.fixture
def vault(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "vault", symlinks=True)
    return tmp_path / "vault"


def of_day(vault: Path, day: str) -> list[Path]:
    return [
        path
        for path in sorted((vault / "arXiv/Papers").glob("*.md"))
        if f"arXiv digest {day}" in path.read_text("utf-8")
    ]


def rate(path: Path, stars: int) -> None:
    path.write_text(path.read_text("utf-8").replace("rating:", f"rating: {stars}"), "utf-8")


def figures(answer: dict, date: str) -> dict:
    return next(day for day in answer["days"] if day["date"] == date)


def test_each_day_is_replayed_over_all_that_was_announced(vault: Path):
    before = stamps(vault)
    ran = call(vault, "score", "--json")
    answer = ran.json
    assert (ran.code, answer["contract"], answer["command"]) == (0, 1, "score")
    assert (answer["exit"], answer["outcome"], answer["basis"]) == (0, "score", "saved")
    assert [day["date"] for day in answer["days"]] == list(DAYS)
    assert [day["source"] for day in answer["days"]] == ["saved", "saved"]
    assert [day["kept"] for day in answer["days"]] == [3, 3]
    assert [day["known"] for day in answer["days"]] == [0, 3]
    assert all(day["pool"] > 30 for day in answer["days"])
    assert set(answer["methods"]) == {"ranking", "cosine", "keywords"}
    means = {key: answer["methods"]["ranking"][key] for key in ("ap", "auc", "top10")}
    for key, mean in means.items():
        assert mean == pytest.approx(sum(day[key] for day in answer["days"]) / 2, abs=1e-4)
    stars = answer["calibration"]["stars"]
    assert list(stars) == ["1", "2", "3", "4", "5"]
    assert sum(each["papers"] for each in stars.values()) == sum(d["pool"] for d in answer["days"])
    assert sum(each["kept"] for each in stars.values()) == 6
    assert answer["encoder"]["name"] == "words"
    assert (answer["left_out"], answer["changed"], answer["note"]) == ([], None, None)
    assert stamps(vault) == before


def test_what_is_kept_later_changes_no_earlier_day(vault: Path):
    before = call(vault, "score", "--json").json
    for path in of_day(vault, DAYS[1])[3:]:
        rate(path, 1)
    (vault / "Mine.md").write_text(f"[[{of_day(vault, DAYS[1])[0].stem}]]\n")
    after = call(vault, "score", "--json").json
    assert figures(after, DAYS[0]) == figures(before, DAYS[0])
    for path in of_day(vault, DAYS[0])[3:]:
        rate(path, 1)
    again = call(vault, "score", "--json").json
    assert figures(again, DAYS[0]) == figures(after, DAYS[0])
    assert figures(again, DAYS[1])["known"] > figures(after, DAYS[1])["known"]


def test_the_same_vault_has_the_same_score(vault: Path):
    one = call(vault, "score", "--json").json
    forget()
    other = call(vault, "score", "--json").json
    assert one.pop("seconds") is not None
    assert other.pop("seconds") is not None
    assert one == other


def test_the_screen_shows_a_table_of_methods_and_no_title(vault: Path):
    out = call(vault, "score").out
    assert out.startswith("6 of the 6 papers you kept on 2 days stood in the top 20 of the day.\n")
    assert "average precision" in out
    for name in ("ranking", "plain cosine", "keyword count", "5 stars", "expected calibration"):
        assert f"\n{name}" in out
    assert DAYS[0] not in out
    told = call(vault, "score", "--verbose").out
    assert f"\n{DAYS[0]} " in told
    titles = [path.stem.rpartition(" - ")[0] for path in of_day(vault, DAYS[0])]
    assert not any(title in told for title in titles)
    assert len(told.encode()) < 8000
    assert call(vault, "score", "--quiet").out == ""


def test_only_the_newest_days_if_so_asked(vault: Path):
    answer = call(vault, "score", "--days", "1", "--json").json
    assert [(day["date"], day["known"]) for day in answer["days"]] == [(DAYS[1], 3)]


def test_another_encoder_and_other_interests_stand_beside_the_present_ones(vault: Path):
    (vault / "Others.md").write_text(OTHER)
    now = call(vault, "score", "--json").json
    answer = call(vault, "score", "--encoder", "static", "--interests", "Others", "--json").json
    assert answer["methods"] == now["methods"]
    changed = answer["changed"]
    assert changed["encoder"]["name"].startswith("static")
    assert changed["interests"] == "Others"
    assert changed["methods"]["ranking"]["ap"] < answer["methods"]["ranking"]["ap"]
    assert len(changed["days"]) == 2
    out = call(vault, "score", "--interests", str(vault / "Others.md")).out
    assert "now  interests " in out
    assert out.count("average precision") == 3


def test_an_interests_note_that_is_none_is_refused(vault: Path):
    ran = call(vault, "score", "--interests", "Nowhere")
    assert (ran.code, "there is no such interests note" in ran.err) == (2, True)
    (vault / "Empty.md").write_text("No heading.\n")
    ran = call(vault, "score", "--interests", "Empty", "--json")
    assert (ran.code, ran.json["outcome"], ran.json["methods"]) == (2, "error", {})


def test_an_encoder_that_is_not_there_is_refused(vault: Path):
    ran = call(vault, "score", "--encoder", "./no-such-model", "--offline")
    assert ran.code == 2
    assert "no-such-model" in ran.err


def test_the_note_is_written_once_and_again_only_when_something_changed(vault: Path):
    before = set(contents(vault))
    answer = call(vault, "score", "--note", "--json").json
    assert set(answer["notes"]["created"]) == {NOTE, PICTURE}
    assert answer["note"] == NOTE
    assert set(contents(vault)) == before | {NOTE, PICTURE}
    text = notes(vault)[NOTE]
    assert "![[arXiv score.svg]]" in text
    assert "[[arXiv digest 2026-08-20]]" in text
    assert dangling(vault) == []
    written = stamps(vault)
    answer = call(vault, "score", "--note", "--json").json
    assert (answer["notes"]["created"], answer["notes"]["updated"]) == ([], [])
    assert stamps(vault) == written
    rate(of_day(vault, DAYS[1])[4], 4)
    answer = call(vault, "score", "--note", "--json").json
    assert set(answer["notes"]["updated"]) == {NOTE, PICTURE}


def test_undo_takes_the_note_and_its_picture_back(vault: Path):
    before = contents(vault)
    assert call(vault, "score", "--note").code == 0
    assert contents(vault) != before
    assert call(vault, "undo").code == 0
    assert contents(vault) == before


def test_what_the_reader_wrote_or_moved_is_kept(vault: Path):
    assert call(vault, "score", "--note").code == 0
    (vault / "Mine").mkdir()
    moved = vault / "Mine" / "How good.md"
    (vault / NOTE).rename(moved)
    moved.write_text(moved.read_text().replace("## Notes\n", "## Notes\n\nMine.\n"))
    rate(of_day(vault, DAYS[1])[4], 4)
    answer = call(vault, "score", "--note", "--json").json
    assert (answer["note"], answer["notes"]["created"]) == ("Mine/How good.md", [])
    assert "Mine.\n" in moved.read_text()
    assert "7 papers that you kept" in moved.read_text()
    edited = moved.read_text().replace("7 papers that", "Seven papers that")
    moved.write_text(edited)
    rate(of_day(vault, DAYS[1])[5], 4)
    answer = call(vault, "score", "--note", "--json").json
    assert [keep["reason"] for keep in answer["notes"]["kept"]] == ["edited"]
    assert moved.read_text() == edited


def test_status_and_doctor_know_the_note(vault: Path):
    assert call(vault, "score", "--note").code == 0
    assert "1 score" in call(vault, "status").out
    assert call(vault, "status", "--json").json["notes"]["score"] == 1
    found = call(vault, "doctor", "--notes", "--json").json["findings"]
    assert [each for each in found if "score" in each["note"]] == []


def test_a_chinese_vault_gets_a_chinese_note(vault: Path):
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('language = "en"', 'language = "zh"'))
    assert call(vault, "score", "--note").code == 0
    text = notes(vault)[NOTE]
    assert "2 天里你留下的6 篇论文" in text.replace(" 6 篇", "6 篇")
    assert "| 本库的排序 |" in text


def test_a_day_whose_announcement_is_gone_stands_apart(vault: Path):
    (vault / ".obsidian-digest/pool" / f"{DAYS[0]}.json.gz").unlink()
    answer = call(vault, "score", "--json").json
    assert [(day["source"], day["kept"]) for day in answer["days"]] == [("shown", 3), ("saved", 3)]
    assert figures(answer, DAYS[0])["pool"] == 8
    assert answer["methods"]["ranking"]["ap"] == figures(answer, DAYS[1])["ap"]
    out = call(vault, "score", "--verbose").out
    assert "1 more day left out of the means" in out
    assert "8 shown" in out
    assert call(vault, "score", "--note").code == 0
    assert "1 more day is left out of the means" in notes(vault)[NOTE]


def test_without_any_announcement_the_shown_papers_are_ranked_and_the_reader_is_told(vault: Path):
    shutil.rmtree(vault / ".obsidian-digest")
    answer = call(vault, "score", "--json").json
    assert (answer["basis"], [day["pool"] for day in answer["days"]]) == ("shown", [8, 8])
    assert "What arXiv announced on these days is not saved" in call(vault, "score").out


def test_days_that_tell_nothing_are_named_with_the_reason(vault: Path):
    for path in of_day(vault, DAYS[0])[:3]:
        path.write_text(path.read_text().replace("rating: 5", "rating:"))
    (vault / f"arXiv/Digests/arXiv digest {DAYS[1]}.md").rename(vault.parent / "gone.md")
    ran = call(vault, "score", "--json")
    assert (ran.code, ran.json["outcome"], ran.json["methods"]) == (0, "nothing-kept", {})
    assert ran.json["left_out"] == [
        {"date": DAYS[0], "why": "nothing-kept"},
        {"date": DAYS[1], "why": "no-digest"},
    ]
    out = call(vault, "score", "--note").out
    assert "left out: 1 day of which no paper shows that you kept it\n" in out
    assert "left out: 1 fetched day without a digest" in out
    assert NOTE not in contents(vault)


def test_a_day_of_which_only_kept_papers_are_known_tells_nothing(vault: Path):
    shutil.rmtree(vault / ".obsidian-digest")
    for day in DAYS:
        for path in of_day(vault, day)[3:]:
            rate(path, 4)
    answer = call(vault, "score", "--json").json
    assert (answer["outcome"], {each["why"] for each in answer["left_out"]}) == (
        "nothing-kept",
        {"all-kept"},
    )
    assert "nothing else is known of their days" in answer["message"]


def test_a_vault_without_opinions_is_told_how_to_give_some(tmp_path: Path):
    days = small_days(tmp_path)
    assert "There are no digests yet" in call(days.vault, "score").out
    days.run(days.first, "--date", "2026-08-19")
    ran = call(days.vault, "score")
    assert ran.code == 0
    assert "No paper of the one digest shows yet that you kept it." in ran.out
    assert "set rating (1 to 5)" in ran.out
    (days.vault / "Research interests.md").write_text("")
    assert "No interests are written either." in call(days.vault, "score").out


def test_days_read_from_files_are_ranked_among_what_was_shown(tmp_path: Path):
    days = small_days(tmp_path)
    days.run(days.first, "--date", "2026-08-19")
    rate(of_day(days.vault, "2026-08-19")[0], 5)
    answer = call(days.vault, "score", "--json").json
    assert [(day["pool"], day["source"]) for day in answer["days"]] == [(6, "shown")]


def test_without_interests_what_was_kept_before_is_all_there_is(vault: Path):
    (vault / "Research interests.md").write_text("")
    out = call(vault, "score").out
    assert "No interests are written" in out
    assert "keyword count" not in out


def test_a_busy_vault_is_scored_and_not_written_to(vault: Path):
    from filelock import FileLock

    lock = next((vault / ".obsidian-digest").glob("*lock*"))
    with FileLock(lock):
        assert call(vault, "score").code == 0
        assert call(vault, "score", "--note").code == 5
    assert NOTE not in contents(vault)


def test_json_is_one_line_and_nothing_else(vault: Path):
    out = call(vault, "score", "--json", "--verbose").out
    assert len(out.splitlines()) == 1
    json.loads(out)
