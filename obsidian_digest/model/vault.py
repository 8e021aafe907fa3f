"""Notes: as they should be, as they are found, and what is to be done to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


Kind = Literal["paper", "digest", "theme", "week", "moc", "score"]
LinkPath = Literal["shortest", "relative", "absolute"]
HeaderValue = str | int | date | tuple[str, ...] | None
KeepReason = Literal["edited", "deleted", "moved", "doubled", "unreadable", "conflict", "foreign"]


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a note that is ours: Markdown between two markers, without the markers."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """What one note of ours should say; what else the note holds is the reader's.

    A draft for a note that stands names only the keys and regions that are to change.
    """

    kind: Kind
    key: str
    """arxiv_id, digest date, theme_id, `moc`: what the note is found by."""
    path: str
    """Vault-relative: where the note lies, or is to be born."""
    owned: Mapping[str, HeaderValue] = field(default_factory=dict)
    seeded: Mapping[str, HeaderValue] = field(default_factory=dict)
    regions: tuple[Region, ...] = ()
    tail: str = ""
    """Text below the last region at birth, the reader's from then on."""
    added: tuple[Region, ...] = ()
    """New regions for a note that stands: they go below its last region."""
    birth: bool = True
    """False: change the note if it stands, never create it."""
    gained: Mapping[str, HeaderValue] = field(default_factory=dict)
    """Properties of a note that stands: written where it has none of that name."""


@dataclass(frozen=True, slots=True)
class FileDraft:
    """What a file of ours that is no note should hold: a picture, a canvas."""

    path: str
    """Vault-relative: where it is to be born; it is found by its base name."""
    text: str
    """Without its seal (`note.sealed_file`)."""
    birth: bool = True
    """False: replace the file if it stands untouched, never create it."""


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note of ours as found on disk."""

    path: str
    """Vault-relative, forward slashes, as spelt on disk."""
    kind: Kind
    key: str
    raw: bytes
    header: Mapping[str, str | tuple[str, ...]]
    """Top-level properties as text, unconverted: `arxiv_id: 0704.0010` keeps its zero."""
    regions: Mapping[str, str]
    """Text of each sealed region, whether its seal holds or not."""
    trouble: KeepReason | None = None
    """Why nothing may be written into it."""


@dataclass(frozen=True, slots=True)
class OwnNote:
    """A note of the reader's own, as far as ranking and links look at it: never written into."""

    path: str
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Targets of its links to notes, as spelt, and ids of papers it names by their address."""
    text: str = ""
    """Plain text, cut to what an encoder reads; only of notes in the folders of the corpus."""


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """What Obsidian's own settings ask of a writer; the defaults where a file or key is missing."""

    markdown_links: bool = False
    """Links in text as `[label](path.md)`; properties hold wikilinks all the same."""
    link_path: LinkPath = "shortest"
    property_types: Mapping[str, str] = field(default_factory=dict)
    """Type of a property for the whole vault (`text`, `multitext`, `number`, `date`, ...), by its
    name in lower case: Obsidian matches names without regard to case."""
    troubles: tuple[str, ...] = ()
    """Files of settings that could not be read, in words."""


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """The reader's daily notes, as Obsidian's settings tell of them."""

    folder: str = ""
    """Vault-relative; empty: the root."""
    format: str = ""
    """Of moment, slashes make folders; empty: `YYYY-MM-DD`."""
    notes: Mapping[str, bytes] = field(default_factory=dict)
    """Those that lie there, by path."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The vault at the moment of planning."""

    notes: tuple[NoteFile, ...] = ()
    paths: tuple[str, ...] = ()
    """Every file of the vault outside dot folders, for unique names and for links."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Text of the few other notes a run reads (the interests), by path."""
    own: tuple[OwnNote, ...] = ()
    """The reader's own notes, by path."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files of ours that are no notes, by path, told by their seal (`note.sealed_file`)."""
    daily: DailyNotes | None = None
    """None: there are none, or the config asks for no line in them."""
    settings: VaultSettings = field(default_factory=VaultSettings)
    seen: frozenset[str] | None = None
    """Ids of the papers that had a note when a run last ended here; None: nobody remembers."""


@dataclass(frozen=True, slots=True)
class Create:
    """Write a note that does not exist."""

    path: str
    after: bytes


@dataclass(frozen=True, slots=True)
class Update:
    """Replace bytes of a note that exists, if it still holds `before`."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a note away that an undone run created, if it still holds `before`."""

    path: str
    before: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """One change of an earlier run, as the vault's journal tells it."""

    path: str
    before: bytes | None
    """What stood there; None: the run created the note."""
    after: str
    """SHA-256 of what the run wrote, in hex."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave a note, or one region of it, as it is."""

    path: str
    reason: KeepReason
    detail: str = ""


Change = Create | Update | Remove


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a run would do to the vault, in the order of writing."""

    changes: tuple[Change, ...] = ()
    kept: tuple[Keep, ...] = ()
    unchanged: tuple[str, ...] = ()
