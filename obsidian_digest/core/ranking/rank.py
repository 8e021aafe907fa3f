"""Orders a day's papers by what they are worth to the reader, with stars and reasons."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from obsidian_digest.core.ranking.calibration import stars
from obsidian_digest.core.ranking.reasons import best_interest, reasons
from obsidian_digest.core.ranking.representatives import representatives
from obsidian_digest.core.ranking.taste import weight_of
from obsidian_digest.core.ranking.value import in_order, values
from obsidian_digest.model import Ranked, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from obsidian_digest.core.ranking.reader import Reader
    from obsidian_digest.core.ranking.value import Rows, Values
    from obsidian_digest.model import Interests, Reading

ENOUGH = 0.25
"""Weight of the learned model from which it ranks alone: some ten opinions."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """All papers, best first, ties by id, and the numbers behind them."""

    rows: tuple[Ranked, ...]
    values: Values | None = None
    """None: there was nothing to rank by."""


def rank(
    readings: Sequence[Reading],
    rows: Rows,
    reader: Reader,
    *,
    authors: Mapping[str, tuple[str, ...]],
    encoder: str,
    liked: Sequence[Reading] = (),
) -> Ranking:
    """Every paper with its place.

    Scores come from `value.values` by a logistic curve (`calibration`). Watched authors and ids
    are flagged and keep their score. Where there is nothing to rank by, the papers that stand for
    the day come first (`representatives`).

    Args:
        readings: The day's candidates.
        rows: Vectors of all that is looked at.
        reader: What the vault tells of the reader.
        authors: Names by paper id.
        encoder: The encoder's name, for the calibration.
        liked: Papers that may be examples of interests; others are passed over.
    """
    if not readings:
        return Ranking(())
    found = None
    if ranks_by(reader):
        known = {reading.id: reading for reading in liked}
        found = values(readings, rows, reader, encoder, known)
        pairs = [(row_of(found, place), value) for place, value in enumerate(found.value.tolist())]
    else:
        ordered, vectors = in_order(readings, rows.papers)
        pairs = [(row, 0.0) for row in representatives(ordered, vectors)]
    marked = [
        (_watch(row, reader.interests, authors.get(row.id, ())), value) for row, value in pairs
    ]
    marked.sort(key=lambda pair: (-pair[0].score, -round(pair[1], 4), pair[0].id))
    return Ranking(tuple(row for row, _ in marked), found)


def ranks_by(reader: Reader) -> bool:
    """Whether enough is known of the reader to rank by it."""
    return bool(reader.interests.interests or reader.notes) or weight_of(reader.judged) >= ENOUGH


def row_of(found: Values, place: int) -> Ranked:
    """The paper at this place with its score, its stars and its reasons."""
    score = found.score(place)
    names = [interest.name for interest in found.reader.interests.interests]
    best = best_interest(found, place)
    name = names[best] if best is not None and best < len(names) else None
    return Ranked(found.readings[place].id, score, stars(score), name, reasons(found, place))


def _watch(row: Ranked, interests: Interests, authors: tuple[str, ...]) -> Ranked:
    wanted = {_plain_name(name) for name in interests.watched_authors}
    watched = [name for name in authors if _plain_name(name) in wanted]
    why = [Reason("reason_author", (("name", name),)) for name in watched]
    if row.id in interests.watched_ids:
        why.append(Reason("reason_listed"))
    if not why:
        return row
    return Ranked(row.id, row.score, row.stars, row.interest, (*why, *row.reasons), watched=True)


def _plain_name(name: str) -> str:
    """A name without accents, case, dots and middle initials."""
    spelt = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(sign for sign in spelt if not unicodedata.combining(sign))
    parts = "".join(sign if sign.isalpha() else " " for sign in bare).split()
    kept = [part for at, part in enumerate(parts) if len(part) > 1 or at in {0, len(parts) - 1}]
    return " ".join(kept)
