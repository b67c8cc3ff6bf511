"""The pages of the documentation, and the programs in them.

A program is a fenced block. A class in its options says who runs it::

    ```{code-block} python
    :class: live
"""

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from tests.inputs import ROOT

FOLDER = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(FOLDER.rglob("*.md"))]
PAGES = [page for page in PAGES if "_build" not in page.parts]

_OPTION = re.compile(r":(\w+): (.*)\n+")


@dataclass(frozen=True)
class Program:
    """A fenced block."""

    page: Path
    line: int
    language: str
    run_by: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def read_programs(page: Path) -> list[Program]:
    """Return the fenced blocks of a page, in order."""
    found = []
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type != "fence":
            continue
        assert token.map is not None
        language, _, argument = token.info.partition(" ")
        text, run_by = token.content, ""
        if language == "{code-block}":
            language = argument
            while (option := _OPTION.match(text)) is not None:
                run_by = option[2] if option[1] == "class" else run_by
                text = text[option.end() :]
        found.append(Program(page, token.map[0] + 1, language, run_by, text))
    return found


PROGRAMS = [program for page in PAGES for program in read_programs(page)]


def find_programs(language: str, run_by: str = "") -> list[Program]:
    """Return the programs of a language that are run by one test."""
    return [p for p in PROGRAMS if p.language == language and p.run_by == run_by]
