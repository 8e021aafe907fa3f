"""Finds the vault and reads its config file: what happens before the vault's door can be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.config import FILE_NAME
from obsidian_digest.errors import VaultBusyError, VaultError

if TYPE_CHECKING:
    from pathlib import Path


def find_vault(start: Path, config_dir: str) -> Path:
    """The nearest folder upwards that holds the config folder. Raises VaultError."""
    for folder in (start, *start.parents):
        if (folder / config_dir).is_dir():
            return folder
    raise VaultError(
        f"no Obsidian vault here or above (no folder {config_dir})",
        str(start),
        "Run the command inside a vault, or name it with --vault DIR.",
    )


def config_text(root: Path) -> str:
    """The text of the vault's config file. Raises VaultError where there is none."""
    text = config_or_none(root)
    if text is None:
        raise VaultError(
            f"this vault has no {FILE_NAME}", str(root), "Start with: obsidian-digest init"
        )
    return text


def config_or_none(root: Path) -> str | None:
    """The text of the vault's config file, None where there is none.

    Raises VaultError, and VaultBusyError where iCloud keeps it off this machine.
    """
    path = root / FILE_NAME
    if not path.is_file():
        if (root / f".{FILE_NAME}.icloud").exists():
            raise VaultBusyError(
                "lies only in iCloud, not on this machine",
                FILE_NAME,
                "Nothing was done. Download it in Finder (right-click, Download Now).",
            )
        return None
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise VaultError(
            "is not UTF-8 text", FILE_NAME, "Save it as UTF-8, then run again."
        ) from error
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise VaultError(what, FILE_NAME, "Allow reading it, then run again.") from error
