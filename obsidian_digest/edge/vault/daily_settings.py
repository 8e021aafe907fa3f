"""Where the reader's daily notes lie: the core plugin's settings, or those of Periodic Notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from obsidian_digest.edge.vault.reading import read_json
from obsidian_digest.model import DailyNotes

if TYPE_CHECKING:
    from pathlib import Path

_PERIODIC = "periodic-notes"


def daily_notes(root: Path, config_dir: str, troubles: list[str]) -> DailyNotes | None:
    """Folder and format of the daily notes; None where neither plugin is switched on.

    Periodic Notes counts before the core plugin where both are on. `troubles` takes up files that
    cannot be read.
    """

    def read(name: str) -> Any:
        return read_json(root, f"{config_dir}/{name}", troubles)

    plugins = read("community-plugins.json")
    if isinstance(plugins, list) and _PERIODIC in plugins:
        day = _periodic_day(read(f"plugins/{_PERIODIC}/data.json"))
        if day and day.get("enabled") is True:
            return _from(day)
    if not _core_is_on(read("core-plugins.json")):
        return None
    core = read("daily-notes.json")
    return _from(core if isinstance(core, dict) else {})


def _periodic_day(data: Any) -> dict[str, Any] | None:
    """The settings of its daily notes, in the form of the released line or of 1.0."""
    if not isinstance(data, dict):
        return None
    sets = data.get("calendarSets")
    if isinstance(sets, list) and sets:
        known = [each for each in sets if isinstance(each, dict)]
        active = [each for each in known if each.get("id") == data.get("activeCalendarSet")]
        day = (active or known or [{}])[0].get("day")
    else:
        day = data.get("daily")
    return day if isinstance(day, dict) else None


def _core_is_on(plugins: Any) -> bool:
    """On unless the list or table of plugins says otherwise; it is Obsidian's default."""
    if isinstance(plugins, list):
        return "daily-notes" in plugins
    return not isinstance(plugins, dict) or plugins.get("daily-notes", True) is not False


def _from(settings: dict[str, Any]) -> DailyNotes:
    def text(name: str) -> str:
        value = settings.get(name)
        return value.strip() if isinstance(value, str) else ""

    return DailyNotes(text("folder").strip("/").strip(), text("format"))
