"""What the environment says is checked where it is read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from obsidian_digest import wiring
from tests.vaults import call, new_vault


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory):
    return new_vault(tmp_path_factory.mktemp("wiring"), encoder="words")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NOW", "soon"),
        ("NOW", "9999-12-31T23:59:59Z"),
        ("NOW", "0001-01-01T00:00:00Z"),
        ("MIN_INTERVAL", "often"),
        ("MIN_INTERVAL", "nan"),
        ("MIN_INTERVAL", "inf"),
        ("MIN_INTERVAL", "-1"),
        ("API_URL", "http://[::x/"),
        ("API_URL", "http://localhost:99999/"),
        ("API_URL", "nonsense"),
        ("API_URL", "ftp://export.arxiv.org/"),
    ],
)
def test_a_setting_of_the_environment_that_makes_no_sense_is_named(vault, monkeypatch, name, value):
    monkeypatch.setenv(f"OBSIDIAN_DIGEST_{name}", value)
    ran = call(vault, "run")
    assert ran.code == 2
    assert f"OBSIDIAN_DIGEST_{name}" in ran.err
    assert value in ran.err


def test_the_clock_of_the_environment_is_read_in_utc(monkeypatch):
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T23:00:00-04:00")
    assert wiring.now() == datetime(2026, 8, 21, 3, tzinfo=UTC)
    assert wiring.now().date().day == 21
