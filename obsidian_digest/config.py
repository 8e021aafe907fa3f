"""The settings table: every key with its default and its help; all problems are told at once."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from obsidian_digest.errors import ConfigError

FILE_NAME = "obsidian-digest.toml"

_CATEGORY = re.compile(r"[a-z-]+(\.[A-Za-z-]+)?\Z")
# Beside what file systems refuse: what ends a wikilink, or starts code, a formula or a comment.
_FORBIDDEN_IN_NAMES = re.compile(r'[\\:*?"<>|#^\[\]`$\x00-\x1f\x7f]|%%|^[. ]|[. ]$')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)", re.IGNORECASE)
_LONGEST_NAME = 134
"""Bytes of a name, as in `note.names`: with a number and `.md` it stays within 140."""
_SHORTEST_TITLE = "Reasoning with words"
"""What must be left of a paper's title in its file name."""


SOURCES = ("auto", "rss", "listing", "api", "oai")


def _setting(default: Any, doc: str) -> Any:
    return field(default=default, metadata={"help": doc})


@dataclass(frozen=True, slots=True)
class Arxiv:
    """Which papers are fetched, and where from."""

    categories: tuple[str, ...] = _setting(("cs.AI", "cs.CL"), "arXiv categories to read")
    cross_lists: bool = _setting(True, "also papers whose first category is another one")  # noqa: FBT003
    source: str = _setting("auto", "auto, rss, listing, api or oai")
    affiliations: str = _setting(
        "feed", "of selected papers: feed (where it has them) or html (also the paper's web page)"
    )


@dataclass(frozen=True, slots=True)
class Digest:
    """What a day's digest holds."""

    top: int = _setting(20, "at most so many papers a day")
    min_stars: int = _setting(3, "only papers with so many stars (0 to 5; 0: whatever the score)")
    near_misses: int = _setting(10, "so many of the next best are listed, folded, at the end")
    language: str = _setting("en", "language of the notes: en or zh")
    catch_up: str = _setting(
        "days", "after days without a run: days (a digest for each) or one (one for all)"
    )


@dataclass(frozen=True, slots=True)
class Encoder:
    """What turns text into vectors."""

    name: str = _setting(
        "all-MiniLM-L6-v2",
        'a sentence-transformers model by name or path | "static" (fast, no torch) | "words"',
    )


@dataclass(frozen=True, slots=True)
class Folders:
    """Where new notes are born; move them wherever you like afterwards."""

    papers: str = _setting("arXiv/Papers", "paper notes")
    digests: str = _setting("arXiv/Digests", "digest notes")
    themes: str = _setting("arXiv/Themes", "theme notes")
    weeks: str = _setting("arXiv/Weeks", "week notes")


@dataclass(frozen=True, slots=True)
class Names:
    """File names of new notes, fixed at birth."""

    paper: str = _setting("{title} - {id}", "needs {id}; {title} is optional")
    digest: str = _setting("arXiv digest {date}", "needs {date}")
    week: str = _setting("arXiv week {week}", "needs {week}")


@dataclass(frozen=True, slots=True)
class Notes:
    """How new notes sit in the vault."""

    moc: str = _setting("MOC-Research", "the map of content that notes link up to")
    home: str = _setting("Home", "linked in the footer where a note of this name exists")
    interests: str = _setting("Research interests", "the note that holds your interests")
    tags: tuple[str, ...] = _setting(("arxiv",), "tags of every new note")
    paper_notes: bool = _setting(True, "one note for each selected paper")  # noqa: FBT003


@dataclass(frozen=True, slots=True)
class Llm:
    """A language model, off unless base_url is set. Not used by this version yet."""

    base_url: str = _setting("", "an OpenAI-style server, for instance http://localhost:11434/v1")
    model: str = _setting("", "the model's name there")
    key_env: str = _setting("", "the environment variable that holds the key")
    send: str = _setting("abstracts", "what may leave this machine")


@dataclass(frozen=True, slots=True)
class Config:
    """The whole of `obsidian-digest.toml`."""

    arxiv: Arxiv = field(default_factory=Arxiv)
    digest: Digest = field(default_factory=Digest)
    encoder: Encoder = field(default_factory=Encoder)
    folders: Folders = field(default_factory=Folders)
    names: Names = field(default_factory=Names)
    notes: Notes = field(default_factory=Notes)
    llm: Llm = field(default_factory=Llm)


def parse(text: str, where: str = FILE_NAME) -> Config:
    """The config in a TOML text. Raises ConfigError with every problem it holds."""
    try:
        given = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        hint = "Text needs double quotes, lists need [brackets]."
        raise ConfigError(where, [f"it is not valid TOML: {error}"], hint) from error
    problems: list[str] = []
    sections = {each.name: _section(each.name, given, problems) for each in fields(Config)}
    _unknown("section", given, [each.name for each in fields(Config)], problems)
    config = Config(**sections)
    problems += _check(config)
    if problems:
        raise ConfigError(where, problems)
    return config


def _section(name: str, given: dict[str, Any], problems: list[str]) -> Any:
    kind = get_type_hints(Config)[name]
    rows = given.get(name, {})
    if not isinstance(rows, dict):
        problems.append(f"[{name}] must be a section, not a value")
        return kind()
    _unknown(f"key in [{name}]", rows, [each.name for each in fields(kind)], problems)
    hints = get_type_hints(kind)
    values = {}
    for key, value in rows.items():
        if key in hints:
            values[key] = _typed(f"{name}.{key}", value, hints[key], problems)
    return kind(**{key: value for key, value in values.items() if value is not None})


def _unknown(what: str, rows: dict[str, Any], known: list[str], problems: list[str]) -> None:
    for key in rows:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            problems.append(f"unknown {what}: {key} ({hint})")


def _typed(key: str, value: Any, hint: Any, problems: list[str]) -> Any:
    if hint == tuple[str, ...]:
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return tuple(value)
        problems.append(f'{key} must be a list of texts, for instance ["a", "b"]')
    elif not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        words = {str: "a text in double quotes", int: "a whole number", bool: "true or false"}
        problems.append(f"{key} must be {words[hint]}, not {json.dumps(value, default=str)}")
    else:
        return value
    return None


def _check(config: Config) -> list[str]:
    problems = [
        f'arxiv.categories: "{category}" is no arXiv category (like cs.AI)'
        for category in config.arxiv.categories
        if not _CATEGORY.match(category)
    ]
    choices = (
        ("arxiv.source", config.arxiv.source, SOURCES),
        ("arxiv.affiliations", config.arxiv.affiliations, ("feed", "html")),
        ("digest.catch_up", config.digest.catch_up, ("days", "one")),
    )
    problems += [
        f'{key}: "{value}" is not {", ".join(known[:-1])} or {known[-1]}'
        for key, value, known in choices
        if value not in known
    ]
    if config.digest.top < 1:
        problems.append("digest.top must be at least 1")
    if not 0 <= config.digest.min_stars <= 5:  # noqa: PLR2004 (stars)
        problems.append("digest.min_stars must be 0 to 5")
    if config.digest.near_misses < 0:
        problems.append("digest.near_misses must not be negative")
    if not config.encoder.name.strip():
        problems.append('encoder.name is empty; "static" needs nothing else')
    problems += _check_names(config)
    return problems


def _check_names(config: Config) -> list[str]:
    problems = [
        *_check_pattern("paper", config.names.paper, id="quant-ph-0201082", title=_SHORTEST_TITLE),
        *_check_pattern("digest", config.names.digest, date="2026-08-20"),
        *_check_pattern("week", config.names.week, week="2026-W34"),
    ]
    for each in fields(Folders):
        folder = getattr(config.folders, each.name)
        if folder and not all(map(_is_name, folder.split("/"))):
            problems.append(f'folders.{each.name}: "{folder}" {_NO_NAME}')
    for key, name in (
        ("moc", config.notes.moc),
        ("home", config.notes.home or "none"),
        ("interests", config.notes.interests),
    ):
        if not _is_name(name) or "/" in name:
            problems.append(f'notes.{key}: "{name}" {_NO_NAME} (a note\'s bare name, no folder)')
    problems += [
        f'notes.tags: "{tag}" is no tag (letters, digits, - _ /; not digits alone)'
        for tag in config.notes.tags
        if not re.fullmatch(r"(?=.*[^\d/])[\w/-]+", tag)
    ]
    return problems


_NO_NAME = "is no name that every system and link allows"


def _is_name(part: str) -> bool:
    """Whether every file system, git and link can carry this as the name of a note or folder."""
    allowed = part and not _FORBIDDEN_IN_NAMES.search(part) and not _DEVICE.match(part)
    return bool(allowed) and len(part.encode()) <= _LONGEST_NAME


def _check_pattern(kind: str, pattern: str, **samples: str) -> list[str]:
    """The problems of one pattern of `[names]`; the first sample is what it must hold."""
    needed = next(iter(samples))
    known = ", ".join(f"{{{each}}}" for each in sorted(samples))
    key = f'names.{kind}: "{pattern}"'
    filled = re.sub(rf"\{{({'|'.join(samples)})\}}", lambda found: samples[found[1]], pattern)
    if f"{{{needed}}}" not in pattern or re.search("[{}]", filled):
        return [f"{key} must hold {{{needed}}} (known: {known}) and no other braces"]
    if kind != "paper" and filled.strip(" .") == samples[needed]:
        return [f"{key} is what daily and weekly notes are called; add a word"]
    if len(filled.encode()) > _LONGEST_NAME:
        return [f"{key} makes file names of more than {_LONGEST_NAME} bytes"]
    return [] if _is_name(filled) and "/" not in filled else [f"{key} {_NO_NAME}"]


def default_text(**changed: str) -> str:
    """A config file with every key, its default and its help; `changed` maps `section_key`."""
    lines = [
        "# obsidian-digest: settings. Delete what you do not need; every key has this default.",
        "",
    ]
    for each in fields(Config):
        kind = get_type_hints(Config)[each.name]
        lines.append(f"[{each.name}]  # {(kind.__doc__ or '').strip()}")
        for setting in fields(kind):
            value = changed.get(f"{each.name}_{setting.name}") or _toml(setting.default)
            lines += [f"# {setting.metadata['help']}", f"{setting.name} = {value}"]
        lines.append("")
    return "\n".join(lines)


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(json.dumps(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def table() -> str:
    """The settings as a Markdown table, for the README."""
    rows = ["| key | default | meaning |", "| --- | --- | --- |"]
    for each in fields(Config):
        for setting in fields(get_type_hints(Config)[each.name]):
            meaning = setting.metadata["help"].replace("|", r"\|")
            rows.append(
                f"| `{each.name}.{setting.name}` | `{_toml(setting.default)}` | {meaning} |"
            )
    return "\n".join(rows)
