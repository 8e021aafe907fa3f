"""One line in the reader's own daily note, where he asked for it: never more, never a new note."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from obsidian_digest.core.announcements.pool import title_of
from obsidian_digest.core.vault.render import literal, safe
from obsidian_digest.model import Keep, Update
from obsidian_digest.note import region
from obsidian_digest.note.append import UnsafeEndError, appended
from obsidian_digest.note.moment_format import UnknownNameError, formatted
from obsidian_digest.note.names import collision_key

if TYPE_CHECKING:
    from datetime import date

    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Words
    from obsidian_digest.model import DailyNotes, Digest, Memory, Plan, Snapshot

REGION = "daily"


def with_daily_line(
    plan: Plan,
    digest: Digest | None,
    snapshot: Snapshot,
    memory: Memory,
    places: Places,
    words: Words,
    locale: str,
) -> Plan:
    """The plan with the line for the digest's day, right before the digest.

    Once a digest stands no run writes the line, so one that is killed in between must leave it.
    The run that writes the digest adds it, where the day has a note; one that writes a supplement
    brings it up to date. A line that was deleted or edited is the reader's.
    """
    path = _path(snapshot.daily, digest.day, locale) if digest else None
    touched = {each.path for each in plan.changes}
    if digest is None or snapshot.daily is None or path is None or path in touched:
        return plan
    raw = snapshot.daily.notes[path]
    text = places.spell(_line(digest, memory, places, words), path)
    try:
        after = _written(raw, text, path, places, new=not digest.number)
    except (UnsafeEndError, region.BrokenMarkersError, UnicodeDecodeError) as error:
        keep = Keep(path, "unreadable", f"no line was added: {error}")
        return replace(plan, kept=(*plan.kept, keep))
    if after is None:
        return replace(plan, kept=(*plan.kept, Keep(path, "edited", f"region {REGION}")))
    if after == raw:
        return plan
    shown = places.by_key.get(("digest", digest.day.isoformat()))
    order = [each.path for each in plan.changes]
    at = order.index(shown) if shown in order else len(order)
    changes = (*plan.changes[:at], Update(path, raw, after), *plan.changes[at:])
    return replace(plan, changes=changes)


def daily_warnings(daily: DailyNotes | None, day: date, locale: str) -> tuple[str, ...]:
    """Why no daily note is ever found, in words; none where nothing is in the way."""
    try:
        _name(daily, day, locale)
    except UnknownNameError as error:
        form = daily.format if daily else ""
        hint = 'If the app is in English, write daily_locale = "en" under [notes].'
        return (f'no line goes into daily notes: in their format "{form}" {error}. {hint}',)
    return ()


def _name(daily: DailyNotes | None, day: date, locale: str) -> str:
    if daily is None:
        return ""
    name = f"{formatted(day, daily.format, locale)}.md"
    return f"{daily.folder}/{name}" if daily.folder else name


def _path(daily: DailyNotes | None, day: date, locale: str) -> str | None:
    """Where the day's note lies; None where there is none, or its name cannot be known."""
    try:
        wanted = collision_key(_name(daily, day, locale))
    except UnknownNameError:
        return None
    notes = daily.notes if daily else {}
    return next((path for path in notes if collision_key(path) == wanted), None)


def _line(digest: Digest, memory: Memory, places: Places, words: Words) -> str:
    before = memory.digests[digest.day].picked if digest.number else ()
    stars = {key: memory.papers[key].stars for key in before if key in memory.papers}
    titles = {key: memory.papers[key].reading.title for key in stars}
    for entry in digest.entries:
        stars[entry.paper.id], titles[entry.paper.id] = entry.ranked.stars, title_of(entry.paper)
    shown = [*before, *(each for theme in digest.themes for each in theme.members)]
    shown = [each for each in shown if each in stars]
    link = places.link("digest", digest.day.isoformat()) or digest.day.isoformat()
    papers = words("papers", n=digest.picked)
    if not shown:
        return str(words("daily_line", digest=safe(link), papers=papers))
    best = max(shown, key=lambda each: stars[each])
    to_best = places.link("paper", best, titles[best]) or literal(titles[best])
    return str(words("daily_best", digest=safe(link), papers=papers, best=safe(to_best)))


def _written(raw: bytes, text: str, path: str, places: Places, *, new: bool) -> bytes | None:
    """The note with the line; None where the reader edited it."""
    note = raw.decode("utf-8")
    found = next((each for each in region.find(note) if each.name == REGION), None)
    if found is None:
        return appended(raw, REGION, text) if new else raw
    if found.text.replace("\r\n", "\n") == text:
        return raw
    if not region.intact(found, lambda target: places.trusts(target, path)):
        return None
    return region.replace(note, found, text).encode()
