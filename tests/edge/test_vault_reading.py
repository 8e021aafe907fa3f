"""Reading at a steady moment, and what is not read: evicted notes, links, odd settings."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from obsidian_digest.edge.vault import VaultFolder
from obsidian_digest.edge.vault_root import config_or_none
from obsidian_digest.errors import VaultBusyError, VaultError
from obsidian_digest.model import Create, Plan, Update, VaultSettings

REGION = b"%% digest:begin paper v1 seal=00000000 %%\nx\n%% digest:end paper %%\n"
PAPER = b"---\narxiv_id: '2608.00001'\n---\n" + REGION
NAME = "A title - 2608-00001.md"
needs_links = pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    (root / "arXiv").mkdir()
    return root


@pytest.fixture
def vault(root: Path) -> VaultFolder:
    folder = VaultFolder(root, moc="MOC", interests="Interests", folders=["arXiv"])
    folder.settled, folder.patience = 0.2, 2.0
    return folder


def age(file: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(file, (then, then))


def waited(act) -> float:
    start = time.monotonic()
    act()
    return time.monotonic() - start


def test_a_note_that_was_written_just_now_is_waited_for(root: Path, vault: VaultFolder):
    (root / "a.md").write_bytes(b"before")
    assert waited(lambda: vault.write(Plan((Update("a.md", b"before", b"after"),)))) > 0.1
    assert (root / "a.md").read_bytes() == b"after"


def test_a_note_that_rests_is_not_waited_for(root: Path, vault: VaultFolder):
    vault.settled = 60
    (root / "a.md").write_bytes(b"before")
    age(root / "a.md", 61)
    assert waited(lambda: vault.write(Plan((Update("a.md", b"before", b"after"),)))) < 1


def test_a_note_that_only_the_tool_itself_wrote_just_now_is_not_waited_for(root, vault):
    vault.settled = 60
    vault.write(Plan((Create("a.md", b"one"),)))
    assert waited(lambda: vault.write(Plan((Update("a.md", b"one", b"two"),)))) < 1
    assert waited(lambda: vault.write(Plan((Update("a.md", b"two", b"three"),)))) < 1
    assert (root / "a.md").read_bytes() == b"three"


def test_a_wrong_clock_does_not_stop_a_run_for_ever(root: Path, vault: VaultFolder):
    (root / "a.md").write_bytes(b"before")
    age(root / "a.md", -86_400)
    assert waited(lambda: vault.write(Plan((Update("a.md", b"before", b"after"),)))) < 1


def test_a_note_that_is_written_while_the_run_waits_is_left_alone_and_so_are_all_others(
    root, vault
):
    (root / "a.md").write_bytes(b"before")
    writing = threading.Timer(0.05, (root / "a.md").write_bytes, [b"typed"])
    writing.start()
    plan = Plan((Create("new.md", b"n"), Update("a.md", b"before", b"ours")))
    with pytest.raises(VaultBusyError, match=r"a\.md: changed while .*\nNothing was done"):
        vault.write(plan)
    writing.join()
    assert (root / "a.md").read_bytes() == b"typed"
    assert not (root / "new.md").exists()


def test_a_note_that_is_never_at_rest_ends_the_run_after_a_while(root, vault, monkeypatch):
    vault.patience = 0.3
    (root / "a.md").write_bytes(b"before")
    sleep = time.sleep

    def touched(seconds: float) -> None:
        sleep(seconds)
        os.utime(root / "a.md")

    monkeypatch.setattr(time, "sleep", touched)
    plan = Plan((Create("new.md", b"n"), Update("a.md", b"before", b"ours")))
    with pytest.raises(VaultBusyError, match=r"a\.md: is being written to right now\nNothing was"):
        vault.write(plan)
    assert not (root / "new.md").exists()


def test_a_note_that_changes_under_the_reading_is_read_again(root, vault, monkeypatch):
    note = root / "arXiv" / NAME
    note.write_bytes(b"")
    read = Path.read_bytes
    reads = []

    def torn(self: Path) -> bytes:
        """The app has emptied the note, and fills it while we read."""
        raw = read(self)
        if self == note and not reads:
            self.write_bytes(PAPER)
        reads.append(self.name)
        return raw

    monkeypatch.setattr(Path, "read_bytes", torn)
    (found,) = vault.snapshot().notes
    assert found.raw == PAPER
    assert reads.count(NAME) == 2


def test_a_note_that_was_emptied_just_now_is_read_once_it_is_filled(root, vault):
    note = root / "arXiv" / NAME
    note.write_bytes(b"")
    filling = threading.Timer(0.05, note.write_bytes, [PAPER])
    filling.start()
    (found,) = vault.snapshot().notes
    filling.join()
    assert found.raw == PAPER


def test_an_empty_note_that_stays_empty_is_the_readers(root, vault):
    (root / "arXiv" / "Untitled.md").write_bytes(b"")
    snapshot = vault.snapshot()
    assert (snapshot.notes, snapshot.paths) == ((), ("arXiv/Untitled.md",))


def test_a_file_of_anothers_that_never_rests_does_not_stop_a_snapshot(root, vault, monkeypatch):
    vault.patience = 0.1
    (root / "log.md").write_bytes(b"---\narxiv_id: 'x'\n---\n")
    read = Path.read_bytes

    def growing(self: Path) -> bytes:
        raw = read(self)
        if self.suffix == ".md":
            with self.open("ab") as file:
                file.write(b"more\n")
        return raw

    monkeypatch.setattr(Path, "read_bytes", growing)
    assert vault.snapshot().paths == ("log.md",)
    (root / "log.md").rename(root / NAME)
    with pytest.raises(VaultBusyError, match=r"2608-00001\.md: is being written"):
        vault.snapshot()


@pytest.mark.parametrize("place", ["arXiv/A theme.md", "MOC.md", "Deep/Interests.md"])
def test_a_note_of_ours_that_may_not_be_read_is_not_taken_for_none(root, vault, place, monkeypatch):
    (root / "Deep").mkdir()
    (root / place).write_bytes(b"text")
    (root / "Mine.md").write_bytes(b"text")
    (root / "arXiv" / NAME).write_bytes(PAPER)
    allowed = {"Mine.md", NAME}
    _forbid_reading(monkeypatch, allowed)
    with pytest.raises(VaultError, match=f"{place}: may not be read\nNothing was done") as caught:
        vault.snapshot()
    assert caught.value.exit_code == 2


def test_a_paper_or_a_note_of_the_readers_that_may_not_be_read_stops_nothing(
    root, vault, monkeypatch
):
    (root / "Mine.md").write_bytes(b"text")
    (root / "arXiv" / NAME).write_bytes(PAPER)
    _forbid_reading(monkeypatch, set())
    (paper,) = vault.snapshot().notes
    assert (paper.key, paper.trouble) == ("2608.00001", "unreadable")


def _forbid_reading(monkeypatch: pytest.MonkeyPatch, allowed: set[str]) -> None:
    """As for a user without rights, whoever runs the tests."""
    read = Path.read_bytes

    def refusing(self: Path) -> bytes:
        if self.suffix == ".md" and self.name not in allowed:
            raise PermissionError(13, "Permission denied")
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", refusing)


@pytest.mark.parametrize(
    "place", ["Mine/Renamed - 2608-00001.md", "arXiv/Any name.md", "MOC.md", "Deep/Interests.md"]
)
def test_a_note_that_icloud_took_away_stops_the_run_if_it_may_be_ours(root, vault, place):
    path = root / place
    path.parent.mkdir(exist_ok=True)
    path.with_name(f".{path.name}.icloud").write_bytes(b"bplist00")
    with pytest.raises(VaultBusyError, match="Download it in Finder") as caught:
        vault.snapshot()
    assert caught.value.where == place


def test_a_config_that_icloud_took_away_is_not_taken_for_none(root, vault):
    (root / ".obsidian-digest.toml.icloud").write_bytes(b"bplist00")
    with pytest.raises(VaultBusyError, match="only in iCloud"):
        config_or_none(root)
    with pytest.raises(VaultBusyError, match="only in iCloud"):
        vault.snapshot()
    with pytest.raises(VaultBusyError, match="only in iCloud"):
        vault.write_new({"obsidian-digest.toml": "x"})


def test_other_notes_that_icloud_took_away_count_by_their_name(root, vault):
    (root / ".Diary.md.icloud").write_bytes(b"bplist00")
    (root / ".photo.heic.icloud").write_bytes(b"bplist00")
    (root / "Here.md").write_bytes(b"here")
    (root / ".Here.md.icloud").write_bytes(b"bplist00")
    assert sorted(vault.snapshot().paths) == ["Diary.md", "Here.md", "photo.heic"]
    with pytest.raises(VaultBusyError, match=r"Diary\.md: lies only in iCloud"):
        vault.write(Plan((Create("Diary.md", b"ours"),)))


@needs_links
def test_a_note_behind_a_link_is_read_once_where_it_lies(root, vault):
    (root / "arXiv" / NAME).write_bytes(PAPER)
    (root / "link.md").symlink_to(root / "arXiv" / NAME)
    snapshot = vault.snapshot()
    assert [note.path for note in snapshot.notes] == [f"arXiv/{NAME}"]
    assert set(snapshot.paths) == {f"arXiv/{NAME}", "link.md"}


@needs_links
def test_a_link_out_of_the_vault_is_not_read(root, vault, tmp_path):
    (tmp_path / "outside.md").write_bytes(PAPER)
    (root / "link.md").symlink_to(tmp_path / "outside.md")
    (root / "Interests.md").symlink_to(tmp_path / "outside.md")
    (root / "folder").symlink_to(tmp_path)
    snapshot = vault.snapshot()
    assert (snapshot.notes, snapshot.texts) == ((), {})
    assert snapshot.paths == ("Interests.md", "link.md")
    (trouble,) = snapshot.settings.troubles
    assert trouble.startswith("Interests.md leads out of the vault")


@needs_links
def test_interests_behind_a_link_inside_the_vault_are_read(root, vault):
    (root / "Me.md").write_text("## Agents\n")
    (root / "Interests.md").symlink_to(root / "Me.md")
    assert vault.snapshot().texts == {"Interests.md": "## Agents\n"}


def settings(root: Path, **files: str | bytes) -> VaultSettings:
    for name, content in files.items():
        raw = content if isinstance(content, bytes) else content.encode()
        (root / ".obsidian" / f"{name}.json").write_bytes(raw)
    return VaultFolder(root, moc="MOC", interests="I").snapshot().settings


def test_interests_are_never_taken_for_a_note_of_ours(root: Path, vault: VaultFolder):
    text = "## Agents\n" + PAPER.decode() + "%% digest:begin moc v1 seal=00000000 %%\n"
    (root / "Interests.md").write_text(text)
    snapshot = vault.snapshot()
    assert (snapshot.notes, snapshot.texts) == ((), {"Interests.md": text})


def test_without_settings_obsidians_defaults_hold(root: Path):
    assert settings(root) == VaultSettings()
    assert settings(root, app="{}", types="") == VaultSettings()


def test_settings_are_read_as_obsidian_writes_them(root: Path):
    app = '{\n  "useMarkdownLinks": true,\n  "newLinkFormat": "relative"\n}'
    types = '{"types": {"Tags": "tags", "Authors": "text", "published": "date"}}'
    assert settings(root, app=app, types=types) == VaultSettings(
        True, "relative", {"tags": "tags", "authors": "text", "published": "date"}
    )


def test_settings_under_another_name_are_read_there(root: Path):
    (root / ".obsidian-mine").mkdir()
    (root / ".obsidian-mine" / "app.json").write_text('{"newLinkFormat": "absolute"}')
    folder = VaultFolder(root, moc="M", interests="I", config_dir=".obsidian-mine")
    assert folder.snapshot().settings.link_path == "absolute"


def test_settings_edited_by_hand_are_forgiven_a_mark_and_a_comma(root: Path):
    app = b'\xef\xbb\xbf{"useMarkdownLinks": true, "newLinkFormat": "absolute",\n}'
    assert settings(root, app=app) == VaultSettings(True, "absolute")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("app", "[1]"),
        ("app", "{nonsense"),
        ("app", b"\xff\xfe"),
        ("app", "[" * 100_000),
        ("app", '{"newLinkFormat": "sideways"}'),
        ("app", '{"newLinkFormat": ["relative"]}'),
        ("types", "null"),
        ("types", '{"types": ["x"]}'),
    ],
)
def test_settings_that_make_no_sense_are_told_and_the_defaults_hold(root, name, content):
    found = settings(root, **{name: content})
    (trouble,) = found.troubles
    assert f"{name}.json" in trouble
    assert found == VaultSettings(troubles=found.troubles)


def test_a_value_of_the_wrong_kind_is_passed_over(root: Path):
    found = settings(root, app='{"useMarkdownLinks": "no"}', types='{"types": {"a": 1, "B": "x"}}')
    assert found == VaultSettings(property_types={"b": "x"})


def test_settings_that_are_a_folder_are_told(root: Path):
    (root / ".obsidian" / "app.json").mkdir()
    assert "app.json" in settings(root).troubles[0]


def test_a_config_that_is_not_utf_8_is_told_with_what_to_do(tmp_path: Path):
    (tmp_path / "obsidian-digest.toml").write_bytes("# größe".encode("latin-1"))
    with pytest.raises(VaultError, match=r"not UTF-8 text\nSave it as UTF-8"):
        config_or_none(tmp_path)
