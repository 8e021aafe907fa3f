"""Lets `python -m obsidian_digest` and the script start the command line."""

import sys


def main() -> None:
    """Runs the command line; Ctrl-C is no traceback even while it is being imported."""
    try:
        from obsidian_digest import cli  # noqa: PLC0415 (see above)
    except KeyboardInterrupt:
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
