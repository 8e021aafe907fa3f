"""Code and project pages are found where authors mention them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.texts.pointers import Pointers, doi_link, pointers
from obsidian_digest.model import Paper


def found(abstract, comment=""):
    return pointers(Paper("2608.00001", "T", abstract, (), ("cs.AI",), "cs.AI", comment=comment))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Code: https://github.com/a/b_c.", "https://github.com/a/b_c"),
        ("at github.com/Zhen/CIME.git", "https://github.com/Zhen/CIME"),
        (r"\url{http://github.com/a/b\_c}", "https://github.com/a/b_c"),
        (r"\href{https://github.com/K/Seg}{https://github.com/K/Seg}.", "https://github.com/K/Seg"),
        ("at https://github.com/ Riya/AgentR-public.", "https://github.com/Riya/AgentR-public"),
        ("https://github.com/u/\nMy-Repo", "https://github.com/u/My-Repo"),
        ("https://gitlab.inria.fr/x/y", "https://gitlab.inria.fr/x/y"),
        ("(https://anonymous.4open.science/r/Fin-B002).", "https://anonymous.4open.science/r/Fin-B002"),
        ("https://huggingface.co/a/b", "https://huggingface.co/a/b"),
        ("Zenodo, doi:10.5281/zenodo.21198322", "https://doi.org/10.5281/zenodo.21198322"),
        ("**https://codeberg.org/a/b**", "https://codeberg.org/a/b"),
        ("https://github.com/Lab/{one,two}.", "https://github.com/Lab"),
        ("https://github.com", None),
    ],
)  # fmt: skip
def test_the_code_is_found_and_its_address_cleaned(text, code):
    assert found(text).code == code
    assert found("Nothing.", text).code == code


@pytest.mark.parametrize(
    ("text", "project"),
    [
        ("See https://v-rae.github.io/.", "https://v-rae.github.io/"),
        ("Project page: http://foo.org/x", "https://foo.org/x"),
        ("Our website is https://lab.example.ai/paper.", "https://lab.example.ai/paper"),
        ("Project page https://arxiv.org/abs/2401.00010", None),
        ("We scrape https://example.org/stock", None),
        ("project page (https://sites.google.com/view/x)", "https://sites.google.com/view/x"),
    ],
)
def test_the_project_page_is_found_and_is_never_arxiv(text, project):
    assert found(text).project == project


def test_code_page_and_the_rest_are_told_apart():
    told = found(
        "Models: https://huggingface.co/v/r and https://youtu.be/abc.",
        "Project page: https://v.github.io/r/ Code: https://github.com/v/r",
    )
    assert told == Pointers(
        "https://github.com/v/r",
        "https://v.github.io/r/",
        ("https://huggingface.co/v/r", "https://youtu.be/abc"),
    )


def test_the_repository_called_code_wins_over_one_that_is_only_used():
    text = "We extend https://github.com/other/tool. Our code is at https://github.com/our/tool."
    assert found(text).code == "https://github.com/our/tool"


def test_an_address_given_twice_is_named_once():
    told = found("https://GitHub.com/A/B and http://github.com/a/b/.")
    assert told == Pointers("https://github.com/A/B")


PIECES = (
    "javascript: obsidian:// file:/// https:// http:// github.com/ a.b x.github.io / [[ %% <% $ ` |"
    " @ :: == project-page \\url{ } \u202e # a_ *"
)


@given(st.lists(st.sampled_from([" ", *PIECES.split()]), max_size=12).map("".join))
@settings(max_examples=300, deadline=None)
def test_only_web_addresses_come_out_and_they_hold_nothing_active(text):
    told = found(text)
    for url in filter(None, (told.code, told.project, *told.others)):
        assert re.fullmatch(r"https://[A-Za-z0-9\-._/?=&+:;,@~!*'()#%]+", url)
        assert "%%" not in url
        assert "::" not in url


@pytest.mark.parametrize(
    "path",
    ["a/b%%z", "a/b%%41z", "a/b::c", "a/b$c$", "a/`= 1+1`", "a/[[Home]]", "<%y%>/x", "a/<%+ x %>"],
)
def test_an_address_holds_nothing_that_obsidian_or_a_plugin_would_run(path):
    told = found(f"Code: https://github.com/{path} and page https://x.github.io/{path}")
    urls = [url for url in (told.code, told.project, *told.others) if url]
    assert urls
    for url in urls:
        assert not re.search(r"%%|::|[$`<>]|\[\[|\]\]", url)


@pytest.mark.parametrize(
    ("doi", "url"),
    [
        ("10.1143/PTP.101.1155", "https://doi.org/10.1143/PTP.101.1155"),
        ("https://doi.org/10.1000/x#y?z", "https://doi.org/10.1000/x%23y%3Fz"),
        ("10.1/too-short 10.1000/a 10.1000/b", "https://doi.org/10.1000/a"),
        ("10.1002/(SICI)1096<1::AID>3.0", "https://doi.org/10.1002/%28SICI%291096%3C1%3A%3AAID%3E3.0"),
        ("10.1000/%%x::y$`[[z]]<%a%>\ud800", "https://doi.org/10.1000/%25%25x%3A%3Ay%24%60%5B%5Bz%5D%5D%3C%25a%25%3E%3F"),
        ("soon", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_doi_becomes_an_address_whose_every_odd_sign_is_encoded(doi, url):
    assert doi_link(doi) == url


def test_a_doi_with_doubled_signs_strikes_nothing_through():
    assert doi_link("10.1000/~~a~~") == "https://doi.org/10.1000/~%7Ea~%7E"


def test_a_hundred_thousand_signs_of_addresses_are_read_in_no_time():
    assert found("https://a.b/" * 8000).code is None
