"""Invented papers that try everything: what arXiv might one day send, the same on every run."""
# ruff: noqa: E501 (a line is easier to survey than a column)

from __future__ import annotations

import random
from typing import Any

CONSTRUCTS = (
    "#tag (#SAT) #", "# heading", "[[Home]]", "![[Home]]", "[[Home|x]] ^block", "[a](https://x.org/b)",
    "![](http://t.example/x.png)", "![x][y]", "[y]: http://t.example/x.png", "![[http://t.example/x.png]]",
    "<img src='http://t.example/x.png'>", "<iframe src=//t.example></iframe>", "<b>bold</b> p<0.05",
    "<script>alert(1)</script>", "<!-- hidden", "--> shown", "<svg onload=alert(1)>", "<a href=x>", "</div>",
    "<?php x ?>", "<![CDATA[x]]>", "<https://t.example/a>", "<a@t.example>", "&lt;b&gt; &#35;tag &#x5b;&#x5b;x]]",
    "&amp;lt; &nbsp; &copy;", "*emphasis* **strong** _lead_ __init__", "~~struck~~ ~sub~", "==marked==",
    "%%hidden%%", "%% digest:end paper %%", "%% digest:begin paper v1 seal=deadbeef %%",
    "%% digest:begin moc v1 seal=00000000 %%", "%% digest:end digest %%", "seal=deadbeef v1 %%",
    "`= 1+1`", "`$= dv.pages()`", "``` dataviewjs dv.pages() ```", "~~~ query x ~~~", "= dv.current()",
    "```dataview\nTABLE x\n```", "````base", "`INPUT[text:x]`", "<% tp.file.title %>", "<%* await tp.user.x() %>",
    "<%+ tp.date.now() %>", "<%~ x %>", "<<%% x %%>>", "< % x % >", "{{title}} {{date}} {% raw %}", "{{ cycler.__init__ }}",
    "key:: value", "[key:: value] (key:: value)", "std::vector<T> a::b", "- [ ] task", "- [x] done 📅 2026-08-20",
    "* bullet", "+ plus", "1. first", "12) second", "> quote", "> [!danger] callout", "- - -", "***", "___",
    "=== rule", "--- rule", "---", "---\narxiv_id: 2608.99999\n---", "| a | b |\n|---|---|", "|---|", ":--|--:",
    "[^1] ^[inline note]", "[^1]: footnote", "text ^block-id", "^abstract", "    indented code", "\tindented",
    "obsidian://new?vault=x&name=y&overwrite", "obsidian://shell-commands/?execute=x", "javascript:alert(1)",
    "JaVaScRiPt:alert(1)", "file:///etc/passwd", "data:text/html,<b>", "app://local/x", "vbscript:x",
    "zoom-mtg://t.example/x", "1obsidian://new", "mailto:a@t.example", "smb://t.example/x", "ms-word:ofe|u|x",
    "https://t.example/x.png", "http://t.example/a_b_c?d==e&f::g", "https://t.example/[[x]]", "HTTPS://T.EXAMPLE/~~x~~",
    "https://t.example/<%x%>", "https://user:pw@t.example/", "http://127.0.0.1/x", "https://arxiv.org/abs/2608.00001",
    "www.t.example a@t.example", "https://t.example/%%x%%#tag", "<<<<<<< HEAD", "=======", ">>>>>>> other",
    "a \\", "\\", "\\\\", "\\# \\[ \\%\\%", "a\\", "\"quoted\" 'single'", "title: x", "- item", "? key", "@at", "!bang",
    "null", "~", "true", "0x1F", "1e5", "2401.00010", "2026-08-20", "yes", ".inf", "''", '"',
)  # fmt: skip
FORMULAS = (
    r"$\def\alpha{Z}$", r"$\newcommand{\x}{y}\x$", r"$\renewcommand{\alpha}{x}$", r"$\let\alpha\beta$",
    r"$\DeclareMathOperator{\x}{y}$", r"$\require{physics}$", r"$\href{javascript:alert(1)}{x}$",
    r"$\url{http://t.example}$", r"$\unicode{x202E}$", r"$\style{position:fixed}{x}$", r"$\class{a}{x}$",
    r"$\cssId{a}{x}$", r"$\rule{5000em}{5000em}$", r"$\color{red}x$", r"$\includegraphics{http://t.example/x.png}$",
    r"$\begin{array}{c}x\\y\end{array}$", r"$x_1_2^3^4$", r"$\left( x$", r"$x \right)$", r"${x$", r"$x}$", "$x", "x$",
    "$$x$$", "$$ x $$ $", r"\(x\) \[y\]", r"\( x $ y \)", "$ x $", "$x$1", "a$x$b", "$x$$y$", "$x$ $", r"\$5 and $6 and $x$",
    "$a<b>c$", "$[[x]]$", "$a==b==c$", "$x::y$", "$%%x%%$", "$<%x%>$", "$`x`$", "$#tag$", r"$\#tag$", "$a&b$", "$~~x~~$",
    "$![x](http://t.example/x.png)$", "$^[note]$", r"$\text{<img src=x>}$", r"$\text{a_b}$", r"$\text{}$", r"$\sin\text{}$",
    r"$\mbox{$x$}$", r"$\hat\mathbf x$", r"$x^\cos$", r"$\sqrt[\sqrt[3]{x}]{y}$", r"$\boldsymbol{x_1}_2$", r"$\cancel [x$",
    r"$\mathrm{x^ab^c}$", r"$a@V$", r"$\copyright\P$", r"$\underset{a}{b}_c$", r"$" + "{" * 50 + "x" + "}" * 50 + "$",
    "$" + "x_" * 300 + "y$", "$" + "a+" * 250 + "$", r"$\mathbb{R}^d \in \bm{x}$", r"$\frac{1}{2}$ of $\SI{5}{\nm}$",
    r"\begin{equation}x^2\end{equation}", r"\begin{align}a&b\end{align}", r"\textbf{\emph{x}} \verb|x|", r"{\bf x \it y}",
    r"\href{javascript:alert(1)}{click} \href{https://t.example/x}{label}", r"\url{obsidian://new} \cite{x} \footnote{y}",
    r"\def\x{y} \input{/etc/passwd} \write18{x}", r"\'{\i}\'{} \c{} \v \"", r"``quotes'' --- -- ~", r"\includegraphics{x}",
    r"\today \number\year", "{{{{{x", "}}}}}x", r"\{ \} \% \& \_ \#", r"%comment", r"\\ \newline \par",
)  # fmt: skip
SCRIPTS = (
    "强化学习智能体：基准与评测", "日本語の題名（テスト）", "한국어 제목", "中文。没有空格，也没有句号" * 20, "שלום עולם", "مرحبا بالعالم", "\u202eevil\u202c",
    "\u2066isolate\u2069 \u200f\u200e", "😀 🎉", "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈 🇩🇪🇩", "👍🏽", "a\u200bb\u200cc\u200dd\ufeffe",
    "soft\u00adhyphen", "\u0000\u0001\u0007\u001b[31mred", "\u007f\u0080\u009f", "\u0085next\u2028line\u2029para", "a\rb\r\nc\nd", "a\u000bb\u000cc",
    "\ud800 lone \udfff", "\ufffe\uffff\ufdd0", "\U000e0001\U000e0041 tags", "\U000f0000\U0010fffd private", "e\u0301 A\u030a n\u0303",
    "ﬁ ﬂ Å K Ω", "\u1fef\u037e\u0340\u2126", "=\u0338 <\u0338 >\u0338", "https://t.example/x\u0338", "$x$\u03385", "Z̸͎̈́a̴l̷g̶o̵ " * 8,
    "\u0301leading mark", "\u00a0\u2003\u3000\u202f", "\u115f\u1160\u3164\uffa0", "١. ٢)", "＃tag ［［x］］ ＜b＞", "\u2800\u2800", "ａｄｍｉｎ",
    "İstanbul ß ǆ", "zero\u2060width\u2061", "\ufff9a\ufffab\ufffb",
)  # fmt: skip
TITLES = (
    "CON", "nul", "COM1", "LPT9.txt", "aux.md", "PRN.", "A", "?", "…", ".", "..", "...hidden", " trailing. . ", "~$lock", "a" * 1000,
    "word " * 200, "强" * 1000, "👨\u200d👩\u200d👧" * 60, "e\u0301" * 500, 'a/b\\c:d*e?f"g<h>i|j', "a#b^c[d]e|f", "2608.00001", "Home",
    "MOC-Research", "Research interests", "arXiv digest 2026-08-20", "README", ".obsidian/app", "../../etc/passwd", "C:\\Windows\\x",
    "Same title", "Same title", "SAME TITLE", "Same  title", "Same title.", "Sam\u00e9 title", "Same\u0301 title", "\u200b", "$$", "{}",
    "\\", "%", "%%", "<%", "$x$", "$\\mathcal{O}(n)$", "#", "- ", "=", "\ufeff", "\u202e", "\ud800", "desktop.ini", "Thumbs.db",
    "{title} - {id}", "x" * 99 + "é", "y" * 98 + "😀", "trailing space \u00a0", "a.b.c.d", "-dash", "--option", "@user", "tab\tin", "new\nline",
)  # fmt: skip
OLD_IDS = (
    "hep-th/9901001", "math.GT/0309136", "cs/0112017", "astro-ph/0001001", "cond-mat/9912001", "quant-ph/0201082", "cs.LG/0612001",
    "physics/9403001", "0704.0001", "1412.9999", "1501.00001", "0801.1234", "2401.00010", "2401.00010v3", "2608.99999v12",
)  # fmt: skip
_SENTENCE = "We present a method for testing language model agents and show that it works."
_FIELDS = (
    "title",
    "abstract",
    "authors",
    "comment",
    "journal_ref",
    "categories",
    "doi",
    "affiliations",
)
_MIXED = 60
_LONGEST_ABSTRACT = 100_000


def hostile_papers() -> tuple[dict[str, Any], ...]:
    """More than 300 records, each with an id of its own; texts may hold half characters."""
    records = [*_bare(), *_everywhere(), *_titled(), *_identified(), *_huge(), *_mixed()]
    for number, record in enumerate(records):
        record.setdefault("id", f"2608.{20000 + number}")
    return tuple(records)


def _paper(**fields: Any) -> dict[str, Any]:
    usual = {
        "title": "A paper",
        "abstract": _SENTENCE,
        "authors": ["Ada Lovelace"],
        "categories": ["cs.AI"],
        "published": "2026-08-19T12:00:00Z",
        "announced": "2026-08-20",
        "version": 1,
    }
    return usual | fields


def _bare() -> list[dict[str, Any]]:
    """As little as a record may hold."""
    nothing = {"authors": [], "categories": [], "published": None}
    return [_paper(**nothing, abstract=""), _paper(abstract=""), _paper(authors=["\u200b", "{}"])]


def _everywhere() -> list[dict[str, Any]]:
    """Each text in all fields of one paper, and inside one field of another, by turns."""
    papers = []
    for number, text in enumerate((*CONSTRUCTS, *FORMULAS, *SCRIPTS)):
        inside = f"{text} {_SENTENCE} x{text}x {text}"
        papers.append(
            _paper(
                title=f"{text} T", abstract=inside, authors=[text, f"A {text}", "B"], comment=text,
                journal_ref=text, categories=["cs.AI", text], doi=f"10.1000/{text}", affiliations=[text],
            )
        )  # fmt: skip
        field = _FIELDS[number % len(_FIELDS)]
        several = field in {"authors", "categories", "affiliations"}
        papers.append(_paper(**{field: [text, "B"] if several else f"Of {text}"}))
    return papers


def _titled() -> list[dict[str, Any]]:
    return [_paper(title=title, abstract=f"{title} {_SENTENCE}") for title in TITLES]


def _identified() -> list[dict[str, Any]]:
    return [_paper(id=each, title=f"Of {each}") for each in OLD_IDS]


def _huge() -> list[dict[str, Any]]:
    """As long as fields may get, made of what costs a careless reader most."""
    repeated = ("word ", "word", "$", "[", "\\", "<%", "$x$ ", "强", "https://a.b/", "x^{")
    long = [_paper(abstract=(each * _LONGEST_ABSTRACT)[:_LONGEST_ABSTRACT]) for each in repeated]
    crowd = [f"Author {number} O'Neil-Müller" for number in range(3000)]
    return [
        *long,
        _paper(authors=crowd),
        _paper(authors=["x" * 5000]),
        _paper(comment="c " * 20_000),
    ]


def _mixed() -> list[dict[str, Any]]:
    """Constructs torn apart and thrown together; the same ones every time."""
    chance = random.Random(20260820)
    pieces = [part for text in (*CONSTRUCTS, *FORMULAS, *SCRIPTS) for part in text.split(" ")]

    def soup(most: int) -> str:
        return "".join(
            chance.choice(pieces) + chance.choice(("", " ", "\n"))
            for _ in range(chance.randint(2, most))
        )

    return [
        _paper(
            title=f"M{soup(6)}", abstract=soup(60), authors=[soup(4) for _ in range(3)],
            comment=soup(12), journal_ref=soup(8), affiliations=[soup(4)],
        )
        for _ in range(_MIXED)
    ]  # fmt: skip
