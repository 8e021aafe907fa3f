"""Headers are what Obsidian's YAML library reads without complaint and would write itself."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from obsidian_digest.note import header
from obsidian_digest.note.latex import clean
from obsidian_digest.note.text import property_text
from tests.hostile_strings import TOKENS, hostile_strings

if TYPE_CHECKING:
    from obsidian_digest.model import HeaderValue
    from tests.judges.node import Judges

pytestmark = pytest.mark.slow

SIGNS = (
    *" :#-?,[]{}&*!|>'\"%@`~\\/.+=_0123456789eExXoOabcnulltrueNaNinf<>é中😀",
    *("null", "Null", "true", "FALSE", "~", "0x1F", "0o17", "1e5", "1.0", ".inf", "-.INF", ".nan"),
    *("- ", "? ", ": ", " #", "2401.00010", "0704.0001", "017", "yes", "on", "1_000", "12:30"),
    *("2026-08-03", "2026-08-03T10:30:00", "---", "...", "[[", "]]", "<%", "\\n", "\\u", "  "),
)
UNSEEN = (*"\t\n\r\x00\x07\x7f\x85\u00a0\u2028\u2029\ufeff\ufffe\u200b", "\ud800")

NAMES = ("a", "b", "title", "'q'", '"dq"', "a b", "1", "?x", "-y", "a:b", "tags", "x#y", "é", "<<")
VALUES = (
    *("", "x", "x y", "'s'", '"d"', "'it''s'", '"\\n"', '"\\q"', "[a, b]", "[a, 'b, c']", "[[x]]"),
    *(
        '"[[x]]"',
        "{a: 1}",
        "# c",
        "x # c",
        "x #c",
        "x#c",
        "a: b",
        "*x",
        "&n 1",
        "|",
        "|-\n  t\n  u",
    ),
    *(">\n  f\n  g", "- x", "\n- a\n- b", "\n  - a\n  - b", "\n    - a", "\n  k: v", "2026-08-03"),
    *(
        "0x1F",
        "1e5",
        "yes",
        "~",
        "@x",
        "`x`",
        "%x",
        "'x",
        '"x',
        "[x",
        "x:",
        "x: ",
        "\tx",
        "x\t",
        "- ",
    ),
    *("'a' b", '"a"b', "[a]b", "a\n b", "a\nb", "\u00a0", "\x07", "\u2028x", "\ufeff", "😀", "---"),
    *("<<<<<<< HEAD", "=", "[a,,b]", "[a,]", "{a}", "? x\n: y", "!!str 5", "&a x", "*a", "<% x %>"),
)
BETWEEN = ("\n", "\n", "\n", "\n\n", "\n# c\n", "\r\n", "\n  \n", "\n\t\n")


def random_texts(count: int, signs: tuple[str, ...], seed: int = 8) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices(signs, k=chance.randint(0, 9))) for _ in range(count)]


def yaml_of(written: str) -> str:
    return header.split(written).yaml


def meant(value: HeaderValue) -> Any:
    """What Obsidian should read: numbers as numbers, dates and all else as text."""
    if isinstance(value, tuple):
        return list(value)
    return value.isoformat() if isinstance(value, date) else value


def expect_read_as_meant(judges: Judges, headers: list[dict[str, HeaderValue]]) -> list[str]:
    written = [yaml_of(header.write(properties)) for properties in headers]
    for properties, verdict in zip(headers, judges.ask("yaml", written), strict=True):
        assert verdict["troubles"] == []
        assert verdict["value"] == {name: meant(value) for name, value in properties.items()}
    return written


def random_header(chance: random.Random, texts: list[str]) -> dict[str, HeaderValue]:
    kinds = {
        "title": lambda: chance.choice(texts),
        "arxiv_id": lambda: chance.choice(("2401.00010", "0704.0001", "hep-th/9901001")),
        "arxiv_version": lambda: chance.randint(1, 999_999_999),
        "authors": lambda: tuple(chance.choices(texts, k=chance.randint(0, 4))),
        "published": lambda: date(1991, 8, 14) + timedelta(chance.randint(0, 20_000)),
        "updated": lambda: None,
        "related": lambda: tuple(
            f"[[{text} - 2608-1234]]" for text in chance.choices(texts, k=chance.randint(0, 2))
        ),
        "up": lambda: "[[MOC-Research]]",
        "tags": lambda: ("arxiv", "arxiv/cs-LG"),
        "rating": lambda: None,
    }
    return {name: make() for name, make in kinds.items() if chance.random() < 0.8}


def test_forty_thousand_lines_of_text_are_written_as_the_library_writes_them(judges: Judges):
    texts = [clean(text) for text in random_texts(25_000, SIGNS)]
    texts += [property_text(text) for text in hostile_strings(15_000)]
    asked = judges.ask("stringify", [{"one": text, "list": [text]} for text in texts])
    for text, theirs in zip(texts, asked, strict=True):
        assert yaml_of(header.write({"one": text, "list": (text,)})) == theirs


def test_text_that_no_line_can_hold_is_still_read_back_as_meant(judges: Judges):
    texts = random_texts(20_000, (*SIGNS, *UNSEEN, *TOKENS))
    whole = [text.encode("utf-8", "ignore").decode() for text in texts]
    expect_read_as_meant(judges, [{"one": text, "list": (text, "x", text)} for text in whole])


def test_whole_headers_are_read_as_meant_and_are_what_the_library_would_write(judges: Judges):
    chance = random.Random(9)
    texts = [property_text(text) for text in hostile_strings(3000)]
    headers = [each for _ in range(3000) if (each := random_header(chance, texts))]
    written = expect_read_as_meant(judges, headers)
    again = [verdict["again"] for verdict in judges.ask("yaml", written)]
    assert again == written


def test_an_edited_header_of_ours_is_what_the_library_would_write(judges: Judges):
    chance = random.Random(10)
    texts = [property_text(text) for text in hostile_strings(3000)]
    edited, wanted = [], []
    for _ in range(3000):
        before, change = random_header(chance, texts), random_header(chance, texts)
        kept = {name: value for name, value in change.items() if name in before}
        if before:
            edited.append(yaml_of(header.edit(header.write(before), change)))
            wanted.append({name: meant(value) for name, value in (before | kept).items()})
    for source, value, verdict in zip(edited, wanted, judges.ask("yaml", edited), strict=True):
        assert verdict == {"troubles": [], "value": value, "again": source}


def readers_header(chance: random.Random) -> str:
    """Something a person or another tool may have written."""
    colons = (": ", ": ", ": ", ":", "  : ", ":\t")
    parts = [
        chance.choice(NAMES)
        + chance.choice(colons)
        + chance.choice(VALUES)
        + chance.choice(BETWEEN)
        for _ in range(chance.randint(1, 3))
    ]
    return "".join(parts)


def read_or_refused(source: str) -> header.Properties | None:
    try:
        return header.read(f"---\n{source}---\n")
    except header.UnreadableHeaderError:
        return None


def test_a_readers_header_that_we_can_read_says_the_same_to_obsidian(judges: Judges):
    chance = random.Random(12)
    sources = [readers_header(chance) for _ in range(20_000)]
    read = {source: found for source in sources if (found := read_or_refused(source))}
    assert len(read) > 1000
    for source, verdict in zip(read, judges.ask("yaml", read), strict=True):
        assert verdict["troubles"] == [], source
        theirs = {name.lower(): value for name, value in verdict["value"].items()}
        for name, value in read[source].items():
            assert isinstance(theirs[name], list) == isinstance(value, tuple), source
            if isinstance(theirs[name], str):
                assert theirs[name] == value, source


@pytest.mark.parametrize(
    "broken",
    ["a: x: y", "a: @b", "a: *x", 'a: "\\q"', "a: 1\na: 2", "\ta: 1", "a: [1", "a: 'x"],
)
def test_the_judge_refuses_what_obsidian_calls_invalid(judges: Judges, broken: str):
    (verdict,) = judges.ask("yaml", [broken])
    assert verdict["troubles"]
