"""What lies in a vault: its files, their bytes at a steady moment, and Obsidian's own settings."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from obsidian_digest.errors import VaultBusyError
from obsidian_digest.model import LinkPath, VaultSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_STEADY_READS = 5
_BETWEEN_READS = 0.05
"""Seconds."""
_EVICTED = re.compile(r"\.(?P<name>.+)\.icloud")


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the vault."""

    path: str
    """Vault-relative, forward slashes, as spelt on disk."""
    file: Path
    evicted: bool = False
    """Only its name is here: iCloud took the content off this machine."""

    @property
    def stem(self) -> str:
        """The file's name without `.md`."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")


def not_here(path: str) -> VaultBusyError:
    """The error for a note that iCloud took off this machine."""
    return VaultBusyError(
        "lies only in iCloud, not on this machine",
        path,
        "Nothing was done. Download it in Finder (right-click, Download Now), then run again.",
    )


def placeholder(file: Path) -> Path:
    """What stands for this file once iCloud has evicted it."""
    return file.with_name(f".{file.name}.icloud")


def walk(root: Path) -> Iterator[Found]:
    """Every file outside dot folders, evicted ones under their own name, in a fixed order.

    Links to folders are not followed; a link to a file counts by its path.
    """
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        place = Path(folder)
        start = place.relative_to(root).as_posix() + "/" if folder != str(root) else ""
        for name in sorted(names):
            evicted = _EVICTED.fullmatch(name) if name.startswith(".") else None
            if name.startswith(".") and not evicted:
                continue
            real = evicted["name"] if evicted else name
            file = place / real
            if not file.exists() if evicted else file.is_file():
                yield Found(start + real, file, bool(evicted))


def read_steady(file: Path) -> tuple[bytes, float] | None:
    """The file's bytes and its age in seconds; None while it changes under the reading.

    Obsidian empties a note and then fills it, so that another program may see a part of it.
    Raises OSError.
    """
    for attempt in range(_STEADY_READS):
        if attempt:
            time.sleep(_BETWEEN_READS)
        before = file.stat()
        raw = file.read_bytes()
        after = file.stat()
        if _same(before, after) and len(raw) == after.st_size:
            return raw, time.time() - after.st_mtime
    return None


def _same(before: os.stat_result, after: os.stat_result) -> bool:
    fields = ("st_mtime_ns", "st_size", "st_ino")
    return all(getattr(before, field) == getattr(after, field) for field in fields)


def read_settled(
    file: Path, path: str, settled: float, deadline: float, done: Callable[[bytes], bool]
) -> bytes:
    """The file's bytes, once `done` says so or nobody has written it for `settled` seconds.

    Raises VaultBusyError after `deadline` (of the monotonic clock), and OSError.
    """
    while True:
        found = read_steady(file)
        raw, age = found or (b"", 0.0)
        # A time far in the future is a wrong clock, not somebody at work.
        if found and (abs(age) >= settled or done(raw)):
            return raw
        left = deadline - time.monotonic()
        if left <= 0:
            raise VaultBusyError(
                "is being written to right now", path, "Nothing was done. Run again in a moment."
            )
        time.sleep(min(left, settled - max(age, 0.0)))


def read_settings(root: Path, config_dir: str, troubles: Sequence[str] = ()) -> VaultSettings:
    """What Obsidian's own settings ask for; its defaults where they cannot be read.

    `troubles` are those that are known already.
    """
    troubles = [*troubles]
    app = _table(root, f"{config_dir}/app.json", troubles)
    types = _table(root, f"{config_dir}/types.json", troubles).get("types", {})
    if not isinstance(types, dict):
        troubles.append(f'{config_dir}/types.json: "types" is no table; no type is assumed')
        types = {}
    form = app.get("newLinkFormat", "shortest")
    if form not in get_args(LinkPath):
        troubles.append(f"{config_dir}/app.json: newLinkFormat is unknown; links stay short")
        form = "shortest"
    return VaultSettings(
        markdown_links=app.get("useMarkdownLinks") is True,
        link_path=form,
        property_types={
            name.lower(): kind for name, kind in types.items() if isinstance(kind, str)
        },
        troubles=tuple(troubles),
    )


def read_json(root: Path, name: str, troubles: list[str]) -> Any:
    """What a file of Obsidian's settings holds; an empty table where it is missing or damaged.

    `troubles` takes up the latter.
    """
    try:
        text = (root / name).read_text("utf-8-sig")
        try:
            value = json.loads(text or "{}")
        except ValueError:
            value = json.loads(re.sub(r",(?=\s*[}\]])", "", text))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        value = None
    if not isinstance(value, dict | list):
        troubles.append(f"{name} cannot be read; Obsidian's defaults are assumed")
        return {}
    return value


def _table(root: Path, name: str, troubles: list[str]) -> dict[str, Any]:
    value = read_json(root, name, troubles)
    if not isinstance(value, dict):
        troubles.append(f"{name} cannot be read; Obsidian's defaults are assumed")
        return {}
    return value
