"""The boundary: options from the environment, output that fails, signals."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from obsidian_digest import wiring
from tests.vaults import call, contents, mailing, new_vault, settle

ROOT = Path(__file__).parents[1]
FULL = Path("/dev/full")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return new_vault(tmp_path, encoder="words")


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault after a day's run."""
    root = tmp_path_factory.mktemp("done")
    vault = new_vault(root, encoder="words")
    papers = str(mailing(root, "2026-08-20", 12))
    ran = call(vault, "run", "--from-file", papers, "--min-stars", "0")
    assert ran.code == 0, ran.err
    return vault


@pytest.fixture
def renamed(done: Path, tmp_path: Path) -> Path:
    """The same after its reader renamed a paper's note: the day's run again writes that.

    It need not load what ranking needs, which takes seconds in a process of its own.
    """
    vault = tmp_path / "renamed"
    shutil.copytree(done, vault)
    paper = next((vault / "arXiv" / "Papers").iterdir())
    paper.rename(paper.with_name("My own name.md"))
    settle(vault)
    return vault


def follows(vault: Path) -> bool:
    """Whether a run was done since."""
    return "[[My own name" in (vault / "arXiv/Digests/arXiv digest 2026-08-20.md").read_text()


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(mailing(tmp_path, "2026-08-20", 12))


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The words after `obsidian-digest` in a real shell, started in `folder`."""
    program = f"'{sys.executable}' -m obsidian_digest"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        line.replace("obsidian-digest", program),
        shell=True, check=False, text=True, capture_output=True, cwd=folder, env=environment,
    )  # fmt: skip


def test_options_of_a_verb_can_stand_in_the_environment(vault, file, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_TOP", "1")
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_MIN_STARS", "0")
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_JSON", "1")
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_DATE", "2026-08-19")
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_FROM_FILE", file)
    answer = call(vault, "run").json
    assert (answer["selected"], answer["date"]) == (1, "2026-08-19")
    assert call(vault, "run", "--top", "2").json["selected"] == 1


def test_the_vault_can_stand_in_the_environment(renamed, file, monkeypatch, tmp_path):
    monkeypatch.setenv("OBSIDIAN_DIGEST_VAULT", str(renamed))
    ran = shell(f"obsidian-digest run --from-file '{file}' --min-stars 0 --print-path", tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "arXiv/Digests/arXiv digest 2026-08-20.md\n")
    assert follows(renamed)


def test_a_wrong_option_in_the_environment_is_a_usage_error_told_as_json(vault, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_JSON", "1")
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_TOP", "many")
    ran = call(vault, "run")
    assert (ran.code, ran.json["exit"]) == (2, 2)


def test_json_that_is_switched_off_in_the_environment_is_off(vault, monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_RUN_JSON", "0")
    ran = call(vault, "run", "--offline")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("obsidian-digest: nothing is saved of the announcement")


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has /dev/full")
def test_a_run_whose_output_cannot_be_printed_is_done_and_says_so_on_stderr(renamed, file):
    line = f"obsidian-digest run --from-file '{file}' --min-stars 0 --json >/dev/full"
    ran = shell(line, renamed)
    assert ran.returncode == 0
    assert ran.stderr == (
        "obsidian-digest: the output could not be printed: No space left on device\n"
    )
    assert follows(renamed)


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has /dev/full")
def test_a_failure_that_cannot_be_printed_keeps_its_exit_code(tmp_path):
    assert shell("obsidian-digest --vault nowhere run 2>/dev/full", tmp_path).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_check_whose_reader_went_away_keeps_its_exit_code_and_is_silent(renamed, file):
    line = f"(obsidian-digest run --from-file '{file}' --check --dry-run; echo $? >&2) | true"
    assert shell(line, renamed).stderr == "3\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&- <&-"])
def test_closed_streams_do_not_stop_a_run(renamed, file, closed):
    ran = shell(f"obsidian-digest run --from-file '{file}' --min-stars 0 {closed}", renamed)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert follows(renamed)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_closed_streams_do_not_stop_a_run_that_ranks(vault, file):
    ran = shell(f"obsidian-digest run --from-file '{file}' --min-stars 0 >&- 2>&- <&-", vault)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (vault / "arXiv/Digests/arXiv digest 2026-08-20.md").is_file()


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_current_folder_that_is_gone_is_told(tmp_path):
    ran = shell("mkdir gone && cd gone && rmdir ../gone && obsidian-digest run", tmp_path)
    assert ran.returncode == 2
    assert "the current folder is gone" in ran.stderr


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("typo", "there is no such folder"), ("Home.md", "this is a file, not a folder")],
)
def test_a_named_vault_that_is_no_folder_is_refused_though_a_vault_lies_above(
    vault, name, sentence
):
    before = contents(vault)
    ran = call(vault / name, "init", "--templates")
    assert ran.code == 2
    assert sentence in ran.err
    assert contents(vault) == before


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_ends_a_run_with_its_code_and_still_one_json_object(
    vault, monkeypatch, name, code
):
    monkeypatch.setattr(wiring, "now", lambda: signal.raise_signal(getattr(signal, name)))
    ran = call(vault, "run", "--json")
    assert (ran.code, ran.json["exit"]) == (code, code)
    assert "stopped before the end" in ran.json["message"]


def test_ctrl_c_while_the_program_still_loads_is_no_traceback():
    code = (
        "import signal, sys\n"
        "class Loading:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Loading())\n"
        "from obsidian_digest.__main__ import main\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], check=False, text=True, capture_output=True, cwd=ROOT
    )
    assert (ran.returncode, ran.stderr) == (130, "")
