from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsidian_digest.note import region
from obsidian_digest.note.append import UnsafeEndError, appended

TEXT = "## Themes\n\n- none yet"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"# My map\n",
        b"no final newline",
        b"windows\r\nlines\r\n",
        b"\xef\xbb\xbfwith a BOM\r\n",
        b"\xef\xbb\xbf",
        b"---\ntags: [x]\n---\nmine\n\n\n",
        b"```python\ncode\n```\n",
        b"~~~\n```\n~~~\n",
        b"%% a comment %%\n",
    ],
)
def test_every_byte_of_the_readers_stays_and_the_region_is_found_again(raw: bytes):
    after = appended(raw, "moc", TEXT)
    assert after.startswith(raw)
    note = after.decode()
    (found,) = region.find(note)
    assert found.text.replace("\r\n", "\n") == TEXT
    assert region.intact(found, lambda _: True)
    assert (b"\r\n" in after) == (b"\r\n" in raw)
    assert appended(after, "moc", "anything") == after


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"```\ncode", "inside a block of code"),
        (b"> x\n~~~~\n~~~\n", "inside a block of code"),
        (b"%% open comment\n", "inside a comment"),
        (b"<<<<<<< HEAD\na\n", "conflict"),
        (b"\xff\xfeh\x00", "not UTF-8"),
        (b"%% digest:begin moc v1 seal=00000000 %%\n", "not closed"),
    ],
)
def test_a_note_at_whose_end_a_region_would_not_be_seen_is_left_alone(raw: bytes, why: str):
    with pytest.raises(UnsafeEndError, match=why):
        appended(raw, "moc", TEXT)


@given(st.text(max_size=200))
def test_any_note_is_kept_whole_or_left_alone(text: str):
    raw = text.encode("utf-8", "replace")
    with suppress(UnsafeEndError):
        assert appended(raw, "daily", "x").startswith(raw)
