"""A vault that asks for another form of links gets it, in every note, and keeps it."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from tests.vaults import call, contents, mailing, new_vault, notes, stamps

if TYPE_CHECKING:
    from pathlib import Path

FORMS = [
    {"useMarkdownLinks": markdown, "newLinkFormat": path}
    for markdown in (False, True)
    for path in ("shortest", "relative", "absolute")
]
WIKI = re.compile(r"(?<![\\!])\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
MARKDOWN = re.compile(r"(?<!\\)\[(?:\\.|[^\[\]\\])*\]\(([^()\s:]+\.md)\)")


def first_days(root: Path, form: dict[str, object]) -> Path:
    vault = new_vault(root, encoder="words")
    (vault / ".obsidian" / "app.json").write_text(json.dumps(form))
    for day in ("2026-08-19", "2026-08-20"):
        ran = run(vault, root, day)
        assert ran.code == 0, ran.err
    return vault


def run(vault: Path, root: Path, day: str):
    return call(vault, "run", "--from-file", mailing(root, day, 24), "--top", "6", "--min-stars", 0)


def halves(text: str) -> tuple[str, str]:
    _, head, body = text.split("---\n", 2)
    return head, body


def leads_to(target: str, source: str, paths: set[str]) -> str | None:
    """An independent reading of Obsidian's rules, for a vault in which base names are unique."""
    target = unquote(target).removesuffix(".md")
    if target.startswith("."):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    found = [p for p in paths if p.removesuffix(".md") == target]
    found = found or [p for p in paths if posixpath.basename(p).removesuffix(".md") == target]
    return found[0] if len(found) == 1 else None


@pytest.fixture(scope="module", params=FORMS, ids=lambda form: "-".join(map(str, form.values())))
def made(request, tmp_path_factory) -> tuple[Path, dict[str, object]]:
    root = tmp_path_factory.mktemp("links")
    return first_days(root, request.param), request.param


def test_every_link_is_written_in_the_form_the_vault_asks_for_and_leads_to_one_note(made):
    vault, form = made
    every = notes(vault)
    for name, text in every.items():
        if not name.startswith("arXiv/"):
            continue
        head, body = halves(text)
        in_text = MARKDOWN.findall(body) if form["useMarkdownLinks"] else WIKI.findall(body)
        other = WIKI.findall(body) if form["useMarkdownLinks"] else MARKDOWN.findall(body)
        assert in_text or "/Papers/" in name
        assert not other, name
        assert not MARKDOWN.findall(head)
        for target in WIKI.findall(head):
            assert leads_to(target, name, set(every)), (name, target)
            assert "/" not in target
        for target in in_text:
            path = leads_to(target, name, set(every))
            assert path, (name, target)
            bare = unquote(target).removesuffix(".md")
            if form["newLinkFormat"] == "relative":
                assert bare.startswith("."), (name, target)
            elif form["newLinkFormat"] == "absolute":
                assert bare == path.removesuffix(".md")
            else:
                assert "/" not in bare


def test_a_second_run_writes_nothing_whatever_the_form(made, tmp_path):
    vault, _ = made
    before = stamps(vault)
    ran = run(vault, tmp_path, "2026-08-20")
    assert ran.code == 0, ran.err
    assert stamps(vault) == before


def test_links_follow_a_note_moved_outside_obsidian_whatever_their_form(made, tmp_path):
    vault, _ = made
    paper = next((vault / "arXiv/Papers").glob("*.md"))
    digest = vault / "arXiv/Digests/arXiv digest 2026-08-19.md"
    (vault / "Read").mkdir()
    paper.rename(vault / "Read" / paper.name)
    digest.rename(vault / "Read" / "First digest.md")
    ran = call(vault, "run", "--from-file", mailing(tmp_path, "2026-08-20", 24), "--top", 6)
    assert ran.code == 0, ran.err
    every = notes(vault)
    for name, text in every.items():
        head, body = halves(text) if name.startswith(("arXiv/", "Read/")) else ("", "")
        inside = body.partition("## Notes")[0]
        for target in [*WIKI.findall(inside), *MARKDOWN.findall(inside), *WIKI.findall(head)]:
            assert leads_to(target, name, set(every)), (name, target)
    assert "First digest" in every[f"Read/{paper.name}"] + every["MOC-Research.md"]


def test_a_rename_inside_obsidian_which_rewrites_the_links_is_no_edit(tmp_path):
    vault = first_days(tmp_path, FORMS[3])
    theme = next((vault / "arXiv/Themes").glob("*.md"))
    old = theme.name.replace(" ", "%20")
    theme.rename(theme.with_name("My own name.md"))
    for path in vault.rglob("*.md"):
        text = path.read_text()
        path.write_text(
            text.replace(f"]({old})", "](My%20own%20name.md)").replace(
                f"[[{theme.stem}]]", "[[My own name]]"
            )
        )
    ran = call(vault, "run", "--from-file", mailing(tmp_path, "2026-08-20", 24), "--json")
    assert ran.code == 0, ran.err
    kept = json.loads(ran.out)["notes"]["kept"]
    assert not [each for each in kept if each["reason"] == "edited"]


def test_a_link_that_the_reader_turned_to_a_note_of_his_own_breaks_the_seal(tmp_path):
    vault = first_days(tmp_path, FORMS[3])
    moc = vault / "MOC-Research.md"
    (vault / "Mine.md").write_text("my own words\n")
    moc.write_text(re.sub(r"\]\([^()]+digest[^()]+\)", "](Mine.md)", moc.read_text(), count=1))
    before = moc.read_bytes()
    papers = mailing(tmp_path, "2026-08-20", 40)
    ran = call(vault, "run", "--from-file", papers, "--top", 9, "--json")
    kept = json.loads(ran.out)["notes"]["kept"]
    assert {"note": "MOC-Research.md", "reason": "edited"}.items() <= kept[0].items()
    assert moc.read_bytes() == before


def test_a_vault_that_changes_its_form_keeps_every_link_valid(tmp_path):
    vault = first_days(tmp_path, FORMS[0])
    (vault / ".obsidian" / "app.json").write_text(json.dumps(FORMS[4]))
    ran = call(vault, "run", "--from-file", mailing(tmp_path, "2026-08-20", 40), "--top", 9)
    assert ran.code == 0, ran.err
    every = notes(vault)
    for name, text in every.items():
        for target in [*WIKI.findall(text), *MARKDOWN.findall(text)]:
            if name.startswith("arXiv/"):
                assert leads_to(target, name, set(every)), (name, target)
    assert contents(vault)
