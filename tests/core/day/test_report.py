from __future__ import annotations

from pathlib import Path

import pytest

from obsidian_digest.core.day import report
from obsidian_digest.core.day.choose import Choice
from obsidian_digest.core.vault.render import Words
from obsidian_digest.edge.templates import Templates
from obsidian_digest.model import Ranked, Reason

ROW = Ranked(
    "2608.00001",
    0.5,
    3,
    "R&D of [C*-algebras]",
    (
        Reason(
            "reason_words", (("interest", "R&D of [C*-algebras]"), ("words", ("*-norm", "x_i")))
        ),
        Reason("reason_content", (("interest", "R&D of [C*-algebras]"), ("percent", 97))),
    ),
)


@pytest.mark.parametrize(
    ("language", "reasons"),
    [
        (
            "en",
            [
                'Matches "R&D of [C*-algebras]" in *-norm, x_i.',
                'Closer in content to "R&D of [C*-algebras]" than 97 % of the day\'s papers.',
            ],
        ),
        (
            "zh",
            [
                "符合“R&D of [C*-algebras]”：*-norm、x_i。",
                "内容上比当天 97% 的论文更接近“R&D of [C*-algebras]”。",
            ],
        ),
    ],
)
def test_the_ranking_words_its_reasons_as_plain_text_in_the_vaults_language(language, reasons):
    words = Words(Templates(Path("nowhere")).words(language))
    (row,) = report.ranking(Choice((ROW,), (), (), (), (), by_interests=True), words)
    assert row["reasons"] == reasons
    assert row["interest"] == "R&D of [C*-algebras]"


def test_without_a_choice_there_is_no_ranking():
    assert report.ranking(None, Words({})) == []
