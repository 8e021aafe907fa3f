from pathlib import Path

import pytest

from obsidian_digest.errors import InputError
from tests.edge.saving import files, read, saved

LIST = """# to read

2608.19197v2   # the one about tools
https://arxiv.org/abs/2608.00001
- http://arxiv.org/pdf/2608.00002v1.pdf
* arXiv:2608.00003 [cs.CL]
https://doi.org/10.48550/arXiv.2608.00004
math.GT/0309136
hep-th/9901001v3
2608.00001
"""


def test_ids_and_addresses_come_in_their_order_once_with_their_versions(tmp_path: Path):
    path = saved(tmp_path, LIST.encode(), "list.txt")
    assert read(path) == ()
    assert files(path).ids() == (
        "2608.19197v2",
        "2608.00001",
        "2608.00002v1",
        "2608.00003",
        "2608.00004",
        "math/0309136",
        "hep-th/9901001v3",
    )


def test_a_line_that_is_no_id_is_named(tmp_path: Path):
    path = saved(tmp_path, b"2608.19197\n\n2608.1919\n")
    with pytest.raises(InputError, match=r'line 3: "2608\.1919" is no arXiv id'):
        read(path)


@pytest.mark.parametrize("text", ["shopping\n2608.19197\n", "# only remarks\n", "9999.99999\n"])
def test_a_text_that_does_not_begin_with_an_id_is_no_list(text: str, tmp_path: Path):
    with pytest.raises(InputError, match="not a file of papers"):
        read(saved(tmp_path, text.encode()))
