"""Every formula we keep is one that MathJax, as Obsidian bundles it, shows and nothing more."""

from __future__ import annotations

import random
import re

import pytest

from obsidian_digest.note import mathjax
from obsidian_digest.note.mathjax import renderable
from obsidian_digest.note.text import prose
from tests.hostile_papers import FORMULAS
from tests.judges.node import Judges
from tests.nasty_papers import nasty_papers, text_of

pytestmark = pytest.mark.slow

FORMULA = re.compile(r"(?<!\\)\$((?:[^$\\]|\\.)+)\$")
PROBES = [r"\alpha", r"x^2_1", r"\mathbb{R}", r"\frac{a}{b}", r"\text{a}", r"\sum_{i}^n", r"\bm{x}"]
ALONE = [*"abxyz019+-=/()[]|.,;:!?*'\"@", *"αℝ∑→é中\u0301\u0338", "{}", "''", "...", "<", ">", "~"]
SIGNS = [r"\,", r"\;", r"\!", r"\ ", r"\%", r"\#", r"\&", r"\_", r"\{", r"\}", r"\|", r"\:", r"\\"]
OPENING = ["(", "[", ".", "|", "/", "<", r"\{", r"\|", r"\langle ", r"\lfloor", r"\vert"]
CLOSING = [")", "]", ".", "|", r"\}", r"\rangle"]
COMMANDS = sorted(mathjax._ARGUMENTS)
BOXES = sorted(mathjax._TEXT)


class Grammar:
    """Makes formulas that look right, so that most of them get past the allow-list."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def formula(self, depth: int = 3) -> str:
        return "".join(
            self.atom(depth) + self.scripts(depth) for _ in range(self.chance.randint(1, 4))
        )

    def scripts(self, depth: int) -> str:
        wanted = [mark for mark in "_^" if self.chance.random() < 0.2]
        prime = "'" * (self.chance.random() < 0.05)
        return "".join(mark + self.argument(depth) for mark in wanted) + prime

    def argument(self, depth: int) -> str:
        chance, one = self.chance.random(), self.chance.choice(ALONE + SIGNS)
        if chance < 0.2:
            return f" {self.chance.choice([one, self.atom(0)])}"
        return f"{{{self.formula(depth - 1) if depth > 0 and chance < 0.7 else one}}}"

    def atom(self, depth: int) -> str:
        pick = self.chance.choice
        if depth <= 0 or self.chance.random() < 0.35:
            return pick(ALONE + SIGNS)
        inside = self.formula(depth - 1)
        words = "".join(pick("abc xyz,.-'_") for _ in range(self.chance.randint(0, 6)))
        name = pick(COMMANDS)
        command = rf"\{name}" + "".join(
            self.argument(depth) for _ in range(mathjax._ARGUMENTS[name])
        )
        return pick(
            [
                f"{{{inside}}}",
                rf"\left{pick(OPENING)}{inside}\right{pick(CLOSING)}",
                rf"\{pick(BOXES)}{{{words}}}",
                rf"\sqrt[{inside}]{self.argument(depth)}",
                *[command] * 5,
            ]
        )

    def soup(self) -> str:
        """Pieces in any order."""
        pieces = [*COMMANDS, *BOXES, "left", "right", "over", "bm", "R", "def", "mbox"]
        some = [rf"\{piece}" for piece in pieces] + ALONE + SIGNS + [*"{}^_$ "]
        return "".join(self.chance.choice(some) for _ in range(self.chance.randint(1, 8)))


def expect_shown(judges: Judges, formulas: list[str]) -> None:
    """No error node, no style, no address, no definition; and all else renders as before."""
    before = judges.ask("mathjax", PROBES)
    verdicts = judges.ask("mathjax", formulas)
    wrong = [
        (formula, verdict["troubles"])
        for formula, verdict in zip(formulas, verdicts, strict=True)
        if verdict["troubles"]
    ]
    assert wrong == []
    assert judges.ask("mathjax", PROBES) == before


def test_every_formula_of_the_nasty_papers_that_is_kept_renders(judges: Judges):
    fields = ("title", "abstract", "comment")
    texts = [text_of(paper, field) for paper in nasty_papers() for field in fields]
    kept = {formula for text in texts for formula in FORMULA.findall(prose(text))}
    assert len(kept) > 1000
    expect_shown(judges, sorted(kept))


def test_every_formula_of_the_hostile_papers_that_is_kept_renders(judges: Judges):
    kept = {formula for text in FORMULAS for formula in FORMULA.findall(prose(text))}
    assert r"\mathbb{R}^d \in \boldsymbol{x}" in kept
    expect_shown(judges, sorted(kept))


def test_random_formulas_that_are_kept_render(judges: Judges):
    grammar = Grammar(20260820)
    made = [grammar.formula() if n % 4 else grammar.soup() for n in range(6000)]
    kept = [shown for formula in made if (shown := renderable(formula))]
    assert len(kept) > 1500
    expect_shown(judges, kept)


@pytest.mark.parametrize(
    ("formula", "trouble"),
    [
        (r"\foo", "Undefined control sequence"),
        ("x_1_2", "Double subscripts"),
        (r"\def\alpha{Z}", "defines a command"),
        (r"\let\zeta\eta", "defines a command"),
        (r"\href{https://t.example}{x}", "sets href"),
        (r"\style{position:fixed}{x}", "sets style"),
        (r"\color{red}x", "sets mathcolor"),
        (r"\cos\hbox{}", "crashes"),
    ],
)
def test_the_judge_sees_what_it_is_asked_to_find(formula: str, trouble: str):
    """In a process of its own, for it defines commands."""
    judges = Judges()
    (verdict,) = judges.ask("mathjax", [formula])
    judges.close()
    assert trouble in " ".join(verdict["troubles"])
