"""Makes the field's lexicon: the phrases that arXiv titles use as names of things.

    python -m tests.bench.field_terms --shared ../shared [--write]

Reads the titles of January to July 2026 in `data/bulk/` of the shared folder (CC0 metadata; the
days that themes are measured on come later) and prints, or with --write ships, `terms.txt` and
`short_forms.txt` in `obsidian_digest/core/texts/field/`. A title is cut at punctuation and function
words. A phrase is kept if it ends the run that it stands in often enough, and is all of it
sometimes, as the names of things do: `credit assignment` does, `improving agents` does not.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from obsidian_digest.core.texts.field_terms import MAX_WORDS, ShortForms, short_forms
from obsidian_digest.core.texts.phrase_words import ALONE_TOO_GENERAL, BREAKERS, GERUNDS, HEADLESS
from obsidian_digest.core.texts.phrase_words import NAMES_OF_MODELS as MODELS
from obsidian_digest.core.texts.phrases import acronyms, phrase_key, singular
from obsidian_digest.core.texts.theme_phrases import title_case
from tests.bench.field_words import FUNCTION_WORDS, HEADS_NOTHING, LEADS_NOTHING, NO_TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SHIPPED = Path(__file__).parents[2] / "obsidian_digest" / "core" / "field"
MONTHS = ("2601", "2602", "2603", "2604", "2605", "2606", "2607")
_KEPT_HEADS = frozenset(
    {
        "code",
        "condition",
        "development",
        "factor",
        "field",
        "form",
        "function",
        "group",
        "improvement",
        "mode",
        "problem",
        "reduction",
        "rule",
        "shift",
        "space",
        "state",
        "support",
        "use",
        "value",
    }
)
"""Last words that mean little alone, though `tool use` and `number field` are names."""
_KEPT_LEADS = frozenset({"deep", "large", "small", "state", "real", "human"})
_OPENS_ONLY_LONGER = frozenset({"multi", "non", "pre", "post", "self", "cross", "inter", "sub"})
_NO_NAMES = frozenset(
    {
        "ground truth",
        "sim",
        "empirical evaluation",
        "trade off",
        "thought reasoning",
        "far are",
        "training llm",
        "fine tuning llm",
    }
)
_BY_HAND = (
    ("software engineering", "SWE"),
    ("reinforcement learning with verifiable rewards", "RLVR"),
    ("reinforcement learning from human feedback", "RLHF"),
)
"""Short forms that abstracts use more than they define them as the miner can see."""
_SPELT_OUT = 2
_COMMON = 10
_ACRONYM_SHARE = 0.3
_ENDING = re.compile(r"(?:ed|ly|ive|ous|ful|less)$")


@dataclass
class Counts:
    """In how many titles a phrase stands, ends a run, and is a whole run."""

    held: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    spellings: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def read_rows(folder: Path) -> Iterator[tuple[str, str]]:
    """Titles and abstracts, month by month."""
    for month in MONTHS:
        with lzma.open(folder / f"bulk_{month}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield " ".join(row["title"].split()), " ".join((row["abstract"] or "").split())


def usual_short_forms(abstracts: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of a long form and its short one that 25 abstracts define and few define otherwise."""
    seen: Counter[tuple[str, str]] = Counter()
    for abstract in abstracts:
        seen.update({(phrase_key(long), short) for long, short in acronyms([abstract]).items()})
    of_short: Counter[str] = Counter()
    best_short: dict[str, str] = {}
    for (long, short), times in sorted(seen.items(), key=lambda item: (-item[1], item[0])):
        of_short[short] += times
        best_short.setdefault(long, short)
    return [
        *_BY_HAND,
        *(
            (long, short)
            for (long, short), times in sorted(seen.items(), key=lambda item: (-item[1], item[0]))
            if times >= 25 and times >= 0.6 * of_short[short] and best_short[long] == short
        ),
    ]


def runs(title: str) -> Iterator[list[str]]:
    run: list[str] = []
    for token in re.findall(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|\S", title):
        if token[0].isalpha() and token.lower() not in FUNCTION_WORDS:
            run.append(token)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _keyed(run: list[str], forms: ShortForms) -> list[tuple[str, str]]:
    """The words of a run, a long form as one: the key of each, and how it is written."""
    written = [part for token in run for part in re.findall(r"-?[^-]+", token)]
    keys = [singular(part.lstrip("-")) for part in written]
    keyed: list[tuple[str, str]] = []
    place = 0
    while place < len(keys):
        size, short = forms.at(keys, place)
        keyed.append((short, " ".join(written[place : place + size]).replace(" -", "-")))
        place += size
    return keyed


def count(titles: Iterable[str], forms: ShortForms) -> Counts:
    counts = Counts()
    for title in titles:
        held: set[str] = set()
        ends: dict[str, str] = {}
        whole: set[str] = set()
        for run in runs(title):
            words = _keyed(run, forms)
            for start, end in _spans(len(words)):
                part = words[start:end]
                key = " ".join(word for word, _ in part)
                held.add(key)
                if end == len(words):
                    spelling = " ".join(text for _, text in part).replace(" -", "-").lstrip("-")
                    ends[key] = title_case(spelling)
                    whole |= {key} if start == 0 else set()
        counts.held.update(held)
        counts.ends.update(ends.keys())
        counts.whole.update(whole)
        for key, spelling in ends.items():
            counts.spellings[key][spelling] += 1
    return counts


def _spans(length: int) -> Iterator[tuple[int, int]]:
    for start in range(length):
        for end in range(start + 1, min(start + MAX_WORDS, length) + 1):
            yield start, end


def is_a_name(key: str, counts: Counts, longs: Mapping[str, str]) -> bool:
    """Whether titles use a phrase as the name of a thing."""
    if key in _NO_NAMES or key.endswith("bench"):
        return False
    words = key.split()
    held, ends, whole = counts.held[key], counts.ends[key], counts.whole[key]
    if key in longs:
        return ends >= 0.3 * held and _fine([key])
    if len(words) == 1:
        often = held >= 40 and whole >= 10 and ends >= 0.5 * held
        return (
            often
            and key not in ALONE_TOO_GENERAL | HEADLESS | BREAKERS | NO_TOPICS
            and _good_word(key)
        )
    often = held >= 5 and ends >= 0.5 * held and whole >= max(2, 0.06 * held)
    return often and _leads(words, counts) and _good_last(words, held) and _fine(words)


def _fine(words: list[str]) -> bool:
    return len(set(words)) == len(words) and not any(
        len(word) < 2 or word in MODELS or not re.fullmatch(r"[a-z]+", word) for word in words
    )


def _good_word(word: str) -> bool:
    return _fine([word]) and _good_head(word) and len(word) > 3


def _good_last(words: list[str], held: int) -> bool:
    return _good_head(words[-1]) or (words[-1] in _KEPT_HEADS and held >= _COMMON)


def _good_head(head: str) -> bool:
    return head not in HEADS_NOTHING | HEADLESS | {"aware"} and not _ENDING.search(head)


def _leads(words: list[str], counts: Counts) -> bool:
    """Whether the first word is no verb and no adjective that suits everything."""
    first = words[0]
    if first in LEADS_NOTHING or (first in BREAKERS and first not in _KEPT_LEADS):
        return False
    if first.endswith("ing") and first not in GERUNDS:
        return False
    return first not in _OPENS_ONLY_LONGER or len(words) > 2 or words[0] == "self"


def spelling_of(key: str, counts: Counts, longs: Mapping[str, str]) -> str:
    """The commonest spelling at the end of a run; the plural if half as common.

    A short form stands for three words or more where nearly a third of the titles have it so.
    """
    seen = counts.spellings[key]
    short = {
        text: times
        for text, times in seen.items()
        if all(
            word not in longs
            or len(longs[word].split()) <= _SPELT_OUT
            or word in phrase_key(text).split()
            for word in key.split()
        )
    }
    if sum(short.values()) >= _ACRONYM_SHARE * sum(seen.values()):
        seen = Counter(short)
    best = max(seen.values())
    plural = {text: times for text, times in seen.items() if text.endswith("s")}
    common = {text: times for text, times in plural.items() if 2 * times >= best}
    return max(common or seen, key=lambda text: (seen[text], text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--write", action="store_true", help="ship the files")
    options = parser.parse_args()
    rows = list(read_rows(options.shared / "data" / "bulk"))
    pairs = usual_short_forms(abstract for _, abstract in rows)
    forms = short_forms(pairs)
    longs = {singular(short): long for long, short in pairs}
    counts = count((title for title, _ in rows), forms)
    kept = sorted(
        key for key in counts.held if counts.held[key] >= 5 and is_a_name(key, counts, longs)
    )
    terms = sorted(f"{spelling_of(key, counts, longs)}\t{counts.held[key]}" for key in kept)
    shorts = sorted(f"{short}\t{long}" for long, short in pairs)
    for name, lines in (("terms.txt", terms), ("short_forms.txt", shorts)):
        text = "\n".join(lines) + "\n"
        print(f"{name}: {len(lines)} lines, {len(text.encode())} bytes of {len(rows)} titles")
        if options.write:
            (SHIPPED / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
