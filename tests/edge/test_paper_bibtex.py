from pathlib import Path

import pytest

from obsidian_digest.errors import InputError
from obsidian_digest.model import Paper
from tests.edge.saving import files, harvest, read, saved

ARXIV = r"""
@misc{bee2026inventions,
      title={{BEE}: On {Inventions} of \"{O}zel and $\mathbb{R}^{2}$},
      author={Ada Bee and M{\"u}ller, J{\"o}rg and von Dee, Jr, C. and {The X Team} and others},
      year={2026},
      eprint={2608.19197v2},
      archivePrefix={arXiv},
      primaryClass={cs.CL},
      url={https://arxiv.org/abs/2608.19197},
      doi={10.1000/182},
      journal = {Journal of Invented Results},
      abstract = "We show
        that.",
}
"""


def test_an_entry_with_an_abstract_is_a_paper(tmp_path: Path):
    assert read(saved(tmp_path, ARXIV.encode(), "mine.bib")) == (
        Paper(
            id="2608.19197",
            version=2,
            title=r"BEE: On Inventions of \"{O}zel and $\mathbb{R}^{2}$",
            abstract="We show that.",
            authors=("Ada Bee", "Jörg Müller", "C. von Dee Jr", "The X Team"),
            categories=("cs.CL",),
            primary="cs.CL",
            journal_ref="Journal of Invented Results",
            doi="10.1000/182",
        ),
    )


def test_arxivs_own_names_are_neither_a_journal_nor_a_publishers_doi(tmp_path: Path):
    text = ARXIV.replace("Journal of Invented Results", "arXiv preprint arXiv:2608.19197")
    text = text.replace("10.1000/182", "10.48550/arXiv.2608.19197")
    (paper,) = read(saved(tmp_path, text.encode()))
    assert (paper.journal_ref, paper.doi) == ("", "")


@pytest.mark.parametrize(
    ("field", "named"),
    [
        ("eprint = {2608.19197}", "2608.19197"),
        ("EPRINT = {hep-th/9901001v2}, archivePrefix = {arXiv}", "hep-th/9901001v2"),
        ('eprinttype = "arXiv", eprint = "2608.19197"', "2608.19197"),
        ("arxivId = {2608.19197}", "2608.19197"),
        ("url = {https://arxiv.org/abs/2608.19197v3}", "2608.19197v3"),
        (r"howpublished = {\url{http://arxiv.org/pdf/2608.19197v1.pdf}}", "2608.19197v1"),
        ("doi = {10.48550/arXiv.2608.19197}", "2608.19197"),
        ("journal = {arXiv preprint arXiv:2608.19197}", "2608.19197"),
        ("journal = {CoRR}, volume = {abs/2608.19197}", "2608.19197"),
        ("note = {In: X. arXiv:2608.19197, 2026.}", "2608.19197"),
    ],
)
def test_the_id_is_found_where_exports_put_it(field: str, named: str, tmp_path: Path):
    path = saved(tmp_path, f"@article{{key, title = {{T}}, {field} }}".encode())
    assert files(path).ids() == (named,)
    assert harvest(path).sources[0].outcome == "skipped"


@pytest.mark.parametrize(
    "field",
    [
        "volume = {2608.19197}",
        "eprint = {2608.19197}, eprinttype = {jstor}",
        "url = {https://example.org/2608.19197}",
        "year = {2026}",
    ],
)
def test_an_entry_that_is_no_paper_of_arxivs_is_left_out_and_counted(field: str, tmp_path: Path):
    path = saved(tmp_path, f"@book{{key, title = {{T}}, {field} }}\n{ARXIV}".encode())
    report = harvest(path).sources[0]
    assert report.papers == 1
    assert report.detail == "papers.txt: entries that are no papers of arXiv's left out: 1"


def test_remarks_abbreviations_and_a_key_used_twice_do_no_harm(tmp_path: Path):
    text = (
        '% made by hand\nSome words.\n@string{cs = "cs.CL"}\n@preamble{"\\x"}\n'
        "@comment{jabref-meta: databaseType:bibtex;}\n"
        "@misc{a, eprint = 2608.00001, month = oct}\n"
        "@misc(a, eprint = {2608.00002})\n"
        f"{ARXIV}{ARXIV.replace('19197', '19198')}"
        "@misc{b, eprint={2608.00003}, eprint={2608.00003}}\n"
    )
    path = saved(tmp_path, text.encode())
    assert files(path).ids() == ("2608.00001", "2608.00002", "2608.00003")
    one, two = read(path)
    assert (one.title, one.authors, one.abstract) == (two.title, two.authors, two.abstract)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@misc{a, eprint={2608.00001}}\n\n@misc{b, title={x", "line 3: this entry is not whole"),
        ("@misc{a, title={x}\n@misc{b, eprint={2608.00001}}", "line 1: this entry is not whole"),
        (
            "@misc{a,\n eprint={2608.00001}\n title={x}}",
            'line 2: a comma is missing after "eprint"',
        ),
    ],
)
def test_a_file_that_is_not_whole_is_refused_at_its_line_and_quietly(
    text: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    with pytest.raises(InputError) as refusal:
        read(saved(tmp_path, text.encode()))
    assert words in str(refusal.value)
    assert capfd.readouterr() == ("", "")
