"""Builds the real doors from settings and environment: the only list of sources and encoders."""

from __future__ import annotations

import os
import sys
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from obsidian_digest import config as settings
from obsidian_digest import services
from obsidian_digest.core.announcements.calendar import latest_batch
from obsidian_digest.core.vault.render import Renderer
from obsidian_digest.edge.encoders import encoder_for
from obsidian_digest.edge.templates import Templates
from obsidian_digest.edge.vault import STATE, VaultFolder
from obsidian_digest.edge.vault_root import config_text, find_vault
from obsidian_digest.edge.vector_cache import SqliteVectorCache, WithOlder, embed_cached, text_key
from obsidian_digest.errors import InputError, VaultError
from obsidian_digest.services import ENVIRONMENT
from obsidian_digest.task import no_affiliations, no_details

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from obsidian_digest.config import Config
    from obsidian_digest.edge.arxiv_api import ArxivApi
    from obsidian_digest.edge.import_days import DaysDone
    from obsidian_digest.edge.paper_file import PaperFiles
    from obsidian_digest.model import AnnounceKind, Written
    from obsidian_digest.ports import (
        Affiliations,
        Details,
        Encoder,
        PaperSource,
        Progress,
        VectorCache,
    )

POOL = "pool"
"""Folder of what was fetched, in the state folder."""
IMPORT = "import"
"""Folder of what an import that broke off needs again, in the same place."""
FIRST_YEAR, LAST_YEAR = 1991, 9000
"""arXiv began in 1991; the calendar has no days after 9999 to count to."""


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
    return Opened(root, config, folder(root, config, config_dir))


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


def folder(root: Path, config: Config, config_dir: str) -> VaultFolder:
    """The vault's door."""
    return VaultFolder(
        root,
        moc=config.notes.moc,
        interests=config.notes.interests,
        config_dir=config_dir,
        folders=astuple(config.folders),
        corpus=config.ranking.corpus,
        daily=config.notes.daily_line,
    )


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
    opened: Opened,
    files: Sequence[Path],
    source: str,
    moment: datetime,
    *,
    offline: bool,
    writes: bool,
) -> PaperSource:
    """Where this run's papers come from. Raises InputError."""
    from obsidian_digest.edge.batch_store import SavedBatches  # noqa: PLC0415 (not for files)
    from obsidian_digest.gathering import Gathering, Sources  # noqa: PLC0415 (as above)

    if files:
        return paper_files(files)
    store = SavedBatches(opened.root / STATE / POOL, read_only=not writes)
    if offline:
        return Gathering(Sources({}, {}), store)
    web = services.polite_web(cache_folder())
    return Gathering(services.sources(source, latest_batch(moment), web), store)


def announcements(opened: Opened) -> dict[date, tuple[tuple[str, AnnounceKind], ...]]:
    """Ids and kinds of what the kept batches announced, by day."""
    from obsidian_digest.edge.batch_store import SavedBatches  # noqa: PLC0415 (for one verb)

    return SavedBatches(opened.root / STATE / POOL, read_only=True).rows()


def details(opened: Opened, *, asks: bool, writes: bool) -> tuple[Details, Affiliations]:
    """What else is asked about the selected papers, politely and without insisting."""
    if not asks:
        return no_details, no_affiliations
    from obsidian_digest.edge.arxiv_api import ArxivApi  # noqa: PLC0415 (not for saved files)
    from obsidian_digest.edge.arxiv_details import Details as Asked  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.arxiv_html import ArxivHtml  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.batch_store import fields_of, paper_of  # noqa: PLC0415 (as above)

    web = services.polite_web(cache_folder(), tries=2, patience=30)
    asked = Asked(
        ArxivApi(services.address("API_URL"), web),
        opened.root / STATE / POOL / "details.jsonl",
        to_fields=fields_of,
        to_paper=paper_of,
        read_only=not writes,
    )
    if opened.config.arxiv.affiliations != "html":
        return asked, no_affiliations
    state = opened.root / STATE
    return asked, ArxivHtml(services.address("HTML_URL"), web, state, read_only=not writes)


def paper_files(files: Sequence[Path]) -> PaperFiles:
    """Saved files of every form we read."""
    from obsidian_digest.edge.arxiv_oai import read_oai  # noqa: PLC0415 (only for files)
    from obsidian_digest.edge.paper_bibtex import read_bibtex  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_feed import read_feed  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_file import PaperFiles  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_ids import read_ids  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_mail import read_mail  # noqa: PLC0415 (as above)
    from obsidian_digest.edge.paper_record import read_record  # noqa: PLC0415 (as above)

    text = (read_mail, read_bibtex, read_ids)
    return PaperFiles(files, read_feed, read_record, xml=(read_oai,), text=text)


def ask_arxiv(category: str) -> str:
    """What the search API answers to one small request, in words. Raises SourceError, InputError.

    A failure is told at once: nothing is asked again.
    """
    from obsidian_digest.edge.paper_feed import read_feed  # noqa: PLC0415 (not for most verbs)

    query = f"search_query=cat:{category}&sortBy=submittedDate&sortOrder=descending&max_results=1"
    web = services.polite_web(cache_folder(), tries=1)
    papers, _ = web.get(f"{services.address('API_URL')}?{query}", read_feed)
    newest = f"its newest paper in {category} is {papers[0].id}" if papers else "but with no paper"
    return f"arXiv answers, {newest}"


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


def encoder(root: Path, config: Config, *, may_download: bool = False) -> Encoder:
    """The config's encoder; nothing is loaded or asked until its `check`."""
    return encoder_for(
        config.encoder.name,
        vault=root,
        may_download=may_download,
        key=os.environ.get(f"{ENVIRONMENT}ENCODER_KEY", ""),
    )


def embedder(opened: Opened, *, offline: bool, writes: bool) -> CachedEmbed:
    """The config's encoder, known to be there. Raises EncoderError."""
    return CachedEmbed(_checked(opened, offline=offline), _vectors(opened, writes=writes))


def import_embedders(
    opened: Opened, *, offline: bool, writes: bool
) -> tuple[CachedEmbed, CachedEmbed, SqliteVectorCache]:
    """For the many that an import ranks, for the few it writes, and what the former remembers.

    That is kept apart, whole, until the import comes to its end. Raises EncoderError.
    """
    chosen = _checked(opened, offline=offline)
    pool = _vectors(opened, IMPORT, writes=writes)
    few = WithOlder(_vectors(opened, writes=writes), pool)
    return CachedEmbed(chosen, pool), CachedEmbed(chosen, few), pool


def _checked(opened: Opened, *, offline: bool) -> Encoder:
    may_download = not offline and sys.stderr.isatty()
    chosen = encoder(opened.root, opened.config, may_download=may_download)
    chosen.check()
    return chosen


def _vectors(opened: Opened, apart: str = "", *, writes: bool) -> SqliteVectorCache:
    given = os.environ.get(f"{ENVIRONMENT}CACHE")
    folder = Path(given) if given else opened.root / STATE
    read_only = not (writes or folder.is_dir())
    return SqliteVectorCache(folder / apart, read_only=read_only, trimmed=not apart)


def search() -> ArxivApi:
    """The search of arXiv, by ids or by time of submission. Raises InputError."""
    from obsidian_digest.edge.arxiv_api import ArxivApi  # noqa: PLC0415 (not for saved files)

    return ArxivApi(services.address("API_URL"), services.polite_web(cache_folder()))


def import_days(opened: Opened, *, writes: bool) -> DaysDone:
    """Which days an import that broke off had done."""
    from obsidian_digest.edge.import_days import DaysDone  # noqa: PLC0415 (for one verb)

    return DaysDone(opened.root / STATE / IMPORT, read_only=not writes)


def unfinished(opened: Opened) -> tuple[Written, ...]:
    """What was written by the runs that were killed last; nothing where the journal is damaged."""
    try:
        runs = opened.vault.last_runs()
    except VaultError:
        return ()
    killed = takewhile(lambda run: not run.finished, runs)
    return tuple(written for run in killed for written in run.written)
