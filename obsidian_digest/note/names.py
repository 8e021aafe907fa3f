"""Names: of notes on every operating system, of papers at arXiv, and links to both."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from obsidian_digest.note.latex import clean
from obsidian_digest.note.text import link_label

if TYPE_CHECKING:
    from collections.abc import Container

LONGEST_NAME = 140
"""Bytes of a whole file name: encrypted home folders allow 143."""
_LONGEST_TAIL = len(" 99.md")
_EDGE = " \t.\u00a0\u202f"
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])", re.IGNORECASE)
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)

_ARCHIVES = (
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas"
    " cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin"
    " nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con"
)
_ANY_ARCHIVE = "|".join(sorted(_ARCHIVES.split(), key=len, reverse=True))
_PREFIX = re.compile(
    r"^(?:(?:https?://)?(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf|html|format|ps|src|e-print)/"
    r"|(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?10\.48550/arxiv\.|oai:arxiv\.org:|arxiv\s*:\s*)",
    re.IGNORECASE,
)
_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v([1-9]\d{0,8}))?", re.IGNORECASE | re.ASCII)
_OLD = re.compile(
    rf"({_ANY_ARCHIVE})(?:\.[A-Z]{{2}}|\.[a-z-]+)?/(\d{{2}})(\d{{2}})(\d{{3}})(?:v([1-9]\d{{0,8}}))?",
    re.IGNORECASE | re.ASCII,
)
_AFTER_ID = re.compile(r"(?:\.pdf|\.html)?/?(?:[?#].*)?\s*(?:\[[A-Za-z.-]+\])?", re.IGNORECASE)
_NEW_PART = re.compile(r"(?<![0-9A-Za-z-])(\d{4})-(\d{4,5})$", re.ASCII)
_OLD_PART = re.compile(rf"(?<![0-9A-Za-z-])({_ANY_ARCHIVE})(?:-([A-Z]{{2}}))?-(\d{{7}})$", re.ASCII)
_FIRST_OLD, _FIRST_NEW, _FIVE_DIGITS = (1991, 7), (2007, 4), (2015, 1)


def safe_part(text: str, max_bytes: int = 100) -> str:
    """Plain text as a part of a file name that every system, git and link can carry; may be empty.

    In the order of Obsidian's own importer: NFC, invisible characters out, slashes to hyphens,
    signs that Windows refuses out, and those that end a link or start code or a formula in one
    (a Dataview query in backticks runs there as well), edges trimmed, device names marked with
    `_`, cut at `max_bytes` of UTF-8 between whole characters, at a word's end where one is near.
    """
    name = clean(text)
    name = re.sub(r"[/\\]", "-", name)
    name = re.sub(r"(?<=\S):\s", " - ", name)
    name = re.sub(r'[?<>:*|"#^\[\]`$]', "", name)
    while "%%" in name:
        name = name.replace("%%", "")
    name = unicodedata.normalize("NFC", re.sub(r"\.{2,}", ".", " ".join(name.split())))
    name = _marked(name.strip(_EDGE))
    return _marked(_cut(name, max_bytes).rstrip(_EDGE + "-"))


def _marked(name: str) -> str:
    stem, _, _ = name.partition(".")
    return f"_{name}" if _DEVICE.fullmatch(stem.rstrip()) else name


def _cut(name: str, max_bytes: int) -> str:
    size = end = 0
    for index, character in enumerate(name):
        if not _joined(name, index):
            end = index
        size += len(character.encode())
        if size > max_bytes:
            break
    else:
        return name
    blank = name.rfind(" ", 0, end + 1)
    return name[:blank] if blank > end * 0.6 else name[:end]


def _joined(name: str, index: int) -> bool:
    """Whether this character belongs to the one before it on screen."""
    character = name[index]
    if unicodedata.category(character)[0] == "M" or ord(character) in _SKIN_TONES:
        return True
    flags = 0
    while index - flags >= 0 and ord(name[index - flags]) in _REGIONAL:
        flags += 1
    return flags > 0 and flags % 2 == 0


def file_stem(title: str, arxiv_id: str, pattern: str = "{title} - {id}") -> str:
    """A paper note's base name without `.md`: `pattern` filled with a plain title and the id.

    Leaves room for `.md` and a number in 140 bytes; the id alone where the title has no letters.
    """
    identity = id_part(arxiv_id)
    frame = len(pattern.replace("{title}", "").replace("{id}", identity).encode())
    room = min(100, LONGEST_NAME - _LONGEST_TAIL - frame)
    part = safe_part(title, max(room, 1))
    if not part:
        return identity
    return safe_part(
        pattern.replace("{id}", identity).replace("{title}", part), LONGEST_NAME - _LONGEST_TAIL
    )


def id_part(arxiv_id: str) -> str:
    """An arXiv id as it stands in file names: `2608-19197`, `math-GT-0309136`."""
    return arxiv_id.replace(".", "-").replace("/", "-")


def id_in(text: str) -> str | None:
    """The arXiv id that a name written with `id_part` ends in: the inverse of `id_part`."""
    name = re.sub(r"(?: \d{1,2})?(?:\.md)?$", "", text)
    if new := _NEW_PART.search(name):
        arxiv_id = f"{new[1]}.{new[2]}"
    elif old := _OLD_PART.search(name):
        arxiv_id = f"{old[1]}{f'.{old[2]}' if old[2] else ''}/{old[3]}"
    else:
        return None
    return arxiv_id if paper_id(arxiv_id) else None


def paper_id(text: str) -> tuple[str, int | None] | None:
    """The bare id and version that a text spells, or None where no such id can exist.

    Takes `arXiv:2401.00010v2`, addresses of abstract, PDF and HTML pages, DOIs of arXiv, and old
    ids, whose subject class is left out: `math.GT/0309136` and `math/0309136` are one paper.
    """
    text = _PREFIX.sub("", text.strip("<> \t\r\n"))
    if new := _NEW.match(text):
        year, month, number, version = 2000 + int(new[1]), int(new[2]), new[3], new[4]
        digits = 5 if (year, month) >= _FIVE_DIGITS else 4
        possible = (year, month) >= _FIRST_NEW and len(number) == digits
        bare, end = new[0].lower().partition("v")[0], new.end()
    elif old := _OLD.match(text):
        year, month, number, version = _century(old[2]), int(old[3]), old[4], old[5]
        possible = _FIRST_OLD <= (year, month) < _FIRST_NEW
        bare, end = f"{old[1].lower()}/{old[2]}{old[3]}{old[4]}", old.end()
    else:
        return None
    if not possible or not 1 <= month <= 12 or not int(number):  # noqa: PLR2004 (months)
        return None
    return (bare, int(version) if version else None) if _AFTER_ID.fullmatch(text, end) else None


def _century(year: str) -> int:
    return int(year) + (1900 if int(year) >= 91 else 2000)  # noqa: PLR2004 (arXiv began in 1991)


def sort_key(arxiv_id: str) -> tuple[int, int, str]:
    """Sorts bare ids newest first, old ones behind new ones, ties by archive."""
    archive, _, number = arxiv_id.rpartition("/")
    digits = re.sub(r"\D", "", number)
    if len(digits) < 7:  # noqa: PLR2004 (no arXiv id is shorter)
        return (0, 0, arxiv_id)
    year = _century(digits[:2]) if archive else 2000 + int(digits[:2])
    return (-(year * 100 + int(digits[2:4])), -int(digits[4:]), archive)


def collision_key(path_or_name: str) -> str:
    """What Obsidian, macOS and Windows compare names by: equal keys cannot both be files."""
    path = re.sub("[\u00a0\u202f]", " ", re.sub(r"/+", "/", path_or_name))
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def unique(stem: str, taken: Container[str]) -> str:
    """The first free name of `stem`, `stem 2`, `stem 3` …; `taken` holds collision keys."""
    name, number = stem, 1
    while collision_key(name) in taken:
        number += 1
        name = f"{stem} {number}"
    return name


def wikilink(target: str, label: str | None = None) -> str:
    """A link to a note by base name or vault path, shown as `label` where one is given."""
    path = target.removesuffix(".md")
    shown = link_label(label) if label is not None else ""
    return f"[[{path}|{shown}]]" if shown and label != path else f"[[{path}]]"
