"""No network but loopback, no real home, no real clock; vaults that several tests read."""

from __future__ import annotations

import ipaddress
import os
import socket
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests import remembered
from tests.hostile_papers import hostile_papers
from tests.hostile_vaults import Made, made
from tests.nasty_papers import nasty_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Workers of pytest-xdist share the cores already; set before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
SOME = 8
"""One in so many of the hostile papers is enough for the fast tests."""
LONG = 20_000


@pytest.fixture(autouse=True)
def wanted_hosts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Hosts other than this machine that the test wanted to reach or look up: a fault, always."""
    wanted: list[str] = []

    def refuse(host: object) -> None:
        if not _is_this_machine(host):
            wanted.append(str(host))
            pytest.fail(_refusal(host))

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _guarded_connect(name, refuse))
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
        monkeypatch.setattr(socket, name, _guarded_look_up(name, refuse))
    yield wanted
    for host in wanted:  # in a thread, or where somebody caught the failure
        pytest.fail(_refusal(host))


def _refusal(host: object) -> str:
    return f"a test wanted to reach {host}: no test may leave this machine"


def _is_this_machine(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return name in {"", "None", "localhost"} or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _guarded_connect(name: str, refuse: Callable[[object], None]) -> Callable[..., object]:
    connect = getattr(socket.socket, name)

    def guarded(self: socket.socket, address: object) -> object:
        if isinstance(address, tuple):  # else a path: a socket of this machine
            refuse(address[0])
        return connect(self, address)

    return guarded


def _guarded_look_up(name: str, refuse: Callable[[object], None]) -> Callable[..., object]:
    look_up = getattr(socket, name)

    def guarded(host: object, *rest: object, **more: object) -> object:
        refuse(host)
        return look_up(host, *rest, **more)

    return guarded


@pytest.fixture(autouse=True, scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Path]]:
    """Homes that nobody has used; what tests share is made at one of them."""
    folder = tmp_path_factory.mktemp("homes")
    unused = (folder / str(number) for number in count())
    with pytest.MonkeyPatch.context() as patch:
        _leave_home(patch, next(unused))
        yield unused


@pytest.fixture(autouse=True, scope="session")
def papers_looked_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        remembered.remember(patch)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_power_cut() -> Iterator[None]:
    """What the processes of tests die of does not empty the disk's cache: fsync takes time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _handle: None)
        yield


@pytest.fixture(autouse=True)
def no_real_home(monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]) -> None:
    _leave_home(monkeypatch, next(homes))


def _leave_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    home.mkdir()
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in list(os.environ):
        if name.startswith("OBSIDIAN_DIGEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T06:00:00Z")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def make_vault(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Made]:
    """Makes a vault that all workers share; tests only read it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    return lambda name, papers, **settings: made(shared / "vaults", name, papers, settings)


@pytest.fixture(scope="session")
def some_hostile(make_vault: Callable[..., Made]) -> Made:
    return make_vault("some-hostile", _short()[::SOME])


@pytest.fixture(scope="session")
def hostile_in_markdown_links(make_vault: Callable[..., Made]) -> Made:
    asked = {"useMarkdownLinks": True, "newLinkFormat": "relative"}
    return make_vault("hostile-in-markdown-links", _short()[:: SOME // 2], **asked)


def _short() -> list[dict[str, Any]]:
    return [paper for paper in hostile_papers() if len(paper["abstract"]) < LONG]


@pytest.fixture(scope="session")
def all_hostile(make_vault: Callable[..., Made]) -> Made:
    return make_vault("all-hostile", hostile_papers())


@pytest.fixture(scope="session")
def all_nasty(make_vault: Callable[..., Made]) -> Made:
    return make_vault("all-nasty", nasty_papers())
