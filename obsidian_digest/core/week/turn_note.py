"""What a week's turn writes: the moved papers' themes, and the note of the week that ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsidian_digest.core.notes.theme_notes import placed
from obsidian_digest.core.ranking.feedback import feedback
from obsidian_digest.core.week.note import week_drafts

if TYPE_CHECKING:
    from obsidian_digest.config import Config
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Renderer
    from obsidian_digest.core.week.turn import Turn
    from obsidian_digest.model import FileDraft, NoteDraft, Snapshot


def turn_note(
    turn: Turn | None, snapshot: Snapshot, config: Config, renderer: Renderer, places: Places
) -> tuple[NoteDraft | FileDraft, ...]:
    """The week's picture and note, with every move; nothing where no week ended or none is wanted.

    Claims the note's name, so it is to be called before other notes link to it.
    """
    if turn is None or not turn.week or not config.digest.week_note:
        return ()
    opinions = feedback(snapshot, places, turn.memory, config).opinions
    return week_drafts(turn.week, turn.memory, config, renderer, places, turn.moves, opinions)


def moved_papers(turn: Turn | None, places: Places) -> tuple[NoteDraft, ...]:
    """Only the theme of each paper that moves."""
    return tuple(placed(move.paper, move.after, places) for move in (turn.moves if turn else ()))
