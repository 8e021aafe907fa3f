"""Builds the real doors from settings and environment: the only list of sources and encoders."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from obsidian_digest import config as settings
from obsidian_digest.core.render import Renderer
from obsidian_digest.edge.encoders import encoder_for
from obsidian_digest.edge.templates import Templates
from obsidian_digest.edge.vault import STATE, VaultFolder
from obsidian_digest.edge.vault_root import config_text, find_vault
from obsidian_digest.edge.vector_cache import SqliteVectorCache, embed_cached, text_key
from obsidian_digest.errors import InputError, SourceError, VaultError
from obsidian_digest.model import Harvest, SourceReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.config import Config
    from obsidian_digest.model import Query
    from obsidian_digest.ports import Encoder, PaperSource, Progress, VectorCache

ENVIRONMENT = "OBSIDIAN_DIGEST_"
API = "https://export.arxiv.org/api/query"
FIRST_YEAR, LAST_YEAR = 1991, 9000
"""arXiv began in 1991; the calendar has no days after 9999 to count to."""
LONGEST_INTERVAL = 3600.0


@dataclass(frozen=True, slots=True)
class Opened:
    """A vault with its settings."""

    root: Path
    config: Config
    vault: VaultFolder


def open_vault(start: Path | None, config_dir: str) -> Opened:
    """The vault at or above `start` with its config. Raises VaultError and ConfigError."""
    root = vault_root(start, config_dir)
    config = settings.parse(config_text(root))
    return Opened(root, config, folder(root, config))


def vault_root(start: Path | None, config_dir: str) -> Path:
    """The vault's root at or above `start`, which must exist. Raises VaultError."""
    try:
        folder = (start or Path.cwd()).absolute()
    except OSError as error:
        hint = "Go to a folder that exists and name the vault with --vault DIR, in full."
        raise VaultError("the current folder is gone", hint=hint) from error
    try:
        if not folder.is_dir():
            what = "this is a file, not a folder" if folder.exists() else "there is no such folder"
            raise VaultError(what, str(folder), "Name the vault, or a folder in it, with --vault.")
        return find_vault(folder, config_dir)
    except OSError as error:
        raise VaultError(f"cannot be looked into ({error.strerror})", str(folder)) from error


def folder(root: Path, config: Config) -> VaultFolder:
    """The vault's door."""
    return VaultFolder(root, moc=config.notes.moc, interests=config.notes.interests)


def renderer(root: Path, config: Config) -> Renderer:
    """The vault's templates in its language. Raises TemplateError."""
    templates = Templates(root)
    return Renderer(templates.texts(), templates.words(config.digest.language))


def now() -> datetime:
    """The one clock, in UTC; OBSIDIAN_DIGEST_NOW sets it. Raises InputError."""
    given = os.environ.get(f"{ENVIRONMENT}NOW")
    if not given:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as error:
        raise InputError(f'"{given}" is no ISO instant', f"{ENVIRONMENT}NOW") from error
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        what = f'"{given}" is not in the years {FIRST_YEAR} to {LAST_YEAR}'
        raise InputError(what, f"{ENVIRONMENT}NOW")
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def cache_folder() -> Path:
    """Where what belongs to the machine lies: the request limiter and crash logs."""
    from platformdirs import user_cache_path  # noqa: PLC0415 (40 ms)

    given = os.environ.get(f"{ENVIRONMENT}CACHE")
    return Path(given) if given else user_cache_path("obsidian-digest", appauthor=False)


def paper_source(
    files: Sequence[Path], source: str, *, offline: bool, nothing_due: bool
) -> PaperSource:
    """Where this run's papers come from. Raises InputError and SourceError."""
    from obsidian_digest.edge.arxiv_api import ArxivApi  # noqa: PLC0415 (not for saved files)
    from obsidian_digest.edge.paper_feed import read_feed  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_file import PaperFiles  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_record import read_record  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.polite_web import PoliteWeb  # noqa: PLC0415 (as above)

    if files:
        return PaperFiles(files, read_feed, read_record)
    if nothing_due:
        return NothingDue()
    if offline:
        raise SourceError(
            "--offline was given and no file to read papers from",
            hint="Name one with --from-file, or run without --offline.",
        )
    if source not in ("auto", "api"):
        raise InputError(f'the source "{source}" is not built yet', hint='Use "auto" or "api".')
    return ArxivApi(_api_url(), PoliteWeb(cache_folder(), _interval()))


def _api_url() -> str:
    given = os.environ.get(f"{ENVIRONMENT}API_URL") or API
    try:
        parts = urlsplit(given)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        what = f'"{given}" is no address that begins with http:// or https://'
        raise InputError(what, f"{ENVIRONMENT}API_URL")
    return given


def _interval() -> float:
    given = os.environ.get(f"{ENVIRONMENT}MIN_INTERVAL") or "3"
    try:
        seconds = float(given)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_INTERVAL:
        what = f'"{given}" is no number of seconds from 0 to {LONGEST_INTERVAL:.0f}'
        raise InputError(what, f"{ENVIRONMENT}MIN_INTERVAL")
    return seconds


class NothingDue:
    """The source of a run for which arXiv has announced nothing."""

    def harvest(self, _query: Query, _progress: Progress) -> Harvest:
        """No papers, no request."""
        return Harvest((), (SourceReport("arXiv", "skipped", detail="no announcement is due"),))


class CachedEmbed:
    """The vault's encoder with the vectors of earlier runs (`ports.Embed`)."""

    def __init__(self, encoder: Encoder, cache: VectorCache) -> None:
        self._encoder = encoder
        self._cache = cache

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def __call__(
        self, texts: Sequence[str], progress: Progress
    ) -> tuple[NDArray[np.float32], int, int]:
        """Unit rows in the order of `texts`; how many were embedded now, how many were known."""
        import numpy as np  # noqa: PLC0415 (heavy)

        keys = [text_key(text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        matrix, embedded, cached = embed_cached(self._encoder, self._cache, by_key, progress)
        row = {key: index for index, key in enumerate(by_key)}
        return np.asarray(matrix[[row[key] for key in keys]]), embedded, cached


def embedder(opened: Opened, *, offline: bool, writes: bool) -> CachedEmbed:
    """The config's encoder, known to be there. Raises EncoderError."""
    encoder = encoder_for(
        opened.config.encoder.name,
        vault=opened.root,
        may_download=not offline and sys.stderr.isatty(),
        key=os.environ.get(f"{ENVIRONMENT}ENCODER_KEY", ""),
    )
    encoder.check()
    given = os.environ.get(f"{ENVIRONMENT}CACHE")
    folder = Path(given) if given else opened.root / STATE
    return CachedEmbed(
        encoder, SqliteVectorCache(folder, read_only=not (writes or folder.is_dir()))
    )
