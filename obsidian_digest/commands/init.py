"""`init`: lays a config file, an interests note and a map of content into a vault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from obsidian_digest.commands.options import Globals, global_options

if TYPE_CHECKING:
    from obsidian_digest.config import Config
    from obsidian_digest.edge.vault import VaultFolder


@click.command()
@click.option("--category", "categories", multiple=True, metavar="CAT", help="An arXiv category.")
@click.option("--encoder", metavar="NAME", help='The encoder, for instance "static".')
@click.option("--language", metavar="LANG", help="Language of the notes: en or zh.")
@click.option("--templates", is_flag=True, help="Also copy the templates into the vault, to edit.")
@global_options
def init(
    shared: Globals,
    categories: tuple[str, ...],
    encoder: str | None,
    language: str | None,
    templates: bool,
) -> int:
    """Prepare a vault: write obsidian-digest.toml, an interests note and MOC-Research.

    Nothing that exists is ever overwritten, so it is safe to run again.
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
    wanted = _wanted(vault, settings, templates=templates)
    if standing is None:
        wanted = {config.FILE_NAME: fresh, **wanted}
    created = vault.write_new(wanted)
    _tell(shared, created, settings)
    return 0


def _wanted(vault: VaultFolder, settings: Config, *, templates: bool) -> dict[str, str]:
    from obsidian_digest import wiring  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.places import Places  # noqa: PLC0415 (keeps --help fast)
    from obsidian_digest.core.starter import interests_note, moc_note  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.templates import FOLDER, shipped  # noqa: PLC0415 (as above)

    places = Places.of(vault.snapshot())
    wanted = {}
    if not places.named(settings.notes.interests):
        note = interests_note(shipped(), settings.digest.language)
        wanted[f"{settings.notes.interests}.md"] = note
    if not places.named(settings.notes.moc):
        empty = wiring.renderer(vault.root, settings)("moc", themes=(), digests=())
        wanted[f"{settings.notes.moc}.md"] = moc_note(empty)
    if templates:
        wanted |= {f"{FOLDER}/{name}": text for name, text in shipped().items()}
    return wanted


def _tell(shared: Globals, created: list[str], settings: Config) -> None:
    from obsidian_digest.core.report import CONTRACT  # noqa: PLC0415 (keeps --help fast)

    next_step = f'Write your interests into "{settings.notes.interests}", then: obsidian-digest run'
    if shared.json:
        answer = {
            "contract": CONTRACT,
            "command": "init",
            "exit": 0,
            "outcome": "done",
            "message": next_step,
            "notes": {"created": created},
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
    elif not shared.quiet:
        for path in created:
            click.echo(f"created {path}")
        click.echo("nothing to create: all of it exists" if not created else next_step)
