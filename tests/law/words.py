"""What readers write into their notes: text of any kind, and properties in every style of YAML."""

from __future__ import annotations

import json

from hypothesis import strategies as st

_FRAGMENTS = [
    "my own words", "---", "***", "%%", "%% a comment of mine %%", "# A heading", "## Notes",
    "- [ ] a task", "* item", "1. item", "> quoted", "| a | b |", "\t", "  ", " ", "\n", "\n\n",
    "\r\n", "\r", "[[Home]]", "[[Nowhere|shown]]", "![[picture.png]]", "[a](Home.md)", "[[",
    "```dataview\nLIST\n```", "<% tp.date.now() %>", "=======", ">>>>>>> theirs", "#tag", "~~~",
    "^block", " ^abstract", "$x$", "\\", "\x00", "\x07", "\x0b", "\x0c", "\x1b", "\x1c", "\x85",
    "\u2028", "\u200b", "\u202e", "\ufeff", "e\u0301", "é", "\U0001f9ea", "漢字", "title: x",
    "says %% digest:begin paper v1 seal=00000000 %%", "digest:end paper", "seal=00000000", "a::b",
]  # fmt: skip
_RARE = [
    "\n%% digest:begin mine v1 seal=00000000 %%\n", "\n%% digest:end paper %%\n",
    "\n> %% digest:end", "\n\ufeff%% digest:end paper %%\n", "\n<<<<<<< HEAD\n",
    "\n%%digest:begin\n", "\udcff",
]  # fmt: skip
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)

TEXT = st.lists(st.sampled_from(_FRAGMENTS) | _text, min_size=1, max_size=6).map("".join)
"""Words of the reader's that leave his note in good order, most of the time."""
HOSTILE = st.tuples(TEXT, st.sampled_from(_RARE), TEXT).map("".join)
"""Words with what makes a note one to keep our hands off."""

_NAMES = st.sampled_from(
    [
        "mine",
        "status",
        "Project",
        "tag",
        "arxiv_note",
        "my_list",
        "a-b",
        "due",
        "über",
        "cssclasses",
    ]
)
_word = st.sampled_from(
    ["x", "two words", "2401.00010", "017", "yes", "it's", 'say "hi"', "a#b", "C:\\x", "漢字", "~"]
)
_VALUES = st.one_of(
    _word.filter(lambda word: "'" not in word and '"' not in word),
    _word.map(lambda word: f"{json.dumps(word)}  # a comment"),
    _word.map(lambda word: "'" + word.replace("'", "''") + "'"),
    st.sampled_from(
        [
            "", " ", "# only a comment", "[]", "[a, 'b', \"c, d\"]  # flow", "{a: 1, b: [x]}",
            "[\n    a, # first\n    b\n  ]", "one\n  two\n\n  three", '"one\n  two"', "!!str 5",
            "|\n  line\n\n    deeper: x\n  # no comment", ">-\n  folded\n  text", "|+\n  kept\n\n",
            "\n  - a\n  - b", "\n- a\n- 'b'  # zero indent", "\n    - four\n    - deep",
            "\n  # above\n  - a\n\n  - b", "\n  nested:\n    deeper: 1\n  other: [x]",
            "\n- name: x\n  of: y", "&anchor a", '"[[Home]]"', "2026-08-20", "-1.50", "null",
        ]
    ),
)  # fmt: skip


@st.composite
def properties(draw: st.DrawFn) -> tuple[str, str]:
    """The name of a property of the reader's and the lines that hold it."""
    name = draw(_NAMES)
    # Only letters of ASCII: PyYAML, unlike Obsidian, knows no other anchors.
    value = draw(_VALUES).replace("&anchor", f"&{name.encode('ascii', 'ignore').decode()}x")
    blank = "" if not value or value.startswith("\n") else " "
    above = draw(st.sampled_from(["", "", "", "# above\n", "\n", "\n# a\n\n"]))
    return name, f"{above}{name}:{blank}{value}\n"


def valued(name: str) -> st.SearchStrategy[str]:
    """The lines of a property of this name."""
    return _VALUES.map(
        lambda value: f"{name}:{'' if not value or value.startswith(chr(10)) else ' '}{value}\n"
    )
