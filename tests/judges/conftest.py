from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.judges.node import Judges, missing, must_be_there

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def judges() -> Iterator[Judges]:
    if why := missing():
        (pytest.fail if must_be_there() else pytest.skip)(why)
    asked = Judges()
    yield asked
    asked.close()
