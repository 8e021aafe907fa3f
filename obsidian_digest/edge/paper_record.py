"""One JSON record to one paper: records of named fields, and lines of Kaggle's arXiv snapshot.

The snapshot's layout: https://www.kaggle.com/datasets/Cornell-University/arxiv.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from obsidian_digest.model import Paper
from obsidian_digest.note.names import paper_id

VERSION = re.compile(r"[1-9][0-9]{0,8}")


def read_record(record: Any) -> Paper:
    """The paper of a decoded JSON record; ValueError says what is missing or wrong in it."""
    if not isinstance(record, dict):
        raise ValueError("is not a record with named fields")  # noqa: TRY004 - the reader's contract
    return _kaggle(record) if "authors_parsed" in record else _uniform(record)


def _uniform(record: dict[str, Any]) -> Paper:
    """A record of named fields: id, title and abstract at least."""
    bare, version = _id(record)
    categories = tuple(dict.fromkeys(_list(record, "categories")))
    first = categories[0] if categories else ""
    return Paper(
        id=bare,
        version=_number(record.get("version"), version),
        title=_title(record),
        abstract=_abstract(record),
        authors=_list(record, "authors"),
        categories=categories,
        primary=_line(record, "primary_category") or _line(record, "primary") or first,
        published=_instant(record, "published") or _instant(record, "published_est"),
        updated=_instant(record, "updated"),
        announced=_day(record, "announced"),
        comment=_line(record, "comment"),
        journal_ref=_line(record, "journal_ref"),
        doi=_line(record, "doi"),
        affiliations=tuple(dict.fromkeys(_list(record, "affiliations"))),
    )


def _kaggle(record: dict[str, Any]) -> Paper:
    """A line of the snapshot: names as [last, first, suffix, affiliation …], versions by date."""
    bare, version = _id(record)
    categories = tuple(_line(record, "categories").split())
    authors = _rows(record, "authors_parsed", list)
    if not all(isinstance(part, str) for author in authors for part in author):
        raise ValueError("holds something other than texts as authors_parsed")
    names = (_clean(" ".join((*a[1:2], *a[:1], *a[2:3]))) for a in authors)
    places = (_clean(place) for a in authors for place in a[3:])
    versions = _rows(record, "versions", dict)
    return Paper(
        id=bare,
        version=_number(str(versions[-1].get("version", "")).lstrip("v"), 1)
        if versions
        else version,
        title=_title(record),
        abstract=_abstract(record),
        authors=tuple(filter(None, names)),
        categories=categories,
        primary=categories[0] if categories else "",
        published=_mail_date(versions[0]) if versions else None,
        updated=_mail_date(versions[-1]) if versions else None,
        comment=_line(record, "comments"),
        journal_ref=_line(record, "journal-ref"),
        doi=_line(record, "doi"),
        affiliations=tuple(dict.fromkeys(filter(None, places))),
    )


def _id(record: dict[str, Any]) -> tuple[str, int]:
    text = _line(record, "id")
    if found := paper_id(text):
        return found[0], found[1] or 1
    raise ValueError(
        f'has the id "{text[:40]}", which is none of arXiv\'s' if text else "has no id"
    )


def _title(record: dict[str, Any]) -> str:
    if title := _line(record, "title"):
        return title
    raise ValueError("has no title")


def _abstract(record: dict[str, Any]) -> str:
    if "abstract" not in record:
        raise ValueError("has no abstract")
    return _line(record, "abstract")


def _line(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"holds something other than text as {key}")  # noqa: TRY004
    return _clean(value)


def _list(record: dict[str, Any], key: str) -> tuple[str, ...]:
    value = record.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"holds something other than a list of texts as {key}")
    return tuple(filter(None, map(_clean, value)))


def _rows(record: dict[str, Any], key: str, kind: type) -> list[Any]:
    value = record.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        words = "records" if kind is dict else "lists"
        raise ValueError(f"holds something other than a list of {words} as {key}")
    return value


def _clean(text: str) -> str:
    """White space collapsed; half characters, which JSON allows and UTF-8 does not, replaced."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


def _number(value: object, otherwise: int) -> int:
    if value is None or value == "":
        return otherwise
    if VERSION.fullmatch(str(value)):
        return int(str(value))
    raise ValueError(f"has the version {str(value)[:40]}, which is no number from 1")


def _instant(record: dict[str, Any], key: str) -> datetime | None:
    text = _line(record, key)
    if not text:
        return None
    try:
        # Some archives put the Z of an instant behind a bare date.
        instant = datetime.fromisoformat(text.removesuffix("Z"))
        return instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f'has "{text[:40]}" as {key}, which is no date') from None


def _day(record: dict[str, Any], key: str) -> date | None:
    instant = _instant(record, key)
    return instant.date() if instant else None


def _mail_date(version: dict[str, Any]) -> datetime:
    text = _line(version, "created")
    try:
        instant = parsedate_to_datetime(text)
        return instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f'has "{text[:40]}" as a version\'s date') from None
