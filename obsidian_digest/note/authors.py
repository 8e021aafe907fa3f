"""The author line of arXiv's plain-text layouts: names, with affiliations in brackets.

How it is written: https://info.arxiv.org/help/prep.html#author (commas or "and" between names,
`A. Bee (MIT), C. Dee (2) ((1) MIT, (2) Univ. of X, Y)` for affiliations, a colon after a
collaboration).
"""

from __future__ import annotations

import re

from obsidian_digest.note.latex import plain

_MARK = re.compile(r"\$\s*\^[^$]*\$|\\(?:thanks|footnote)\s*\{[^{}]*\}")
_BETWEEN = re.compile(r"\s*[,;]\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+|:\s+|:$")
_NUMBERED = re.compile(r"\((?:\d+|[a-z])\)")
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV", re.IGNORECASE)
_NOBODY = re.compile(r"et\.? al\.?|others|and", re.IGNORECASE)
_PLACE = re.compile(r"(?!(?:\d+|,|\s|and)*$).*?[^\W\d]{2}")


def authors(line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names in their order, doubles kept, and affiliations once each: plain text, TeX converted."""
    outside, inside = _brackets(_MARK.sub("", " ".join(line.split())))
    names: list[str] = []
    for part in _BETWEEN.split(outside):
        name = plain(part)
        if names and _SUFFIX.fullmatch(name):
            names[-1] += f" {name}"
        elif any(map(str.isalpha, name)) and not _NOBODY.fullmatch(name):
            names.append(name)
    places = (plain(place).strip(" ,;") for text in inside for place in _NUMBERED.split(text))
    return tuple(names), tuple(dict.fromkeys(filter(_PLACE.match, places)))


def _brackets(text: str) -> tuple[str, list[str]]:
    """What stands outside brackets and in each outer pair; one that nobody closes is no bracket."""
    outside, inside, depth, start = "", [], 0, 0
    for place, sign in enumerate(text):
        if sign == "(":
            depth += 1
            start = place if depth == 1 else start
        elif sign == ")" and depth:
            depth -= 1
            if not depth:
                inside.append(text[start + 1 : place])
        elif not depth and sign != ")":
            outside += sign
    return outside + text[start + 1 :] if depth else outside, inside
