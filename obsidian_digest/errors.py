"""The error tree: each error says what is wrong, where, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from obsidian_digest.model import SourceOutcome, SourceReport


class DigestError(Exception):
    """A foreseen failure, worded for the reader; `exit_code` follows the contract."""

    exit_code = 2
    outcome = "error"

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.hint = what, where, hint

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        hint = f"\n{self.hint}" if self.hint else ""
        return f"{where}{self.what}{hint}"


class ConfigError(DigestError):
    """The config holds problems; all of them are told at once."""

    def __init__(self, where: str, problems: list[str], hint: str = "") -> None:
        super().__init__("; ".join(problems), where, hint)
        self.problems = problems

    def __str__(self) -> str:
        lines = "\n".join(f"  - {problem}" for problem in self.problems)
        hint = f"\n{self.hint}" if self.hint else ""
        return f"{self.where} has {len(self.problems)} problem(s):\n{lines}{hint}"


class InputError(DigestError):
    """A file or option the user named cannot be used."""


class EncoderError(DigestError):
    """The named encoder cannot be had."""


class TemplateError(DigestError):
    """A template of the user's is wrong."""


class VaultError(DigestError):
    """The vault cannot be read or written."""


class VaultBusyError(DigestError):
    """Another run, a git merge or an unstable file: try again later."""

    exit_code = 5
    outcome = "busy"


class SourceError(DigestError):
    """No source could be trusted; nothing was lost."""

    exit_code = 4
    outcome = "unreachable"
    source = "api"
    source_outcome: SourceOutcome = "unreachable"
    """The word for the source's row in the report."""
    reports: tuple[SourceReport, ...] = ()
    """What became of each source that was asked, where there were several."""


class SourceStaleError(SourceError):
    """A batch is due and the source does not show it yet."""

    outcome = "stale"
    source_outcome = "stale"
