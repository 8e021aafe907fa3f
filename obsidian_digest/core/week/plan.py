"""The week note on request: from the vault as it stands to a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from obsidian_digest.core.day.compose import titles
from obsidian_digest.core.law.plan import plan
from obsidian_digest.core.notes.drafts import Drafts
from obsidian_digest.core.ranking.feedback import feedback
from obsidian_digest.core.trends.week_facts import week_facts
from obsidian_digest.core.vault.memory import remember
from obsidian_digest.core.vault.places import Places
from obsidian_digest.core.vault.weeks import days_by_week
from obsidian_digest.core.week.canvas import week_canvas
from obsidian_digest.core.week.note import draw_up
from obsidian_digest.errors import InputError
from obsidian_digest.model import KnownWeek, Plan

if TYPE_CHECKING:
    from obsidian_digest.config import Config
    from obsidian_digest.core.trends.week_facts import WeekFacts
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.model import Memory, Snapshot

NAMED = 8
"""So many weeks a refusal names."""


@dataclass(frozen=True, slots=True)
class PlannedWeek:
    """A week note as it is to be."""

    week: str
    """Empty where the vault has no digest at all."""
    facts: WeekFacts | None
    memory: Memory
    places: Places
    plan: Plan


def plan_week(
    week: str | None,
    snapshot: Snapshot,
    config: Config,
    renderer: Renderer,
    *,
    with_canvas: bool = False,
) -> PlannedWeek:
    """The plan that writes the note of a week, by default of the newest that has a digest.

    The map of content lists it at once; `with_canvas` a canvas is drawn beside it. What the
    week's turn moved stays as the note lists it. Raises InputError for a week without digests.
    """
    notes = config.notes
    places = Places.of(snapshot, (notes.moc, notes.home, notes.interests))
    memory = remember(snapshot, places)
    wanted = week or max(days_by_week(memory), default="")
    known = memory.weeks.get(wanted)
    opinions = feedback(snapshot, places, memory, config).opinions
    facts = week_facts(wanted, memory, known.moves if known else (), opinions)
    if facts is None:
        if week:
            raise InputError(f"no digest of the week {week} stands here", hint=_weeks(memory))
        return PlannedWeek("", None, memory, places, Plan())
    drafts = draw_up(facts, memory, config, renderer, places)
    after = replace(memory, weeks={**memory.weeks, wanted: KnownWeek(wanted, facts.moves)})
    index = Drafts(config, renderer, places, titles(None, memory)).moc(after)
    drawn = [week_canvas(wanted, memory, places, renderer.words)] if with_canvas else []
    planned = plan((*drafts, *drawn, *index), snapshot, places, (), mend=False)
    return PlannedWeek(wanted, facts, memory, places, planned)


def _weeks(memory: Memory) -> str:
    weeks = sorted(days_by_week(memory), reverse=True)
    if not weeks:
        return "There are no digests yet; obsidian-digest run writes the first."
    more = f" and {len(weeks) - NAMED} before" if len(weeks) > NAMED else ""
    return f"There are digests of {', '.join(weeks[:NAMED])}{more}."
