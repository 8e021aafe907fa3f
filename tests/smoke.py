"""Builds the wheel, installs it into a clean environment, uses it there: `python -m tests.smoke`.

The wheel's heavy dependencies are borrowed from this environment through its site-packages path;
packages for developers are not imported by the tool, which `pip check` cannot tell.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Exits with an error if the wheel cannot do what the checkout can."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        pip = [sys.executable, "-m", "pip"]
        subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", folder, str(ROOT)], check=True)
        (wheel,) = place.glob("obsidian_digest-*.whl")
        venv.create(place / "env", with_pip=False)
        target = place / "installed"
        subprocess.run([*pip, "install", "-q", "--no-deps", "-t", str(target), wheel], check=True)
        vault = place / "vault"
        (vault / ".obsidian").mkdir(parents=True)
        scripts = "Scripts" if sys.platform == "win32" else "bin"
        python = place / "env" / scripts / "python"
        paths = [str(target), sysconfig.get_paths()["purelib"]]
        start = f"import sys; sys.path[:0] = {paths!r}\n"
        start += "from obsidian_digest.cli import main; main()"
        papers = ROOT / "tests" / "recordings" / "papers" / "two-mailings.jsonl.xz"
        for words in (
            ["--help"],
            ["init", "--encoder", "static", "--vault", str(vault)],
            ["run", "--from-file", str(papers), "--vault", str(vault)],
        ):
            subprocess.run([python, "-c", start, *words], check=True, cwd=folder)
        assert list(vault.glob("arXiv/Digests/*.md")), "the wheel made no digest"
    print("the wheel works")


if __name__ == "__main__":
    main()
