from __future__ import annotations

import pytest

from obsidian_digest.note import header
from obsidian_digest.note.readers_own import paper_of

ABS = "https://arxiv.org/abs/2608.00001"


def about(text: str, stem: str = "Note") -> str | None:
    try:
        properties = header.read(text)
    except header.UnreadableHeaderError:
        properties = {}
    return paper_of(stem, properties, header.split(text).body)


@pytest.mark.parametrize(
    "property_",
    [
        'arxiv_id: "2608.00001"',
        "arxiv: 2608.00001v3",
        "arxivId: arXiv:2608.00001",
        "arXiv-ID: [2608.00001]",
        "eprint: 2608.00001",
        f"url: {ABS}v2",
        "source: https://www.arxiv.org/pdf/2608.00001.pdf",
        f"source:\n  - {ABS}\n  - https://arxiv.org/pdf/2608.00001",
        f'source: "[A title](<{ABS}>)"',
        "doi: 10.48550/arXiv.2608.00001",
        "DOI: https://doi.org/10.48550/arXiv.2608.00001",
    ],
)
def test_a_property_with_a_papers_id_or_address_makes_the_note_about_it(property_: str):
    assert about(f"---\n{property_}\n---\nmy words\n") == "2608.00001"


@pytest.mark.parametrize(
    "property_",
    [
        "arxiv: cs.AI",
        "url: https://arxiv.org/list/cs.AI/new",
        "source: https://example.org/2608.00001",
        "source: 2608.00001",
        f"source: [{ABS}, https://arxiv.org/abs/2608.00002]",
        f"links: [{ABS}]",
        "doi: 10.1000/182",
        "arxiv_id: <% tp.file.title %>",
    ],
)
def test_other_properties_do_not(property_: str):
    assert about(f"---\n{property_}\n---\nmy words\n") is None


@pytest.mark.parametrize(
    "top",
    [
        ABS,
        f"<{ABS}>",
        f"# A title\n\n{ABS}\n\n#rl #llm",
        f"[A title: with a colon]({ABS}v2)",
        f"# [A title]({ABS})",
        f"arXiv: {ABS}",
        "**Paper link**:: [pdf](https://arxiv.org/pdf/2608.00001)",
        f"- Link: {ABS}",
        f"> [!info] arXiv\n> {ABS} · [PDF](https://arxiv.org/pdf/2608.00001v1)",
        f"%% mine %%\n논문: {ABS}",
        f"| arXiv | [2608.00001]({ABS}) |",
        f"{ABS}\nIt builds on others.\n\n\n## Related\nhttps://arxiv.org/abs/2608.00002",
        f"{ABS} a new model. It beats https://arxiv.org/abs/2607.00001.\n\n#rl",
        f"# A title\n\n{ABS}\n\nNot as https://arxiv.org/abs/2607.00001 does it.",
        f"A paper for today.\n\n{ABS}",
        "http://arxiv.org/abs/math.GT/0309136",
    ],
)
def test_an_address_alone_on_a_line_near_the_top_makes_the_note_about_it(top: str):
    assert about(f"{top}\n") == ("math/0309136" if "GT" in top else "2608.00001")
    assert about(f"---\ntags: [x]\n---\r\n{top}\n") is not None


@pytest.mark.parametrize(
    "text",
    [
        f"# Project\n\nWe build on {ABS} and go on from there.",
        f"# Project\n\nSee {ABS}",
        f"# To read\n- {ABS}",
        f"# To read\n- [ ] [A title]({ABS})",
        f"{ABS}\nhttps://arxiv.org/abs/2608.00002",
        f"A post.\n\n{ABS}\n\nIt goes on where https://arxiv.org/abs/2607.00001 ends.",
        f"# Project\n\nGoal.\n\n## References\n\n{ABS}",
        "one\ntwo\nthree\nfour\nfive\n" + ABS,
        f"```\n{ABS}\n```",
        f"<% tp.date.now() %>\n{ABS}",
        f"# Post\n\nhttps://example.org/?u={ABS}",
        "https://arxiv.org/list/cs.AI/recent",
        "https://arxiv.org/abs/9999.99999",
        "",
    ],
)
def test_a_list_a_project_or_a_mention_does_not(text: str):
    assert about(text) is None


@pytest.mark.parametrize("stem", ["2026-08-20", "2026-W34", "20260820", "2026.08"])
def test_a_periodic_note_is_about_no_paper(stem: str):
    assert about(f"{ABS}\n", stem) is None


def test_a_name_in_the_form_of_ours_tells_the_paper():
    assert about("only my own words", "A title - 2608-00001") == "2608.00001"
    assert about("only my own words", "Old - math-GT-0309136") == "math/0309136"
