from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from obsidian_digest.edge.arxiv_html import CACHE, ArxivHtml
from obsidian_digest.edge.arxiv_html.institutions import LONGEST, MOST, institutions
from obsidian_digest.edge.arxiv_html.markup import front_matter
from obsidian_digest.errors import SourceError
from obsidian_digest.note.latex import plain
from tests.edge.arxiv_server import HANG, Answer, failed, serve, throttled
from tests.edge.asking import paper, quiet, web

RECORDINGS = Path(__file__).parents[1] / "recordings" / "html"
AUTHORS = ("Wanda Sorel", "Idris Quaye", "Mei-Lin Tao")
TOLD = {
    "acl": ("University of Eastmarch", "Harbour AI Research", "MIT"),
    "neurips": ("University of Eastmarch", "Google Brain", "Harbour Institute of Technology"),
    "icml": (
        "Department of Statistics, University of Eastmarch, Eastmarch, USA",
        "Harbour Speech Team, Harbour AI",
        "3M Company",
    ),
    "revtex": (
        "Departamento de Física, Instituto Tecnológico de Costa Norte, 12228-900, Costa Norte",
        "Dept. of Physics, St. Olave’s University, Harbour",
    ),
    "article": (
        "EECS, MIT, Cambridge MA, USA",
        "Space Applications Group, Acme Orbital GmbH, Gaimersheim, Germany",
        "Harbour National Laboratory",
        "Tsinghua University",
    ),
    "lncs": ("Spectral AI", "ETH Zurich", "Eastmarch University", "University of Harbour"),
    "acm": ("Meituan", "University of Eastmarch"),
    "silent": (),
}


def recorded(name: str) -> Answer:
    return Answer((RECORDINGS / f"{name}.html").read_bytes())


ABSENT = failed(404)


@contextmanager
def pages(folder: Path, *answers: Answer, read_only: bool = False, **changes: object):
    """A source of pages, and the server that has these answers in this order."""
    with serve(answers) as arxiv:
        polite = web(folder, **{"tries": 2, **changes})
        yield ArxivHtml(f"{arxiv.root}/html", polite, folder, read_only=read_only), arxiv


def read(authors: str, before: str = "", names: tuple[str, ...] = AUTHORS) -> tuple[str, ...]:
    html = (
        f'<html><body><article class="ltx_document">{before}<h1>T</h1>'
        f'<div class="ltx_authors">{authors}</div></article></body></html>'
    )
    return institutions(front_matter(html.encode()) or (), names)


def affiliation(*texts: str) -> str:
    """One author with a contact for each text."""
    contacts = "".join(
        f'<span class="ltx_contact ltx_role_affiliation">'
        f'<span class="ltx_contact_name">Affiliation: </span>{text}</span>'
        for text in texts
    )
    return (
        '<span class="ltx_creator ltx_role_author"><span class="ltx_personname">A. B.</span>'
        f'<span class="ltx_author_notes">{contacts}</span></span>'
    )


@pytest.mark.parametrize("name", sorted(TOLD))
def test_the_institutions_of_each_template_are_read(name, tmp_path):
    with pages(tmp_path, recorded(name)) as (html, arxiv):
        assert html.affiliations("2608.17001", 1, AUTHORS) == TOLD[name]
    assert [asked.path for asked in arxiv.log] == ["/html/2608.17001v1"]


def test_a_page_is_asked_for_once(tmp_path):
    with pages(tmp_path, recorded("acm"), ABSENT) as (html, arxiv):
        for _ in range(2):
            assert html.affiliations("2608.17001", 1) == TOLD["acm"]
            assert html.affiliations("quant-ph/0201082", 2) == ()
        again = ArxivHtml(f"{arxiv.root}/html", web(tmp_path), tmp_path)
        assert again.affiliations("2608.17001", 1) == TOLD["acm"]
        assert again.affiliations("quant-ph/0201082", 2) == ()
    assert [asked.path for asked in arxiv.log] == [
        "/html/2608.17001v1",
        "/html/quant-ph/0201082v2",
    ]


def test_another_version_is_another_page(tmp_path):
    with pages(tmp_path, recorded("acm"), recorded("lncs")) as (html, _):
        assert html.affiliations("2608.17001", 1) != html.affiliations("2608.17001", 2)


def test_a_page_that_latexml_did_not_make_tells_nothing_and_is_not_remembered(tmp_path):
    own = Answer(b"<html><body>University of Eastmarch</body></html>")
    with pages(tmp_path, own, recorded("acm")) as (html, _):
        assert html.affiliations("2608.17001", 1) == ()
        assert html.affiliations("2608.17001", 1) == TOLD["acm"]


def test_half_a_page_is_asked_for_again(tmp_path):
    whole = recorded("lncs")
    half = Answer(whole.body[:1500])
    with pages(tmp_path, half, whole) as (html, arxiv):
        assert html.affiliations("2608.17001", 1) == TOLD["lncs"]
    assert len(arxiv.log) == 2


def test_a_damaged_memory_is_no_memory(tmp_path):
    good = json.dumps({"paper": "2608.17002v1", "affiliations": ["Inria"]})
    (tmp_path / CACHE).write_bytes(b'\xff\xfe{"paper\n[]\n{"paper": 1}\n' + good.encode() + b"\n")
    with pages(tmp_path, recorded("acm")) as (html, arxiv):
        assert html.affiliations("2608.17002", 1) == ("Inria",)
        assert html.affiliations("2608.17001", 1) == TOLD["acm"]
    assert len(arxiv.log) == 1


def test_a_run_that_writes_nothing_remembers_nothing(tmp_path):
    with pages(tmp_path, recorded("acm"), read_only=True) as (html, _):
        assert html.affiliations("2608.17001", 1) == TOLD["acm"]
    assert not (tmp_path / CACHE).exists()


def test_only_papers_that_came_without_are_asked_for(tmp_path):
    told = paper(1, affiliations=("Inria, Paris",))
    papers = (told, paper(2, authors=AUTHORS), paper(3), paper(4, authors=AUTHORS))
    seen = []
    with pages(tmp_path, recorded("acm"), ABSENT, recorded("lncs")) as (html, _):
        found = html(papers, lambda *step: seen.append(step))
    assert found == {"2608.17002": TOLD["acm"], "2608.17004": TOLD["lncs"]}
    assert seen == [("fetch", 1, 3), ("fetch", 2, 3), ("fetch", 3, 3)]


@pytest.mark.parametrize("fault", [throttled(), failed(503), failed(403)])
def test_after_a_failure_no_further_page_is_asked_for(fault, tmp_path):
    papers = (paper(1), paper(2), paper(3))
    with pages(tmp_path, recorded("acm"), fault, recorded("lncs"), tries=1) as (html, arxiv):
        assert html(papers, quiet) == {"2608.17001": TOLD["acm"]}
    assert len(arxiv.log) == 2


def test_a_hanging_server_ends_the_asking(tmp_path):
    with pages(tmp_path, HANG, tries=1, timeout=(1.0, 0.1)) as (html, arxiv):
        assert html((paper(1), paper(2)), quiet) == {}
    assert len(arxiv.log) == 1


def test_one_damaged_page_costs_only_itself(tmp_path):
    half = Answer(recorded("acm").body[:1500])
    with pages(tmp_path, half, recorded("lncs"), tries=1) as (html, _):
        assert html((paper(1), paper(2)), quiet) == {"2608.17002": TOLD["lncs"]}


def test_a_failure_is_told_to_who_asks_for_one_page(tmp_path):
    with pages(tmp_path, failed(503), tries=1) as (html, _), pytest.raises(SourceError):
        html.affiliations("2608.17001", 1)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["University of Eastmarch <span class='ltx_font_typewriter'>a@b.c</span>"], 1),
        (["University of Eastmarch, {a, b, c}@eastmarch.example"], 1),
        (["University of Eastmarch. Any opinions are those of the authors."], 1),
        (["University of Eastmarch", "Eastmarch, 40126, Italy"], 1),
        (["University of Eastmarch", "ORCID: 0000-0002-2843-835X"], 1),
        (["University of Eastmarch,", "Faculty of Law"], 1),
        (["[3pt] <sup>1</sup>University of Eastmarch"], 1),
        (["University of Eastmarch", "UNIVERSITY OF EASTMARCH."], 1),
        (["Affiliation: University of Eastmarch"], 1),
        (["University of Eastmarch<sup>*</sup>"], 1),
        (["<math alttext='{}^{\\dagger}'><mo>†</mo></math>University of Eastmarch"], 1),
        (["University of Eastmarch", "Idris Quaye"], 1),
        (["Idris Quaye, University of Eastmarch"], 1),
        (["Also at University of Eastmarch"], 1),
        (["<a href='https://e.example'>University of Eastmarch</a>"], 1),
        (["University of Eastmarch", "Acme"], 2),
        (["Equal contribution"], 0),
        (["["], 0),
        (["https://eastmarch.example"], 0),
        (["Wanda Sorel"], 0),
    ],
)
def test_what_is_no_institution_is_left_out(texts, told):
    found = read(affiliation(*texts))
    assert len(found) == told
    assert found[:1] == ("University of Eastmarch",)[:told]


def test_an_ordinal_is_no_mark():
    assert read(affiliation("1<sup>st</sup> Medical University")) == ("1st Medical University",)


def test_a_department_alone_is_better_than_nothing():
    assert read(affiliation("Department of Physics", "Paris, France")) == ("Department of Physics",)


def test_a_company_in_a_town_is_kept():
    assert read(affiliation("Genentech", "South San Francisco, CA")) == ("Genentech",)
    assert read(affiliation("OpenAI, San Francisco, USA")) == ("OpenAI, San Francisco, USA",)


def test_there_are_ten_at_most_and_none_is_endless():
    many = "".join(affiliation(f"University of Place {n}") for n in range(30))
    assert read(many) == tuple(f"University of Place {n}" for n in range(MOST))
    (long,) = read(affiliation("University of " + ", ".join(["Eastmarch"] * 60)))
    assert len(long) <= LONGEST
    assert long.endswith("Eastmarch")


@pytest.mark.parametrize(
    "inside",
    [
        '<span class="ltx_text">' * 20_000 + "University",
        ", =" * 100_000,
        "a@" * 100_000,
        "and " * 100_000,
        "University; " * 100_000,
        "<br>" * 20_000,
        "<sup>" * 300 + "1",
        "\x00University\x0b\x00",
        "&#0;&#xD800;University&#x202E;",
        "<script>University</script><!-- University -->",
    ],
)
def test_a_hostile_page_costs_little_and_does_nothing(inside):
    for told in read(f'<span class="ltx_personname">{inside}</span>' + affiliation(inside)):
        assert plain(told)
        assert len(told) <= LONGEST
        assert "<" not in told
