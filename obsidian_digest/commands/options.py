"""The global options, which may stand before or after the verb."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Globals:
    """What holds for every verb."""

    vault: Path | None = None
    config_dir: str = ".obsidian"
    quiet: bool = False
    verbose: bool = False
    json: bool = False


_OPTIONS = (
    click.option(
        "--vault",
        type=click.Path(path_type=Path),
        help="The vault, or a folder in it. [default: the current folder and upwards]",
    ),
    click.option(
        "--config-dir", metavar="NAME", help="Obsidian's config folder. [default: .obsidian]"
    ),
    click.option("--quiet", is_flag=True, default=None, help="Print nothing but failures."),
    click.option("--verbose", is_flag=True, default=None, help="Print more of what was done."),
    click.option("--json", is_flag=True, default=None, help="Print one JSON object on stdout."),
)


def global_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the global options; what stands nearer to the end of the line wins.

    A verb gets them as its first argument, a `Globals`; the group only remembers them.
    """

    @functools.wraps(command)
    @click.pass_context
    def wrapper(context: click.Context, /, **given: Any) -> Any:
        names = Globals.__dataclass_fields__
        own = {name: given.pop(name) for name in names if given.get(name) is not None}
        given = {key: value for key, value in given.items() if key not in names}
        merged = {**(context.obj or {}), **own}
        context.obj = merged
        if isinstance(context.command, click.Group):
            return command(**given)
        return command(Globals(**merged), **given)

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper


class Day(click.ParamType[date]):
    """A calendar day, 2026-08-20."""

    name = "day"

    def convert(self, value: Any, param: Any, ctx: Any) -> date:
        """The day, or click's usage error."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            return self.fail(f'"{value}" is no day like 2026-08-20', param, ctx)


class ArxivId(click.ParamType[str]):
    """An arXiv id or address, without its version."""

    name = "id"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """The bare id, or click's usage error."""
        from obsidian_digest.note.names import paper_id  # noqa: PLC0415 (for one option)

        found = paper_id(value) if value else ("", None)
        return found[0] if found else self.fail(f'"{value}" is no arXiv id', param, ctx)


class Week(click.ParamType[str]):
    """An ISO week, 2026-W34."""

    name = "week"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """The week as notes spell it, or click's usage error."""
        from obsidian_digest.core.vault.weeks import monday, week_of  # noqa: PLC0415 (for one verb)

        try:
            return week_of(monday(value.strip()))
        except ValueError:
            return self.fail(f'"{value}" is no ISO week like 2026-W34', param, ctx)
