"""Whatever the reader writes around our regions and properties survives any run of updates."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from obsidian_digest.core.law.plan import born, plan
from obsidian_digest.core.vault.places import Places
from obsidian_digest.model import NoteDraft, Region, Snapshot, Update
from obsidian_digest.note import header, region
from obsidian_digest.note.kinds import classify

OWNED = ("title", "arxiv_id", "arxiv_version", "related")
_text = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\r%<>=["), max_size=60
)
_property = st.sampled_from(
    [
        "# a comment",
        "",
        "mine: 'it''s'",
        "list:\n- a\n- b",
        "flow: [1, {a: b}]",
        "many: |\n  x\n  y",
    ]
)
_update = st.tuples(st.integers(1, 9), _text, st.lists(st.sampled_from("ABC"), unique=True))


def draft(version: int = 1, text: str = "Hello", related: tuple[str, ...] = ()) -> NoteDraft:
    return NoteDraft(
        kind="paper",
        key="2608.00001",
        path="One - 2608-00001.md",
        owned={
            "title": "One",
            "arxiv_id": "2608.00001",
            "arxiv_version": version,
            "related": related,
        },
        regions=(Region("paper", text.strip() or "x"), Region("related", "- y")),
        tail="## Notes",
    )


def foreign(note: str) -> tuple[str, ...]:
    """All that is not ours: header lines outside owned properties, text outside regions."""
    parts = header.split(note)
    lines, ours = [], False
    for line in parts.yaml.splitlines(keepends=True):
        name = line.partition(":")[0]
        ours = name in OWNED or (ours and line.startswith(("  - ", "- ")))
        lines += [] if ours else [line]
    outside, at = [], 0
    for found in region.find(parts.body):
        outside.append(parts.body[at : found.start])
        at = found.end
    return (parts.opening, *lines, parts.closing, *outside, parts.body[at:])


@settings(max_examples=60)
@given(
    before=_text,
    after=_text,
    properties=st.lists(_property, unique=True),
    crlf=st.booleans(),
    mark=st.booleans(),
    updates=st.lists(_update, min_size=1, max_size=4),
)
def test_the_readers_text_survives(before, after, properties, crlf, mark, updates):
    head, _, body = born(draft()).partition("---\n\n")
    note = head + "".join(f"{line}\n" for line in properties) + f"---\n\n{before}\n{body}{after}"
    note = note.replace("\n", "\r\n") if crlf else note
    note = f"\ufeff{note}" if mark else note
    kept = foreign(note)
    for version, text, related in updates:
        links = tuple(f"[[{name}]]" for name in related)
        others = tuple(f"{name}.md" for name in "ABC")
        found = classify("Moved.md", note.encode(), "MOC")
        assert found is not None
        snapshot = Snapshot((found,), ("Moved.md", *others))
        wanted = draft(version, text, links)
        result = plan([wanted], snapshot, Places.of(snapshot), ())
        assert result.kept == ()
        for change in result.changes:
            assert isinstance(change, Update)
            note = change.after.decode()
        assert foreign(note) == kept
        assert header.read(note)["arxiv_version"] == str(version)
