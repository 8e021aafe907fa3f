"""Templates are the reader's code: whatever they raise is told with the file's name."""

from __future__ import annotations

import pytest

from obsidian_digest.core.vault.render import Renderer
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


@pytest.mark.parametrize(
    "template",
    [
        "fine\n%% digest:end paper %%\n",
        "{{ '%% digest:begin x v1 seal=00000000 %%' | safe }}",
        "> %%digest:end x",
    ],
)
def test_a_template_that_writes_a_marker_of_ours_is_named(template):
    with pytest.raises(TemplateError, match=r"paper\.md\.j2: writes a line that begins or ends"):
        Renderer({"paper.md.j2": template}, {})("paper")


def test_a_marker_in_the_text_of_a_paper_is_escaped_and_no_trouble():
    render = Renderer({"paper.md.j2": "{{ title }}"}, {})
    assert "digest:end" in render("paper", title="%% digest:end paper %%")


@pytest.mark.parametrize("word", ["{", "{0}", "{n.x}", "{n[x]}", "{n!z}", "{n:d}"])
def test_a_word_that_cannot_be_filled_is_named(word):
    render = Renderer({"paper.md.j2": "{{ t('count', n=2) }}"}, {"count": word})
    with pytest.raises(TemplateError, match="the word count is missing or wrong"):
        render("paper")
