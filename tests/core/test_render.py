"""Templates are the reader's code: whatever they raise is told with the file's name."""

from __future__ import annotations

import pytest

from obsidian_digest.core.render import Renderer
from obsidian_digest.errors import TemplateError


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{ 1/0 }}", "ZeroDivisionError"),
        ("{{ 'a' % 1 }}", "TypeError"),
        ("{{ [][0].x }}", "UndefinedError"),
        ("{{ {}.popitem() }}", "SecurityError"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "RecursionError"),
        ("{% include 'none' %}", "TemplateNotFound"),
        ("{{ range(10 ** 9) }}", "OverflowError"),
    ],
)
def test_a_template_that_fails_is_named_with_what_it_raised(template, words):
    render = Renderer({"paper.md.j2": template}, {})
    with pytest.raises(TemplateError) as caught:
        render("paper")
    assert str(caught.value).startswith(f"paper.md.j2: {words}: ")


def test_a_template_that_cannot_be_read_is_named_with_its_line():
    with pytest.raises(TemplateError, match=r"paper\.md\.j2:2: "):
        Renderer({"paper.md.j2": "fine\n{% if %}"}, {})("paper")


@pytest.mark.parametrize("word", ["{", "{0}", "{n.x}", "{n[x]}", "{n!z}", "{n:d}"])
def test_a_word_that_cannot_be_filled_is_named(word):
    render = Renderer({"paper.md.j2": "{{ t('count', n=2) }}"}, {"count": word})
    with pytest.raises(TemplateError, match="the word count is missing or wrong"):
        render("paper")
