"""What lies around the notes, for `doctor`: Obsidian's settings, git, disks. Only ever reads."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_UNFINISHED_GIT = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_SETTINGS_FILES = ("app.json", "core-plugins.json", "workspace.json")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What Obsidian's own files say about the vault."""

    outer: str
    """A vault above this one; empty if none."""
    inner: tuple[str, ...]
    """Vaults inside this one, by path."""
    other_configs: tuple[str, ...]
    """Other folders at the root that look like Obsidian's config folder."""
    excluded: tuple[str, ...]
    """Filters that hide files from search and graph: path prefixes, or `/regular expressions/`."""
    template_folders: Mapping[str, str]
    """Folders of templates by the plugin that uses them."""
    plugins: tuple[str, ...]
    """Ids of the community plugins that are switched on."""
    troubles: tuple[str, ...]
    """Files of settings that cannot be read, in words; `app.json` is the vault's door's matter."""


@dataclass(frozen=True, slots=True)
class Git:
    """The repository that the vault lies in."""

    unfinished: str
    """A file that a merge or rebase in progress keeps; empty if none."""
    ignores_state: bool
    tracks_state: bool


def look_around(root: Path, config_dir: str) -> Surroundings:
    """The vault's surroundings; what cannot be read counts as not set."""
    troubles: list[str] = []

    def settings(name: str) -> Any:
        return _json(root, f"{config_dir}/{name}", troubles)

    folders = {
        "Templates": _text(settings("templates.json"), "folder"),
        "Templater": _text(settings("plugins/templater-obsidian/data.json"), "templates_folder"),
    }
    plugins = settings("community-plugins.json")
    app = _json(root, f"{config_dir}/app.json", [])
    filters = app.get("userIgnoreFilters") if isinstance(app, dict) else None
    return Surroundings(
        outer=next((str(above) for above in root.parents if _is_dir(above / config_dir)), ""),
        inner=tuple(_inner(root, config_dir)),
        other_configs=tuple(_other_configs(root, config_dir)),
        excluded=_texts(filters),
        template_folders={name: path for name, path in folders.items() if path},
        plugins=_texts(plugins),
        troubles=tuple(troubles),
    )


def _json(root: Path, name: str, troubles: list[str]) -> Any:
    """The file's content; None where it is missing or, with a sentence, cannot be read."""
    try:
        text = (root / name).read_text("utf-8-sig")
        try:
            return json.loads(text or "null")
        except ValueError:
            return json.loads(_TRAILING_COMMA.sub("", text))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        troubles.append(f"{name} cannot be read; nothing is known of what it says")
        return None


def _text(settings: Any, key: str) -> str:
    value = settings.get(key) if isinstance(settings, dict) else None
    return value.strip().strip("/") if isinstance(value, str) else ""


def _texts(values: Any) -> tuple[str, ...]:
    return (
        tuple(each for each in values if isinstance(each, str)) if isinstance(values, list) else ()
    )


def _inner(root: Path, config_dir: str) -> Iterator[str]:
    for folder, inner, _ in os.walk(root):
        if config_dir in inner and folder != str(root):
            yield os.path.relpath(folder, root).replace(os.sep, "/")
        inner[:] = sorted(name for name in inner if not name.startswith("."))


def _other_configs(root: Path, config_dir: str) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for folder in sorted(root.glob(".*")):
            known = any((folder / name).is_file() for name in _SETTINGS_FILES)
            if known and folder.name != config_dir:
                yield folder.name


def git(root: Path, state: str) -> Git | None:
    """The repository at or above the vault, seen through the folder `state`; None without one."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None:
        return None
    folder = top / ".git"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if folder.is_file():
            folder = top / folder.read_text("utf-8").removeprefix("gitdir:").strip()
    unfinished = (name for name in _UNFINISHED_GIT if _exists(folder / name))
    inside = (root.relative_to(top) / state).as_posix()
    return Git(next(unfinished, ""), _ignored(root / state), _tracked(folder, inside))


def _ignored(state: Path) -> bool:
    if not _is_dir(state):
        return True  # it is made together with the file that ignores it
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return "*" in (state / ".gitignore").read_text("utf-8").split()
    return False


def _tracked(folder: Path, inside: str) -> bool:
    """Whether git's index names a file in this folder (one of version 4 may hide it)."""
    with contextlib.suppress(OSError):
        return f"{inside}/".encode() in (folder / "index").read_bytes()
    return False


def unwritable(folder: Path) -> str:
    """Why the folder, or the nearest that exists above it, takes no new file; empty if it does.

    A folder that exists is tried with a file that has no name, so nobody sees it.
    """
    there = next(each for each in (folder, *folder.parents) if _exists(each))
    if not _is_dir(there):
        return f"a file lies at {there}"
    if there != folder:
        return "" if os.access(there, os.W_OK) else f"{there} does not take it"
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def free_bytes(folder: Path) -> int:
    """Bytes free on the disk of the folder."""
    return shutil.disk_usage(folder).free


def _is_dir(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 (says no where a folder is locked)


def _exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110 (as above)
