"""Turns values and template texts into Markdown; whatever is not marked as ours is escaped."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from obsidian_digest.errors import TemplateError
from obsidian_digest.note import region, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from markupsafe import Markup


@lru_cache(maxsize=1)
def _markup() -> type[Markup]:
    from markupsafe import Markup  # noqa: PLC0415 (loads with jinja2)

    return Markup


def safe(markdown: str) -> Markup:
    """Markdown of our own making: the template prints it as it is."""
    return _markup()(markdown)


def literal(plain: str) -> Markup:
    """Plain text whose every character is to be seen."""
    return safe(text.escape(plain))


class Words:
    """The notes' fixed words in one language."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table

    def __call__(self, key: str, **values: object) -> Markup:
        """The word with its places filled; values that are not Markup are escaped.

        A tuple called `names` is joined by the word `between_names`. Raises TemplateError.
        """

        def shown(value: object) -> str:
            return str(value) if isinstance(value, _markup()) else text.escape(str(value))

        return safe(self._filled(key, values, shown))

    def plain(self, key: str, **values: object) -> str:
        """The same as plain text, for what is not read as Markdown: nothing is escaped."""
        return self._filled(key, values, str)

    def _filled(
        self, key: str, values: Mapping[str, object], shown: Callable[[object], str]
    ) -> str:
        template = self._table.get(f"{key}_one") if values.get("n") == 1 else None
        try:
            template = template or self._table[key]
            places = {
                name: self._table[f"between_{name}"].join(map(shown, value))
                if isinstance(value, tuple)
                else shown(value)
                for name, value in values.items()
            }
            return template.format(**places)
        except (LookupError, ValueError, AttributeError, TypeError) as error:
            raise TemplateError(f"the word {key} is missing or wrong: {error}", "words") from error


class Renderer:
    """Renders the templates of one vault in one language."""

    def __init__(self, templates: Mapping[str, str], words: Mapping[str, str]) -> None:
        self.words = Words(words)
        self._environment = _environment(tuple(templates.items()))

    def __call__(self, template: str, **values: object) -> str:
        """The rendered region. Raises TemplateError with file and line."""
        from jinja2 import TemplateSyntaxError  # noqa: PLC0415 (heavy)

        name = f"{template}.md.j2"
        try:
            rendered = self._environment.get_template(name).render(t=self.words, **values)
        except TemplateSyntaxError as error:
            raise TemplateError(str(error.message), f"{error.name}:{error.lineno}") from error
        except TemplateError:
            raise
        except Exception as error:  # a template is code of the reader's: it may raise anything
            raise TemplateError(f"{type(error).__name__}: {error}", name) from error
        if region.marked(rendered):
            what = "writes a line that begins or ends a region; those are the tool's own"
            raise TemplateError(what, name, "Take the line `%% digest:… %%` out.")
        lines = [line.rstrip() for line in rendered.split("\n")]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


@lru_cache(maxsize=4)
def _environment(templates: tuple[tuple[str, str], ...]) -> ImmutableSandboxedEnvironment:
    """It compiles a template once, however many renderers a process makes."""
    from jinja2 import DictLoader, StrictUndefined  # noqa: PLC0415 (heavy)
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415 (heavy)

    def shown(value: object) -> object:
        if value is None:
            return ""
        if isinstance(value, _markup()):
            return value
        return literal(value) if isinstance(value, str) else safe(text.escape(str(value)))

    return ImmutableSandboxedEnvironment(
        loader=DictLoader(dict(templates)),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        comment_start_string="{##",
        comment_end_string="##}",
    )
