"""The judges themselves: what they are, and that installing them names no server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.judges.node import HERE

if TYPE_CHECKING:
    from tests.judges.node import Judges


@pytest.mark.slow
def test_they_are_the_versions_that_obsidian_uses(judges: Judges):
    wanted = json.loads((HERE / "package.json").read_text("utf-8"))["dependencies"]
    assert wanted["yaml"] == "2.7.0"
    assert wanted["mathjax-full"] == "3.2.2"
    assert judges.ask("versions", [None]) == [wanted]


def test_the_lock_file_pins_every_package_and_names_no_registry():
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert all(package["integrity"] for package in packages.values())
    assert not any("resolved" in package for package in packages.values())
    assert "omit-lockfile-registry-resolved=true" in (HERE / ".npmrc").read_text("utf-8")
