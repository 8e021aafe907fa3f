"""A plan as one unified diff, as `git apply` and `patch` read it."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from obsidian_digest.model import Create, Remove

if TYPE_CHECKING:
    from obsidian_digest.model import Change, Plan

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def unified(plan: Plan) -> str:
    """Every change of the plan, in its order; empty where there is none."""
    return "".join(map(_one, plan.changes))


def _one(change: Change) -> str:
    created, removed = isinstance(change, Create), isinstance(change, Remove)
    lines = difflib.unified_diff(
        _lines(b"" if isinstance(change, Create) else change.before),
        _lines(b"" if isinstance(change, Remove) else change.after),
        "/dev/null" if created else f"a/{change.path}",
        "/dev/null" if removed else f"b/{change.path}",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(content: bytes) -> list[str]:
    """Cut at line feeds only: a note may hold other signs that Python takes for line ends."""
    return _LINE.findall(content.decode("utf-8", errors="replace"))
