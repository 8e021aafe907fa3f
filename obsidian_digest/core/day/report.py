"""What a run says of itself: the JSON of the contract, the sentence and the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from obsidian_digest.core.links.link_words import told
from obsidian_digest.model import Create, Entry, Plan, Remove, Update

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from obsidian_digest.core.announcements.pool import Pool
    from obsidian_digest.core.day.choose import Choice
    from obsidian_digest.core.vault.places import Places
    from obsidian_digest.core.vault.render import Words
    from obsidian_digest.model import Digest, Harvest, Keep, Link, Ranked, Window

CONTRACT = 1


def outcome(harvest: Harvest, pool: Pool, digest: Digest | None) -> str:
    """The contract's outcome word."""
    if not pool.papers:
        empty = all(source.outcome == "empty" for source in harvest.sources)
        return "no-announcement" if empty and harvest.sources else "nothing-new"
    if harvest.missing:
        return "partial"
    if digest is None:
        return "nothing-new"
    return "digest" if digest.picked else "nothing-relevant"


def sentence(word: str, day: date, harvest: Harvest, digest: Digest | None, plan: Plan) -> str:
    """One sentence that a person understands."""
    said = _sentence(word, day, digest, plan)
    if not harvest.missing:
        return said
    names = ", ".join(harvest.missing)
    fine = ("ok", "skipped")
    why = [f"{row.name}: {row.detail}" for row in harvest.sources if row.outcome not in fine]
    told = f" ({'; '.join(why)})" if why else ""
    return f"{said} Missing: {names}, for want of a source to be trusted{told}; run again later."


def _sentence(word: str, day: date, digest: Digest | None, plan: Plan) -> str:
    if word == "no-announcement":
        return "There is nothing in this announcement: no papers to choose from."
    if word == "nothing-relevant" and digest:
        return f"None of {digest.new} new papers fits your interests; the digest says so."
    if digest is None:
        changed = len(plan.changes)
        updated = f"{changed} {'note was' if changed == 1 else 'notes were'} brought up to date"
        tail = updated if changed else "no note changed"
        return f"Nothing new for {day.isoformat()}; {tail}."
    if digest.number and not digest.entries:
        return f"The digest for {day.isoformat()} is complete now; nothing was to be added."
    named = sum(bool(theme.id) for theme in digest.themes)
    chosen = len(digest.entries)
    papers = f"{chosen} of {digest.new} new papers, {named} {'theme' if named == 1 else 'themes'}"
    kind = "supplement" if digest.number else "digest"
    none = "" if digest.by_interests else _without_interests(digest)
    return f"{papers}, 1 {kind} for {day.isoformat()}.{none}"


def _without_interests(digest: Digest) -> str:
    if digest.unread:
        return " The encoder can read none of your interests; the digest says what to do."
    return " No interests are written yet; the digest says where."


def instant(moment: datetime) -> str:
    """UTC in the contract's form."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def window(span: Window | None) -> dict[str, str] | None:
    """The contract's `window`."""
    return {"from": instant(span.start), "to": instant(span.end)} if span else None


def papers(digest: Digest | None, places: Places, words: Words) -> list[dict[str, Any]]:
    """The contract's `papers`, best first; reasons are worded as the notes word them."""
    return entries(digest.entries if digest else (), places, words)


def entries(shown: Iterable[Entry], places: Places, words: Words) -> list[dict[str, Any]]:
    """One row of the contract's `papers` for each of these."""
    return [_paper(entry, places, words) for entry in shown]


def _paper(entry: Entry, places: Places, words: Words) -> dict[str, Any]:
    paper, row = entry.paper, entry.ranked
    return {
        "id": paper.id,
        "version": paper.version,
        "title": paper.title,
        "note": places.by_key.get(("paper", paper.id)),
        "score": row.score,
        "stars": row.stars,
        "interest": row.interest,
        "reasons": _reasons(row, words),
        "theme": entry.theme or None,
        "related": [_related(link, paper.id, places, words) for link in entry.related],
    }


def _reasons(row: Ranked, words: Words) -> list[str]:
    return [words.plain(reason.key, **dict(reason.values)) for reason in row.reasons]


def _related(link: Link, arxiv_id: str, places: Places, words: Words) -> dict[str, Any]:
    other, said = link.other(arxiv_id), told(link, arxiv_id)
    return {
        "id": other,
        "note": places.by_key.get(("paper", other)),
        "weight": link.weight,
        "why": [*([words.plain(said[0], **said[1])] if said else []), *link.why],
    }


def themes(digest: Digest | None, places: Places) -> list[dict[str, Any]]:
    """The contract's `themes`, in the order of the sections."""
    return [
        {
            "id": theme.id,
            "name": theme.name,
            "note": places.by_key.get(("theme", theme.id)),
            "new": theme.new,
            "papers": list(theme.members),
        }
        for theme in (digest.themes if digest else ())
        if theme.id
    ]


def notes(plans: Sequence[Plan]) -> dict[str, Any]:
    """The contract's `notes`, of all plans of a run together."""
    changes = [change for plan in plans for change in plan.changes]
    created = dict.fromkeys(each.path for each in changes if isinstance(each, Create))
    updated = dict.fromkeys(each.path for each in changes if isinstance(each, Update))
    removed = dict.fromkeys(each.path for each in changes if isinstance(each, Remove))
    touched = created | updated | removed
    return {
        "created": list(created),
        "updated": [path for path in updated if path not in created],
        "removed": list(removed),
        "unchanged": len({path for plan in plans for path in plan.unchanged} - touched.keys()),
        "kept": kept_rows(keep for plan in plans for keep in plan.kept),
    }


def kept_rows(keeps: Iterable[Keep]) -> list[dict[str, str]]:
    """Rows of the contract's `kept`, each once."""
    return [
        {"note": keep.path, "reason": keep.reason, "detail": keep.detail}
        for keep in dict.fromkeys(keeps)
    ]


def sources(harvest: Harvest) -> list[dict[str, Any]]:
    """The contract's `sources`."""
    return [
        {
            "name": source.name,
            "outcome": source.outcome,
            "papers": source.papers,
            "detail": source.detail,
        }
        for source in harvest.sources
    ]


def ranking(choice: Choice | None, words: Words) -> list[dict[str, Any]]:
    """Every new paper, best first, for `--ranking`."""
    return [_ranked(row, words) for row in (choice.ranked if choice else ())]


def _ranked(row: Ranked, words: Words) -> dict[str, Any]:
    return {
        "id": row.id,
        "score": row.score,
        "stars": row.stars,
        "interest": row.interest,
        "reasons": _reasons(row, words),
    }


def seconds(laps: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The contract's `seconds`, of all days together: planning and scanning count to writing."""

    def spent(*names: str) -> float:
        return sum(each.get(name, 0.0) for each in laps for name in names)

    write = spent("scan", "plan", "write")
    stages = {stage: spent(stage) for stage in ("fetch", "embed", "rank")}
    total = write + sum(stages.values())
    return {
        name: round(value, 3) for name, value in {**stages, "write": write, "total": total}.items()
    }
