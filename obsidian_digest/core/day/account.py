"""The whole account of one paper: every number that its place in the day is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from obsidian_digest.core.ranking.calibration import STARS
from obsidian_digest.core.ranking.reasons import best_column
from obsidian_digest.core.ranking.selection import left_out
from obsidian_digest.core.ranking.value import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from obsidian_digest.core.day.choose import Choice
    from obsidian_digest.core.ranking.taste import Taste
    from obsidian_digest.core.ranking.value import Match, Values
    from obsidian_digest.core.vault.render import Words
    from obsidian_digest.model import Ranked

WORDS_TOLD = 8
"""Deciding words of the learned model, so many for and against."""
NEAREST = 3
"""So many of the nearest judged papers of either kind."""
_OTHERWISE = {
    True: "It is shown. Ranked anew, with what you did since, it would not be.",
    False: "It is not shown. Ranked anew, with what you did since, it would be.",
}
"""By whether the day's digest shows the paper."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is and how much."""

    label: str
    number: float


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that belong together; they explain the parts and do not add up."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """Why one paper stands where it stands."""

    id: str
    title: str
    place: int
    """From 1."""
    of: int
    score: float
    stars: int
    shown: bool
    fate: str
    """Why it is shown or not, as a sentence."""
    value: float
    parts: tuple[Row, ...]
    """They add up to `value`."""
    sections: tuple[Section, ...]
    reasons: tuple[str, ...]


def account(
    choice: Choice, arxiv_id: str, words: Words, standing: Collection[str] | None = None
) -> Account | None:
    """The account of a candidate of the day; None for any other paper.

    `standing` are the papers that the day's digest shows, if it stands: they were chosen by what
    the reader had done by then, and the account is of what he has done by now.
    """
    rows = {row.id: row for row in choice.ranked}
    if arxiv_id not in rows:
        return None
    row = next((each.ranked for each in choice.entries if each.paper.id == arxiv_id), None)
    chosen, row = row is not None, row or rows[arxiv_id]
    shown = chosen if standing is None else arxiv_id in standing
    place = _place(choice.values, arxiv_id)
    found = choice.values
    reading = choice.readings[arxiv_id]
    return Account(
        id=arxiv_id,
        title=reading.title,
        place=1 + list(rows).index(arxiv_id),
        of=len(rows),
        score=row.score,
        stars=row.stars,
        shown=shown,
        fate=_fate(choice, row, shown=chosen) if shown == chosen else _OTHERWISE[shown],
        value=float(found.value[place]) if found else 0.0,
        parts=tuple(_parts(found, place)) if found else (),
        sections=tuple(_sections(found, place)) if found else (),
        reasons=tuple(words.plain(each.key, **dict(each.values)) for each in row.reasons),
    )


def _place(found: Values | None, arxiv_id: str) -> int:
    ids = [reading.id for reading in found.readings] if found else [arxiv_id]
    return ids.index(arxiv_id)


def _fate(choice: Choice, row: Ranked, *, shown: bool) -> str:
    limits = choice.limits
    if shown:
        if row.watched:
            return "It is shown: it is on the watch list."
        uncertain = any(each.key == "reason_explore" for each in row.reasons)
        return "It is shown, to find out." if uncertain else "It is shown."
    if limits is None:
        return "It is not shown."
    why, copied = left_out(row.id, choice.ranked, limits.top, limits.min_stars, choice.readings)
    if why == "stars":
        return f"It is not shown: {row.stars} of 5 stars, and {limits.min_stars} are asked for."
    if why == "copy":
        return f"It is not shown: nearly the same as {' and '.join(copied)}."
    return f"It is not shown: {limits.top} others were before it, and no more are asked for."


def _parts(found: Values, place: int) -> Iterator[Row]:
    """What the paper's value is the sum of, in the value's own scale."""
    scale = found.shrink
    best = best_column(found, place)
    if best is not None:
        total = float(found.totals[place, best])
        named = _column_name(found, best)
        if best < len(found.matches):
            for label, part in _match_parts(found, place, best):
                yield Row(f"{named}, {label}", scale * part)
            lent = total - float(found.matches[best].total[place])
            yield Row(f"{named}, lent by the papers nearest to it", scale * lent)
        else:
            yield Row(f"{named}, with what the papers nearest to it lend", scale * total)
        others = float(found.by_interests[place]) - total
        yield Row("other interests, in part", scale * others)
    if found.taste is not None:
        worth = found.weight * found.spread * scale
        own = float(found.taste.liking[place])
        yield Row("learned from your opinions", worth * own)
        lent = float(found.liking[place]) - own
        yield Row("learned, lent by the papers nearest to it", worth * lent)
    for at, dislike in enumerate(found.reader.interests.dislikes):
        yield Row(f'dislike "{dislike}"', -float(found.penalties[place, at]))


def _match_parts(found: Values, place: int, column: int) -> Iterator[tuple[str, float]]:
    match = found.matches[column]
    share = EXAMPLES if match.by_examples is not None else 1.0
    read = found.reader.interests.interests[column].read_as != ""
    yield "by words", share * float(found.close.words[place, column]) * read
    yield "by vectors", share * float(found.close.vectors[place, column]) * read
    if match.by_examples is not None:
        yield "by its examples", share * float(match.by_examples[place])


def _column_name(found: Values, column: int) -> str:
    names = [interest.name for interest in found.reader.interests.interests]
    return f'interest "{names[column]}"' if column < len(names) else "your own notes"


def _sections(found: Values, place: int) -> Iterator[Section]:
    for column, match in enumerate(found.matches):
        yield Section(_column_name(found, column), tuple(_interest(found, match, place, column)))
    if found.nearest_note is not None:
        note = found.reader.notes[int(found.nearest_note[place])]
        nearest = Row(f"nearest: {note.title} ({note.id})", float(found.totals[place, -1]))
        yield Section("your own notes", (nearest,))
    if found.taste is not None:
        yield Section("your opinions", tuple(_opinions(found, found.taste, place)))
    yield Section("from value to stars", tuple(_curve(found, place)))


def _interest(found: Values, match: Match, place: int, column: int) -> Iterator[Row]:
    """Before the sum is brought to scale."""
    for label, part in _match_parts(found, place, column):
        yield Row(label, part)
    if match.by_examples is not None:
        example = match.examples[int(match.nearest[place])]
        yield Row(
            f"nearest example: {example.title} ({example.id})", float(match.by_examples[place])
        )
    total = float(found.totals[place, column])
    yield Row("lent by the papers nearest to it", total - float(match.total[place]))
    yield Row("together", total)
    if found.close.cosines.any():
        yield Row("cosine of the vectors", float(found.close.cosines[place, column]))
    yield Row("overlap of the words", float(found.close.overlaps[place, column]))


def _opinions(found: Values, taste: Taste, place: int) -> Iterator[Row]:
    yield Row("opinions", float(len(taste.judged)))
    yield Row("weight beside the interests' 1", taste.weight)
    yield Row("liking, in spreads of the day", float(found.liking[place]))
    for liked in (True, False):
        for at, closeness in taste.near(place, liked=liked, least=0.0)[:NEAREST]:
            one = taste.judged[at].reading
            yield Row(f"{'kept' if liked else 'unwanted'}: {one.title} ({one.id})", closeness)
    worth = taste.words_of(place)
    against = [each for each in worth[WORDS_TOLD:][-WORDS_TOLD:] if each[1] < 0]
    for term, number in (*worth[:WORDS_TOLD], *against):
        yield Row(f"word: {term}", number)


def _curve(found: Values, place: int) -> Iterator[Row]:
    value = float(found.value[place])
    yield Row("value", value)
    yield Row("score", found.score(place))
    for count, floor in enumerate(STARS, start=2):
        yield Row(f"{count} stars from a score of", floor)


def text(told: Account) -> str:
    """The account for a terminal."""
    lines = [
        f"{told.title} ({told.id})",
        f"place {told.place} of {told.of}, score {told.score:.4f}, {told.stars} of 5 stars",
        told.fate,
        *(f"  {reason}" for reason in told.reasons),
    ]
    if not told.parts and not told.sections:
        return "\n".join([*lines, "There is nothing to rank by: it is in the order of the day."])
    lines += ["", "The value is the sum of:"]
    lines += [_line(row) for row in (*told.parts, Row("value", told.value))]
    for section in told.sections:
        lines += ["", f"{section.title[0].upper()}{section.title[1:]}:", *map(_line, section.rows)]
    return "\n".join(lines)


def _line(row: Row) -> str:
    return f"  {row.number:9.4f}  {row.label}"


def as_json(told: Account) -> dict[str, Any]:
    """The account as the JSON's `account`; numbers to 6 digits."""

    def listed(rows: tuple[Row, ...]) -> list[dict[str, Any]]:
        return [{"label": row.label, "number": round(row.number, 6)} for row in rows]

    return {
        "id": told.id,
        "title": told.title,
        "place": told.place,
        "of": told.of,
        "score": told.score,
        "stars": told.stars,
        "shown": told.shown,
        "fate": told.fate,
        "value": round(told.value, 6),
        "parts": listed(told.parts),
        "sections": [{"title": each.title, "rows": listed(each.rows)} for each in told.sections],
        "reasons": list(told.reasons),
    }
