"""What `score` says: the contract's object, and the tables on the screen."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from obsidian_digest.commands.listing import fitting, left_alone
from obsidian_digest.core.texts.plural import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from obsidian_digest.commands.options import Globals
    from obsidian_digest.core.score.days import History, Why
    from obsidian_digest.core.score.figures import Figures
    from obsidian_digest.core.score.replay import Calibration, Score, ScoredDay
    from obsidian_digest.model import Plan

NAMES = {"ranking": "ranking", "cosine": "plain cosine", "keywords": "keyword count"}
MEASURES = ("average precision", "AUC", "top 10", "top 20", "top 50")
LEFT_OUT: Mapping[Why, tuple[str, str]] = {
    "nothing-kept": ("day", "of which no paper shows that you kept it"),
    "no-digest": ("fetched day", "without a digest"),
    "all-kept": ("day", "of which only papers are known that you kept"),
    "unknown": ("day", "whose kept papers have no text in the vault any more"),
}
"""What such days are called, and why they count nothing."""
FAVOURED = "Only what was shown can be kept, which favours a ranking like the one that showed it."
HOW_TO_KEEP = (
    "To say what you think of a paper, set rating (1 to 5) or reading: read in its note, write "
    "under its Notes heading, link to it from a note of yours, or move it into a folder of yours."
)
SENTENCE_TOP = 20


@dataclass(frozen=True, slots=True)
class Replayed:
    """One replay."""

    score: Score
    encoder: str
    embedded: int
    """Texts embedded now."""
    cached: int
    """Texts whose vectors were known."""
    warnings: tuple[str, ...]
    """What the encoder cannot read of the reader's texts, a sentence each."""
    label: str = ""
    """What is tried; empty: nothing, all is as it is now."""
    interests: Path | None = None
    """The interests note that is tried."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What `score` found."""

    history: History
    now: Replayed | None = None
    """None: no day can be replayed."""
    changed: Replayed | None = None
    plan: Plan | None = None
    """What wrote the note; None: none was asked for."""
    note: str | None = None


def tell(shared: Globals, done: Scored, seconds: float) -> int:
    """Prints; gives the exit code."""
    if shared.json:
        click.echo(json.dumps(_answer(done, seconds), ensure_ascii=False))
    elif not shared.quiet:
        click.echo("\n".join(_lines(done, verbose=shared.verbose)))
    return 0


def _answer(done: Scored, seconds: float) -> dict[str, Any]:
    """The contract's object."""
    from obsidian_digest.core.day import report  # noqa: PLC0415 (keeps --help fast)

    now, changed = done.now, done.changed
    return {
        "contract": report.CONTRACT,
        "command": "score",
        "exit": 0,
        "outcome": "score" if now else "nothing-kept",
        "message": _sentence(done),
        **_told(now),
        "left_out": [{"date": day.isoformat(), "why": why} for day, why in done.history.left_out],
        "changed": {
            **_told(changed),
            "interests": str(changed.interests) if changed.interests else None,
        }
        if changed
        else None,
        "note": done.note,
        "notes": report.notes([done.plan] if done.plan else []),
        "seconds": {"total": round(seconds, 3)},
    }


def _told(replayed: Replayed | None) -> dict[str, Any]:
    if replayed is None:
        nothing = {"name": None, "embedded": 0, "cached": 0}
        return {
            "basis": None,
            "days": [],
            "methods": {},
            "calibration": None,
            "encoder": nothing,
            "warnings": [],
        }
    score, found = replayed.score, replayed.score.calibration
    return {
        "basis": score.basis,
        "days": [_day(each) for each in score.days],
        "methods": {name: _figures(each) for name, each in score.methods.items()},
        "calibration": _calibration(found) if found else None,
        "encoder": {
            "name": replayed.encoder,
            "embedded": replayed.embedded,
            "cached": replayed.cached,
        },
        "warnings": list(replayed.warnings),
    }


def _day(scored: ScoredDay) -> dict[str, Any]:
    past = scored.past
    return {
        "date": past.day.isoformat(),
        "pool": len(past.readings),
        "kept": len(past.kept),
        "known": scored.known,
        **_figures(scored.orders["ranking"].figures),
        "source": past.source,
    }


def _figures(figures: Figures) -> dict[str, float]:
    from obsidian_digest.core.score.figures import TOPS  # noqa: PLC0415 (keeps --help fast)

    tops = {f"top{most}": share for most, share in zip(TOPS, figures.tops, strict=True)}
    return {"ap": figures.ap, "auc": figures.auc, **tops}


def _calibration(found: Calibration) -> dict[str, Any]:
    stars = {
        str(each): {"papers": papers, "kept": kept} for each, (papers, kept) in found.stars.items()
    }
    return {"ece": found.error, "stars": stars}


def _sentence(done: Scored) -> str:
    history = done.history
    if done.now is not None:
        score = done.now.score
        kept = many(score.kept, "paper")
        days, found = many(len(score.counted), "day"), score.in_top(SENTENCE_TOP)
        return (
            f"{found} of the {kept} you kept on {days} stood in the top {SENTENCE_TOP} of the day."
        )
    if not history.digests:
        return "There are no digests yet, so there is nothing to replay; run writes the first."
    if any(why not in {"nothing-kept", "no-digest"} for _, why in history.left_out):
        return (
            "You kept papers, but nothing else is known of their days: what arXiv announced is "
            "saved from the next run on."
        )
    digests = "the one digest" if history.digests == 1 else f"{history.digests} digests"
    none = "" if history.interests else " No interests are written either."
    return f"No paper of {digests} shows yet that you kept it.{none} {HOW_TO_KEEP}"


def _lines(done: Scored, *, verbose: bool) -> list[str]:
    lines = [_sentence(done)]
    if done.now is not None:
        score, changed = done.now.score, done.changed
        lines += _remarks(done, score)
        lines += ["", *(_compared(score, changed) if changed else _methods(score))]
        lines += [*_stars(score, changed), FAVOURED]
        if verbose:
            lines += ["", *fitting(list(_days(score.days)))]
    if done.history.left_out:
        lines += ["", *(_left_out(done.history, verbose=verbose))]
    if done.plan is not None:
        state = "written to" if done.plan.changes else "unchanged in"
        lines += ["", f"{state} {done.note}", *(left_alone(each) for each in _kept(done.plan))]
    return lines


def _kept(plan: Plan) -> list[dict[str, str]]:
    from obsidian_digest.core.day.report import kept_rows  # noqa: PLC0415 (keeps --help fast)

    return kept_rows(plan.kept)


def _remarks(done: Scored, score: Score) -> Iterator[str]:
    """What limits the figures."""
    apart = len(score.days) - len(score.counted)
    if score.basis == "shown":
        yield (
            "What arXiv announced on these days is not saved: only the papers shown could be "
            "ranked, so compare the figures with each other alone."
        )
    elif apart:
        yield (
            f"{many(apart, 'more day')} left out of the means: what arXiv announced is not saved, "
            "only the papers shown could be ranked."
        )
    if not done.history.interests:
        yield "No interests are written: what you kept before is all there is to rank by."
    for replayed in filter(None, (done.now, done.changed)):
        yield from replayed.warnings


def _methods(score: Score) -> Iterator[str]:
    yield _row("", MEASURES)
    for method, figures in score.methods.items():
        yield _row(NAMES[method], _shown(figures))


def _row(name: str, cells: Sequence[str]) -> str:
    padded = (f"{cell:>{len(title)}}" for title, cell in zip(MEASURES, cells, strict=True))
    return f"{name:<15}{'  '.join(padded)}".rstrip()


def _shown(figures: Figures) -> tuple[str, ...]:
    shares = (f"{share:.0%}" for share in figures.tops)
    return (f"{figures.ap:.3f}", f"{figures.auc:.3f}", *shares)


def _compared(score: Score, changed: Replayed) -> Iterator[str]:
    """Two columns: as it is, and with what is tried."""
    before, after = score.methods, changed.score.methods
    yield f"{'':<34}{'now':>7}  {changed.label}"
    for method, name in NAMES.items():
        if method not in before and method not in after:
            continue
        nothing = ("—",) * len(MEASURES)
        old = _shown(before[method]) if method in before else nothing
        new = _shown(after[method]) if method in after else nothing
        for measure, one, other in zip(MEASURES, old, new, strict=True):
            yield f"{name:<15}{measure:<19}{one:>7}  {other:>7}"


def _stars(score: Score, changed: Replayed | None) -> Iterator[str]:
    found = [each.calibration for each in (score, *([changed.score] if changed else []))]
    if not any(found):
        return
    yield ""
    for each in range(5, 0, -1):
        cells = "".join(f"{_share(one, each):>26}" for one in found)
        yield f"{many(each, 'star'):<9}{cells}"
    errors = ", ".join(f"{one.error:.3f}" if one else "—" for one in found)
    yield f"expected calibration error {errors}"


def _share(found: Calibration | None, stars: int) -> str:
    papers, kept = found.stars[stars] if found else (0, 0)
    share = f" ({kept / papers:.0%})" if papers else ""
    return f"{kept} of {papers} kept{share}"


def _days(days: Sequence[ScoredDay]) -> Iterator[str]:
    yield f"{'day':<12}{'pool':>11}  kept  known  {'  '.join(MEASURES)}"
    for each in reversed(days):
        past, shown = each.past, _shown(each.orders["ranking"].figures)
        size = f"{len(past.readings)}{' shown' if past.source == 'shown' else ''}"
        head = f"{past.day.isoformat():<12}{size:>11}  {len(past.kept):>4}  {each.known:>5}  "
        yield head + _row("", shown)[15:]


def _left_out(history: History, *, verbose: bool) -> list[str]:
    counts = Counter(why for _, why in history.left_out)
    lines = [
        f"left out: {many(counts[why], days)} {because}"
        for why, (days, because) in LEFT_OUT.items()
        if counts[why]
    ]
    if verbose:
        lines += fitting([f"  {day.isoformat()}  {why}" for day, why in history.left_out])
    return lines
