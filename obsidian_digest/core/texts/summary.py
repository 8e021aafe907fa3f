"""What a paper does and finds, in its abstract's own sentences."""
# ruff: noqa: RUF001  (quotes and full stops of other scripts are meant)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from obsidian_digest.note.text import guard_start

_WHOLE = re.compile(
    r"\\.|\$(?!\s)(?:[^$\\]|\\.)+?(?<!\s)\$(?!\d)|<https?://[^>]*>|https?://\S*[^\s.,;:!?)]"
)
_END = re.compile(r"""[.!?。！？](?:[)\]"'”’»]|\\[\]"'*_])*(?=\s|(?<=[。！？]))\s*""")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[~])(?:e\.?g|i\.?e|cf|vs|al|viz|resp|approx|ca|w\.?r\.?t|s\.t|a\.?k\.?a|figs?"
    r"|eqs?|eqns?"
    r"|secs?|sects?|refs?|tabs?|chap|thm|def|prop|lem|cor|no|nos|vol|pp?|ed|eds|dr|prof|mr|mrs"
    r"|ms|st|jr)\.$",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?:^|[\s(])(?:[A-Za-z]\.)+$")
_STARTER = re.compile(
    r"(?:We|The|This|These|Our|In|It|To|However|By|Here|For|On|A|An|As|Using|Experiments"
    r"|Results)\b"
)
_START = re.compile(r"[^a-z\s]|[a-z]+[A-Z0-9]")

_AUTHOR = (
    r"(?:\b(?:we|this (?:paper|work|article|study|report|survey|thesis|note)|(?:the"
    r"|our) (?:paper|work|study|survey))\b)"
)
_MAKES = re.compile(
    _AUTHOR + r"[^.;]{0,60}?\b(?:propos|present|introduc|develop|design|buil[dt]|releas|formali[sz]"
    r"|formulat"
    r"|describ|contribut|construct|creat|devis|provid|offer|put forward|extend|unif)",
    re.IGNORECASE,
)
_STUDIES = re.compile(
    _AUTHOR
    + r"[^.;]{0,60}?\b(?:stud|investigat|analy[sz]|examin|evaluat|explor|survey|review|compar|ask"
    r"|revisit|address|tackl|benchmark|measur|characteri|test|assess|focus|consider|use|train"
    r"|argue|audit)",
    re.IGNORECASE,
)
_NAMED_THING = re.compile(
    r"^\W*[A-Z][\w-]*[A-Z0-9]\S* (?:is|are|uses|combines|learns|introduces|integrates|trains"
    r"|leverages|decomposes|treats|enables|operates|consists|builds|models|provides|turns|lets)\b"
    r"|\b(?:is|are) (?:proposed|presented|introduced|developed)\b",
)
_FINDS = re.compile(
    r"\b(?:we|results?|experiments?|evaluations?|analys[ei]s|findings?|simulations?|it|data"
    r"|study)\b[^.;]{0,80}?"
    r"\b(?:show|find|found|demonstrat|observ|reveal|prov(?:e|es|ed)\b|establish|achiev|obtain"
    r"|report|indicat"
    r"|suggest|confirm|identif|discover|derive|yield|determin|conclud)",
    re.IGNORECASE,
)
_BEATS = re.compile(
    r"\b(?:outperform|achiev|improv|surpass|exceed|reduc|attain|reach|gain|increas|decreas|drop"
    r"|degrad"
    r"|match|state[- ]of[- ]the[- ]art|speed ?-?up|faster|better than|higher than|lower than"
    r"|fewer|fail|cut|rais"
    r"|boost|rank|recover|remain|only)\w*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d(?:\.\d+)?\s?(?:\\?%|\$?\\times|[x×](?!\w)|pp\b|points?\b|percent|F1|dB|ms\b|fold)"
    r"|\d\.\d|\$[^$]*\d[^$]*\$"
)
_COMPARES = re.compile(
    r"\b(?:than|compared|versus|vs|over|from \S+ to|against|relative to|while)\b", re.IGNORECASE
)
_BACKGROUND = re.compile(
    r"^(?:recent(?:ly)?|in recent|with the|despite|existing|traditional|conventional|current"
    r"|prior|previous"
    r"|most|many|modern|large language|however|yet|but|unfortunately|nevertheless|although"
    r"|while|as|since|often"
    r"|there (?:is|are|has|have)|it is (?:well|widely)|one of|understanding|deep learning|today"
    r"|typically|a (?:key|major|central|common|fundamental)"
    r"|[\w -]{3,60}? (?:has|have) (?:become|emerged|been|shown|achieved|gained|made|long"
    r"|attracted|demonstrated))\b",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"\b(?:remain|lack|challeng|limited|suffer|overlook|underexplored|unclear|struggl|rarely"
    r"|gap|bottleneck)",
    re.IGNORECASE,
)
_HANGS_ON = re.compile(
    r"^(?:it|they|these|this(?! (?:paper|work|article|study|survey|report))|those|such|then"
    r"|second|third|finally|furthermore|moreover"
    r"|additionally|in addition|also|specifically|in particular|concretely|here|both|thus|hence"
    r"|therefore|consequently"
    r"|conversely|instead|similarly|accordingly|as a result|together|next|another|the (?:former"
    r"|latter|second|first)|rather)\b",
    re.IGNORECASE,
)
_EMPTY_TALK = re.compile(
    r"\b(?:codes?|datasets?|data|models?|implementation|weights|project page|demo|videos?"
    r"|benchmark)\b[^.]{0,60}\b(?:available|released?|open-?source|found at|public)"
    r"|https?://|\bwe hope\b|future (?:work|research|directions)|pave[sd]? the way|sheds? light"
    r"|implications"
    r"|accepted (?:to|at|by)|the rest of|is organized|to the best of our knowledge"
    r"|we (?:will )?release|we discuss|we conclude|we outline"
    r"|extensive experiments|warning:|looking ahead|we advocate|new perspective|contributes to",
    re.IGNORECASE,
)
_MOST = 40  # sentences: no abstract has more, and pairs are tried
_MUCH_BETTER = 1.5
_SHORTEST_PIECE = 120


@dataclass(frozen=True, slots=True)
class _Sentence:
    place: int
    text: str
    does: float
    finds: float
    base: float
    hangs_on: bool


@lru_cache(maxsize=1000)
def summary(title: str, abstract: str, sentences: int = 2, max_chars: int = 420) -> str:
    """At most so many sentences of the abstract, word for word and in its order, and so long.

    Takes plain text or the Markdown of `prose`. Chosen are the sentences that say what the paper
    does and what it found; an abstract that is short enough comes back whole.
    """
    text = " ".join(abstract.split())
    if len(text) <= max_chars:
        return text
    rated = [_rated(i, each, title) for i, each in enumerate(split_sentences(text)[:_MOST])]
    chosen = _pair(rated, max_chars) if sentences > 1 else ()
    chosen = chosen or (max(rated, key=lambda s: (s.base + max(s.does, s.finds), -s.place)),)
    places = {s.place for s in chosen}
    for extra in sorted(rated, key=lambda s: (-_value(s), s.place)):
        longer = (*chosen, extra)
        telling = extra.place not in places and _value(extra) > 0
        if telling and len(longer) <= sentences and _length(longer) <= max_chars:
            chosen = longer
    shown = " ".join(s.text for s in sorted(chosen, key=lambda s: s.place))
    return _cut(guard_start(shown), max_chars)


def split_sentences(text: str) -> list[str]:
    """The sentences of an abstract; formulas, addresses and abbreviations are never cut."""
    masked = _WHOLE.sub(lambda match: _mask(match[0]), text)
    parts, last = [], 0
    for end in _END.finditer(masked):
        before, after = masked[last : end.end()].rstrip(), masked[end.end() :]
        if after and _is_end(before, after):
            parts.append(text[last : end.end()].strip())
            last = end.end()
    return [part for part in [*parts, text[last:].strip()] if part]


def _mask(piece: str) -> str:
    return piece if piece[0] == "\\" and len(piece) == 2 else "X" * len(piece)  # noqa: PLR2004


def _is_end(before: str, after: str) -> bool:
    if not _START.match(after) or _ABBREVIATION.search(before):
        return False
    if _INITIALS.search(before) and not _STARTER.match(after):
        return False
    inside = before.count("(") > before.count(")")
    closing, opening = after.find(")"), after.find("(")
    return not (inside and 0 <= closing < 150 and not 0 <= opening < closing)  # noqa: PLR2004


def _rated(place: int, text: str, title: str) -> _Sentence:
    does = 3.0 * bool(_MAKES.search(text)) or 2.0 * bool(_STUDIES.search(text))
    does = does or 1.2 * bool(_NAMED_THING.search(text))
    number = bool(_NUMBER.search(text))
    finds = 1.8 * bool(_FINDS.search(text)) + 1.2 * bool(_BEATS.search(text)) + 1.4 * number
    finds += 0.6 * bool(_COMPARES.search(text))
    base = -2.5 * bool(_EMPTY_TALK.search(text)) * (0.5 if number else 1.0)
    if does < 2 and not number:  # noqa: PLR2004 (it neither makes nor measures)
        base -= 2.5 * bool(_BACKGROUND.match(text)) + 1.0 * bool(_PROBLEM.search(text))
        finds *= 0.3 if _PROBLEM.search(text) and not _FINDS.search(text) else 1.0
    base -= 1.5 * (place == 0) + 1.0 * (len(text) < 50) + 0.8 * (len(text) > 300)  # noqa: PLR2004
    name = title.partition(":")[0].strip()
    base += 0.8 * (0 < len(name) <= 30 and name in text)  # noqa: PLR2004 (the method's own name)
    return _Sentence(place, text, does, finds, base, bool(_HANGS_ON.match(text)))


def _pair(rated: list[_Sentence], max_chars: int) -> tuple[_Sentence, ...]:
    """The best two that fit: one for what the paper does, one for what it finds.

    Where a much better pair is too long, its longer sentence is cut short; none where no two do.
    """
    pairs = list(permutations(rated, 2))
    fitting = max((p for p in pairs if _length(p) <= max_chars), key=_worth, default=())
    best = max(pairs, key=_worth, default=())
    if not best or (fitting and _worth(fitting)[0] > _worth(best)[0] - _MUCH_BETTER):
        return fitting
    longer = max(best, key=lambda s: (len(s.text), s.place))
    room = max_chars - (_length(best) - len(longer.text))
    if room < _SHORTEST_PIECE:
        return ()
    return tuple(replace(s, text=_cut(s.text, room)) if s is longer else s for s in best)


def _worth(pair: tuple[_Sentence, ...]) -> tuple[float, int, int]:
    does, finds = pair
    loose = sum(s.hangs_on and all(s.place - 1 != other.place for other in pair) for s in pair)
    backwards = 0.6 * (finds.place < does.place)
    value = does.base + does.does + finds.base + finds.finds - 1.2 * loose - backwards
    return (round(value, 6), -does.place, -finds.place)


def _value(sentence: _Sentence) -> float:
    return sentence.base + sentence.does + sentence.finds


def _length(chosen: tuple[_Sentence, ...]) -> int:
    return sum(len(s.text) + 1 for s in chosen) - 1


def _cut(text: str, max_chars: int) -> str:
    if len(text) <= max_chars:
        return text
    masked = _WHOLE.sub(lambda match: "X" * len(match[0]), text)
    clause = max(masked.rfind(mark, 0, max_chars - 2) for mark in (", ", "; "))
    blank = clause if clause > 0.75 * max_chars else masked.rfind(" ", 0, max_chars - 1)
    kept = text[: max(blank, 0)].rstrip(" ,;:")
    half_escaped = (len(kept) - len(kept.rstrip("\\"))) % 2
    return f"{kept[:-1] if half_escaped else kept} …".strip()
