r"""arXiv's announcement mails and `.abs` files: entries between rules, their parts between `\\`.

The layout: https://info.arxiv.org/help/subscribe.html and the readers in arXiv/arxiv-browse. Cross-
lists are marked beside the id; replacements say so where new papers have a date, and come without
abstracts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email import message_from_string
from email.utils import parsedate_to_datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from obsidian_digest.model import Paper
from obsidian_digest.note.authors import authors
from obsidian_digest.note.names import paper_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

ENTRY = re.compile(r"^\\\\ *\n(?:arXiv|Paper(?: \(\*cross-listing\*\))?):", re.MULTILINE)
ENVELOPE = re.compile(
    r"^From \S+ +\w{3} \w{3} [ \d]\d \d\d:\d\d(?::\d\d)? (?:\S+ )?\d{4}$", re.MULTILINE
)
"""The line that begins a mail in a mailbox."""
HEADERS = re.compile(r"(?:From .*\n)?(?:[A-Za-z][A-Za-z-]*:.*\n(?:[ \t].*\n)*){2,}\n")
RULE = re.compile(r"-{60,}|%-%-%-.*|%%--%%.*|%%%---.*")
NAME = re.compile(r"(?:arXiv|Paper(?: \(\*cross-listing\*\))?):\s*(\S+)")
MARK = r"\\"
REPLACED = "replaced with revised version"
DATE = re.compile(
    rf"(?:Date(?: \((?:revised )?v?(\d*)\))?:|{REPLACED})\s*(.*?)(?:\s+\((\d+)kb,?(\w*)\))?"
)
FIELD = re.compile(
    r"(Title|Authors?|Categories|Comments|Report-no|[AM][CS][MC]-class|Journal-ref|DOI|Proxy"
    r"|License|Subj-class)\s*:\s*(.*)"
)
WINDOW = re.compile(r"^\s*received from .* to +\w{3} +(\d+ \w{3} \d\d) ", re.MULTILINE)
WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)
FRIDAY = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """The lines of one entry: what is said about the paper, and its abstract."""

    head: list[str]
    abstract: list[str]


def read_mail(text: str) -> tuple[tuple[Paper, ...], tuple[str, ...], str] | None:
    """New and cross-listed papers of a mail, no ids, and how many replacements were left out.

    Takes mailboxes of many mails as well. None for a text without entries. Raises ValueError with
    the line of an entry that is not whole.
    """
    text = text.replace("\r\n", "\n")
    starts = [0, *(found.start() for found in ENVELOPE.finditer(text, 1)), len(text)]
    papers: list[Paper] = []
    replaced, mails = 0, 0
    for start, end in pairwise(starts):
        body, sent = _body(text[start:end])
        if not ENTRY.search(body):
            continue
        above = text.count("\n", 0, max(start, text.find(body, start)))
        new, old = _read(body.split("\n"), sent or _announced(body), above)
        papers += new
        replaced, mails = replaced + old, mails + 1
    words = f"replacements left out: {replaced}" if replaced else ""
    return (tuple(papers), (), words) if mails else None


def _read(lines: list[str], announced: date | None, above: int) -> tuple[list[Paper], int]:
    """The papers of one mail's body, and how many replacements it lists."""
    papers, replaced = [], 0
    for number, entry in _entries(lines):
        try:
            if entry is None:
                raise ValueError("is cut off")  # noqa: TRY301 - named with its line below
            if any(line.startswith(REPLACED) for line in entry.head):
                replaced += 1
            else:
                papers.append(_paper(entry, announced))
        except ValueError as error:
            raise ValueError(f"line {number + above}: the entry {error}") from error
    return papers, replaced


def _body(text: str) -> tuple[str, date | None]:
    """The plain text of a mail and its day; a text without mail headers is a body itself."""
    if not HEADERS.match(text):
        return text, None
    mail = message_from_string(text.partition("\n")[2] if text.startswith("From ") else text)
    plain = (part for part in mail.walk() if part.get_content_type() == "text/plain")
    body = "\n".join(map(_decoded, plain)).replace("\r\n", "\n")
    try:
        # Mails leave at 20:00 Eastern, which is the next day in UTC: the day of arXiv's listing.
        return body, parsedate_to_datetime(mail["Date"]).astimezone(UTC).date()
    except (TypeError, ValueError, OverflowError):
        return body, None


def _decoded(part: Message) -> str:
    if part.get("Content-Transfer-Encoding", "").lower() not in ("base64", "quoted-printable"):
        return str(part.get_payload())
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    try:
        return content.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:
        return content.decode("utf-8", "replace")


def _announced(body: str) -> date | None:
    """The day after the last one of submissions; a Friday's are announced on Sunday evening."""
    window = WINDOW.search(body)
    try:
        last = datetime.strptime(window[1], "%d %b %y").date() if window else None  # noqa: DTZ007
    except ValueError:
        return None
    return last + timedelta(days=3 if last.weekday() == FRIDAY else 1) if last else None


def _entries(lines: list[str]) -> Iterator[tuple[int, Entry | None]]:
    """Every entry with the number of its first line, None for one that is not whole.

    Lines outside entries are the mail's own words.
    """
    at = 0
    while at < len(lines):
        if lines[at].rstrip() != MARK:
            at += 1
            continue
        begin = at + 1
        middle = end = _next(lines, begin)
        if middle is not None and lines[middle].rstrip() == MARK:
            end = _next(lines, middle + 1)
            # A line of `\\` may stand in an abstract's formula: the last one ends the entry.
            while end is not None and lines[end].rstrip() == MARK and not _over(lines, end + 1):
                end = _next(lines, end + 1)
        if middle is None or end is None:
            yield begin + 1, None
            return
        yield begin + 1, Entry(lines[begin:middle], lines[middle + 1 : end])
        at = end + 1


def _next(lines: list[str], at: int) -> int | None:
    r"""Where the next line of `\\` or `\\ ( https://…` stands; None if a rule comes first."""
    for place in range(at, len(lines)):
        if lines[place].rstrip() == MARK or lines[place].startswith(rf"{MARK} ("):
            return place
        if RULE.fullmatch(lines[place]):
            return None
    return None


def _over(lines: list[str], at: int) -> bool:
    """Whether nothing more of an entry follows: a rule, or the end."""
    rest = next((line for line in lines[at:] if line.strip()), "")
    return not rest or bool(RULE.fullmatch(rest))


def _paper(entry: Entry, announced: date | None) -> Paper:
    found = NAME.match(entry.head[0]) if entry.head else None
    named = paper_id(found[1]) if found else None
    if not named:
        raise ValueError("has no arXiv id")
    fields = _fields(entry.head)
    if not fields.get("title"):
        raise ValueError("has no title")
    if not any(line.strip() for line in entry.abstract):
        raise ValueError("has no abstract")
    dates = [found for line in entry.head if (found := DATE.fullmatch(line.strip()))]
    names, places = authors(fields.get("authors") or fields.get("author", ""))
    archive = named[0].partition("/")[0] if "/" in named[0] else ""
    categories = tuple(dict.fromkeys(fields.get("categories", archive).split()))
    return Paper(
        id=named[0],
        version=max([len(dates), *(int(d[1]) for d in dates if d[1])], default=1) or 1,
        title=fields["title"],
        abstract=" ".join(" ".join(entry.abstract).split()),
        authors=names,
        categories=categories,
        primary=categories[0] if categories else "",
        published=_instant(dates[0][2]) if dates else None,
        updated=_instant(dates[-1][2]) if dates else None,
        announced=announced,
        comment=_comment(fields.get("comments", ""), dates),
        journal_ref=fields.get("journal-ref", ""),
        doi=fields.get("doi", ""),
        affiliations=places,
    )


def _fields(head: list[str]) -> dict[str, str]:
    """The named lines by name in lower case, each with the lines that continue it."""
    fields: dict[str, str] = {}
    name = ""
    for line in head:
        if found := FIELD.match(line):
            name = found[1].lower()
            fields[name] = found[2]
        elif name:
            fields[name] += f" {line}"
    return {name: " ".join(value.split()) for name, value in fields.items()}


def _comment(comment: str, dates: list[re.Match[str]]) -> str:
    """The comment; it says so when the newest version holds no source, or has the flag I."""
    gone = bool(dates) and (dates[-1][3] == "0" or "I" in (dates[-1][4] or ""))
    return f"{comment} (withdrawn)".strip() if gone and not WITHDRAWN.search(comment) else comment


def _instant(text: str) -> datetime:
    try:
        instant = parsedate_to_datetime(text)
        return instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f'has "{text[:40]}" as its date') from None
