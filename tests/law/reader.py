"""All that a reader, his app and his other programs do to the notes of a vault."""

from __future__ import annotations

import json
import re

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from obsidian_digest.note import region as package
from tests.law import files
from tests.law.judge import OLDER, STANDING
from tests.law.note import IDENTITY, Note, Part
from tests.law.words import HOSTILE, TEXT, properties, valued
from tests.law.world import DAYS, SYNC, World

NAMES = [
    "My reading", "Ünïcode näme", "Cafe\u0301", "with (parens) & 50%", "2026-08-20",
    "About - 2608-17220", "deep/er/note", "Read/One", "Zettel's \"x\"",
]  # fmt: skip
SETTINGS = [
    ("app.json", {"useMarkdownLinks": markdown, "newLinkFormat": path})
    for markdown in (False, True)
    for path in ("shortest", "relative", "absolute")
] + [
    ("types.json", {"types": types})
    for types in (
        {"title": "number", "published": "datetime", "code": "multitext"},
        {"related": "text", "relevance": "checkbox", "tags": "tags"},
        {"digests": "text", "up": "multitext", "reading": "checkbox"},
    )
]
BROKEN = [
    "marker", "conflict", "twice", "a: x: y", "l: [a", "\tb: 1", "fence", "header", "above", "id",
]  # fmt: skip
HIS_LINK = "A note of mine"
"""What a link of ours leads to that he turned away."""
PICK = st.integers(0, 10_000)
WHERE = st.floats(0, 1, exclude_max=True)


def pick(number: int, notes: list[Note]) -> Note | None:
    return sorted(notes, key=lambda note: note.path)[number % len(notes)] if notes else None


class Reader(RuleBasedStateMachine):
    """A reader at work in a vault."""

    world: World

    def with_header(self) -> list[Note]:
        return [note for note in self.world.ours() if note.header and not note.broken]

    def free(self) -> list[Note]:
        """Notes that may be renamed and deleted without another setting."""
        return [note for note in self.world.notes if note.stem not in STANDING | {HIS_LINK}]

    @rule(number=PICK, where=WHERE, text=TEXT | HOSTILE)
    def he_writes(self, number: int, where: float, text: str) -> None:
        note = pick(number, [n for n in self.world.notes if n.stem != "Research interests"])
        if note is None:
            return
        part = note.parts[note.body[number // 7 % len(note.body)]]
        at = int(where * (len(part.text) + 1))
        part.text = part.text[:at] + text + part.text[at:]
        note.key = note.path if note.kind == "own" else note.key
        note.unsure |= not note.header and bool(re.match("\ufeff?---", note.text))
        self.world.put(note)

    @rule(number=PICK, where=WHERE, added=properties())
    def he_adds_a_property(self, number: int, where: float, added: tuple[str, str]) -> None:
        name, lines = added
        note = pick(number, self.with_header())
        if note and name.lower() not in {part.name.lower() for part in note.parts}:
            at = note.header.start + int(where * (len(note.header) + 1))
            note.parts.insert(at, Part(lines.replace("\n", note.newline), name))
            self.world.put(note)

    @rule(number=PICK, data=st.data())
    def he_changes_a_property_of_his(self, number: int, data: st.DataObject) -> None:
        note = pick(number, self.with_header())
        his = [i for i in note.header if not note.parts[i].ours] if note else []
        if note is None or not his:
            return
        part = note.parts[his[number % len(his)]]
        if data.draw(st.booleans(), "taken out"):
            note.parts.remove(part)
        else:
            part.text = data.draw(valued(part.name)).replace("\n", note.newline)
        self.world.put(note)

    @rule(number=PICK, how=st.sampled_from(["taken out", "comment", "flow", "zero indent"]))
    def he_touches_a_property_of_ours(self, number: int, how: str) -> None:
        note = pick(number, [n for n in self.world.good() if n.header])
        ours = [i for i in note.header if note.parts[i].ours] if note else []
        ours = [i for i in ours if note.parts[i].name != IDENTITY.get(note.kind)]
        if note is None or not ours:
            return
        index = ours[number // 7 % len(ours)]
        part = note.parts[index]
        if how == "taken out":
            note.take_out(index)
        elif not part.held:
            restyle(part, how, number, note.newline)
        self.world.put(note)

    @rule(
        number=PICK,
        where=WHERE,
        how=st.sampled_from(["edit", "cut", "linter", "taken out", "older", "his link"]),
    )
    def he_touches_a_region(self, number: int, where: float, how: str) -> None:
        note = pick(number, [n for n in self.world.good() if n.regions()])
        if note is None:
            return
        index = note.regions()[number // 7 % len(note.regions())]
        part = note.parts[index]
        if how == "taken out":
            note.take_out(index)
        elif how == "older":
            older = package.wrap(part.name, f"{OLDER}\n\n- [[{note.stem}]]\n- *x*")
            part.text = older.replace("\n", note.newline)
        else:
            edit(part, where, how, note.newline)
            if HIS_LINK in part.text:
                self.world.own(f"{HIS_LINK}.md", "mine\n")
        self.world.put(note)

    @rule(number=PICK)
    def he_takes_a_region_out_that_he_had_edited(self, number: int) -> None:
        note = pick(number, [n for n in self.world.ours() if n.regions(ours=False)])
        if note is not None:
            note.take_out(note.regions(ours=False)[0])
            self.world.put(note)

    @rule(
        number=PICK,
        how=st.sampled_from(BROKEN),
    )
    def he_breaks_a_note(self, number: int, how: str) -> None:
        note = pick(number, self.world.good())
        whole = note.clone().parts if note else []
        if note and break_note(note, number, how):
            note.healthy = whole
            self.world.put(note)

    @rule(number=PICK)
    def he_mends_a_note(self, number: int) -> None:
        note = pick(number, [n for n in self.world.notes if n.healthy])
        if note is not None:
            note.parts, note.healthy = note.healthy, None
            note.broken, note.nameless, note.unsure = "", False, False
            self.world.put(note)

    @rule(
        number=PICK,
        name=st.sampled_from([*NAMES, ""]),
        folder=st.sampled_from(["", "Read", "arXiv/Papers", "arXiv"]),
        inside=st.booleans(),
    )
    def he_renames_or_moves_a_note(self, number: int, name: str, folder: str, inside: bool) -> None:
        note = pick(number, [*self.free(), *self.world.ours("moc")])
        path = f"{folder}/{name or note.stem}.md".removeprefix("/") if note else ""
        if note and not self.world.taken(path):
            self.world.move({note.path: path}, inside=inside and '"' not in path)

    @rule(inside=st.booleans(), name=st.sampled_from(["Papers", "Lit & notes/2026"]))
    def he_renames_the_folder_of_papers(self, inside: bool, name: str) -> None:
        paths = [n.path for n in self.free() if n.path.startswith("arXiv/Papers/")]
        moved = {path: path.replace("arXiv/Papers", name) for path in paths}
        if not any(map(self.world.taken, moved.values())):
            self.world.move(moved, inside=inside)

    @rule(number=PICK)
    def he_deletes_a_note(self, number: int) -> None:
        note = pick(number, [*self.free(), *self.world.ours("moc")])
        if note is not None:
            self.world.delete(note)

    @rule()
    def the_folder_of_papers_is_gone(self) -> None:
        for note in self.free():
            if note.path.startswith("arXiv/Papers/"):
                self.world.delete(note)

    @rule(number=PICK, name=st.sampled_from(["{} copy", "{} 1", "Read/{}", f"{{}}{SYNC}"]))
    def a_note_is_doubled(self, number: int, name: str) -> None:
        note = pick(number, self.world.ours())
        path = f"{name.format(note.stem)}.md" if note else ""
        if note and not self.world.taken(path):
            twin = note.clone()
            twin.path = path
            self.world.notes.append(twin)
            self.world.put(twin)

    @rule(number=PICK, mark=st.booleans())
    def another_program_rewrites_a_note(self, number: int, mark: bool) -> None:
        note = pick(number, self.world.ours())
        if note is None:
            return
        if mark and not note.text.startswith("\ufeff"):
            note.parts[0].text = "\ufeff" + note.parts[0].text
        else:
            for part in note.parts:
                part.text = re.sub(r"(?<!\r)\n", "\r\n", part.text)
        self.world.put(note)

    @rule(setting=st.sampled_from(SETTINGS))
    def he_changes_a_setting_of_the_app(self, setting: tuple[str, object]) -> None:
        self.world.set_up(*setting)

    @rule()
    def the_working_state_is_lost(self) -> None:
        self.world.lose_state()

    @rule(number=PICK, coming=st.booleans())
    def he_writes_a_note_of_his_own(self, number: int, coming: bool) -> None:
        note = pick(number, self.world.ours())
        if not coming and note:
            self.world.own(f"Mine/{note.stem}.md", f"# My own {note.stem}\n")
        lines = (self.world.root / f"{DAYS[-1]}.jsonl").read_text("utf-8").splitlines()
        paper = json.loads(lines[number % len(lines)])["id"]
        if coming and not any(paper in (n.key, n.path) for n in self.world.notes):
            text = f"# A paper\nhttps://arxiv.org/abs/{paper}\n\nMy thoughts.\n"
            self.world.own(f"Mine {paper[-5:]}.md", text, paper)

    @rule(number=PICK)
    def he_chooses_a_theme(self, number: int) -> None:
        note, themes = pick(number, self.world.good("paper")), self.world.good("theme")
        stems = [each.stem.lower() for each in self.world.notes]
        themes = [n for n in themes if stems.count(n.stem.lower()) == 1 and not merged(n)]
        theme = pick(number // 7, themes)
        parts = [part for part in note.parts if part.name == "theme" and part.ours] if note else []
        if note and theme and parts and not parts[0].held and not self.world.renamed:
            parts[0].text = f'theme: "[[{theme.stem}]]"{note.newline}'
            note.theme = theme.key
            self.world.put(note)

    @rule(number=PICK)
    def he_merges_a_theme_into_another(self, number: int) -> None:
        stems = [each.stem.lower() for each in self.world.notes]
        themes = [n for n in self.world.good("theme") if n.header and not merged(n)]
        theme = pick(number, themes)
        others = [n for n in themes if n is not theme and stems.count(n.stem.lower()) == 1]
        heir = pick(number // 7, others)
        if theme and heir and not self.world.renamed:
            line = f'merged_into: "[[{heir.stem}]]"{theme.newline}'
            theme.parts.insert(theme.header.stop, Part(line, "merged_into"))
            for paper in self.world.ours("paper"):
                paper.theme = "" if paper.theme == theme.key else paper.theme
            self.world.put(theme)

    @rule(number=PICK, how=st.sampled_from(["edit", "delete", "move", "line ends"]))
    def he_touches_a_picture(self, number: int, how: str) -> None:
        files.touch(self.world, number, how)


def merged(theme: Note) -> bool:
    """Whether the theme is merged into another: by the reader, or by a turn that emptied it."""
    return any(part.name == "merged_into" for part in theme.parts)


def restyle(part: Part, how: str, number: int, newline: str) -> None:
    """The same property of ours with a comment, as a flow list, or without indentation."""
    lines = part.text.splitlines(keepends=True)
    if how == "comment":
        comment = f"# {part.name} is mine"
        lines[number % len(lines)] = f"{lines[number % len(lines)].rstrip()}  {comment}{newline}"
        part.text, part.held = "".join(lines), (comment,)
    elif how == "zero indent":
        part.text = "".join(line.removeprefix("  ") for line in lines)
    elif len(lines) > 1 and not any("," in line for line in lines):
        items = ", ".join(line.strip().removeprefix("- ") for line in lines[1:])
        part.text = f"{part.name}: [{items}]{newline}"


def edit(part: Part, where: float, how: str, newline: str) -> None:
    """Changes what a region says; after a linter's work it is still ours."""
    start, end = part.inner
    lines = part.text[start:end].splitlines(keepends=True)
    full = [number for number, line in enumerate(lines) if line.strip()]
    links = [number for number in full if re.search(r"\[\[[^\[\]|]*\|", lines[number])]
    if how == "linter":
        lines = [re.sub(r"^- ", "* ", line) for line in lines]
    elif how == "his link" and links:
        line = links[int(where * len(links))]
        lines[line] = re.sub(r"\[\[[^\[\]|]*\|", f"[[{HIS_LINK}|", lines[line], count=1)
    elif how == "cut" and full:
        del lines[full[int(where * len(full))]]
    else:
        lines.insert(full[int(where * len(full))] if full else 0, f"I say: yes{newline}")
    part.ours = how == "linter"
    part.text = part.text[:start] + "".join(lines) + part.text[end:]


def break_note(note: Note, number: int, how: str) -> bool:
    """Makes it a note to keep our hands off; False where it has nothing to break in this way."""
    if how == "marker" and note.regions() and (note.kind != "score" or not number % 2):
        part = note.parts[note.regions()[number // 7 % len(note.regions())]]
        lines = part.text.splitlines(keepends=True)
        part.text = "".join(lines[1:] if number % 2 else lines[:-1])
        part.ours = part.region = False
    elif how == "conflict":
        conflict = "\n<<<<<<< HEAD\nmine\n=======\nhis\n>>>>>>> other\n"
        note.parts[note.body[-1]].text += conflict
    elif how != "marker" and note.header and note.kind in IDENTITY:
        _break_header(note, number, how)
        note.broken = "unreadable"
    else:
        return False
    return True


def _break_header(note: Note, number: int, how: str) -> None:
    at = note.header[number % len(note.header)]
    note.nameless = how in ("header", "id")
    if how == "fence":
        del note.parts[note.header.stop]
        note.unsure = bool(re.search(r"^---[ \t]*\r?$", note.text[3:], re.MULTILINE))
    elif how == "header":
        del note.parts[: note.header.stop + 1]
    elif how == "above":
        note.parts.insert(0, Part(f"mine{note.newline}"))
    elif how == "id":
        name = IDENTITY[note.kind]
        note.parts = [part for part in note.parts if part.name != name]
    else:
        lines = note.parts[at].text if how == "twice" else f"{how}{note.newline}"
        note.parts.insert(at, Part(lines))
