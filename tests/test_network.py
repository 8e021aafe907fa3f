"""Nothing but arXiv (and a model server of the reader's) is ever asked, and no note asks anyone."""

from __future__ import annotations

import ast
import re
import socket
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from obsidian_digest.note import header
from tests.example_vault import EXAMPLE
from tests.vaults import notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile_vaults import Made

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "obsidian_digest"
HOST = re.compile(r"(?i)\b[a-z][a-z0-9+.-]*://([a-z0-9-]+(?:\.[a-z0-9-]+)+)")
ASKED = {
    "export.arxiv.org": "arXiv's search API",
    "oaipmh.arxiv.org": "arXiv's OAI-PMH service",
    "rss.arxiv.org": "arXiv's feeds",
    "arxiv.org": "arXiv's listings; links to abstract pages and PDFs; a namespace",
}
ONLY_NAMED = {
    "doi.org": "links to published versions: a click of the reader's",
    "github.com": "the repository in an invented paper that `doctor` makes a note of, in no vault",
    "www.w3.org": "XML namespaces",
    "www.openarchives.org": "XML namespaces",
    "purl.org": "XML namespaces",
}
"""Hosts that stand in the code and are never asked."""
DOORS = ("edge/polite_web", "edge/arxiv_api", "edge/encoders/remote")
"""The modules that may ask anybody: arXiv's, and the model server that the config names."""
WEB_LIBRARIES = {"requests", "httpx", "arxiv", "socket", "http", "aiohttp", "urllib3", "ftplib"}
REMOTE = re.compile(
    r"!\[|<\s*(?:img|iframe|script|link|object|embed|video|audio|svg|style|base|form|input)\b"
    r"|(?i:src\s*=\s*[\"']?https?:)|\\includegraphics|(?i:url\s*\(\s*[\"']?https?:)"
)
PICTURE = re.compile(r"^!\[\[[^\[\]|#:/]+\.svg\]\]$", re.MULTILINE)
"""One of ours, from the vault."""
ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
SHOWN_AS_PICTURES = {"image", "cover", "banner", "thumbnail", "icon", "cssclasses"}
"""Properties of which Obsidian or a common plugin makes a picture."""
EVERY = [
    "some_hostile",
    pytest.param("all_hostile", marks=pytest.mark.slow),
    pytest.param("all_nasty", marks=pytest.mark.slow),
]


def literals(source: str) -> Iterator[str]:
    """Every string of a module but its docstrings, which are for people."""
    tree = ast.parse(source)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documentation:
            yield node.value


@cache
def named_hosts() -> dict[str, str]:
    """Every host that the package or a template names, and one place where it does."""
    texts = [
        (path, text)
        for path in sorted(PACKAGE.rglob("*.py"))
        for text in literals(path.read_text("utf-8"))
    ]
    texts += [(path, path.read_text("utf-8")) for path in (ROOT / "vault_templates").iterdir()]
    return {
        host.lower(): str(path.relative_to(ROOT))
        for path, text in texts
        for host in HOST.findall(text)
    }


def test_the_code_names_no_host_but_those_with_a_reason_here():
    assert named_hosts().keys() <= {*ASKED, *ONLY_NAMED}, named_hosts()
    assert named_hosts().keys() >= {"export.arxiv.org", "arxiv.org"}


def test_only_the_doors_to_arxiv_and_to_a_model_server_can_ask_anybody():
    asking = {
        path.relative_to(PACKAGE).with_suffix("").as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in imported(node)
        if name.split(".")[0] in WEB_LIBRARIES or name == "urllib.request"
    }
    assert {path for path in asking if not path.startswith(DOORS)} == set()
    assert asking


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
    return []


def connect_ex(host: str) -> None:
    with socket.socket() as plug:
        plug.connect_ex((host, 80))


@pytest.mark.parametrize(
    "go",
    [
        lambda: urlopen("http://t.example/"),
        lambda: socket.create_connection(("93.184.216.34", 80), timeout=1),
        lambda: socket.getaddrinfo("arxiv.org", 443),
        lambda: socket.gethostbyname("t.example"),
        lambda: connect_ex("10.0.0.1"),
    ],
)
def test_a_test_that_leaves_this_machine_fails(go, wanted_hosts: list[str]):
    with pytest.raises(pytest.fail.Exception, match="no test may leave this machine"):
        go()
    wanted_hosts.clear()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_leaves_this_machine_is_noticed(wanted_hosts: list[str]):
    thread = threading.Thread(target=lambda: socket.getaddrinfo("t.example", 80))
    thread.start()
    thread.join()
    assert wanted_hosts == ["t.example"]
    wanted_hosts.clear()


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()


def expect_nothing_remote(path: str, text: str) -> None:
    assert not REMOTE.search(ESCAPED.sub(",", PICTURE.sub("", header.split(text).body))), path
    assert SHOWN_AS_PICTURES.isdisjoint(header.read(text)), path


def test_no_note_of_the_example_vault_shows_a_picture_or_an_embed_from_the_web():
    for path, text in notes(EXAMPLE).items():
        expect_nothing_remote(path, text)


@pytest.mark.parametrize("made", EVERY)
def test_no_note_of_a_hostile_paper_shows_a_picture_or_an_embed_from_the_web(
    made: str, request: pytest.FixtureRequest
):
    vault: Made = request.getfixturevalue(made)
    for path, text in vault.texts.items():
        expect_nothing_remote(path, text)
