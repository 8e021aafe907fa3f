from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from obsidian_digest.edge.vault import VaultFolder
from obsidian_digest.edge.vault_root import find_vault
from obsidian_digest.errors import VaultBusyError, VaultError
from obsidian_digest.model import Create, Plan, Update

REGION = b"%% digest:begin paper v1 seal=00000000 %%\nx\n%% digest:end paper %%\n"
PAPER = b"---\narxiv_id: '2608.00001'\n---\n" + REGION


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".obsidian").mkdir()
    return tmp_path


@pytest.fixture
def vault(root: Path) -> VaultFolder:
    folder = VaultFolder(root, moc="MOC", interests="Interests", folders=["arXiv/Papers"])
    folder.settled = 0.0
    return folder


def test_the_vault_is_found_from_a_folder_deep_inside_it(root: Path):
    deep = root / "a" / "b"
    deep.mkdir(parents=True)
    assert find_vault(deep, ".obsidian") == root


def test_outside_a_vault_the_error_names_the_folder_and_the_way_out(tmp_path: Path):
    with pytest.raises(VaultError, match="--vault DIR"):
        find_vault(tmp_path, ".obsidian")


def test_a_snapshot_holds_our_notes_every_path_and_the_interests(root: Path, vault: VaultFolder):
    (root / "Deep").mkdir()
    (root / "Deep" / "Mine é.md").write_bytes(PAPER)
    (root / "Interests.md").write_text("## Agents\n")
    (root / "other.md").write_text("---\ntags: [x]\n---\nmine\n")
    (root / "picture.png").write_bytes(b"\x89PNG")
    (root / ".trash").mkdir()
    (root / ".trash" / "old.md").write_bytes(PAPER)
    snapshot = vault.snapshot()
    assert [note.path for note in snapshot.notes] == ["Deep/Mine é.md"]
    assert snapshot.paths == ("Interests.md", "other.md", "picture.png", "Deep/Mine é.md")
    assert snapshot.texts == {"Interests.md": "## Agents\n"}


def test_a_plan_is_written_as_it_says(root: Path, vault: VaultFolder):
    (root / "old.md").write_bytes(b"before")
    (root / "old.md").chmod(0o640)
    vault.write(Plan((Create("new/deep/a.md", b"a\n"), Update("old.md", b"before", b"after"))))
    assert (root / "new" / "deep" / "a.md").read_bytes() == b"a\n"
    assert (root / "old.md").read_bytes() == b"after"
    if os.name != "nt":
        assert stat.S_IMODE((root / "old.md").stat().st_mode) == 0o640


def test_nothing_but_the_note_and_the_ignored_state_folder_is_left(root: Path, vault: VaultFolder):
    vault.write(Plan((Create("a.md", b"a"),)))
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    assert names == [
        ".obsidian-digest/.gitignore",
        ".obsidian-digest/undo/000001.done.json",
        "a.md",
    ]
    assert (root / ".obsidian-digest" / ".gitignore").read_text() == "*\n"


def test_a_note_that_appeared_meanwhile_is_never_overwritten(root: Path, vault: VaultFolder):
    (root / "a.md").write_bytes(b"the reader's")
    with pytest.raises(VaultBusyError):
        vault.write(Plan((Create("a.md", b"ours"),)))
    assert (root / "a.md").read_bytes() == b"the reader's"


def test_a_note_that_changed_meanwhile_is_not_replaced(root: Path, vault: VaultFolder):
    (root / "a.md").write_bytes(b"newer")
    with pytest.raises(VaultBusyError, match=r"a\.md"):
        vault.write(Plan((Update("a.md", b"older", b"ours"),)))
    assert (root / "a.md").read_bytes() == b"newer"


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
def test_a_link_out_of_the_vault_is_not_followed(root: Path, vault: VaultFolder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (root / "arXiv").symlink_to(outside)
    with pytest.raises(VaultError, match="out of the vault"):
        vault.write(Plan((Create("arXiv/a.md", b"a"),)))
    assert list(outside.iterdir()) == []


def test_without_hard_links_a_new_note_is_still_whole(root, vault, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refuse)
    vault.write(Plan((Create("a.md", b"a"),)))
    assert (root / "a.md").read_bytes() == b"a"
    with pytest.raises(VaultBusyError):
        vault.write(Plan((Create("a.md", b"b"),)))
    assert (root / "a.md").read_bytes() == b"a"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_full_or_read_only_disk_is_told_and_leaves_whole_files(root, vault, monkeypatch, number):
    (root / "old.md").write_bytes(b"before")

    def refuse(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(VaultError, match="cannot be read or written"):
        vault.write(Plan((Update("old.md", b"before", b"after"), Create("a.md", b"a"))))
    assert (root / "old.md").read_bytes() == b"before"
    assert not (root / "a.md").exists()
    assert {path.name for path in vault.state.iterdir()} == {".gitignore", "undo"}


def test_two_runs_at_once_do_not_share_a_vault(root: Path, vault: VaultFolder):
    code = (
        "import sys; from pathlib import Path; from obsidian_digest.edge.vault import VaultFolder\n"
        "from obsidian_digest.errors import VaultBusyError\n"
        "try:\n"
        "    with VaultFolder(Path(sys.argv[1]), moc='MOC', interests='I').locked(): sys.exit(0)\n"
        "except VaultBusyError: sys.exit(5)\n"
    )
    ask = [sys.executable, "-c", code, str(root)]
    with vault.locked():
        assert subprocess.run(ask, check=False).returncode == 5
    assert subprocess.run(ask, check=False).returncode == 0


def test_a_merge_in_a_repository_that_the_vault_is_a_part_of_stops_the_run(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "MERGE_HEAD").write_text("")
    (tmp_path / "notes" / ".obsidian").mkdir(parents=True)
    inner = VaultFolder(tmp_path / "notes", moc="MOC", interests="Interests")
    with pytest.raises(VaultBusyError, match="MERGE_HEAD"), inner.locked():
        pass


@pytest.mark.parametrize("name", ["MERGE_HEAD", "rebase-merge"])
def test_a_merge_in_progress_stops_the_run(root: Path, vault: VaultFolder, name: str):
    (root / ".git").mkdir()
    (root / ".git" / name).write_text("")
    with pytest.raises(VaultBusyError, match=name), vault.locked():
        pass


def test_a_git_at_work_is_waited_for_and_a_lock_it_left_behind_is_not(root, vault):
    (root / ".git").mkdir()
    lock = root / ".git" / "index.lock"
    lock.write_text("")
    with pytest.raises(VaultBusyError, match=r"index\.lock"), vault.locked():
        pass
    old = time.time() - 600
    os.utime(lock, (old, old))
    with vault.locked():
        pass


def test_the_merge_of_a_work_tree_whose_git_folder_lies_elsewhere_is_seen(root, vault, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "CHERRY_PICK_HEAD").write_text("")
    (root / ".git").write_text(f"gitdir: {elsewhere}\n")
    with pytest.raises(VaultBusyError, match="CHERRY_PICK_HEAD"), vault.locked():
        pass


def test_new_files_never_replace_old_ones(root: Path, vault: VaultFolder):
    (root / "a.md").write_text("mine")
    assert vault.write_new({"a.md": "ours", "b.md": "ours"}) == ["b.md"]
    assert (root / "a.md").read_text() == "mine"


def test_a_leftover_of_a_killed_run_with_the_same_process_id_overwrites_no_note(root, vault):
    vault.write(Plan((Create("a.md", b"ours"),)))
    leftover = vault.state / f"{os.getpid()}-0.tmp"
    os.link(root / "a.md", leftover)
    (root / "a.md").write_bytes(b"my own words")
    vault.write(Plan((Create("b.md", b"other"),)))
    assert (root / "a.md").read_bytes() == b"my own words"
    with vault.locked():
        assert not leftover.exists()
    assert (root / "a.md").read_bytes() == b"my own words"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_a_pipe_a_link_loop_and_a_folder_with_a_notes_name_are_passed_over(root, vault):
    os.mkfifo(root / "pipe.md")
    (root / "loop.md").symlink_to(root / "loop.md")
    (root / "folder.md").mkdir()
    assert vault.snapshot().paths == ()


def test_a_note_that_may_not_be_read_gets_no_twin(root, vault, monkeypatch):
    (root / "Title - 2608-00001.md").write_bytes(PAPER)
    (root / "mine.md").write_bytes(b"mine")

    def refuse(_self: Path) -> bytes:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (note,) = vault.snapshot().notes
    assert (note.key, note.trouble) == ("2608.00001", "unreadable")


@pytest.mark.parametrize("name", ["folder.md", "x" * 300 + ".md"])
def test_what_cannot_be_written_is_found_before_the_first_byte(root, vault, name):
    (root / "folder.md").mkdir()
    with pytest.raises(VaultError):
        vault.write(Plan((Create("a.md", b"a"), Create(name, b"b"))))
    assert not (root / "a.md").exists()


def test_a_note_that_went_away_meanwhile_is_told_as_busy_and_not_brought_back(root, vault):
    with pytest.raises(VaultBusyError, match=r"a\.md"):
        vault.write(Plan((Update("a.md", b"older", b"ours"),)))
    assert not (root / "a.md").exists()


def test_all_that_can_be_known_is_looked_at_before_the_first_byte(root, vault):
    (root / "old.md").write_bytes(b"newer")
    (root / "taken.md").write_bytes(b"mine")
    for change in (Update("old.md", b"older", b"ours"), Create("taken.md", b"ours")):
        with pytest.raises(VaultBusyError, match="Nothing was done"):
            vault.write(Plan((Create("a.md", b"a"), change)))
    assert not (root / "a.md").exists()
    assert not (vault.state / "undo").exists()


@pytest.mark.parametrize("path", [".obsidian/app.json", ".obsidian-digest/lock", "a/../.git/x.md"])
def test_nothing_is_ever_written_into_a_hidden_folder(root, vault, path):
    with pytest.raises(VaultError, match="hidden folder"):
        vault.write(Plan((Create(path, b"x"),)))
    assert not (root / path).exists()


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
def test_a_linked_note_stays_a_link_and_the_note_it_leads_to_is_written(root, vault):
    (root / "Deep").mkdir()
    (root / "Deep" / "real.md").write_bytes(b"before")
    (root / "link.md").symlink_to(root / "Deep" / "real.md")
    vault.write(Plan((Update("link.md", b"before", b"after"),)))
    assert (root / "link.md").is_symlink()
    assert (root / "Deep" / "real.md").read_bytes() == b"after"


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
@pytest.mark.parametrize("target", ["loop.md", "nowhere.md"])
def test_a_name_taken_by_a_link_to_nothing_is_told(root, vault, target):
    (root / "loop.md").symlink_to(root / target)
    with pytest.raises(VaultError, match=r"loop\.md"):
        vault.write(Plan((Create("a.md", b"a"), Create("loop.md", b"b"))))
    assert not (root / "a.md").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_note_whose_name_is_no_text_is_written_like_any_other(root, vault):
    name = os.fsdecode(b"caf\xe9.md")
    (root / name).write_bytes(PAPER)
    (note,) = vault.snapshot().notes
    vault.write(Plan((Update(note.path, PAPER, b"after"),)))
    assert (root / name).read_bytes() == b"after"
    assert vault.last_runs()[0].written[0].path == name


def test_a_folder_on_another_disk_gets_whole_notes_too(root, vault, monkeypatch):
    (root / "old.md").write_bytes(b"before")
    real = {name: getattr(os, name) for name in ("link", "replace")}

    def across(name: str):
        def act(source, target, **named):
            if (vault.state in Path(source).parents) != (vault.state in Path(target).parents):
                raise OSError(errno.EXDEV, "Invalid cross-device link")
            return real[name](source, target, **named)

        return act

    for name in real:
        monkeypatch.setattr(os, name, across(name))
    vault.write(Plan((Update("old.md", b"before", b"after"), Create("new/a.md", b"a"))))
    assert (root / "old.md").read_bytes() == b"after"
    assert (root / "new" / "a.md").read_bytes() == b"a"
    assert not list(root.rglob("*.tmp"))


def test_an_ignore_file_that_a_killed_run_left_empty_is_mended(root, vault):
    (vault.state / ".gitignore").write_bytes(b"")
    assert (vault.state / ".gitignore").read_bytes() == b"*\n"


def test_the_papers_that_had_a_note_are_remembered(root, vault):
    assert vault.snapshot().seen is None
    vault.remember_papers({"2608.00002", "math/0309136"})
    assert vault.snapshot().seen == {"2608.00002", "math/0309136"}
    for broken in ("", "{}", '["a", 1]', "[" * 100_000):
        (vault.state / "papers.json").write_text(broken)
        assert vault.snapshot().seen is None
