"""What the tests of arXiv's services share: a clock without waiting, papers, a question."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.edge.polite_web import Clock, PoliteWeb
from obsidian_digest.model import Harvest, Paper, Query, Window
from tests.edge.arxiv_server import Served

RECORDINGS = Path(__file__).parents[1] / "recordings" / "api"
START = datetime(2026, 8, 18, 18, tzinfo=UTC)
DAY = Window(START, START + timedelta(days=1))
ROBOTS = Query(("cs.RO",), window=DAY)


class FakeClock:
    """A clock on which sleeping takes no time; it says 20:53:20 UTC on 17 August 2026."""

    def __init__(self) -> None:
        self.seconds = 1_787_000_000.0
        self.set_by = 0.0
        """Seconds by which somebody set the clock of the day, forward or back."""
        self.naps: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.seconds += seconds

    @property
    def clock(self) -> Clock:
        return Clock(
            now=lambda: self.seconds + self.set_by,
            steady=lambda: self.seconds,
            sleep=self.sleep,
            jitter=lambda: 0.0,
        )


def paper(number: int, minutes: float = 0, primary: str = "cs.RO", **changes: object) -> Paper:
    submitted = START + timedelta(minutes=minutes)
    made = Paper(
        id=f"2608.{17000 + number}",
        title=f"On Robot {number}: $x_{number}$ & <others>",
        abstract="We move things.",
        authors=("Ada Lovelace", "Émilie du Châtelet"),
        categories=(primary, "cs.AI") if primary != "cs.AI" else ("cs.AI", "cs.RO"),
        primary=primary,
        published=submitted,
        updated=submitted,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def web(folder: Path, time_: FakeClock | None = None, **changes: object) -> PoliteWeb:
    clock = (time_ or FakeClock()).clock
    return PoliteWeb(folder, 0.0, clock=clock, **changes)  # type: ignore[arg-type]


def quiet(stage: str, done: int, total: int) -> None:
    pass


def ask(served: Served, folder: Path, query: Query = ROBOTS, **changes: object) -> Harvest:
    return ArxivApi(served.url, web(folder, **changes), page_size=3).harvest(query, quiet)
