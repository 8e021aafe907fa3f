"""A file as the bytes it holds: decompressed, with every trouble of the outside told in words."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
import zipfile
import zlib
from contextlib import contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, Any

from obsidian_digest.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

COMPRESSED: dict[bytes, Any] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ\0": lzma.open,
    b"BZh": bz2.open,
}
ZIP = b"PK\x03\x04"
ENCRYPTED = 1
DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
BINARY = re.compile(rb"\0|^%PDF|^PK")
NOTHING_WRITTEN = "Nothing was written."


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes as a stream that can be peeked into; raises InputError."""
    if path.is_dir():
        raise InputError("this is a folder; name the files in it", str(path), NOTHING_WRITTEN)
    try:
        with path.open("rb") as raw, _decompressed(raw) as stream:
            yield stream
    except DAMAGE as error:
        what = "the compressed file is cut off or damaged"
        raise InputError(what, str(path), NOTHING_WRITTEN) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file", str(path), NOTHING_WRITTEN) from error
    except _UnusableZipError as error:
        raise InputError(str(error), str(path), f"{NOTHING_WRITTEN} Unpack it first.") from error
    except OSError as error:
        # bzip2 has no error of its own for damaged bytes.
        words = f"the file cannot be read ({error.strerror})"
        what = words if error.errno else "the compressed file is cut off or damaged"
        raise InputError(what, str(path), NOTHING_WRITTEN) from error


class _UnusableZipError(Exception):
    """An archive that holds no file, several, or one that a password protects."""


def _decompressed(raw: IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    magic = raw.read(6)
    raw.seek(0)
    if magic.startswith(ZIP):
        return _only_member(zipfile.ZipFile(raw))
    opener = next((o for sign, o in COMPRESSED.items() if magic.startswith(sign)), None)
    found: AbstractContextManager[IO[bytes]] = opener(raw) if opener else nullcontext(raw)
    return found


def _only_member(archive: zipfile.ZipFile) -> IO[bytes]:
    members = [
        member
        for member in archive.infolist()
        if not member.is_dir() and not member.filename.startswith((".", "__MACOSX/"))
    ]
    if len(members) != 1:
        raise _UnusableZipError(f"this zip archive holds {len(members)} files instead of one")
    if members[0].flag_bits & ENCRYPTED:
        raise _UnusableZipError("a password protects this zip archive")
    try:
        return archive.open(members[0])
    except NotImplementedError as error:
        raise _UnusableZipError(f"this zip archive cannot be opened ({error})") from error


def first_sign(stream: Any) -> tuple[str, str]:
    """The text's encoding and its first character that is not white space, or ''."""
    start: bytes = stream.peek(4096)
    encoding = "utf-16" if start[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    text = start[: len(start) // 2 * 2].decode(encoding, "replace").lstrip()
    return encoding, text[:1]


def what_it_is(stream: Any) -> str:
    """Words for bytes that no reader knows."""
    start: bytes = stream.peek(4096).removeprefix(codecs.BOM_UTF8).strip()
    if not start:
        return "this is an empty file"
    if BINARY.search(start):
        return "this is a binary file"
    words = " ".join(start[:200].decode("utf-8", "replace").split())[:40]
    return f'this is text that starts with "{words}"'


def decoded(content: bytes, encoding: str) -> str | None:
    """The text of these bytes; None if they are none. ValueError where it breaks off."""
    if encoding == "utf-16":
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            raise ValueError("the text is cut off, or no UTF-16") from error
    if BINARY.search(content, 0, 4096):
        return None
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return content.decode("latin-1")  # what older .abs and BibTeX files are written in
