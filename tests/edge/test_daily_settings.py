from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from obsidian_digest.edge.vault.daily_settings import daily_notes
from obsidian_digest.model import DailyNotes

if TYPE_CHECKING:
    from pathlib import Path

PERIODIC = "plugins/periodic-notes/data.json"
ON = {"community-plugins.json": ["periodic-notes"]}
CORE = {"daily-notes.json": {"folder": "Daily ", "format": "YYYY.MM.DD"}}


def read(root: Path, files: dict[str, Any], config_dir: str = ".obsidian") -> Any:
    for name, value in files.items():
        path = root / config_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))
    troubles: list[str] = []
    return daily_notes(root, config_dir, troubles), troubles


def set_of(key: str, **day: Any) -> dict[str, Any]:
    return {"id": key, "day": day}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, DailyNotes()),
        (CORE, DailyNotes("Daily", "YYYY.MM.DD")),
        ({"daily-notes.json": {"folder": "/"}}, DailyNotes()),
        ({**CORE, "core-plugins.json": ["daily-notes"]}, DailyNotes("Daily", "YYYY.MM.DD")),
        ({**CORE, "core-plugins.json": ["graph"]}, None),
        ({**CORE, "core-plugins.json": {"daily-notes": False}}, None),
        ({**CORE, "core-plugins.json": {"daily-notes": True}}, DailyNotes("Daily", "YYYY.MM.DD")),
        (
            {**CORE, **ON, PERIODIC: {"daily": {"enabled": True, "folder": "J", "format": ""}}},
            DailyNotes("J"),
        ),
        (
            {**CORE, **ON, PERIODIC: {"daily": {"enabled": False}}},
            DailyNotes("Daily", "YYYY.MM.DD"),
        ),
        (
            {**CORE, PERIODIC: {"daily": {"enabled": True, "folder": "J"}}},
            DailyNotes("Daily", "YYYY.MM.DD"),
        ),
        (
            {
                **ON,
                PERIODIC: {
                    "activeCalendarSet": "B",
                    "calendarSets": [
                        set_of("A", enabled=True, folder="a"),
                        set_of("B", enabled=True, folder="b", format="YYYY/MM/DD"),
                    ],
                },
            },
            DailyNotes("b", "YYYY/MM/DD"),
        ),
        (
            {**ON, PERIODIC: {"calendarSets": [{"id": "A"}]}, **CORE},
            DailyNotes("Daily", "YYYY.MM.DD"),
        ),
        ({**ON, PERIODIC: {"daily": 7}, "daily-notes.json": {"folder": 3}}, DailyNotes()),
    ],
)
def test_the_daily_notes_are_where_the_plugin_that_is_on_puts_them(
    tmp_path: Path, files: dict[str, Any], expected: DailyNotes | None
):
    assert read(tmp_path, files) == (expected, [])


def test_another_config_folder_is_looked_into(tmp_path: Path):
    found, _ = read(tmp_path, CORE, ".config-mine")
    assert found == DailyNotes("Daily", "YYYY.MM.DD")


def test_a_damaged_file_is_told(tmp_path: Path):
    found, troubles = read(tmp_path, {"daily-notes.json": "{nonsense"})
    assert found == DailyNotes()
    assert "daily-notes.json cannot be read" in troubles[0]
