"""Reasons that name what the reader has: in notes as links that survive what he does to them."""

from __future__ import annotations

import json
import re

from tests.vaults import call, dangling, mailing, new_vault, stamps

OWN = "Projects/Agent harness.md"


def with_notes_of_his_own(tmp_path):
    """A vault whose reader has kept papers of one day and a project, and a second day."""
    vault = new_vault(tmp_path, encoder="words")
    config = vault / "obsidian-digest.toml"
    text = config.read_text("utf-8")
    changed = re.sub(r"(?m)^#?\s*corpus = .*$", 'corpus = ["Projects"]', text)
    assert changed != text
    config.write_text(changed, "utf-8")
    (vault / "Research interests.md").write_text("", "utf-8")
    (vault / OWN).parent.mkdir()
    (vault / OWN).write_text(
        "Training a harness for language model agents: auditing traces of tool use, credit "
        "assignment, memory over long sessions, and benchmarks of agents that call tools.\n",
        "utf-8",
    )
    return vault, mailing(tmp_path, "2026-08-20", 120)


def test_a_paper_near_a_note_of_his_says_so_and_links_to_it_and_may_be_renamed(tmp_path):
    vault, file = with_notes_of_his_own(tmp_path)
    ran = call(vault, "run", "--from-file", str(file), "--min-stars", "2", "--json")
    reasons = {row["note"]: row["reasons"] for row in ran.json["papers"]}
    said = 'Close to your note "Agent harness".'
    near = [note for note, told in reasons.items() if said in told]
    assert near
    for note in near:
        assert 'Close to your note "[[Agent harness]]".' in (vault / note).read_text("utf-8")
    digest = (vault / ran.json["digest"]).read_text("utf-8")
    assert said in digest
    assert "[[Agent harness]]" not in digest
    assert dangling(vault) == []
    # Obsidian renames the note and the links to it.
    (vault / OWN).rename(vault / "Projects/Loops.md")
    for note in near:
        text = (vault / note).read_text("utf-8")
        (vault / note).write_text(text.replace("[[Agent harness]]", "[[Loops]]"), "utf-8")
    before = stamps(vault)
    status = call(vault, "status", "--json").json
    assert "edited" not in json.dumps(status["notes"])
    again = call(vault, "run", "--from-file", str(file), "--min-stars", "2", "--json")
    assert again.json["notes"]["kept"] == []
    assert stamps(vault) == before


def test_what_he_kept_and_did_not_want_is_linked_in_the_next_days_digest_and_notes(tmp_path):
    vault = new_vault(tmp_path, encoder="words")
    first = mailing(tmp_path, "2026-08-19", 100)
    call(vault, "run", "--from-file", str(first), "--top", "40", "--min-stars", "1")
    for path in sorted(vault.glob("arXiv/Papers/*.md")):
        text = path.read_text("utf-8")
        wanted = re.search(r"(?i)\bagent", text.partition("arxiv_id")[0])
        rating = "rating: 5" if wanted else "rating: 1"
        path.write_text(re.sub(r"(?m)^rating:.*$", rating, text), "utf-8")
    second = mailing(tmp_path, "2026-08-20", 100)
    words = ("run", "--from-file", str(second), "--top", "40", "--min-stars", "1", "--json")
    ran = call(vault, *words)
    told = [reason for row in ran.json["papers"] for reason in row["reasons"]]
    assert any(each.endswith("which you kept.") for each in told)
    assert any(each.startswith("Like what you kept: ") for each in told)
    assert not any("[[" in each for each in told)
    digest = (vault / ran.json["digest"]).read_text("utf-8")
    links = re.findall(
        r'Close to "\[\[([^|\]]+)\|[^\]]+\]\]" \(([\d.\\]+)\), which you kept', digest
    )
    assert links
    for name, paper in links:
        (path,) = vault.rglob(f"{name}.md")
        assert f'arxiv_id: "{paper.replace(chr(92), "")}"\n' in path.read_text("utf-8")
        assert "rating: 5" in path.read_text("utf-8")
    assert dangling(vault) == []
    assert call(vault, *words).json["notes"]["updated"] == []
