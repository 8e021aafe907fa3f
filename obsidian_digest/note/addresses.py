"""Web addresses in LaTeX text: where they stand and what they really are."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CHARACTER = (
    r"(?:[A-Za-z0-9\-._/?=&+:;,@~!*'()#\[\]]|%[0-9A-Fa-f]{2}"
    r"|\\[_#%&~]|\\~\{\}|\\textasciitilde(?:\{\})?)"
)
_BARE = rf"https?://{_CHARACTER}+"
_FINDER = re.compile(
    rf"\\href\s*\{{\s*(?P<target>[^{{}}]*)\}}\s*\{{(?P<label>(?:[^{{}}]|\{{[^{{}}]*\}})*)\}}"
    r"|\\(?:url|path|nolinkurl)\s*\{\s*(?P<url>[^{}]*)\}"
    rf"|(?P<bare>(?i:{_BARE}))"
)
_ESCAPED = re.compile(r"\\([_#%&~$])(?:\{\})?|\\textasciitilde(?:\{\})?")
_VALID = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,}(?::\d{1,5})?(?:[/?#]\S*)?")
_UNSAFE = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._/?=&+:;,@~!*'()#%]")

_PAIR = re.compile(r"(?<=:):|(?<==)=|(?<=~)~")
"""The second sign of what Obsidian and Dataview read as a field, a highlight or a deletion."""


@dataclass(frozen=True, slots=True)
class Address:
    """One http or https address found in a text."""

    start: int
    end: int
    url: str
    """ASCII, without characters that mean something to Markdown, HTML or LaTeX."""
    label: str = ""
    """What the author shows in its place (`\\href`), as LaTeX."""


def addresses(text: str) -> list[Address]:
    """The http and https addresses of LaTeX text, in order; no other scheme comes out."""
    found = []
    for match in _FINDER.finditer(text):
        bare = match["bare"]
        source = bare or match["target"] or match["url"] or ""
        source = _trimmed(source) if bare else source
        url = clean_url(source)
        if url:
            end = match.start() + len(source) if bare else match.end()
            found.append(Address(match.start(), end, url, match["label"] or ""))
    return found


def clean_url(source: str) -> str | None:
    """The address that LaTeX source spells, or None where it is no web address."""
    url = re.sub(r"\s+", "", source)  # long addresses are broken over lines
    url = _ESCAPED.sub(lambda match: match[1] or "~", url)
    if re.match(r"(?i:www\.|github\.com/)", url):
        url = f"https://{url}"
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    url = f"{scheme.lower()}://{host.lower()}{slash}{path}"
    if not _VALID.fullmatch(url) or "@" in host:
        return None
    return apart(_UNSAFE.sub(_percent, url))


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "ignore"))


def apart(url: str) -> str:
    """The address without doubled signs that Obsidian or a plugin would act on, even in there."""
    return _PAIR.sub(lambda match: f"%{ord(match[0]):02X}", url)


def _trimmed(url: str) -> str:
    while url:
        last = url[-1]
        unmatched = (last == ")" and url.count("(") < url.count(")")) or (
            last == "]" and url.count("[") < url.count("]")
        )
        if last not in ".,;:!?'*~" and not unmatched:
            break
        url = url[:-1]
    return url
