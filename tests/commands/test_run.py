from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from obsidian_digest.edge.vault import VaultFolder
from tests.vaults import (
    INTERESTS,
    LINK,
    Ran,
    call,
    contents,
    dangling,
    mailing,
    new_vault,
    notes,
    stamps,
)

FIRST, SECOND = "2026-08-19", "2026-08-20"
MOST = 60
DIGEST = f"arXiv/Digests/arXiv digest {SECOND}.md"


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault after the run of the first day, with the second day's file beside it."""
    root = tmp_path_factory.mktemp("two-days")
    mailing(root, SECOND, MOST)
    vault = new_vault(root, encoder="words")
    file = str(mailing(root, FIRST, MOST))
    ran = call(vault, "run", "--from-file", file, "--min-stars", "0", "--top", "12", "--json")
    assert ran.code == 0, ran.err
    return root


@dataclass(frozen=True)
class Done:
    """A vault after the runs of both days; tests only read it."""

    root: Path
    answer: dict
    """What the second run reported."""

    @property
    def vault(self) -> Path:
        return self.root / "vault"


@pytest.fixture(scope="module")
def done(two_days: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    root = tmp_path_factory.mktemp("done") / "copy"
    shutil.copytree(two_days, root)
    ran = second(root / "vault", "--json")
    assert ran.code == 0, ran.err
    return Done(root, ran.json)


@pytest.fixture
def after(done: Done, tmp_path: Path) -> Path:
    """A vault after both days, to be changed."""
    shutil.copytree(done.root, tmp_path / "after")
    return tmp_path / "after" / "vault"


@pytest.fixture
def root(two_days: Path, tmp_path: Path) -> Path:
    shutil.copytree(two_days, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def vault(root: Path) -> Path:
    return root / "vault"


def second(vault: Path, *words: str) -> Ran:
    (file,) = vault.parent.glob(f"{SECOND}-*.jsonl")
    if "--top" not in words:
        words = ("--top", "12", "--min-stars", "0", *words)
    return call(vault, "run", "--from-file", str(file), *words)


def test_a_day_becomes_linked_notes(done: Done):
    vault, answer = done.vault, done.answer
    assert (answer["outcome"], answer["date"], answer["digest"]) == ("digest", SECOND, DIGEST)
    papers = [name for name in answer["notes"]["created"] if name.startswith("arXiv/Papers/")]
    assert len(papers) == answer["selected"] == len(answer["papers"]) > 5
    assert dangling(vault) == []
    digest = notes(vault)[DIGEST]
    assert all(f"[[{Path(name).stem}" in digest for name in papers)
    assert digest.endswith("[[MOC-Research]] · [[Home]]\n")


def test_every_related_link_stands_in_both_notes(done: Done):
    every = notes(done.vault)
    linked = 0
    for name, text in every.items():
        region = text.partition("digest:begin related")[2].partition("digest:end related")[0]
        for target in LINK.findall(region):
            (other,) = (each for each in every if Path(each).stem == target)
            back = every[other].partition("digest:begin related")[2]
            assert Path(name).stem in LINK.findall(back)
            linked += 1
    assert linked >= 4


def test_yesterdays_papers_gain_links_to_todays(done: Done):
    older = [name for name in done.answer["notes"]["updated"] if name.startswith("arXiv/Papers/")]
    assert older
    assert len(older) <= 15


def test_the_same_run_again_changes_no_byte_and_no_time(after: Path):
    before = stamps(after)
    again = second(after, "--json").json
    assert stamps(after) == before
    assert (again["exit"], again["outcome"]) == (0, "nothing-new")
    assert again["notes"]["created"] == again["notes"]["updated"] == []


def test_the_same_run_again_imports_nothing_heavy(after: Path):
    (file,) = after.parent.glob(f"{SECOND}-*.jsonl")
    code = (
        "import sys\nfrom obsidian_digest.cli import main\n"
        f"sys.argv = ['x', '--vault', {str(after)!r}, 'run', '--from-file', {str(file)!r},"
        "'--top', '12', '--min-stars', '0']\n"
        "try: main()\nexcept SystemExit as e: assert e.code == 0, e.code\n"
        "heavy = {'torch', 'sentence_transformers', 'sklearn', 'scipy', 'numpy', 'networkx'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, text=True, capture_output=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_the_working_state_the_same_run_still_changes_nothing(after: Path):
    before = stamps(after)
    shutil.rmtree(after / ".obsidian-digest")
    assert second(after).code == 0
    assert stamps(after) == before


def test_what_the_reader_did_to_his_notes_survives_the_next_day(vault: Path):
    papers = sorted(name for name in notes(vault) if name.startswith("arXiv/Papers/"))
    edited, renamed, moved, deleted = papers[:4]
    text = notes(vault)[edited].replace(
        "rating:\n", "rating: 4\n# my comment\nproject: '[[Home]]'\n"
    )
    text = text.replace("## Notes\n", "## Notes\nMy thought: **yes**.\n\n```py\n#x\n```\n")
    (vault / edited).write_text(text)
    (vault / renamed).rename(vault / "arXiv/Papers/A name of mine.md")
    (vault / "Mine").mkdir()
    (vault / moved).rename(vault / "Mine" / Path(moved).name)
    (vault / deleted).unlink()
    before = notes(vault)

    assert second(vault).code == 0

    after = notes(vault)
    assert "# my comment\nproject: '[[Home]]'\n" in after[edited]
    assert after[edited].partition("## Notes\n")[2] == before[edited].partition("## Notes\n")[2]
    assert deleted not in after
    assert renamed not in after
    assert moved not in after
    gone = {Path(renamed).stem, Path(deleted).stem}
    for name, text in after.items():
        assert not gone & set(LINK.findall(text)), name
    assert dangling(vault) == []


def test_a_deleted_paper_does_not_come_back_with_its_own_file(vault: Path):
    (file,) = vault.parent.glob(f"{FIRST}-*.jsonl")
    deleted = min(name for name in notes(vault) if name.startswith("arXiv/Papers/"))
    (vault / deleted).unlink()
    assert call(vault, "run", "--from-file", str(file)).code == 0
    assert deleted not in notes(vault)


def test_an_edited_region_is_kept_and_strict_says_so(vault: Path):
    (file,) = vault.parent.glob(f"{FIRST}-*.jsonl")
    moc = vault / "MOC-Research.md"
    moc.write_text(moc.read_text().replace("## Themes", "## My themes"))
    edited = moc.read_text()
    ran = second(vault, "--strict", "--json")
    assert ran.json["notes"]["kept"] == [
        {"note": "MOC-Research.md", "reason": "edited", "detail": "region moc"}
    ]
    assert ran.code == 3
    assert moc.read_text() == edited
    assert call(vault, "run", "--from-file", str(file)).code == 0


def test_dry_run_shows_the_changes_and_writes_nothing(vault: Path, done: Done):
    before = stamps(vault)
    ran = second(vault, "--dry-run")
    assert stamps(vault) == before
    assert f"+++ b/{DIGEST}" in ran.out
    planned = {line[6:] for line in ran.out.splitlines() if line.startswith("+++ b/")}
    written = done.answer["notes"]
    assert planned == {*written["created"], *written["updated"]}


def test_dry_run_leaves_no_trace_in_a_fresh_vault(tmp_path: Path):
    vault = new_vault(tmp_path)
    shutil.rmtree(vault / ".obsidian-digest", ignore_errors=True)
    call(vault, "run", "--dry-run", "--from-file", str(mailing(tmp_path, FIRST, 30)))
    assert not (vault / ".obsidian-digest").exists()


def test_check_exits_3_while_there_is_work_and_0_after(vault: Path, after: Path):
    before = stamps(vault)
    assert second(vault, "--check").code == 3
    assert stamps(vault) == before
    assert second(after, "--check").code == 0


def test_print_path_prints_only_the_digests_path(vault: Path):
    assert second(vault, "--print-path").out == f"{DIGEST}\n"
    assert second(vault, "--print-path").out == f"{DIGEST}\n"


def test_the_ranking_holds_every_new_paper_best_first(vault: Path, tmp_path: Path):
    (file,) = vault.parent.glob(f"{SECOND}-*.jsonl")
    second(vault, "--ranking", str(tmp_path / "r.jsonl"), "--dry-run")
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines()]
    asked = [json.loads(line)["id"] for line in file.read_text("utf-8").splitlines()]
    assert sorted(row["id"] for row in rows) == sorted(asked)
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert {"id", "score", "interest", "reasons"} <= rows[0].keys()


def test_without_a_terminal_one_short_line_and_no_title(vault: Path, done: Done):
    ran = second(vault)
    assert ran.err == ""
    assert len(ran.out.splitlines()) == 1
    assert DIGEST in ran.out
    assert not any(paper["title"] in ran.out for paper in done.answer["papers"])


def test_the_json_holds_every_field_of_the_contract(tmp_path: Path):
    vault = new_vault(tmp_path, encoder="static")
    mailing(tmp_path, SECOND, 12)
    answer = second(vault, "--json").json
    assert answer.keys() == {
        "contract", "command", "exit", "date", "outcome", "message", "window", "newest_id",
        "sources", "collected", "unique", "new", "selected", "papers", "themes", "notes",
        "warnings", "digest", "encoder", "seconds", "missing", "days",
    }  # fmt: skip
    assert answer["papers"][0].keys() == {
        "id", "version", "title", "note", "score", "stars", "interest", "reasons", "theme",
        "related",
    }  # fmt: skip
    assert answer["encoder"]["embedded"] > 0
    assert answer["window"]["from"].endswith("Z")


def test_a_larger_top_adds_a_supplement_and_leaves_what_stands(vault: Path):
    second(vault, "--top", "5", "--min-stars", "0")
    first = notes(vault)[DIGEST]
    region = first.partition("%% digest:begin digest ")[2].partition("%% digest:end digest %%")[0]
    answer = second(vault, "--top", "8", "--min-stars", "0", "--json").json
    text = notes(vault)[DIGEST]
    assert answer["selected"] == 3
    assert region in text
    supplement = text.partition("%% digest:begin supplement-1 v1 ")[2]
    assert supplement.partition("\n\n")[2].startswith("## Supplement 1\n")
    assert dangling(vault) == []
    before = stamps(vault)
    again = second(vault, "--top", "8", "--min-stars", "0", "--json").json
    assert again["outcome"] == "nothing-new"
    assert stamps(vault) == before


def test_a_deleted_digest_is_asked_for_anew(after: Path):
    before = contents(after)
    (after / DIGEST).unlink()
    assert second(after).code == 0
    assert contents(after) == before


@pytest.mark.parametrize("written", [1, 4, -2, -1])
def test_a_run_cut_short_is_completed_to_the_same_bytes(
    vault: Path, done: Done, monkeypatch, written: int
):
    write = VaultFolder.write

    def killed(self: VaultFolder, plan, **_: bool) -> None:
        write(self, type(plan)(plan.changes[:written]))
        raise KeyboardInterrupt

    monkeypatch.setattr(VaultFolder, "write", killed)
    assert second(vault).code == 130
    monkeypatch.undo()
    assert second(vault).code == 0
    assert contents(vault) == contents(done.vault)


def test_a_day_with_nothing_relevant_says_so_and_selects_nothing(tmp_path: Path):
    vault = new_vault(
        tmp_path, encoder="static", interests="## Graphs\nChromatic number of sparse hypergraphs.\n"
    )
    file = mailing(tmp_path, FIRST, 60)
    answer = call(vault, "run", "--from-file", str(file), "--min-stars", "5", "--json").json
    assert (answer["outcome"], answer["selected"]) == ("nothing-relevant", 0)
    assert "None of 60 new papers fits" in answer["message"]
    digest = notes(vault)[f"arXiv/Digests/arXiv digest {FIRST}.md"]
    assert "0 of 60 new papers" in digest
    assert "No interests yet" not in digest


def test_without_interests_the_day_is_shown_and_the_note_says_how_to_get_more(tmp_path: Path):
    vault = new_vault(
        tmp_path, encoder="words", interests="%% nothing yet %%\n\n## Not interested\n\n## Watch\n"
    )
    answer = call(vault, "run", "--from-file", str(mailing(tmp_path, FIRST, MOST)), "--json").json
    assert (answer["exit"], answer["selected"]) == (0, 20)
    assert answer["papers"][0]["interest"] is None
    digest = notes(vault)[f"arXiv/Digests/arXiv digest {FIRST}.md"]
    assert "No interests yet" in digest
    assert "No interests are written yet" in answer["message"]
    assert dangling(vault) == []


def test_a_chinese_vault_gets_chinese_notes(tmp_path: Path):
    vault = new_vault(tmp_path, encoder="words")
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('language = "en"', 'language = "zh"'))
    call(vault, "run", "--from-file", str(mailing(tmp_path, FIRST, MOST)), "--min-stars", "0")
    digest = notes(vault)[f"arXiv/Digests/arXiv digest {FIRST}.md"]
    assert "篇新论文中选出" in digest
    assert dangling(vault) == []


def wrong(tmp_path: Path, name: str, content: bytes | None) -> Path:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "nothing.jsonl"),
        (b"", "empty"),
        (b"# my shopping list\n- milk\n", "JSON"),
        (b'{"id": "2608.00001", "title": "A", "abstract": "b", "auth', "line 1"),
        (b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry>', "cut"),
    ],
)
def test_a_file_without_papers_is_told_and_nothing_is_written(vault, tmp_path, content, sentence):
    before = contents(vault)
    ran = call(vault, "run", "--from-file", str(wrong(tmp_path, "nothing.jsonl", content)))
    assert ran.code == 2
    assert sentence in ran.err
    assert contents(vault) == before


def test_a_vault_without_config_is_told_how_to_start(tmp_path: Path):
    (tmp_path / ".obsidian").mkdir()
    ran = call(tmp_path, "run", "--json")
    assert (ran.code, ran.json["exit"], ran.json["outcome"]) == (2, 2, "error")
    assert (ran.json["papers"], ran.json["notes"]["created"], ran.json["digest"]) == ([], [], None)
    assert "obsidian-digest init" in ran.json["message"]


def test_an_unknown_config_key_names_the_nearest_known_one(vault: Path):
    (vault / "obsidian-digest.toml").write_text("[digest]\nmin_star = 3\n")
    ran = second(vault)
    assert ran.code == 2
    assert "min_star (did you mean min_stars?)" in ran.err


def test_a_missing_encoder_is_told_before_anything_is_read(vault: Path):
    config = vault / "obsidian-digest.toml"
    config.write_text(config.read_text().replace('name = "words"', 'name = "no-such-model"'))
    before = contents(vault)
    ran = second(vault)
    assert ran.code == 2
    assert "no-such-model" in ran.err
    assert "static" in ran.err
    assert contents(vault) == before


def test_a_vault_that_cannot_be_written_is_told_before_anything_is_read(vault: Path):
    shutil.rmtree(vault / ".obsidian-digest")
    (vault / ".obsidian-digest").write_text("a file where the folder should be")
    before = contents(vault)
    ran = second(vault)
    assert ran.code == 2
    assert "cannot be read or written" in ran.err
    assert contents(vault) == before


def test_a_wrong_option_is_told_in_one_sentence(vault: Path):
    for words in (("--top", "0"), ("--date", "20.8.2026"), ("--days", "3", "--from", "2026-08-01")):
        ran = call(vault, "run", *words)
        assert ran.code == 2
        assert ran.err.startswith("obsidian-digest: ")


def test_global_options_may_stand_before_or_after_the_verb(vault: Path):
    (file,) = vault.parent.glob(f"{SECOND}-*.jsonl")
    before = call(vault, "--json", "run", "--dry-run", "--from-file", str(file)).json
    after = call(vault, "run", "--dry-run", "--from-file", str(file), "--json").json
    assert before["papers"] == after["papers"]


def test_the_interests_note_is_read_wherever_it_lies(root: Path):
    vault = new_vault(root / "x", encoder="words", interests="")
    (vault / "Deep").mkdir()
    (vault / "Research interests.md").rename(vault / "Deep" / "Research interests.md")
    (vault / "Deep" / "Research interests.md").write_text(f"---\ntags: [x]\n---\n{INTERESTS}")
    file = mailing(root, FIRST, MOST)
    answer = call(vault, "run", "--from-file", str(file), "--min-stars", "0", "--json").json
    assert answer["papers"][0]["interest"] in INTERESTS


def test_a_note_by_the_reader_about_a_paper_is_linked_and_gets_no_twin(vault: Path, done: Done):
    best = done.answer["papers"][0]["id"]
    mine = f"---\narxiv_id: '{best}'\n---\nMy own reading.\n"
    (vault / "My reading.md").write_text(mine)
    second(vault)
    assert notes(vault)["My reading.md"] == mine
    assert "[[My reading|" in notes(vault)[DIGEST]
    assert dangling(vault) == []


def third(vault: Path, *words: str) -> Ran:
    """A run over papers that no other test day holds."""
    file = vault.parent / "third.jsonl"
    longer = mailing(vault.parent, SECOND, 2 * MOST)
    rows = longer.read_text("utf-8").splitlines()[MOST:]
    file.write_text("\n".join(rows).replace(SECOND, "2026-08-21") + "\n", "utf-8")
    longer.unlink()
    return call(vault, "run", "--from-file", str(file), "--top", "8", "--min-stars", "0", *words)


def test_deleted_digests_and_themes_freeze_nothing_and_leave_no_dangling_link(after: Path):
    (after / f"arXiv/Digests/arXiv digest {FIRST}.md").unlink()
    gone = min(name for name in notes(after) if name.startswith("arXiv/Themes/"))
    (after / gone).unlink()
    answer = third(after, "--json").json
    assert [keep for keep in answer["notes"]["kept"] if keep["reason"] == "edited"] == []
    assert answer["outcome"] == "digest"
    assert dangling(after) == []


def test_a_map_of_content_under_a_new_name_is_still_kept_up_to_date(vault: Path):
    for name, text in notes(vault).items():
        (vault / name).write_text(text.replace("[[MOC-Research]]", "[[Map]]"))
    (vault / "MOC-Research.md").rename(vault / "Map.md")
    second(vault)
    assert f"[[arXiv digest {SECOND}]]" in notes(vault)["Map.md"]
    assert 'up: "[[Map]]"' in notes(vault)[DIGEST]
    assert not any("[[MOC-Research]]" in text for text in notes(vault).values())


def test_a_run_with_a_note_of_the_readers_in_it_is_also_done_once(vault: Path, done: Done):
    best = done.answer["papers"][0]["id"]
    (vault / "Zotero.md").write_text(f"---\narxiv_id: '{best}'\n---\nmine\n")
    second(vault)
    before = stamps(vault)
    second(vault)
    assert stamps(vault) == before


def test_templates_and_broken_notes_of_the_readers_do_not_stop_a_run(vault: Path):
    (vault / "T.md").write_text("---\ntitle: {{title}}\n{{x}}: y\n---\n")
    (vault / "Broken.md").write_text("---\na: b: c\n---\n")
    assert second(vault).code == 0


def hostile(**fields: object) -> str:
    paper = {
        "id": "2608.90001",
        "version": 1,
        "title": "Agents <% tp.x() %> [[Home]] \ufffd",
        "abstract": "We show %% digest:end paper %% that #tags ![[x]] <%* x %> \ufffd. ^abstract",
        "authors": ["<%* require('child_process') %>", "[x](obsidian://y)", "[[Home]]"],
        "categories": ["cs.AI", "<% x %>"],
        "primary_category": "cs.AI",
        "comment": "%% ``` dataviewjs",
        "announced": FIRST,
    }
    return json.dumps({**paper, **fields}) + "\n"


def test_what_a_paper_says_runs_nowhere_and_links_nowhere(tmp_path: Path):
    vault = new_vault(tmp_path, encoder="words")
    file = tmp_path / "hostile.jsonl"
    file.write_text(hostile() + hostile(id="2608.90002", title="Same <%"), "utf-8")
    words = ("run", "--from-file", str(file), "--min-stars", "0")
    assert call(vault, *words).code == 0
    for name, text in notes(vault).items():
        assert "<%" not in text, name
        assert "%>" not in text, name
        assert "](obsidian:" not in text, name
    assert dangling(vault) == []
    linking = [name for name, text in notes(vault).items() if "[[Home]]" in text]
    assert all(name.startswith(("arXiv/Digests", "arXiv/Themes")) for name in linking)
    before = stamps(vault)
    assert call(vault, *words, "--json").json["notes"]["kept"] == []
    assert stamps(vault) == before


def test_a_ranking_that_cannot_be_written_is_told_before_the_vault_is_changed(vault: Path):
    before = contents(vault)
    ran = second(vault, "--ranking", str(vault / "no" / "folder" / "r.jsonl"))
    assert ran.code == 2
    assert contents(vault) == before


def test_two_interests_notes_are_told_instead_of_none(vault: Path):
    for folder in ("a", "b"):
        (vault / folder).mkdir()
        (vault / folder / "Research interests.md").write_text("## X\n")
    (vault / "Research interests.md").unlink()
    ran = second(vault)
    assert ran.code == 2
    assert 'more than one note is called "Research interests"' in ran.err
