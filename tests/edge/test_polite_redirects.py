from pathlib import Path

import pytest

from obsidian_digest.edge.polite_web import PoliteWeb, WebError
from obsidian_digest.edge.polite_web.addresses import next_address
from tests.edge.arxiv_server import Answer, failed, serve, throttled
from tests.edge.asking import FakeClock, web

FINE = Answer(b"fine")


def moved(there: str, status: int = 302) -> Answer:
    return Answer(b"moved", status, (("Location", there),))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_step_of_a_redirect_waits_for_its_turn(status: int, tmp_path: Path):
    with serve([moved("/api/query?moved=1", status), FINE]) as arxiv:
        assert PoliteWeb(tmp_path, 0.03).get(arxiv.url, bytes) == b"fine"
    assert min(arxiv.gaps) >= 0.03
    assert [asked.query for asked in arxiv.log] == [{}, {"moved": "1"}]
    assert {asked.headers["Accept"][:20] for asked in arxiv.log} == {"application/atom+xml"}


def test_a_redirect_to_another_port_of_this_machine_is_followed(tmp_path: Path):
    with serve([FINE]) as there, serve([moved(f"{there.url}#part")]) as here:
        assert web(tmp_path).get(here.url, bytes) == b"fine"


@pytest.mark.parametrize(
    ("locations", "words", "requests"),
    [
        (["/api/query"], "lead in a circle", 1),
        (["/b", "/a", "/b"], "lead in a circle", 3),
        ([f"/{n}" for n in range(9)], "from address to address more than 5 times", 6),
        (["http://portal.example/login"], "leads away from arXiv, to portal.example", 1),
        (["http://127.0.0.1@evil.example/"], "leads away from arXiv, to evil.example", 1),
        (["ftp://127.0.0.1/papers"], "leads to no address that can be asked", 1),
        (["file:///etc/passwd"], "leads to no address that can be asked", 1),
        (["http://[/"], "leads to no address that can be asked", 1),
        (["http://127.0.0.1:port/"], "is not an address that can be asked", 1),
        ([""], "leads to no address that can be asked", 1),
    ],
)
def test_a_redirect_that_leads_to_no_answer_of_arxivs_is_told_and_not_followed(
    locations: list[str], words: str, requests: int, tmp_path: Path
):
    time_ = FakeClock()
    with serve([moved(there) for there in locations]) as arxiv, pytest.raises(WebError) as failure:
        web(tmp_path, time_).get(arxiv.url, bytes)
    assert words in failure.value.what
    assert (failure.value.source_outcome, failure.value.exit_code) == ("unreachable", 4)
    assert (len(arxiv.log), time_.naps) == (requests, [])


def test_a_redirect_without_an_address_is_told(tmp_path: Path):
    with serve([failed(302)]) as arxiv, pytest.raises(WebError, match="leads to no address"):
        web(tmp_path).get(arxiv.url, bytes)


def test_a_network_that_wants_a_login_is_told_as_such(tmp_path: Path):
    with serve([moved("http://portal.example/")]) as arxiv, pytest.raises(WebError) as failure:
        web(tmp_path).get(arxiv.url, bytes)
    assert "log in first if this network wants a login" in failure.value.hint


@pytest.mark.parametrize(
    ("here", "there", "follows"),
    [
        ("https://export.arxiv.org/a", "https://arxiv.org/b", True),
        ("https://export.arxiv.org/a", "https://rss.arxiv.org/b", True),
        ("http://export.arxiv.org/a", "https://export.arxiv.org/a", True),
        ("https://mirror.example/a", "https://mirror.example/b", True),
        ("https://mirror.example/a", "https://arxiv.org/b", True),
        ("http://127.0.0.1:80/a", "http://localhost:81/b", True),
        ("https://arxiv.org/a", "http://arxiv.org/b", False),
        ("https://arxiv.org/a", "https://notarxiv.org/b", False),
        ("https://arxiv.org/a", "https://arxiv.org.example/b", False),
        ("https://arxiv.org/a", "https://mirror.example/b", False),
        ("https://arxiv.org/a", "https://127.0.0.1/b", False),
        ("http://arxiv.org/a", "http://localhost/b", False),
        ("http://127.0.0.1/a", "http://169.254.169.254/b", False),
    ],
)
def test_a_redirect_stays_with_arxiv_and_never_becomes_less_secure(
    here: str, there: str, follows: bool
):
    if follows:
        assert next_address([here], there) == there
    else:
        with pytest.raises(WebError, match=r"leads (away|to an address that is not secure)"):
            next_address([here], there)


def test_a_host_that_a_mirror_led_to_cannot_lead_to_a_third_one():
    asked = ["https://mirror.example/a", "https://arxiv.org/b"]
    assert next_address(asked, "https://mirror.example/c") == "https://mirror.example/c"
    with pytest.raises(WebError, match="leads away from arXiv"):
        next_address(asked, "https://third.example/")


def test_a_refusal_and_a_pause_are_those_of_the_address_that_said_so(tmp_path: Path):
    for no in (failed(403), throttled(3600)):
        with serve([FINE, no]) as there, serve([moved(there.url), FINE]) as here:
            polite = web(tmp_path)
            assert polite.get(there.url, bytes) == b"fine"
            with pytest.raises(WebError) as failure:
                polite.get(here.url, bytes)
            assert polite.get(here.url, bytes) == b"fine"
            with pytest.raises(WebError):
                polite.get(there.url, bytes)
        assert failure.value.where == f"{there.root.removeprefix('http://')}/api"
        assert len(there.log) == 2
