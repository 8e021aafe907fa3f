"""Which pieces of a paper's front matter name an institution.

What LaTeXML itself calls an affiliation is believed unless it is plainly something else; a line
among names or in a footnote only if it sounds like an institution. None is ever inferred from a
name or the domain of an address.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from obsidian_digest.edge.arxiv_html.markup import Block

MOST, LONGEST, SHORTEST = 10, 160, 3
"""Affiliations of one paper; characters of one; letters of one."""
LONGEST_PIECE = 1000
"""So much of a text is looked at: what is longer tells of other things."""

_NAMES = (
    r"MIT|CMU|Caltech|ETH|EPFL|KAIST|KIST|POSTECH|UNIST|UCLA|UCSD|UCSB|NYU|USC|UIUC|HKUST|CUHK|NTU"
    r"|NUS|KTH|TUM|TU Wien|UCL|LMU|CNRS|INRIA|Inria|CEA|CERN|NASA|NIST|RIKEN|AIST|NTT|CSIRO|A\*STAR"
    r"|UC (?:Berkeley|Davis|Irvine|Merced|Riverside|San Diego|Santa (?:Barbara|Cruz))|UT Austin"
    r"|Georgia Tech|Virginia Tech|Google|DeepMind|OpenAI|Anthropic|Microsoft|Meta AI|Amazon|Apple"
    r"|NVIDIA|IBM|Intel|AMD|Qualcomm|Adobe|Salesforce|Samsung|Sony AI|Huawei|Alibaba|Tencent|Baidu"
    r"|ByteDance|Xiaomi|Meituan|Kuaishou|Bloomberg|Hugging Face|Mistral AI|DeepSeek"
)
_STRONG = (
    r"(?i:uni?versit|univ\b|institut|college\b(?! of)|polytech|politec|hochschule|laborator"
    r"|laboratoire|\blabs?\b|\binc\b|\bgmbh\b|\bltd\b|\bllc\b|\bcorp|company|hospital|clinic"
    r"|observator|academ)|大学|學院|学院|研究院|研究所|实验室|公司|연구|대학|"
    rf"\b(?:{_NAMES})\b"
)
_INSTITUTION = re.compile(
    rf"{_STRONG}|(?i:research|school|[ée]cole\b|facult|cent(?:re|er)\b|centro\b|technolog|foundation"
    r"|council|agency|ministry|museum|college)"
)
_WHOLE = re.compile(_STRONG)
_DEPARTMENT = re.compile(
    r"(?i)(?:the )?(?:graduate |postgraduate )?(?:department|dept|school|faculty|division|college"
    r"|chair|section|program|dip(?:artimento|\.)|d[ée]partement|fachbereich|fakult)"
)
_COUNTRIES = (
    "Argentina|Australia|Austria|Bangladesh|Belgium|Brazil|Brasil|Bulgaria|Canada|Chile|China"
    "|Colombia|Croatia|Cyprus|Czechia|Czech Republic|Denmark|Egypt|Estonia|Finland|France|Germany"
    "|Greece|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Ireland|Israel|Italy|Japan|Korea|Latvia"
    "|Lithuania|Luxembourg|Malaysia|Mexico|Morocco|Netherlands|New Zealand|Nigeria|Norway|Pakistan"
    "|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Saudi Arabia|Serbia|Singapore|Slovakia"
    "|Slovenia|South Africa|Spain|Sweden|Switzerland|Taiwan|Thailand|Tunisia|Turkey|Türkiye|UAE|UK"
    "|Ukraine|United Arab Emirates|United Kingdom|United States(?: of America)?|U\\.?S\\.?A?\\.?"
    "|Vietnam"
)
_ADDRESS = re.compile(rf"(?:.*[\s,])?(?:{_COUNTRIES})\Z|.*\b\d{{4,6}}\b|.*,\s*[A-Z]{{2}}\Z")
_REMARK = re.compile(
    r"(?i)\b(?:equal(?:ly)?|contribut\w*|correspond\w*|works?|done|perform\w*|conducted|while|during"
    r"|intern(?:s|ship)?|support\w*|fund(?:s|ed|ing)|grants?|thanks?|authors?|authorship|opinions?"
    r"|e-?mails?|listing|advis\w*|supervis\w*|lead|leads|present address|now at|currently|formerly"
    r"|visiting|member|fellow|students?|professor|preprint|manuscript|accepted|submitted|copyright"
    r"|licen[cs]e|draft|version|is|are|was|were|has|have|had|been|we|our|this|these|those|they|not"
    r"|project (?:page|lead\w*)|home ?page|website|available|https?|www|orcid|alphabetical\w*|order"
    r"|footnote\w*|keywords?|abstract|figure|table|collaboration)\b"
    r"|\A(?:code|data(?:sets?)?|models?|demo|blog|github|video|paper|affiliations?|institutions?)\Z"
)
_WITH = re.compile(
    r"\b(?:is|are)(?: also| both| all| now)? (?:with|at|affiliated (?:with|to))(?: the)?"
    r" (?P<where>.+)"
)
_SENTENCE_END = re.compile(r"(?:(?P<word>\w{3,})[)\]]?\.\s+(?=[A-Z])|;\s*)")
_ABBREVIATED = re.compile(
    r"(?i)dept|univ|inst|prof|natl|acad|tech|corp|blvd|labs?|inc|ltd|sci|ave|str|ing|eng|nat"
)
_NOISE = re.compile(
    r"\{[^{}]*\}\s*@\s*\S+|\S+@\S+|https?://\S+|www\.\S+|\bORCID:?|\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b"
    r"|\(?\b[Ee]-?mails?(?: address(?:es)?)?\s*:|\[\d+(?:\.\d+)?\s*(?:pt|em|ex|mm|cm)\]"
)
_GOES_ON = re.compile(r"\s*(?:and|&)\s")
_SIGNS = r"\s,;:·•*\u2217\u22c6†‡§¶#|‖&/\\~^_=+✉✝\-"
_BEFORE = re.compile(
    rf"(?:[{_SIGNS}.()\[\]{{}}]+|\d{{1,2}}(?=[A-Z][a-z]|[\s.)])"
    r"|(?i:affiliations?|address|also at|also with|and|with)\b[\s:]*)+"
)
_AFTER = re.compile(rf"(?:[{_SIGNS}(\[{{]|\s+and)+\Z")


class _Line(NamedTuple):
    text: str
    marked: bool
    goes_on: bool
    """It begins in the middle of a phrase."""


def institutions(blocks: Sequence[Block], authors: Sequence[str] = ()) -> tuple[str, ...]:
    """The institutions named, each once, in the order of the page; at most `MOST`.

    `authors` are the paper's: a template may put a name where LaTeXML looks for an affiliation.
    """
    names = {_letters(name) for name in authors}
    found: dict[str, str] = {}
    for text in _told(blocks):
        parts = [part for part in text.split(", ") if _letters(part) not in names]
        if len(_letters("".join(parts))) >= SHORTEST:
            found.setdefault(_letters("".join(parts)), ", ".join(parts))
    return tuple(found.values())[:MOST]


def _told(blocks: Sequence[Block]) -> Iterator[str]:
    """What the blocks tell; an author's contacts together, where the first of them stands."""
    contacts: dict[int, list[_Line]] = defaultdict(list)
    for block in blocks:
        if block.kind == "contact":
            contacts[block.author] += _lines(block)
    for block in blocks:
        if block.kind == "contact":
            yield from _of_one_author(contacts.pop(block.author, ()))
        else:
            yield from (line.text for line in _lines(block) if _sounds(line.text))


def _lines(block: Block) -> Iterator[_Line]:
    """The block's lines without addresses, marks and remarks."""
    for piece in block.pieces:
        for part in _sentences(_NOISE.sub(" ", piece.text[:LONGEST_PIECE])):
            where = _WITH.search(part)
            text = _clean(where["where"] if where else part)
            if text and not _REMARK.search(text):
                goes_on = not piece.marked and bool(_GOES_ON.match(part))
                yield _Line(_shortened(text), piece.marked, goes_on)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if not _ABBREVIATED.fullmatch(end["word"] or ""):
            yield text[start : end.end()]
            start = end.end()
    yield text[start:]


def _clean(text: str) -> str:
    before = _BEFORE.match(text)
    text = " ".join(text[before.end() if before else 0 :].split())
    return _AFTER.sub("", text).removesuffix(".") if not text.endswith("Inc.") else text


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    whole = text[: LONGEST + 1]
    return whole[: max(whole.rfind(","), whole.rfind(" "))].rstrip(" ,")


def _sounds(text: str) -> bool:
    """Whether a line among names or notes is an institution and not a team's or a long text."""
    return bool(_INSTITUTION.search(text)) and not re.search(r"\b[Tt]eam\b", text)


def _of_one_author(lines: Sequence[_Line]) -> Iterator[str]:
    """An author's affiliations, of lines that may be the parts of one: department, town, land."""
    joined: list[_Line] = []
    for line in lines:
        if joined and line.goes_on:
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text} and {line.text}")
        else:
            joined.append(line)
    whole = any(_WHOLE.search(line.text) for line in joined)
    for place, line in enumerate(joined):
        part = _DEPARTMENT.match(line.text) or (place and _ADDRESS.match(line.text))
        alone = not whole and not place
        if line.marked or alone or not part or _WHOLE.search(line.text):
            yield line.text


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))
