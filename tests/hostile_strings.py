"""Random strings made of everything that Markdown, Obsidian, its plugins and LaTeX act on."""
# ruff: noqa: E501 (a line is easier to survey than a column)

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = (
    "# [[ ]] [ ] ( ) ![ < > <% %> <%+ *%> % %% == = $= :: : ` ``` ~~ ~ ~~~ * ** *** _ __ ___ $ $$ \\ \\( \\) ^ ^["
    " [^1] | |--| :-- --- === - + 1. 12) - [x] [!note] &lt; &#35; &#x3c; & <img <!-- --> word a B é 7 0 {{x}} {% %} { }"
    " https://a.org/x_y https://b.org/?a==b&c::d http:// www.a.org a@b.org obsidian://new?x 1obsidian://x zoom-mtg://x"
    " javascript:alert(1) data:x file:///etc dataviewjs \\[ \\$ \\\\ \\& \\% \\# \\alpha \\frac \\text{ \\textbf{ \\url{"
    " \\href{ \\def \\mathbb \\left( \\right) x^2 _i ! \" ' \u0338 \u0301 \u1fef \u037e ﹟ ١. 中 א \U0001f468\u200d\U0001f469"
    " $x$ $x_1$ \\(a<b\\) $$y$$ $a==b::c$ $5 é . ,"
)
_BLANKS = (
    " ",
    " ",
    "\n",
    "\t",
    "    ",
    "- [ ] ",
    "> ",
    "\u200b",
    "\u202e",
    "\u2028",
    "\x85",
    "\u00a0",
    "\x00",
)
TOKENS = (*_WORDS.split(" "), *_BLANKS)  # fmt: skip


def hostile_strings(count: int, seed: int = 20260820) -> Iterator[str]:
    """So many strings of 1 to 14 tokens, the same for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        yield "".join(chance.choice(TOKENS) for _ in range(chance.randint(1, 14)))
