"""No network but loopback, no real home, no real clock, unused recordings fail."""

from __future__ import annotations

import os
import socket

import pytest

# Workers of pytest-xdist share the cores already; set before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def loopback_only(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(_LOOPBACK):
            pytest.fail(f"a test wanted to reach {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", loopback_only)


@pytest.fixture(autouse=True)
def no_real_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in list(os.environ):
        if name.startswith("OBSIDIAN_DIGEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OBSIDIAN_DIGEST_NOW", "2026-08-20T06:00:00Z")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
