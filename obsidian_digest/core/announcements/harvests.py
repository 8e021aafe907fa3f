"""Several batches as one harvest, and what one source said several times as one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.errors import SourceError
from obsidian_digest.model import Harvest, SourceReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from obsidian_digest.model import SourceOutcome

_WORST: tuple[SourceOutcome, ...] = (
    "throttled", "unreachable", "corrupt", "truncated", "stale", "skipped", "empty", "ok",
)  # fmt: skip


def united(found: Sequence[Harvest]) -> Harvest:
    """Several batches as one, each source once."""
    if len(found) == 1:
        return found[0]
    reports: list[SourceReport] = []
    origins: list[SourceReport] = []
    for each in found:
        for row in each.sources:
            add(reports, row)
        for row in each.origins:
            add(origins, row)
    missing = dict.fromkeys(name for each in found for name in each.missing)
    return Harvest(
        tuple(paper for each in found for paper in each.papers),
        tuple(reports),
        tuple(missing),
        found[0].seen,
        tuple(origins),
        tuple(paper for each in found for paper in each.revised),
    )


def add(reports: list[SourceReport], row: SourceReport) -> None:
    """Puts a row to the others; of one source there is one, with the worst that it said."""
    before = next((each for each in reports if each.name == row.name), None)
    if before is None:
        reports.append(row)
        return
    worst = min(before.outcome, row.outcome, key=_WORST.index)
    details = "; ".join(dict.fromkeys(filter(None, (before.detail, row.detail))))
    reports[reports.index(before)] = SourceReport(
        row.name, worst, before.papers + row.papers, details
    )


def whole(found: Harvest) -> Harvest:
    """The harvest; raises SourceError where a source says that it lacks papers."""
    for row in found.sources:
        if row.outcome == "truncated":
            error = SourceError(row.detail, hint="Nothing was lost; try again in an hour.")
            error.source, error.source_outcome = row.name, row.outcome
            raise error
    return found


def told(error: SourceError) -> SourceReport:
    """The failure as a row of the report."""
    return SourceReport(error.source, error.source_outcome, detail=error.what)
