"""The demo: one more recorded day into a copy of the example vault. `python -m tests.demo`."""

from __future__ import annotations

import shutil

from tests.example_vault import EXAMPLE, PAPERS, ROOT, command


def main() -> None:
    """Makes `demo-vault/` anew and says what to look at."""
    vault = ROOT / "demo-vault"
    shutil.rmtree(vault, ignore_errors=True)
    shutil.copytree(EXAMPLE, vault)
    run = command(vault, "run", "--verbose", "--from-file", str(PAPERS / "next-mailing.jsonl.xz"))
    print(run.stdout)
    digest = command(
        vault, "run", "--print-path", "--from-file", str(PAPERS / "next-mailing.jsonl.xz")
    ).stdout.strip()
    print(f"Open {vault.name}/ as a vault in Obsidian and start with:\n  {digest}")


if __name__ == "__main__":
    main()
