import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note.authors import authors


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ada Bee", ("Ada Bee",)),
        ("Ada Bee, C. Dee", ("Ada Bee", "C. Dee")),
        ("Ada Bee and C. Dee", ("Ada Bee", "C. Dee")),
        ("Ada Bee, C. Dee, and E. Eff", ("Ada Bee", "C. Dee", "E. Eff")),
        ("Ada Bee & C. Dee; E. Eff", ("Ada Bee", "C. Dee", "E. Eff")),
        ("C. Bal\\'azs, J. M\\\"{u}ller,\n  K. O~Neill", ("C. Balázs", "J. Müller", "K. O Neill")),
        ("Robert W. Heath, Jr., A. Bee", ("Robert W. Heath Jr.", "A. Bee")),
        ("A. Bee, III and C. Dee", ("A. Bee III", "C. Dee")),
        ("LHCb collaboration: R. Aaij, J. Wang, J. Wang",
         ("LHCb collaboration", "R. Aaij", "J. Wang", "J. Wang")),
        ("The X Collaboration, J. Dee, et al", ("The X Collaboration", "J. Dee")),
        ("A. Bee, et al.", ("A. Bee",)),
        ("A. Bee$^{1,2}$, C. Dee$^\\dagger$", ("A. Bee", "C. Dee")),
        ("Anders Brandt", ("Anders Brandt",)),
        ("李明, 王伟", ("李明", "王伟")),
        ("", ()),
        (" , and ", ()),
    ],
)  # fmt: skip
def test_names_come_out_of_an_author_line_as_plain_text(line: str, names: tuple[str, ...]):
    assert authors(line) == (names, ())


@pytest.mark.parametrize(
    ("line", "names", "places"),
    [
        ("A. Bee (MIT, Lab and Co), C. Dee (Z)", ("A. Bee", "C. Dee"), ("MIT, Lab and Co",)),
        ("A. Bee (1,2), C. Dee (2) ((1) Univ. of X, Y (2) CERN)",
         ("A. Bee", "C. Dee"), ("Univ. of X, Y", "CERN")),
        ('A. Bee (a), C. Dee (1 and 2) ((a) Bonn, (b) K\\"oln)',
         ("A. Bee", "C. Dee"), ("Bonn", "Köln")),
        ("S. Ohta (1) (for the RBC and UKQCD Collaborations) ((1) KEK)",
         ("S. Ohta",), ("for the RBC and UKQCD Collaborations", "KEK")),
        ("A. Bee (MIT), C. Dee) and E. Eff", ("A. Bee", "C. Dee", "E. Eff"), ("MIT",)),
        ("A. Bee (MIT, C. Dee", ("A. Bee MIT", "C. Dee"), ()),
    ],
)  # fmt: skip
def test_affiliations_come_out_of_the_brackets(line, names, places):
    assert authors(line) == (names, places)


@given(
    st.lists(
        st.sampled_from(["A. Bee", "(MIT)", "((1) X)", "(", ")", ",", " and ", ":", "$", "Jr"])
    )
)
def test_whatever_stands_in_the_line_names_are_no_empty_text(parts: list[str]):
    names, places = authors("".join(parts))
    assert all(name.strip() == name and name for name in (*names, *places))
