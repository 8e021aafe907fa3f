"""The snapshot: every note of ours with its bytes, every other file by path."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from obsidian_digest.config import FILE_NAME
from obsidian_digest.edge.vault.reading import not_here, read_settled, read_steady
from obsidian_digest.errors import VaultBusyError, VaultError
from obsidian_digest.model import NoteFile
from obsidian_digest.note.kinds import classify, may_be_ours
from obsidian_digest.note.names import collision_key, id_in
from obsidian_digest.note.own_notes import own_note
from obsidian_digest.note.readers_own import named_after
from obsidian_digest.note.sealed_file import ENDINGS, LARGEST, is_ours

if TYPE_CHECKING:
    from pathlib import Path

    from obsidian_digest.edge.vault.reading import Found
    from obsidian_digest.model import DailyNotes, OwnNote
    from obsidian_digest.note.own_notes import Corpus


@dataclass(frozen=True, slots=True)
class Named:
    """What the config calls the notes that matter to a run."""

    moc: str
    interests: str
    folders: tuple[PurePosixPath, ...]
    """Those in which our notes are born."""
    corpus: Corpus
    """Folders of the reader's own notes of which a run reads the text too."""

    def matters(self, found: Found) -> bool:
        """Whether the file may be ours or be read by us, as far as its name tells."""
        path = PurePosixPath(found.path)
        note = path.suffix == ".md"
        ours = id_in(found.stem) or any(path.is_relative_to(folder) for folder in self.folders)
        return bool(note and (ours or found.stem in (self.moc, self.interests))) or (
            found.path == FILE_NAME
        )


class Reader:
    """One look at every note of a vault."""

    def __init__(self, root: Path, named: Named, settled: float, deadline: float) -> None:
        """`settled` is in seconds, `deadline` a moment of the monotonic clock."""
        self._root = root.resolve()
        self._named = named
        self._settled = settled
        self._deadline = deadline
        self.paths: list[str] = []
        self.notes: list[NoteFile] = []
        self.texts: dict[str, str] = {}
        self.own: list[OwnNote] = []
        self.files: dict[str, bytes] = {}
        self.daily: DailyNotes | None = None
        self.days: dict[str, bytes] = {}
        """Notes that lie where daily notes do."""
        self.troubles: list[str] = []

    def look(self, found: Found) -> None:
        """Takes in one file.

        Raises VaultBusyError for a note that matters and cannot be read now, VaultError for one
        that may not be read.
        """
        self.paths.append(found.path)
        if found.evicted and self._named.matters(found):
            raise not_here(found.path)
        if found.path.endswith(ENDINGS) and not found.evicted and not found.file.is_symlink():
            self._look_at_file(found)
        if found.evicted or not found.path.endswith(".md") or self._leads_away(found):
            return
        raw = self._read(found)
        if found.stem == self._named.interests != self._named.moc:
            if raw is not None:
                self.texts[found.path] = raw.decode("utf-8", errors="replace")
        elif found.stem != self._named.interests or not found.file.is_symlink():
            note = self._note(found, raw)
            if raw is not None and self._may_be_a_day(found):
                self.days[found.path] = raw
            if note is not None:
                self.notes.append(note)
            if raw is not None and (note is None or note.trouble == "foreign"):
                about = note.key if note is not None else ""
                self.own += own_note(found.path, raw, about, self._named.corpus)

    def _may_be_a_day(self, found: Found) -> bool:
        if self.daily is None or not any(map(str.isdigit, found.stem)):
            return False
        folder = self.daily.folder
        return not folder or collision_key(found.path).startswith(collision_key(f"{folder}/"))

    def _look_at_file(self, found: Found) -> None:
        """Takes in a picture or canvas of ours; one that cannot be read now is left alone."""
        with contextlib.suppress(OSError):
            with found.file.open("rb") as file:
                ours = is_ours(file.read(512)) and found.file.stat().st_size <= LARGEST
            if ours and (steady := read_steady(found.file)):
                self.files[found.path] = steady[0]

    def _leads_away(self, found: Found) -> bool:
        """A linked note is read where it lies; only the interests are read through a link."""
        if not found.file.is_symlink():
            return False
        if found.stem != self._named.interests:
            return True
        away = not found.file.resolve().is_relative_to(self._root)
        if away:
            what = "leads out of the vault through a symbolic link and was not read"
            self.troubles.append(f"{found.path} {what}")
        return away

    def _read(self, found: Found) -> bytes | None:
        """The note's bytes; None for one that may not be read, and is a paper's or not ours."""
        try:
            return read_settled(found.file, found.path, self._settled, self._deadline, bool)
        except VaultBusyError:
            if self._named.matters(found):
                raise
        except PermissionError as error:
            # A paper's id stands in its name; another note of ours would count as not there.
            if self._named.matters(found) and named_after(found.stem) is None:
                raise VaultError(
                    "may not be read", found.path, "Nothing was done. Allow reading it, then go on."
                ) from error
        except OSError:
            return None
        return None

    def _note(self, found: Found, raw: bytes | None) -> NoteFile | None:
        if raw is None:
            paper = named_after(found.stem)
            if paper is None:
                return None
            return NoteFile(found.path, "paper", paper, b"", {}, {}, "unreadable")
        if not may_be_ours(found.stem, raw):
            return None
        return classify(found.path, raw, self._named.moc, (self._named.interests,))
