"""The checks of `doctor` that need doors: each looks at one thing, and a failure is an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest import config as configs
from obsidian_digest import wiring
from obsidian_digest.core.checks import doctor as core
from obsidian_digest.core.checks.findings import Check, Finding
from obsidian_digest.core.checks.lint import lint
from obsidian_digest.core.checks.specimen import template_troubles
from obsidian_digest.core.texts.plural import many
from obsidian_digest.core.vault.places import Places
from obsidian_digest.edge import surroundings
from obsidian_digest.edge.templates import FOLDER
from obsidian_digest.edge.vault import STATE
from obsidian_digest.edge.vault_root import config_or_none
from obsidian_digest.errors import ConfigError, DigestError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from obsidian_digest.config import Config
    from obsidian_digest.edge.surroundings import Surroundings
    from obsidian_digest.model import Snapshot

LITTLE = 200
"""Megabytes free on a disk below which `doctor` warns: vectors and journal of a year fit in."""
_WRITABLE = "Allow writing there, or put the cache elsewhere with OBSIDIAN_DIGEST_CACHE."


@dataclass(frozen=True, slots=True)
class View:
    """The vault as the checks see it."""

    root: Path
    config_dir: str
    config: Config | None
    """None: it has mistakes, so nothing is said about what depends on it."""
    snapshot: Snapshot
    places: Places
    around: Surroundings


def vault(start: Path | None, config_dir: str) -> tuple[Path | None, Check]:
    """The vault's root, None outside of one."""
    try:
        root = wiring.vault_root(start, config_dir)
    except DigestError as error:
        return None, _failed("vault", error)
    return root, Check("vault", "ok", f"the vault is {root}")


def config(root: Path | None) -> tuple[Config | None, Check]:
    """The vault's settings, the defaults where it has none; None where they have mistakes."""
    missing = Check(
        "config",
        "problem",
        f"this vault has no {configs.FILE_NAME}",
        "Start with: obsidian-digest init",
    )
    if root is None:
        return configs.Config(), missing
    try:
        text = config_or_none(root)
        parsed = configs.parse(text or "")
    except ConfigError as error:
        found = many(len(error.problems), "problem")
        detail = f"{configs.FILE_NAME} has {found}: {'; '.join(error.problems)}"
        return None, Check("config", "problem", detail, error.hint)
    except DigestError as error:
        return None, _failed("config", error)
    if text is None:
        return parsed, missing
    return parsed, Check("config", "ok", f"{configs.FILE_NAME} has no mistakes")


def view(root: Path, config_dir: str, settings: Config | None) -> View | Check:
    """Looks at the whole vault once; a check where it cannot be read now."""
    known = settings or configs.Config()
    try:
        snapshot = wiring.folder(root, known, config_dir).snapshot()
    except DigestError as error:
        return _failed("notes", error)
    names = (known.notes.moc, known.notes.home, known.notes.interests)
    around = surroundings.look_around(root, config_dir)
    return View(root, config_dir, settings, snapshot, Places.of(snapshot, names), around)


def settings(seen: View) -> Iterator[Check]:
    """Obsidian's own settings, and the names of the vault's files."""
    around, paths = seen.around, seen.snapshot.paths
    yield core.nested(around.outer, around.inner)
    troubles = (*seen.snapshot.settings.troubles, *around.troubles)
    yield core.config_folder(seen.config_dir, around.other_configs, troubles)
    yield core.property_types(seen.snapshot.settings.property_types)
    if seen.config is not None:
        ours = [note.path for note in seen.snapshot.notes if note.trouble != "foreign"]
        yield core.excluded(ours, seen.config.folders, around.excluded)
        yield core.templating(seen.config.folders, around.template_folders)
    yield core.rewriters(around.plugins)
    yield core.copies(paths)
    yield core.clashes(paths)


def content(seen: View) -> Iterator[Check]:
    """The notes that a run reads and the templates it fills."""
    if seen.config is None:
        return
    named = seen.config.notes.interests
    yield core.interests(seen.snapshot, seen.places, named, seen.config.encoder.name)
    yield core.map_of_content(seen.places, seen.config.notes.moc)
    yield from _templates(seen.root, seen.config)


def _templates(root: Path, settings: Config) -> Iterator[Check]:
    """Only templates of the reader's are tried: the shipped ones are known to hold up."""
    own = (root / FOLDER).is_dir()
    try:
        renderer = wiring.renderer(root, settings)
        troubles = template_troubles(settings, renderer) if own else ()
    except DigestError as error:
        yield _failed("templates", error)
        return
    hint = f"Correct it in {FOLDER}/, or delete it there to have the shipped one."
    yield from (Check("templates", "problem", each, hint) for each in troubles)
    if not troubles:
        detail = "the vault's own can show a day" if own else "the shipped ones are used"
        yield Check("templates", "ok", f"templates: {detail}")


def notes(seen: View) -> tuple[tuple[Finding, ...], Check]:
    """What the lint of our notes found."""
    findings = lint(seen.snapshot, seen.places)
    count = sum(note.trouble != "foreign" for note in seen.snapshot.notes)
    ours = f"{many(count, 'note')} of ours"
    if not findings:
        return (), Check("notes", "ok", f"there is nothing to say about {ours}")
    concerned = len({each.note for each in findings})
    detail = f"{many(len(findings), 'finding')} in {concerned} of {ours}"
    return findings, Check("notes", "warning", detail, "They are listed below.")


def ground(root: Path) -> Iterator[Check]:
    """What the vault lies on: folders, disk, git."""
    for name, folder in (("state", root / STATE), ("cache", wiring.cache_folder())):
        if why := surroundings.unwritable(folder):
            yield Check(name, "problem", f"nothing can be written into {folder}: {why}", _WRITABLE)
        else:
            yield Check(name, "ok", f"{folder} can be written")
    free = surroundings.free_bytes(root) // 2**20
    if free < LITTLE:
        hint = "Free some space; a run on a full disk stops, and completes itself later."
        yield Check("disk", "warning", f"only {free} MB are free on the vault's disk", hint)
    else:
        yield Check("disk", "ok", f"{free:,} MB are free on the vault's disk")
    yield _git(root)


def _git(root: Path) -> Check:
    repository = surroundings.git(root, STATE)
    if repository is None:
        return Check("git", "ok", "the vault is in no git repository")
    if repository.unfinished:
        detail = f"git is in the middle of a merge or rebase ({repository.unfinished})"
        return Check("git", "problem", detail, "Finish or abort it; until then no run starts.")
    if repository.tracks_state:
        hint = f"It is for this machine only: git rm -r --cached {STATE}"
        return Check("git", "warning", f"git tracks the working state in {STATE}", hint)
    if not repository.ignores_state:
        hint = f"It is for this machine only: write a * into {STATE}/.gitignore"
        return Check("git", "warning", f"git does not ignore the working state in {STATE}", hint)
    return Check("git", "ok", "git is at rest and ignores the working state")


def encoder(root: Path, settings: Config, *, online: bool) -> Check:
    """Whether the encoder can be had; one on a server is asked only if `online`."""
    if settings.encoder.name.startswith(("http://", "https://")) and not online:
        return Check("encoder", "ok", "the encoder is on a server, which --online asks")
    chosen = wiring.encoder(root, settings)
    try:
        chosen.check()
        return Check("encoder", "ok", f"the encoder {chosen.name} is there")
    except DigestError as error:
        return _failed("encoder", error)


def arxiv(settings: Config) -> Check:
    """What arXiv's search API says to one request."""
    try:
        return Check("arxiv", "ok", wiring.ask_arxiv(settings.arxiv.categories[0]))
    except DigestError as error:
        return _failed("arxiv", error)


def _failed(name: str, error: DigestError) -> Check:
    where = f"{error.where}: " if error.where else ""
    return Check(name, "problem", f"{where}{error.what}", error.hint)
