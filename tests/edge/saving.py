"""What the tests of saved papers share: one record, its paper, and the readers put together."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

from obsidian_digest.edge.arxiv_oai import read_oai
from obsidian_digest.edge.paper_bibtex import read_bibtex
from obsidian_digest.edge.paper_feed import read_feed
from obsidian_digest.edge.paper_file import PaperFiles, read_papers
from obsidian_digest.edge.paper_ids import read_ids
from obsidian_digest.edge.paper_mail import read_mail
from obsidian_digest.edge.paper_record import read_record
from obsidian_digest.model import Harvest, Paper, Query

RECORDINGS = Path(__file__).parents[1] / "recordings"
FILES = RECORDINGS / "files"
ANY = Query(())
XML, TEXT = (read_oai,), (read_mail, read_bibtex, read_ids)
RECORD = {
    "id": "2608.19197",
    "version": None,
    "title": "A  title\n  over two lines: $x^2$",
    "abstract": "  We show\nthat.",
    "authors": ["Ada Lovelace", "Wei Wang", "Wei Wang"],
    "categories": ["cs.CL", "cs.AI"],
    "primary_category": "cs.AI",
    "published": None,
    "published_est": "2026-08-18T17:59:47Z",
    "updated": None,
    "comment": "12 pages",
    "journal_ref": None,
    "doi": None,
    "announced": "2026-08-20",
}
PAPER = Paper(
    id="2608.19197",
    title="A title over two lines: $x^2$",
    abstract="We show that.",
    authors=("Ada Lovelace", "Wei Wang", "Wei Wang"),
    categories=("cs.CL", "cs.AI"),
    primary="cs.AI",
    published=datetime(2026, 8, 18, 17, 59, 47, tzinfo=UTC),
    announced=date(2026, 8, 20),
    comment="12 pages",
)


def quiet(stage: str, done: int, total: int) -> None:
    pass


def read(path: Path) -> tuple[Paper, ...]:
    return read_papers(path, read_feed, read_record, xml=XML, text=TEXT)


def files(*paths: Path, only_categories: bool = False) -> PaperFiles:
    return PaperFiles(
        paths, read_feed, read_record, xml=XML, text=TEXT, only_categories=only_categories
    )


def harvest(*paths: Path, query: Query = ANY, only_categories: bool = False) -> Harvest:
    return files(*paths, only_categories=only_categories).harvest(query, quiet)


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def saved(folder: Path, content: bytes, name: str = "papers.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def numbered(count: int) -> list[dict[str, object]]:
    return [RECORD | {"id": f"2608.{10000 + n}"} for n in range(count)]
