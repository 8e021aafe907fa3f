"""The settings table: every key with its default and its help; all problems are told at once."""

from __future__ import annotations

import difflib
import json
import tomllib
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from obsidian_digest.config.checks import problems_of
from obsidian_digest.errors import ConfigError

FILE_NAME = "obsidian-digest.toml"


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
    map: bool = _setting(True, "a picture of the day: its papers by likeness")  # noqa: FBT003
    week_note: bool = _setting(True, "a note of each week, written by the next week's first run")  # noqa: FBT003
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
class Ranking:
    """What else a day's papers are ranked by, beside your interests and what you did with notes."""

    corpus: tuple[str, ...] = _setting(
        (), 'folders of your own notes that count as interests, for instance ["Projects"]'
    )
    explore: int = _setting(
        0, "so many uncertain papers a day (0 to 3) are shown too, and marked as such"
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
    daily_line: bool = _setting(False, "a line about each digest in your own daily note")  # noqa: FBT003
    daily_locale: str = _setting(
        "", 'en where daily notes bear English names of months or days; "": digits only'
    )


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
    ranking: Ranking = field(default_factory=Ranking)
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
    problems += problems_of(config)
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
        if value == [] and getattr(kind(), key, None) == ():
            continue
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
