import base64
import quopri
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from obsidian_digest.errors import InputError
from tests.edge.saving import RECORDINGS, harvest, read, saved

MAIL = RECORDINGS / "mail"
EML = (MAIL / "announcement.eml").read_text("utf-8")
BODY = EML.partition("\n\n")[2]


def test_a_mail_gives_its_new_and_cross_listed_papers_and_counts_the_replacements():
    found = harvest(MAIL / "announcement.eml")
    first, second, cross = found.papers
    assert [p.id for p in found.papers] == ["2601.15305", "2601.15316", "2601.15390"]
    assert first.title.startswith("Gated Sparse Attention: Combining")
    assert first.title.endswith("Training Stability for Long-Context Language Models")
    assert first.authors == ("Alfred Shen", "Aaron Shen")
    assert first.comment.endswith("sparse attention, gating, long-context")
    assert first.abstract.startswith("The computational burden of attention in long-context")
    assert first.abstract.endswith("with loss spikes reduced by 98%.")
    assert first.published == first.updated == datetime(2026, 1, 12, 20, 33, 39, tzinfo=UTC)
    assert first.announced == date(2026, 1, 23)
    assert second.doi == "10.1016/j.cosrev.2026.100893"
    assert second.authors[-2:] == ("Zhixiong He", "Keqin Li")
    assert (cross.primary, cross.categories) == ("stat.ML", ("stat.ML", "cs.LG"))
    report = found.sources[0]
    assert (report.outcome, report.detail) == (
        "ok",
        "announcement.eml: replacements left out: 2",
    )


def wrapped(encoding: str, content: bytes) -> bytes:
    head = EML.partition("\n\n")[0].replace(" 8bit", f" {encoding}")
    return head.encode() + b"\n\n" + content


MULTIPART = (
    EML.partition("MIME-Version")[0]
    + 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="=="\n\n'
    + f"--==\nContent-Type: text/plain; charset=utf-8\n\n{BODY}\n"
    + "--==\nContent-Type: text/html\n\n<html><p>arXiv</p></html>\n--==--\n"
)


@pytest.mark.parametrize(
    "content",
    [
        BODY.encode(),
        EML.replace("\n", "\r\n").encode(),
        b"From arxiv Fri Jan 23 01:31:45 2026\n" + EML.encode(),
        wrapped("base64", base64.encodebytes(BODY.encode())),
        wrapped("quoted-printable", quopri.encodestring(BODY.encode())),
        MULTIPART.encode(),
        EML.encode("utf-16"),
    ],
)
def test_a_mail_is_read_however_it_was_sent_or_saved(content: bytes, tmp_path: Path):
    assert read(saved(tmp_path, content)) == read(MAIL / "announcement.eml")


@pytest.mark.parametrize(
    ("window", "announced"),
    [
        ("Wed 21 Jan 26 19:00:00 GMT  to  Thu 22 Jan 26 19:00:00 GMT", date(2026, 1, 23)),
        ("Thu 22 Jan 26 19:00:00 GMT  to  Fri 23 Jan 26 19:00:00 GMT", date(2026, 1, 26)),
        ("Fri 23 Jan 26 19:00:00 GMT  to  Mon 26 Jan 26 19:00:00 GMT", date(2026, 1, 27)),
        ("Fri 23 Jan 26 19:00:00 GMT  to  Mon 99 Jan 26 19:00:00 GMT", None),
        ("some day", None),
    ],
)
def test_without_its_headers_a_mail_is_dated_by_the_submissions_it_covers(
    window: str, announced: date | None, tmp_path: Path
):
    told = "Wed 21 Jan 26 19:00:00 GMT  to  Thu 22 Jan 26 19:00:00 GMT"
    body = BODY.replace(told, window)
    assert read(saved(tmp_path, body.encode()))[0].announced == announced


def test_a_mail_without_a_usable_date_is_dated_by_the_submissions_it_covers(tmp_path: Path):
    mail = EML.replace("Date: Fri, 23 Jan 2026 01:31:32 GMT", "Date: yesterday")
    assert read(saved(tmp_path, mail.encode()))[0].announced == date(2026, 1, 23)


def test_a_formulas_backslashes_do_not_end_an_abstract():
    (paper,) = read(MAIL / "backslashes.abs")
    assert paper.id == "2004.02153"
    assert r"u^\kappa, \\ v_t = \Delta v - v + u \end{cases}" in paper.abstract
    assert paper.abstract.endswith("collapse into a persistent Dirac distribution.")


def test_an_abs_file_tells_its_versions_and_an_old_one_its_archive():
    (paper,) = read(MAIL / "without-categories.abs")
    assert (paper.id, paper.version) == ("hep-th/9709111", 2)
    assert (paper.primary, paper.categories) == ("hep-th", ("hep-th",))
    assert paper.published == datetime(1997, 9, 16, 14, 44, 58, tzinfo=UTC)
    assert paper.updated == datetime(1997, 9, 23, 17, 34, 41, tzinfo=UTC)
    assert paper.authors == ("Andrea Brignole", "Ferruccio Feruglio", "Fabio Zwirner")
    assert paper.affiliations == ("CERN-TH", "Padua Univ.", "INFN-Padua")
    assert paper.announced is None


@pytest.mark.parametrize(
    ("size", "comment"),
    [
        ("(0kb)", "8 pages, 1 figure (withdrawn)"),
        ("(11kb,I)", "8 pages, 1 figure (withdrawn)"),
        ("(11kb,D)", "8 pages, 1 figure"),
    ],
)
def test_a_withdrawn_paper_says_so_even_if_its_authors_do_not(size, comment, tmp_path: Path):
    text = (MAIL / "without-categories.abs").read_text("utf-8")
    text = text.replace("17:34:41 GMT   (11kb)", f"17:34:41 GMT   {size}")
    text = text.replace(
        "8 pages, 1 figure, plain Latex. One reference added and a harmless\n"
        "  sign change in eqs.(17)-(20)",
        "8 pages, 1 figure",
    )
    assert read(saved(tmp_path, text.encode()))[0].comment == comment


def test_letters_of_older_files_are_read(tmp_path: Path):
    text = (MAIL / "without-categories.abs").read_text("utf-8")
    text = text.replace("Andrea Brignole", "André Brignolé")
    assert read(saved(tmp_path, text.encode("latin-1")))[0].authors[0] == "André Brignolé"


FIRST = "line 16: the entry is cut off"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("arXiv:2601.15316\n", "", "line 47: the entry has no arXiv id"),
        ("arXiv:2601.15316\n", "arXiv:2601.1531\n", "line 47: the entry has no arXiv id"),
        ("Title: The Paradigm", "Titel: The Paradigm", "the entry has no title"),
        ("Date: Mon, 12 Jan 2026", "Date: Some Day", 'has "Some Day 20:33:39 GMT" as its date'),
        ("\\\\ ( https://arxiv.org/abs/2601.15305 ,  215kb)\n", "", FIRST),
        ("long-context\n\\\\\n", "long-context\n", "the entry has no abstract"),
    ],
)
def test_a_mail_whose_entry_is_not_whole_is_refused_at_its_line(old, new, words, tmp_path: Path):
    assert old in BODY
    with pytest.raises(InputError) as refusal:
        read(saved(tmp_path, BODY.replace(old, new).encode()))
    assert words in str(refusal.value)


def test_the_line_is_counted_in_the_file_with_the_mails_headers(tmp_path: Path):
    mail = EML.replace("arXiv:2601.15316\n", "")
    number = next(n for n, line in enumerate(mail.splitlines(), 1) if "16 Jan 2026" in line)
    with pytest.raises(InputError, match=rf"line {number}: the entry has no arXiv id"):
        read(saved(tmp_path, mail.encode()))


@pytest.mark.parametrize("share", [0.3, 0.5, 0.6])
def test_a_mail_that_breaks_off_in_an_entry_is_refused(share: float, tmp_path: Path):
    with pytest.raises(InputError, match=r"line \d+: the entry is cut off"):
        read(saved(tmp_path, EML[: int(len(EML) * share)].encode()))


def test_a_mailbox_gives_the_papers_of_all_its_mails_dated_by_each(tmp_path: Path):
    envelope = "From arxiv Fri Jan 23 01:31:45 2026\n"
    other = EML.partition("\n\n")[0] + "\n\nThank you for subscribing.\n\n"
    later = EML.replace("Date: Fri, 23 Jan 2026 01:31", "Date: Mon, 26 Jan 2026 01:31")
    path = saved(tmp_path, "".join(envelope + mail for mail in (EML, other, later)).encode())
    found = harvest(path)
    days = [date(2026, 1, 23)] * 3 + [date(2026, 1, 26)] * 3
    assert [p.announced for p in found.papers] == days
    assert found.sources[0].detail == "papers.txt: replacements left out: 4"
    broken = path.read_text("utf-8").replace("Title: On cross", "Titel: On cross")
    crosses = (n for n, line in enumerate(broken.splitlines(), 1) if "*cross-listing*" in line)
    with pytest.raises(InputError, match=rf"line {next(crosses)}: the entry has no title"):
        read(saved(tmp_path, broken.encode()))


def test_an_abstract_with_a_line_that_begins_with_from_is_no_second_mail(tmp_path: Path):
    body = BODY.replace("benefits of both. GSA", "benefits\nFrom January 2019 to May 2020\nGSA")
    first = read(saved(tmp_path, body.encode()))[0]
    assert "benefits From January 2019 to May 2020 GSA" in first.abstract


def test_a_mail_about_other_things_is_no_file_of_papers(tmp_path: Path):
    mail = EML.partition("\n\n")[0] + "\n\nThank you for subscribing.\n"
    with pytest.raises(InputError, match='text that starts with "Return-Path'):
        read(saved(tmp_path, mail.encode()))
