"""The house itself: cheap start, complete docs, no stray recordings, small rooms."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from obsidian_digest import config, model
from obsidian_digest.cli import cli

if TYPE_CHECKING:
    import click

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "obsidian_digest"
HEAVY = {
    "torch", "sentence_transformers", "transformers", "sklearn", "scipy", "numpy", "networkx",
    "arxiv", "requests", "lxml", "jinja2", "rich", "filelock", "tokenizers", "pylatexenc",
    "bibtexparser",
}  # fmt: skip


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["--version"]])
def test_help_loads_none_of_the_heavy_libraries(words: list[str]):
    code = (
        "import sys\nfrom obsidian_digest.cli import main\n"
        f"sys.argv = ['obsidian-digest', *{words!r}]\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print('LOADED', sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, text=True, capture_output=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "LOADED []"


def commands() -> list[click.Command]:
    return [cli, *cli.commands.values()]


def options(command: click.Command) -> list[click.Parameter]:
    return [each for each in command.params if each.param_type_name == "option"]


def test_every_option_has_a_help_text():
    for command in commands():
        for option in options(command):
            assert getattr(option, "help", None), option.name


def test_the_readme_names_every_verb_and_every_option():
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in commands():
        for option in options(command):
            assert f"`{option.opts[-1]}" in readme, option.opts
    for verb in cli.commands:
        assert f"obsidian-digest {verb}" in readme


def test_the_readmes_table_of_settings_is_the_one_the_code_makes():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert config.table() in readme


def test_every_record_of_the_model_is_frozen():
    for name, record in inspect.getmembers(model, dataclasses.is_dataclass):
        assert record.__dataclass_params__.frozen, name


def functions() -> list[tuple[str, ast.FunctionDef]]:
    return [
        (f"{path.relative_to(PACKAGE)}:{node.name}", node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]


def test_rooms_are_small_enough_to_read_at_once():
    for path in sorted(PACKAGE.rglob("*.py")):
        lines = len(path.read_text("utf-8").splitlines())
        assert lines <= 300, f"{path.name} has {lines} lines"


def test_no_function_is_longer_than_a_screen():
    long = [name for name, node in functions() if node.end_lineno - node.lineno >= 50]
    assert long == []


def test_no_file_names_a_machine():
    pattern = re.compile(r"(?<![A-Za-z0-9_.])/(work|farm|root)/")
    tracked = subprocess.run(
        ["git", "ls-files"], check=False, text=True, capture_output=True, cwd=ROOT
    )
    for name in tracked.stdout.split("\n"):
        path = ROOT / name
        if path.is_file() and path.suffix in (".py", ".md", ".toml", ".yml", ".j2", ""):
            assert not pattern.search(path.read_text("utf-8", errors="ignore")), name


def test_every_recording_is_used_by_a_test():
    tests = "\n".join(
        path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)
    )
    for path in sorted((ROOT / "tests" / "recordings").rglob("*")):
        if path.is_file() and path.suffix != ".md":
            named = path.name in tests or path.stem in tests
            assert named or f'"{path.parent.name}"' in tests, path
