from __future__ import annotations

from pathlib import Path

import pytest

from obsidian_digest.core.vault.render import Renderer
from obsidian_digest.edge.templates import FOLDER, Templates, shipped
from obsidian_digest.errors import TemplateError


def own(root: Path, name: str, text: str) -> Templates:
    (root / FOLDER).mkdir()
    (root / FOLDER / name).write_text(text, "utf-8")
    return Templates(root)


def renderer(templates: Templates, language: str = "en") -> Renderer:
    return Renderer(templates.texts(), templates.words(language))


def test_the_shipped_templates_are_found():
    regions = {"paper", "related", "digest", "theme", "moc"}
    assert {f"{region}.md.j2" for region in regions} <= set(shipped())


def test_a_template_in_the_vault_takes_the_place_of_the_shipped_one(tmp_path: Path):
    templates = own(tmp_path, "moc.md.j2", "My list: {{ themes | length }}")
    assert renderer(templates)("moc", themes=(), digests=()) == "My list: 0"


def test_chinese_has_every_word_that_english_has():
    texts = Templates(Path("nowhere"))
    english, chinese = texts.words("en"), texts.words("zh")
    assert chinese.keys() == english.keys()
    plural = {key for key in english if not key.endswith("_one")}
    assert {key for key in plural if chinese[key] == english[key]} == {"each", "pdf"}


def test_an_unknown_language_names_those_there_are():
    with pytest.raises(TemplateError, match=r"en, zh"):
        Templates(Path("nowhere")).words("fr")


def test_a_language_of_the_readers_own_falls_back_to_english_word_by_word(tmp_path: Path):
    words = own(tmp_path, "words.fr.toml", 'abstract = "Résumé"').words("fr")
    assert (words["abstract"], words["both"]) == ("Résumé", "both:")


def test_a_language_with_one_form_gets_no_english_singular(tmp_path: Path):
    words = own(tmp_path, "words.ja.toml", 'papers = "{n} 本"').words("ja")
    assert Renderer({}, words).words.plain("papers", n=1) == "1 本"


def test_a_copy_of_older_words_in_the_vault_lacks_none_of_the_new_ones(tmp_path: Path):
    words = own(tmp_path, "words.en.toml", 'abstract = "The abstract"').words("en")
    assert words["abstract"] == "The abstract"
    assert words.keys() >= Templates(Path("nowhere")).words("en").keys() - {"abstract_one"}


@pytest.mark.parametrize(
    ("template", "where"),
    [
        ("{% for x in %}", "moc.md.j2:1"),
        ("{{ nothing_of_the_kind }}", "moc.md.j2"),
        ("{{ t('no_such_word') }}", "no_such_word"),
        ("{{ themes.__class__ }}", "moc.md.j2"),
        ("{{ themes.append(1) }}", "moc.md.j2"),
    ],
)
def test_a_mistake_in_a_template_is_told_with_its_place(tmp_path: Path, template: str, where: str):
    with pytest.raises(TemplateError) as caught:
        renderer(own(tmp_path, "moc.md.j2", template))("moc", themes=[], digests=())
    assert where in str(caught.value)


def test_text_in_a_users_template_is_escaped_unless_it_is_ours(tmp_path: Path):
    templates = own(tmp_path, "moc.md.j2", "{{ themes }} {{ digests }}")
    from markupsafe import Markup

    shown = renderer(templates)("moc", themes="[[x]] <% a %> #tag", digests=Markup("[[ok]]"))
    assert shown == r"\[\[x\]\] \< % a % \> \#tag [[ok]]"
