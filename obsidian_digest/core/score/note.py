"""The note of a replay and its picture: drafted from the figures, as any other note of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.law.picture_files import embed
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.notes.footer import tail, up
from obsidian_digest.core.notes.views import stars
from obsidian_digest.core.score.figures import TOPS
from obsidian_digest.core.score.picture import score_picture
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.render import safe
from obsidian_digest.model import FileDraft, NoteDraft, Region

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from obsidian_digest.config import Config
    from obsidian_digest.core.score.figures import Figures
    from obsidian_digest.core.score.replay import Score, ScoredDay
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import Plan, Snapshot

NAME = "arXiv score"
"""Base name of the note at birth, and of its picture."""
ROWS = 60
"""So many of the newest days have a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    name: Markup
    cells: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class ScoreView:
    """What the template of a score sees: every text in it is safe Markdown."""

    head: Markup
    encoder: Markup
    notes: tuple[Markup, ...]
    picture: Markup | None
    methods: tuple[Row, ...]
    stars: tuple[Row, ...]
    """Empty where no day had anything to rank by."""
    error: Markup | None
    days: tuple[Row, ...]
    """Newest first."""


def plan_score(
    score: Score, encoder: str, snapshot: Snapshot, config: Config, renderer: Renderer
) -> tuple[Plan, str]:
    """What writes the note and its picture, or brings them up to date, and where the note lies."""
    places = Places.of(snapshot, (config.notes.moc, config.notes.home, config.notes.interests))
    drafts = score_drafts(score, encoder, config, renderer, places)
    planned = plan(drafts, snapshot, places, (), mend=False)
    return planned, places.by_key["score", "score"]


def score_drafts(
    score: Score, encoder: str, config: Config, renderer: Renderer, places: Places
) -> tuple[FileDraft | NoteDraft, ...]:
    """The picture and the note, born beside the folder of weeks."""
    folder = config.folders.weeks.rpartition("/")[0]
    born = ("score", "score") not in places.by_key
    path = places.claim("score", "score", folder, NAME)
    picture = _picture(score, f"{folder}/{NAME}.svg".lstrip("/"), renderer, born=born)
    view = _view(score, encoder, renderer, places, embed(picture.path, places, birth=born))
    note = NoteDraft(
        "score",
        "score",
        path,
        {"title": NAME, "up": up(config, places)},
        {"tags": config.notes.tags},
        (Region("score", renderer("score", s=view)),),
        tail(config, places),
    )
    return picture, note


def _picture(score: Score, path: str, renderer: Renderer, *, born: bool) -> FileDraft:
    words, calibration = renderer.words, score.calibration
    drawn = score_picture(
        {words.plain(f"score_{method}"): shares for method, shares in score.curves.items()},
        calibration.stars if calibration else {},
        words.plain("score_by_rank"),
        words.plain("score_by_stars"),
    )
    return FileDraft(path, drawn, birth=born)


def _view(
    score: Score, encoder: str, renderer: Renderer, places: Places, picture: str | None
) -> ScoreView:
    words, calibration = renderer.words, score.calibration
    name, shown = encoder.partition("@")[0], score.basis == "shown"
    counted = words("score_days_counted", n=len(score.counted))
    return ScoreView(
        head=words("score_head", papers=words("papers", n=score.kept), days=counted),
        encoder=words("encoder_words" if name == "words" else "encoder", encoder=name),
        notes=tuple(_notes(score, renderer, shown=shown)),
        picture=safe(picture) if picture else None,
        methods=tuple(
            Row(words(f"score_{method}"), _cells(figures))
            for method, figures in score.methods.items()
        ),
        stars=tuple(
            Row(
                safe(stars(each)), _written(papers, kept, f"{kept / papers:.0%}" if papers else "—")
            )
            for each, (papers, kept) in (calibration.stars if calibration else {}).items()
        ),
        error=words("score_error", error=safe(f"{calibration.error:.3f}")) if calibration else None,
        days=tuple(_day(each, renderer, places) for each in reversed(score.days[-ROWS:])),
    )


def _notes(score: Score, renderer: Renderer, *, shown: bool) -> Iterator[Markup]:
    words, most, apart = renderer.words, TOPS[1], len(score.days) - len(score.counted)
    yield words("score_found", found=score.in_top(most), kept=score.kept, most=most)
    if shown:
        yield words("score_shown")
    if apart:
        yield words("score_apart", n=apart)


def _day(scored: ScoredDay, renderer: Renderer, places: Places) -> Row:
    past, day = scored.past, scored.past.day.isoformat()
    size = len(past.readings)
    pool = size if past.source == "saved" else renderer.words("score_pool_shown", n=size)
    figures = _cells(scored.orders["ranking"].figures)
    cells = (*_written(pool, len(past.kept), scored.known), *figures)
    return Row(safe(places.link("digest", day) or day), cells)


def _cells(figures: Figures) -> tuple[Markup, ...]:
    shares = (f"{share:.0%}" for share in figures.tops)
    return _written(f"{figures.ap:.3f}", f"{figures.auc:.3f}", *shares)


def _written(*values: object) -> tuple[Markup, ...]:
    """Figures of our own making, as they are."""
    return tuple(safe(str(value)) for value in values)
