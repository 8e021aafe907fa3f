"""`doctor` on real small vaults: each check where it fails and where it is fine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from obsidian_digest.commands import program
from obsidian_digest.edge import surroundings
from tests.edge.arxiv_server import Answer, failed, serve, throttled, web_page
from tests.edge.embedding_server import embedding_server
from tests.example_vault import EXAMPLE
from tests.vaults import Ran, call, contents, mailing, new_vault

if TYPE_CHECKING:
    from pathlib import Path

DAY = "2026-08-20"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_vault(tmp_path_factory.mktemp("prepared"), encoder="words")


@pytest.fixture
def vault(prepared: Path, tmp_path: Path) -> Path:
    shutil.copytree(prepared, tmp_path / "vault")
    return tmp_path / "vault"


@pytest.fixture(scope="module")
def digested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault after a run."""
    root = tmp_path_factory.mktemp("doctor")
    vault = new_vault(root, encoder="words")
    file = str(mailing(root, DAY, 25))
    ran = call(vault, "run", "--from-file", file, "--min-stars", "0", "--top", "6")
    assert ran.code == 0, ran.err
    return vault


@pytest.fixture
def noted(digested: Path, tmp_path: Path) -> Path:
    shutil.copytree(digested, tmp_path / "noted")
    return tmp_path / "noted"


def look(vault: Path, name: str, *words: str) -> tuple[str, str]:
    """State and words of one check."""
    answer = call(vault, "doctor", "--json", *words).json
    (found,) = (each for each in answer["checks"] if each["name"] == name)
    assert bool(found["hint"]) == (found["state"] != "ok"), found
    return found["state"], f"{found['detail']}. {found['hint']}"


def setting(vault: Path, name: str, content: object) -> None:
    path = vault / ".obsidian" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def config(vault: Path, old: str, new: str) -> None:
    path = vault / "obsidian-digest.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


# As a whole


def test_a_prepared_vault_is_well_and_the_command_lines_are_told(vault: Path):
    ran = call(vault, "doctor")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    checks = lines[: lines.index("")]
    assert all(line.startswith("ok:      ") for line in checks)
    assert len(checks) > 12
    assert lines[-1] == "All is well."
    assert [line.partition(":")[0] for line in lines if " run" in line] == [
        "Shell commands plugin", "cron",
    ]  # fmt: skip


def test_json_follows_the_contract(vault: Path):
    answer = call(vault, "doctor", "--json").json
    assert {key: answer[key] for key in ("contract", "command", "exit", "outcome", "message")} == {
        "contract": 1, "command": "doctor", "exit": 0, "outcome": "ok", "message": "All is well.",
    }  # fmt: skip
    assert all(set(each) == {"name", "state", "detail", "hint"} for each in answer["checks"])
    assert answer["command_line"].endswith(" run")
    assert "findings" not in answer
    assert call(vault, "doctor", "--notes", "--json").json["findings"] == []


def test_warnings_alone_are_no_failure_and_problems_are(vault: Path):
    (vault / "Research interests.md").unlink()
    ran = call(vault, "doctor")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "No problem, 1 warning.")
    config(vault, "top = 20", "top = 0")
    ran = call(vault, "doctor", "--json")
    assert (ran.code, ran.json["exit"], ran.json["outcome"]) == (2, 2, "problems")
    assert call(vault, "doctor").out.splitlines()[-1] == "1 problem, 0 warnings."


def test_quiet_prints_problems_only(vault: Path):
    assert call(vault, "doctor", "--quiet").out == ""
    (vault / "obsidian-digest.toml").unlink()
    assert call(vault, "doctor", "--quiet").out.startswith("problem: this vault has no")


def test_nothing_is_written_not_even_the_working_state(vault: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(tmp_path / "cache"))
    shutil.rmtree(vault / ".obsidian-digest", ignore_errors=True)
    before = contents(vault)
    call(vault, "doctor", "--notes")
    assert contents(vault) == before
    assert not (vault / ".obsidian-digest").exists()
    assert not (tmp_path / "cache").exists()


# Vault and config


def test_outside_a_vault_it_says_so_and_looks_at_the_rest(tmp_path: Path):
    assert look(tmp_path, "vault")[0] == "problem"
    answer = call(tmp_path, "doctor", "--json").json
    assert [each["name"] for each in answer["checks"]] == ["vault", "encoder"]
    assert answer["command_line"].endswith(" run")
    assert answer["cron_line"] is None


def test_a_vault_without_a_config_is_looked_at_all_the_same(tmp_path: Path):
    (tmp_path / ".obsidian").mkdir()
    assert look(tmp_path, "config") == (
        "problem", "this vault has no obsidian-digest.toml. Start with: obsidian-digest init",
    )  # fmt: skip
    assert look(tmp_path, "names")[0] == "ok"


def test_all_mistakes_of_the_config_are_told_at_once(vault: Path):
    assert look(vault, "config")[0] == "ok"
    config(vault, "top = 20", "topp = 20\nmin_stars = 9")
    config(vault, "min_stars = 3\n", "")
    (found,) = (
        each for each in call(vault, "doctor", "--json").json["checks"] if each["name"] == "config"
    )
    assert found["state"] == "problem"
    assert "2 problems: " in found["detail"]
    assert "did you mean top?" in found["detail"]
    assert "digest.min_stars must be 0 to 5" in found["detail"]


def test_a_config_that_cannot_be_read_is_told(vault: Path):
    (vault / "obsidian-digest.toml").write_bytes(b"\xff\xfe")
    found = next(
        each for each in call(vault, "doctor", "--json").json["checks"] if each["name"] == "config"
    )
    assert found["state"] == "problem"
    assert "is not UTF-8 text" in found["detail"]


def test_vaults_in_vaults_are_told_from_both_sides(vault: Path):
    assert look(vault, "nested")[0] == "ok"
    inner = vault / "Old" / "vault"
    (inner / ".obsidian").mkdir(parents=True)
    assert look(vault, "nested")[0] == "warning"
    assert "Old/vault" in look(vault, "nested")[1]
    assert str(vault) in look(inner, "nested")[1]


# Obsidian's settings and plugins


@pytest.mark.parametrize(
    "name", ["app.json", "types.json", "templates.json", "community-plugins.json"]
)
def test_settings_that_cannot_be_read_are_told_once(vault: Path, name: str):
    assert look(vault, "config-folder")[0] == "ok"
    setting(vault, name, "{")
    state, words = look(vault, "config-folder")
    assert state == "warning"
    assert words.count(f".obsidian/{name}") == 1


def test_settings_with_a_bom_and_a_trailing_comma_are_read(vault: Path):
    setting(vault, "templates.json", '\ufeff{"folder": "arXiv",}')
    assert look(vault, "config-folder")[0] == "ok"
    assert look(vault, "templating")[0] == "warning"


def test_a_second_config_folder_is_told(vault: Path):
    (vault / ".obsidian-phone").mkdir()
    assert look(vault, "config-folder")[0] == "ok"
    (vault / ".obsidian-phone" / "app.json").write_text("{}")
    assert ".obsidian-phone looks like" in look(vault, "config-folder")[1]


def test_a_config_folder_of_another_name_is_looked_into(vault: Path):
    (vault / ".obsidian").rename(vault / ".obs")
    (vault / ".obs" / "templates.json").write_text('{"folder": "arXiv"}')
    assert look(vault, "vault")[0] == "problem"
    assert look(vault, "templating", "--config-dir", ".obs")[0] == "warning"
    answer = call(vault, "doctor", "--json", "--config-dir", ".obs").json
    assert answer["command_line"].endswith(" --config-dir .obs run")


@pytest.mark.parametrize("hiding", ["arXiv/", "arxiv/Papers", "/^arXiv\\/Them/"])
def test_notes_of_ours_among_the_excluded_files_are_told(vault: Path, hiding: str):
    setting(vault, "app.json", {"userIgnoreFilters": ["Archive/", hiding]})
    state, words = look(vault, "excluded")
    assert state == "warning"
    assert f"hide notes of ours: {hiding}" in words


@pytest.mark.parametrize("filters", [["Archive/", "/\\.pdf$/", "/(?<x", "", 3], None, "arXiv"])
def test_other_excluded_files_are_fine(vault: Path, filters: object):
    setting(vault, "app.json", {"userIgnoreFilters": filters})
    assert look(vault, "excluded")[0] == "ok"


def test_a_note_of_ours_that_was_moved_into_an_excluded_folder_is_told(noted: Path):
    setting(noted, "app.json", {"userIgnoreFilters": ["Archive/"]})
    assert look(noted, "excluded")[0] == "ok"
    (noted / "Archive").mkdir()
    note = next((noted / "arXiv" / "Papers").iterdir())
    note.rename(noted / "Archive" / note.name)
    assert look(noted, "excluded")[0] == "warning"


@pytest.mark.parametrize(
    ("file", "key", "plugin"),
    [
        ("templates.json", "folder", "Templates"),
        ("plugins/templater-obsidian/data.json", "templates_folder", "Templater"),
    ],
)
def test_a_folder_of_ours_among_templates_is_told(vault: Path, file: str, key: str, plugin: str):
    setting(vault, file, {key: "Templates"})
    assert look(vault, "templating")[0] == "ok"
    setting(vault, file, {key: "/arXiv/Papers/"})
    state, words = look(vault, "templating")
    assert state == "warning"
    assert f"folders.papers (arXiv/Papers) lies in the template folder of {plugin}" in words


def test_a_property_that_the_vault_uses_otherwise_is_remarked(vault: Path):
    assert "no property of ours has another type" in look(vault, "types")[1]
    setting(vault, "types.json", {"types": {"Authors": "text"}})
    state, words = look(vault, "types")
    assert state == "ok"
    assert "keeps `authors` as text; notes of ours carry `arxiv_authors`" in words


def test_plugins_that_rewrite_notes_are_remarked(vault: Path):
    setting(vault, "community-plugins.json", ["dataview", "obsidian-git"])
    assert look(vault, "plugins")[0] == "ok"
    setting(vault, "community-plugins.json", ["obsidian-linter", "dataview", "update-time-on-edit"])
    state, words = look(vault, "plugins")
    assert state == "warning"
    assert "Linter, Update time on edit" in words
    assert call(vault, "doctor").code == 0


# The vault's files


@pytest.mark.parametrize(
    "name",
    [
        "A (Conflicted copy Phone 202608201010).md",
        "A.sync-conflict-20260820-101010-ABCDEFG.md",
        "A (Anna's conflicted copy 2026-08-20).md",
        "conflict-files-obsidian-git.md",
    ],
)
def test_copies_of_sync_conflicts_are_told(vault: Path, name: str):
    (vault / "Dota 2.md").write_text("# Dota 2")
    (vault / "A (draft).md").write_text("# A")
    assert look(vault, "copies")[0] == "ok"
    (vault / name).write_text("# A")
    state, words = look(vault, "copies")
    assert state == "warning"
    assert f"1 copy of sync conflicts: {name}" in words


@pytest.mark.parametrize(
    ("one", "other"), [("Note.md", "note.md"), ("\u00c9.md", "E\u0301.md"), ("x/a.md", "X/b.md")]
)
def test_names_that_other_systems_hold_for_one_are_told(vault: Path, one: str, other: str):
    for name in (one, other):
        (vault / name).parent.mkdir(exist_ok=True)
        (vault / name).write_text(name)
    if len(list(vault.rglob("*.md"))) < 5 and "/" not in one:
        pytest.skip("this file system holds them for one")
    state, words = look(vault, "names")
    assert state == "warning"
    assert "1 clash of names" in words
    (vault / other).unlink()
    if "/" in other:
        (vault / other).parent.rmdir()
    assert look(vault, "names")[0] == "ok"


# The notes that a run reads


def test_the_interests_are_counted(vault: Path):
    assert look(vault, "interests") == ("ok", "Research interests.md holds 2 interests. ")
    with (vault / "Research interests.md").open("a") as file:
        file.write("\n## Watch\n- Ada Lovelace\n")
    assert "2 interests, 1 to watch" in look(vault, "interests")[1]


def test_interests_that_are_missing_or_empty_are_a_warning(vault: Path):
    note = vault / "Research interests.md"
    note.write_text("Some words.\n")
    assert "holds no interest yet" in look(vault, "interests")[1]
    note.unlink()
    state, words = look(vault, "interests")
    assert state == "warning"
    assert "obsidian-digest init writes the note" in words


def test_two_interests_notes_are_a_problem_for_no_run_would_start(vault: Path):
    (vault / "Mine").mkdir()
    for folder in ("Mine", "."):
        note = vault / folder / "Research interests.md"
        note.write_text("## One\nText.\n")
    assert look(vault, "interests")[0] == "ok"  # the one at the root is meant
    (vault / "Yours").mkdir()
    (vault / "Research interests.md").rename(vault / "Yours" / "Research interests.md")
    assert look(vault, "interests")[0] == "problem"
    file = str(mailing(vault.parent, DAY, 3))
    assert call(vault, "run", "--from-file", file).code == 2


def test_a_map_of_content_may_be_ours_or_the_readers_but_not_missing(vault: Path):
    assert look(vault, "map") == ("ok", "MOC-Research.md lists themes and digests. ")
    (vault / "MOC-Research.md").write_text("My own map.\n")
    assert "is a note of yours" in look(vault, "map")[1]
    (vault / "MOC-Research.md").unlink()
    assert look(vault, "map")[0] == "warning"


def test_templates_of_the_readers_that_hold_up_are_fine(vault: Path):
    assert "the shipped ones are used" in look(vault, "templates")[1]
    call(vault, "init", "--templates")
    assert look(vault, "templates") == (
        "ok", "templates: the vault's own can show a day. ",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("paper.md.j2", "{{ p.title }}\n{% if %}\n", "paper.md.j2:2: "),
        ("paper.md.j2", "{{ p.titel }}\n", "titel"),
        ("digest.md.j2", "{{ d.sections[9].name }}\n", "digest.md.j2: "),
        ("digest.md.j2", "{% if d.number %}{{ nothing }}{% endif %}", "nothing"),
        ("theme.md.j2", "{{ ''.__class__.__mro__ }}", "theme.md.j2: "),
        ("moc.md.j2", "{{ t('no such word') }}", "no such word"),
        ("related.md.j2", "{% for x in related %}", "related.md.j2:1: "),
        ("words.en.toml", "abstract = 3", "must hold texts only"),
        ("words.en.toml", "abstract = ", "no valid TOML"),
    ],
)
def test_a_template_that_does_not_hold_up_is_a_problem_with_its_place(
    vault: Path, file: str, text: str, words: str
):
    (vault / "obsidian-digest-templates").mkdir()
    (vault / "obsidian-digest-templates" / file).write_text(text)
    found = [
        each
        for each in call(vault, "doctor", "--json").json["checks"]
        if each["name"] == "templates"
    ]
    assert [each["state"] for each in found] == ["problem"]
    assert words in found[0]["detail"]


def test_a_language_without_words_is_a_problem(vault: Path):
    config(vault, 'language = "en"', 'language = "fr"')
    state, words = look(vault, "templates")
    assert state == "problem"
    assert 'no words for language "fr"' in words


# Encoder and services


def test_an_encoder_that_is_missing_is_a_problem_with_the_ways_out(vault: Path):
    assert look(vault, "encoder") == ("ok", "the encoder words is there. ")
    config(vault, 'name = "words"', 'name = "./no-such-model"')
    state, words = look(vault, "encoder")
    assert state == "problem"
    assert "no-such-model" in words


ENTRY = """<feed xmlns="http://www.w3.org/2005/Atom"><entry>
<id>http://arxiv.org/abs/2608.19197v1</id><title>A paper</title><summary>Text.</summary>
<author><name>A. Bee</name></author></entry></feed>"""


def papers_answer(body: str = ENTRY) -> list[Answer]:
    return [Answer(body.encode())]


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.setenv("OBSIDIAN_DIGEST_MIN_INTERVAL", "0.001")
    monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(tmp_path / "cache"))
    return monkeypatch


def test_an_encoder_on_a_server_is_asked_only_when_wanted(vault: Path, fast: pytest.MonkeyPatch):
    with embedding_server() as server, serve(papers_answer()) as arxiv:
        fast.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        config(vault, 'name = "words"', f'name = "{server.url}#model"')
        assert "on a server, which --online asks" in look(vault, "encoder")[1]
        assert look(vault, "encoder", "--online") == (
            "ok", f"the encoder {server.url}#model is there. ",
        )  # fmt: skip
    with serve(papers_answer()) as arxiv:
        fast.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        assert look(vault, "encoder")[0] == "ok"
        state, words = look(vault, "encoder", "--online")
    assert state == "problem"
    assert "cannot be reached" in words


def test_arxiv_is_not_asked_by_itself(vault: Path, fast: pytest.MonkeyPatch):
    with serve(papers_answer()) as arxiv:
        fast.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        names = [each["name"] for each in call(vault, "doctor", "--json").json["checks"]]
    assert "arxiv" not in names
    assert arxiv.log == []


def test_online_asks_arxiv_once_and_says_what_came(vault: Path, fast: pytest.MonkeyPatch):
    with serve(papers_answer()) as arxiv:
        fast.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        words = "arXiv answers, its newest paper in cs.AI is 2608.19197. "
        assert look(vault, "arxiv", "--online") == ("ok", words)
    assert len(arxiv.log) == 1
    assert arxiv.log[0].query["max_results"] == "1"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (throttled(), "slow down"),
        (failed(503), "in trouble (HTTP 503)"),
        (web_page(), "cannot be used: this is a web page"),
    ],
)
def test_an_arxiv_in_trouble_is_asked_once_all_the_same(
    vault: Path, fast: pytest.MonkeyPatch, answer: Answer, words: str
):
    with serve([answer] * 3) as arxiv:
        fast.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        state, found = look(vault, "arxiv", "--online")
    assert state == "problem"
    assert words in found
    assert len(arxiv.log) == 1


def test_an_arxiv_without_papers_is_told(vault: Path, fast: pytest.MonkeyPatch):
    with serve(papers_answer('<feed xmlns="http://www.w3.org/2005/Atom"></feed>')) as arxiv:
        fast.setenv("OBSIDIAN_DIGEST_API_URL", arxiv.url)
        assert "but with no paper" in look(vault, "arxiv", "--online")[1]


# Disk and git


@pytest.mark.parametrize("name", ["state", "cache"])
def test_a_folder_that_cannot_be_written_is_a_problem(vault, tmp_path, monkeypatch, name):
    places = {"state": vault / ".obsidian-digest", "cache": tmp_path / "cache"}
    monkeypatch.setenv("OBSIDIAN_DIGEST_CACHE", str(places["cache"] / "inner"))
    shutil.rmtree(places["state"], ignore_errors=True)
    assert look(vault, name)[0] == "ok"
    places["cache"].mkdir()
    places["state"].mkdir()
    (places["state"] / ".gitignore").write_text("*\n")
    assert look(vault, name)[0] == "ok"
    shutil.rmtree(places[name])
    places[name].write_text("a file")
    state, words = look(vault, name)
    assert state == "problem"
    assert f"a file lies at {places[name]}" in words


def test_a_disk_that_refuses_is_told_with_the_systems_word(vault, monkeypatch):
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    (vault / ".obsidian-digest").mkdir(exist_ok=True)
    monkeypatch.setattr(surroundings.tempfile, "TemporaryFile", full)
    assert look(vault, "state")[1].startswith(
        f"nothing can be written into {vault / '.obsidian-digest'}: No space left on device"
    )


def test_a_disk_that_is_nearly_full_is_a_warning(vault: Path, monkeypatch):
    assert look(vault, "disk")[0] == "ok"
    monkeypatch.setattr(surroundings, "free_bytes", lambda _: 150 * 2**20)
    state, words = look(vault, "disk")
    assert state == "warning"
    assert "only 150 MB are free" in words


def git(folder: Path, *words: str) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def test_a_vault_in_git_is_fine_as_long_as_the_working_state_is_ignored(noted: Path):
    assert "no git repository" in look(noted, "git")[1]
    git(noted, "init")
    git(noted, "add", "-A")
    assert look(noted, "git") == ("ok", "git is at rest and ignores the working state. ")
    (noted / ".obsidian-digest" / ".gitignore").write_text("")
    assert "does not ignore" in look(noted, "git")[1]
    git(noted, "add", "-A")
    assert look(noted, "git")[0] == "warning"
    assert "git rm -r --cached .obsidian-digest" in look(noted, "git")[1]


def test_a_vault_below_the_top_of_a_repository_is_looked_at_too(noted: Path):
    git(noted.parent, "init")
    git(noted.parent, "add", "-A")
    assert look(noted, "git")[0] == "ok"
    (noted / ".obsidian-digest" / ".gitignore").unlink()
    git(noted.parent, "add", "-A")
    assert "git tracks" in look(noted, "git")[1]


@pytest.mark.parametrize("name", ["MERGE_HEAD", "rebase-merge"])
def test_a_merge_in_progress_is_a_problem(vault: Path, name: str):
    (vault / ".git").mkdir()
    assert look(vault, "git")[0] == "ok"
    (vault / ".git" / name).write_text("")
    state, words = look(vault, "git")
    assert state == "problem"
    assert name in words
    assert call(vault, "run", "--offline").code == 5


# How others call it


def test_the_program_is_named_by_its_absolute_path_and_quoted_where_needed(
    tmp_path: Path, monkeypatch
):
    folder = tmp_path / "my tools"
    folder.mkdir()
    (folder / "obsidian-digest").write_text("#!/bin/sh\n")
    monkeypatch.setattr(sys, "argv", [str(folder / "obsidian-digest"), "doctor"])
    assert program.plugin_line(".obsidian") == f"'{folder}/obsidian-digest' run"
    named = f"'{folder}/obsidian-digest' --config-dir .obs run"
    assert program.plugin_line(".obs") == named
    monkeypatch.setattr(program, "WINDOWS", True)
    assert program.plugin_line(".obsidian") == f'"{folder}/obsidian-digest" run'


def test_without_a_program_file_the_module_is_called(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["-m", "doctor"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert program.plugin_line(".obsidian") == f"{tmp_path}/python -m obsidian_digest run"


def test_the_line_for_cron_names_the_vault_and_an_hour_after_the_announcement(
    vault: Path, monkeypatch
):
    line = call(vault, "doctor", "--json").json["cron_line"]
    hour = line.split()[1]
    assert line.startswith(f"30 {hour} * * * /")
    assert line.endswith(f" --vault {vault} run")
    odd = vault.with_name("100% arXiv")
    vault.rename(odd)
    line = call(odd, "doctor", "--json").json["cron_line"]
    assert line.endswith(f" --vault '{odd}' run".replace("%", r"\%"))
    monkeypatch.setattr(program, "WINDOWS", True)
    assert call(odd, "doctor", "--json").json["cron_line"] is None


# Notes


def lint(vault: Path) -> Ran:
    return call(vault, "doctor", "--notes", "--json")


def test_the_example_vault_has_no_finding(tmp_path: Path):
    shutil.copytree(EXAMPLE, tmp_path / "vault")
    ran = lint(tmp_path / "vault")
    assert (ran.code, ran.json["findings"]) == (0, [])
    assert look(tmp_path / "vault", "notes", "--notes")[0] == "ok"


def test_notes_as_a_run_writes_them_have_no_finding(digested: Path):
    assert lint(digested).json["findings"] == []


def test_findings_are_listed_with_note_line_and_what_to_do(noted: Path):
    note, other, *_ = sorted((noted / "arXiv" / "Papers").iterdir())
    text = note.read_text("utf-8")
    note.write_text(re.sub('arxiv_id: "(.*)"', r"arxiv_id: \1", text), "utf-8")
    other.write_text(other.read_text("utf-8").replace("In short", "My words"), "utf-8")
    ran = lint(noted)
    assert ran.code == 0
    found = [(each["note"], each["line"], each["rule"]) for each in ran.json["findings"]]
    assert (note.relative_to(noted).as_posix(), 3, "form") in found
    assert other.relative_to(noted).as_posix() in {each[0] for each in found}
    assert {each["state"] for each in ran.json["findings"]} == {"warning"}
    out = call(noted, "doctor", "--notes").out
    where = f"{note.relative_to(noted).as_posix()}:3"
    assert f"warning: {where}: form: this should stand as arxiv_id: " in out
    assert "\nform: Write it like this" in out
    assert "2 findings in 2 of " in look(noted, "notes", "--notes")[1]


def test_a_finding_that_is_a_problem_is_a_failure(noted: Path):
    note = next((noted / "arXiv" / "Papers").iterdir())
    note.write_text(note.read_text("utf-8").replace("%% digest:end paper %%", ""), "utf-8")
    ran = lint(noted)
    assert (ran.code, ran.json["outcome"]) == (2, "problems")


def test_a_deleted_paper_is_no_finding(noted: Path):
    next((noted / "arXiv" / "Papers").iterdir()).unlink()
    assert lint(noted).json["findings"] == []


def test_links_in_the_form_of_the_vaults_settings_have_no_finding(tmp_path: Path):
    vault = new_vault(tmp_path, encoder="words")
    setting(vault, "app.json", {"useMarkdownLinks": True, "newLinkFormat": "relative"})
    file = str(mailing(tmp_path, DAY, 25))
    call(vault, "run", "--from-file", file, "--min-stars", "0", "--top", "6")
    assert any("](" in text.decode() for name, text in contents(vault).items() if "arXiv/" in name)
    assert lint(vault).json["findings"] == []


def test_types_of_the_vault_are_looked_at(noted: Path):
    setting(noted, "types.json", {"types": {"Authors": "number", "tags": "tags"}})
    assert {each["rule"] for each in lint(noted).json["findings"]} == {"type"}


def test_the_output_stays_small_however_much_there_is_to_say(noted: Path):
    setting(
        noted, "types.json", {"types": dict.fromkeys(("authors", "title", "url", "pdf"), "number")}
    )
    config(noted, "top = 20", "\n".join(f"wrong_key_number_{n} = 1" for n in range(300)))
    ran = call(noted, "doctor", "--notes")
    assert len(ran.out.encode()) < 8000
    config(noted, "\n".join(f"wrong_key_number_{n} = 1" for n in range(300)), "top = 20")
    ran = call(noted, "doctor", "--notes")
    assert len(ran.out.encode()) < 8000
    assert " more; see --json" in ran.out
