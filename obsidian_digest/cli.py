"""The command line: the group, its verbs, and the one boundary where errors become exit codes."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

import click

from obsidian_digest import __version__
from obsidian_digest.commands.doctor import doctor
from obsidian_digest.commands.failure import Output, report_bug, report_failure, report_stop
from obsidian_digest.commands.import_papers import import_papers
from obsidian_digest.commands.init import init
from obsidian_digest.commands.options import global_options
from obsidian_digest.commands.run import run
from obsidian_digest.commands.score import score
from obsidian_digest.commands.status import status
from obsidian_digest.commands.undo import undo
from obsidian_digest.commands.week import week
from obsidian_digest.errors import DigestError


@click.group(
    context_settings={
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": "OBSIDIAN_DIGEST",
    }
)
@click.version_option(__version__, prog_name="obsidian-digest")
@global_options
def cli() -> None:
    """Pull the day's arXiv papers into an Obsidian vault: ranked, grouped, linked.

    Start inside a vault with `obsidian-digest init`, write what you look for into the note
    "Research interests", then `obsidian-digest run` once a day.
    """


cli.add_command(doctor)
cli.add_command(import_papers)
cli.add_command(init)
cli.add_command(run)
cli.add_command(score)
cli.add_command(status)
cli.add_command(undo)
cli.add_command(week)
for _verb in cli.commands.values():
    for _option in _verb.params:
        # Click would take the name of the parameter: OBSIDIAN_DIGEST_RUN_FILES for --from-file.
        _words = f"OBSIDIAN_DIGEST_{_verb.name}_{_option.opts[-1].strip('-')}"
        _option.envvar = _words.replace("-", "_").upper()


def main() -> NoReturn:
    """Runs the command line and leaves with the contract's exit code.

    The code tells what became of the work; that it could not be printed is said on stderr.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115, PTH123 (no file of ours gets its number)
    with Output("stdout") as out, Output("stderr"):
        code = _main()
        if out.trouble:
            click.echo(f"obsidian-digest: the output could not be printed: {out.trouble}", err=True)
    sys.exit(code)


def _main() -> int:
    verb = next((word for word in sys.argv[1:] if word in cli.commands), "")
    try:
        signal.signal(signal.SIGTERM, _terminated)
        code = cli.main(standalone_mode=False, prog_name="obsidian-digest")
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    except (KeyboardInterrupt, click.Abort):
        code = report_stop(verb, 130)
    except _Terminated:
        code = report_stop(verb, 143)
    except click.ClickException as error:
        code = report_failure(verb, DigestError(error.format_message(), hint=_usage(error)))
    except DigestError as error:
        code = report_failure(verb, error)
    except Exception as error:  # noqa: BLE001 (the boundary: a bug is told in one line)
        code = report_bug(verb, error)
    return code if isinstance(code, int) else 0


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"Try: {context.command_path} --help" if context else ""


class _Terminated(SystemExit):
    """SIGTERM came: leaves through every `finally`, so that files are whole, the lock released."""


def _terminated(_signal: int, _frame: object) -> NoReturn:
    raise _Terminated(143)
