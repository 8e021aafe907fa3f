from __future__ import annotations

from obsidian_digest.edge.arxiv_api import ArxivApi
from obsidian_digest.edge.arxiv_details import Details
from obsidian_digest.edge.batch_store import fields_of, paper_of
from tests.edge.arxiv_server import failed, serve, serve_papers, web_page
from tests.edge.asking import paper, quiet, web


def details(arxiv, folder, **changes: object) -> Details:
    source = ArxivApi(arxiv.url, web(folder, **changes))
    return Details(source, folder / "details.jsonl", to_fields=fields_of, to_paper=paper_of)


def test_the_papers_are_found_by_their_bare_ids_and_asked_for_once(tmp_path):
    with serve_papers([paper(1), paper(2)]) as arxiv:
        found = details(arxiv, tmp_path)(["2608.17001v1"], quiet)
        assert found == {"2608.17001": paper(1)}
        asked = len(arxiv.log)
        assert details(arxiv, tmp_path)(["2608.17001v1"], quiet) == found
        assert len(arxiv.log) == asked


def test_what_was_not_found_is_asked_for_again(tmp_path):
    with serve_papers([paper(1)]) as arxiv:
        assert details(arxiv, tmp_path)(["2608.17009"], quiet) == {}
        asked = len(arxiv.log)
        assert details(arxiv, tmp_path)(["2608.17009", "2608.17001"], quiet).keys() == {
            "2608.17001"
        }
        assert len(arxiv.log) > asked


def test_no_answer_is_no_error(tmp_path):
    for fault in (failed(503), failed(403), web_page()):
        with serve([fault]) as arxiv:
            asked = details(arxiv, tmp_path / str(fault.status), tries=1)
            assert asked(["2608.17001"], quiet) == {}


def test_no_ids_are_no_request(tmp_path):
    with serve([]) as arxiv:
        assert details(arxiv, tmp_path)([], quiet) == {}
    assert arxiv.log == []


def test_a_damaged_line_counts_as_not_there(tmp_path):
    (tmp_path / "details.jsonl").write_text('{"asked": "2608.17001v1", "pap\n[]\n')
    with serve_papers([paper(1)]) as arxiv:
        found = details(arxiv, tmp_path)(["2608.17001v1"], quiet)
    assert found == {"2608.17001": paper(1)}
