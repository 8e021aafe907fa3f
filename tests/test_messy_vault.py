"""A run over a messy vault names every case, and changes nothing that is not ours."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from obsidian_digest import pipeline
from obsidian_digest.core.law.diff import unified
from obsidian_digest.model import Plan, Update
from obsidian_digest.note import header, region
from tests import vaults
from tests.messy_vault import EDITABLE, RENAMED, SECOND, Messy, messy_vault
from tests.vaults import call, stamps

OURS = re.compile(
    r"title arxiv_\w+ authors published updated url pdf code relevance theme theme_\w+ digests"
    r" related up digest_\w+".replace(" ", "|")
)
CONFIG_DIR = ".config of mine"


@dataclass(frozen=True)
class Day:
    """The messy vault around the next day's run."""

    messy: Messy
    before: dict[str, bytes]
    shown: str
    """What `--dry-run` printed."""
    rehearsed: Plan
    answer: dict
    after: dict[str, bytes]
    again: dict
    touched: bool
    """Whether the second run touched a file."""


def contents(vault: Path) -> dict[str, bytes]:
    """Every file but the working state; a link to a note of ours changes with the note."""
    return {path: raw for path, raw in vaults.contents(vault).items() if path != "Twin.md"}


def rehearsal(messy: Messy) -> tuple[str, Plan]:
    plans: list[Plan] = []
    run = pipeline.run

    def watched(*given):
        result = run(*given)
        plans.append(result.plan)
        return result

    with patch.object(pipeline, "run", watched):
        shown = call(messy.vault, *messy.words, "--dry-run")
    assert shown.code == 0, shown.err
    return shown.out, plans[0]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    root = tmp_path_factory.mktemp("messy")
    messy = messy_vault(root)
    for copy in ("other", "patched"):
        shutil.copytree(messy.vault, root / copy, symlinks=True)
    before = contents(messy.vault)
    shown, rehearsed = rehearsal(messy)
    assert contents(messy.vault) == before
    answer = messy.call()
    after, stood = contents(messy.vault), stamps(messy.vault)
    again = messy.call()
    return Day(messy, before, shown, rehearsed, answer, after, again, stamps(messy.vault) != stood)


def told(answer: dict) -> set[tuple[str, str, str]]:
    return {(keep["note"], keep["reason"], keep["detail"]) for keep in answer["notes"]["kept"]}


def test_every_case_is_told_by_its_name_and_nothing_else_is(day: Day):
    rows = told(day.answer)
    for path, reason, detail in day.messy.told:
        assert [d for p, r, d in rows if (p, r) == (path, reason)], (path, reason, detail)
    wanted = {(path, reason) for path, reason, _ in day.messy.told}
    assert {(path, reason) for path, reason, _ in rows} == wanted
    for path, reason, found in rows:
        details = [d for p, r, d in day.messy.told if (p, r) == (path, reason)]
        assert any(found.startswith(detail) for detail in details), (path, found, details)


def test_no_file_but_notes_of_ours_in_good_order_changes_by_a_byte(day: Day):
    assert day.before.keys() <= day.after.keys()
    changed = {path for path, raw in day.before.items() if day.after[path] != raw}
    assert changed <= day.messy.may_change
    assert changed == set(day.answer["notes"]["updated"])
    assert day.after.keys() - day.before.keys() == set(day.answer["notes"]["created"])


def readers(raw: bytes) -> tuple[str, ...]:
    """All of a note that is not ours: header lines outside our properties, text outside regions."""
    parts = header.split(raw.decode())
    lines, ours = [], False
    for line in parts.yaml.splitlines(keepends=True):
        name = re.match(r"""["']?(\w+)["']?[ ]?:""", line)
        ours = bool(OURS.fullmatch(name[1])) if name else ours
        lines += [] if ours and not line.lstrip().startswith("#") else [line]
    outside, at = [], 0
    for found in region.find(parts.body):
        outside.append(parts.body[at : found.start])
        at = found.end
    return (parts.opening, *lines, parts.closing, *outside, parts.body[at:])


def test_what_the_reader_wrote_into_notes_of_ours_stays_byte_for_byte(day: Day):
    for path in day.answer["notes"]["updated"]:
        assert readers(day.after[path]) == readers(day.before[path]), path


@pytest.mark.parametrize(
    "happened",
    [*EDITABLE, "an edited region", "a name in another Unicode form", "copied by sync programs",
     "all regions removed"],
)  # fmt: skip
def test_a_note_in_another_form_follows_the_renamed_digest_in_that_form(day: Day, happened: str):
    path = day.messy.followed[happened]
    before, after = day.before[path].decode(), day.after[path].decode()
    name = Path(RENAMED).stem
    assert f"[[{name}]]" in str(header.read(after)["digests"])
    assert re.findall(r"#[^#\r\n]*$", header.split(after).yaml, re.MULTILINE) == re.findall(
        r"#[^#\r\n]*$", header.split(before).yaml, re.MULTILINE
    )
    if before.count("\r\n") == before.count("\n"):
        assert after.count("\r\n") == after.count("\n")
    if "\n- " in header.split(before).yaml:
        assert "\n  - " not in header.split(after).yaml


def test_a_paper_that_the_reader_has_a_note_about_is_linked_and_gets_no_second(day: Day):
    created = "".join(day.answer["notes"]["created"])
    digest = day.after[f"arXiv/Digests/arXiv digest {SECOND}.md"].decode()
    for arxiv_id, path in day.messy.foreign.items():
        assert arxiv_id.replace(".", "-") not in created
        assert f"[[{Path(path).stem}|" in digest
    shown = {paper["id"] for paper in day.answer["papers"]}
    noted = [name for name in day.answer["notes"]["created"] if "/Papers/" in name]
    assert day.messy.foreign.keys() <= shown
    assert len(noted) == len(shown) - len(day.messy.foreign)


def test_the_run_does_exactly_what_the_rehearsal_showed(day: Day):
    assert day.shown == unified(day.rehearsed)
    changes = {change.path: change.after for change in day.rehearsed.changes}
    assert day.after == {**day.before, **changes}
    updates = [change for change in day.rehearsed.changes if isinstance(change, Update)]
    assert all(change.before == day.before[change.path] for change in updates)


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_the_printed_diff_makes_the_same_vault(day: Day):
    vault = day.messy.vault.parent / "patched"
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(command, input=day.shown.encode(), cwd=vault, check=True)
    assert contents(vault) == day.after


def test_the_second_run_changes_nothing_and_tells_the_same_again(day: Day):
    assert not day.touched
    assert day.again["notes"]["created"] == day.again["notes"]["updated"] == []
    lasting = {row for row in told(day.answer) if row[1] != "foreign"}
    assert lasting <= told(day.again) | {row for row in lasting if row[1] in ("edited", "deleted")}


def test_under_a_renamed_config_folder_the_same_is_done(day: Day):
    vault = day.messy.vault.parent / "other"
    (vault / ".obsidian").rename(vault / CONFIG_DIR)
    assert call(vault, *day.messy.words).code == 2
    ran = call(vault, *day.messy.words, "--config-dir", CONFIG_DIR)
    assert ran.code == 0, ran.err
    after = {path.replace(CONFIG_DIR, ".obsidian"): raw for path, raw in contents(vault).items()}
    assert after == day.after
