"""Finds template texts: the vault's own first, then the shipped ones."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from obsidian_digest.errors import TemplateError

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "obsidian-digest-templates"
"""The folder at the vault's root that `init --templates` fills."""


def shipped_folder() -> Path:
    """Where the shipped templates lie: in the wheel inside the package, in a checkout beside it."""
    inside = Path(str(files("obsidian_digest"))) / "vault_templates"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "vault_templates"


def shipped() -> dict[str, str]:
    """All shipped template texts by file name."""
    return {path.name: path.read_text("utf-8") for path in sorted(shipped_folder().iterdir())}


class Templates:
    """Template texts of one vault."""

    def __init__(self, vault: Path) -> None:
        self._own = vault / FOLDER

    def texts(self) -> dict[str, str]:
        """Every template by file name, the vault's own in place of the shipped one."""
        texts = shipped()
        if self._own.is_dir():
            for path in sorted(self._own.glob("*")):
                if path.suffix in (".j2", ".toml", ".md"):
                    texts[path.name] = self._read(path)
        return texts

    def words(self, language: str) -> Mapping[str, str]:
        """The notes' words in this language, English where a word is missing.

        Raises TemplateError when there are none, or the file is no TOML table of texts.
        """
        texts = self.texts()
        name = f"words.{language}.toml"
        if name not in texts:
            known = sorted(key.split(".")[1] for key in texts if key.startswith("words."))
            raise TemplateError(
                f'no words for language "{language}" (there are: {", ".join(known)})',
                hint=f"Set digest.language, or put {name} into {FOLDER}/.",
            )
        english = "words.en.toml"
        words = _table(english, shipped()[english])
        for own in (_table(english, texts[english]), _table(name, texts[name])):
            # A language that has a word needs no English singular of it.
            singular = {f"{key}_one" for key in own}
            words = {**{key: word for key, word in words.items() if key not in singular}, **own}
        return words

    def _read(self, path: Path) -> str:
        try:
            return path.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise TemplateError(f"cannot be read: {error}", f"{FOLDER}/{path.name}") from error


@lru_cache(maxsize=4)
def _table(name: str, text: str) -> Mapping[str, str]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TemplateError(f"is no valid TOML: {error}", name) from error
    if wrong := [key for key, value in table.items() if not isinstance(value, str)]:
        raise TemplateError(f"must hold texts only, not: {', '.join(wrong)}", name)
    return table
