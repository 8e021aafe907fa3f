"""`init`: lays a config file, an interests note and a map of content into a vault."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import click

from obsidian_digest.commands.options import Globals, global_options

if TYPE_CHECKING:
    from obsidian_digest.config import Config
    from obsidian_digest.edge.vault import VaultFolder
    from obsidian_digest.model import Plan, Update


@dataclass(frozen=True, slots=True)
class Wish:
    """What else than the bare start is asked for."""

    templates: bool
    moc: bool
    base: bool


@click.command()
@click.option("--category", "categories", multiple=True, metavar="CAT", help="An arXiv category.")
@click.option("--encoder", metavar="NAME", help='The encoder, for instance "static".')
@click.option("--language", metavar="LANG", help="Language of the notes: en or zh.")
@click.option("--templates", is_flag=True, help="Also copy the templates into the vault, to edit.")
@click.option("--moc", is_flag=True, help="Add our region to the end of your own map of content.")
@click.option("--base", is_flag=True, help="Also a table of all papers, for Obsidian's Bases.")
@click.option("--dry-run", is_flag=True, help="Print a diff of what would be done; write nothing.")
@global_options
def init(
    shared: Globals,
    categories: tuple[str, ...],
    encoder: str | None,
    language: str | None,
    templates: bool,
    moc: bool,
    base: bool,
    dry_run: bool,
) -> int:
    """Prepare a vault: write obsidian-digest.toml, an interests note and MOC-Research.

    Nothing that exists is ever overwritten, so it is safe to run again. A map of content of your
    own is only added to with --moc, and `undo` takes that back.
    """
    from obsidian_digest import config, wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.edge.vault_root import config_or_none  # noqa: PLC0415 (keeps --help fast)

    root = wiring.vault_root(shared.vault, shared.config_dir)
    changed = {"encoder_name": encoder, "digest_language": language}
    given = {key: json.dumps(value) for key, value in changed.items() if value}
    if categories:
        given["arxiv_categories"] = json.dumps(list(categories))
    fresh = config.default_text(**given)
    standing = config_or_none(root)
    settings = config.parse(standing if standing is not None else fresh)
    vault = wiring.folder(root, settings, shared.config_dir)
    wanted, added = _wanted(vault, settings, Wish(templates, moc, base))
    if standing is None:
        wanted = {config.FILE_NAME: fresh, **wanted}
    plan = _plan(vault, wanted, added)
    if plan.changes and not dry_run:
        _write(vault, wanted, added)
    _tell(shared, plan, settings, dry_run=dry_run)
    return 0


def _wanted(
    vault: VaultFolder, settings: Config, wish: Wish
) -> tuple[dict[str, str], Update | None]:
    """Texts by path of what is to be new, and what is added to the reader's own map."""
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.notes import moc_notes, starter  # noqa: PLC0415 (as above)
    from obsidian_digest.core.notes.base_file import base_text  # noqa: PLC0415 (as above)
    from obsidian_digest.core.vault.memory import remember  # noqa: PLC0415 (as above)
    from obsidian_digest.core.vault.places import Places  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.edge.templates import FOLDER, shipped  # noqa: PLC0415 (as above)

    snapshot, renderer = vault.snapshot(), wiring.renderer(vault.root, settings)
    notes = settings.notes
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    wanted = {}
    if not places.named(notes.interests):
        note = starter.interests_note(shipped(), settings.digest.language)
        wanted[f"{notes.interests}.md"] = note
    if wish.base and not places.named(moc_notes.BASE):
        beside = PurePosixPath(settings.folders.papers).parent
        wanted[str(beside / moc_notes.BASE)] = base_text(renderer.words)
        places.reserve(str(beside / moc_notes.BASE))
    text = moc_notes.moc_text(remember(snapshot, places), places, renderer)
    own = starter.readers_moc(places, notes.moc) if wish.moc else None
    if not places.named(notes.moc) and ("moc", "moc") not in places.by_key:
        wanted[f"{notes.moc}.md"] = starter.moc_note(places.spell(text, f"{notes.moc}.md"))
    if wish.templates:
        wanted |= {f"{FOLDER}/{name}": each for name, each in shipped().items()}
    if own is None:
        return wanted, None
    raw = vault.standing([own]).get(own)
    return wanted, starter.with_our_region(own, raw, places.spell(text, own))


def _plan(vault: VaultFolder, wanted: dict[str, str], added: Update | None) -> Plan:
    """All of it as one plan, for the answer."""
    from obsidian_digest.model import Create, Plan  # noqa: PLC0415 (keeps --help fast)

    new = (path for path in wanted if not (vault.root / path).exists())
    created = tuple(Create(path, wanted[path].encode()) for path in new)
    return Plan((*created, *([added] if added else [])))


def _write(vault: VaultFolder, wanted: dict[str, str], added: Update | None) -> None:
    from obsidian_digest.model import Plan  # noqa: PLC0415 (keeps --help fast)

    with vault.locked():
        vault.write_new(wanted)
        if added:
            vault.write(Plan((added,)))


def _tell(shared: Globals, plan: Plan, settings: Config, *, dry_run: bool) -> None:
    from obsidian_digest.core.day.report import CONTRACT, notes  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.law.diff import unified  # noqa: PLC0415 (keeps --help fast)

    told = notes([plan])
    next_step = f'Write your interests into "{settings.notes.interests}", then: obsidian-digest run'
    if shared.json:
        answer = {
            "contract": CONTRACT,
            "command": "init",
            "exit": 0,
            "outcome": "done",
            "message": next_step,
            "notes": {"created": told["created"], "updated": told["updated"]},
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif dry_run:
        click.echo(unified(plan), nl=False)
    elif not shared.quiet:
        for done in ("created", "updated"):
            for path in told[done]:
                click.echo(f"{done} {path}")
        click.echo(next_step if plan.changes else "nothing to create: all of it exists")
