"""The table of languages in `docs/format/languages.md`, made by `make languages`."""

import datetime
import hashlib
import re
from dataclasses import dataclass

from tests.inputs import ROOT, SAMPLES, sample_path
from tests.languages.core import core_text
from tests.languages.digests import FORMS, digest, python_text, read_digests
from tests.languages.recipes import check_recipe
from tests.languages.shape import SCHEMA
from tests.languages.targets import BY_HAND, TESTED, BuildError, Target, built, log_texts
from tests.languages.text import first_difference

PAGE = ROOT / "docs" / "format" / "languages.md"
BEGIN = "<!-- begin: make languages -->"
END = "<!-- end: make languages -->"
HEADER = ["language", "samples read as in Python", "with", "schema", "checked"]
# Maven colours its version.
COLOURS = re.compile("\x1b\\[[0-9;]*m")
ALWAYS = "every `make test`"
NAMES = {"javascript": "JavaScript", "csharp": "C#", "cpp_stl": "C++", "php": "PHP"}


@dataclass(frozen=True)
class Outcome:
    """What a language made of the samples."""

    equal: int
    difference: str


def language_name(target: Target) -> str:
    """Return the name of a language as the documentation has it."""
    return NAMES.get(target.name, target.name.capitalize())


def schema_id() -> str:
    """Return the first digits of the SHA-256 of the schema."""
    return hashlib.sha256(SCHEMA.read_bytes()).hexdigest()[:12]


def compare(target: Target) -> Outcome:
    """Return how a language reads the samples, without the fields that it cannot give.

    Raises:
        BuildError: The generated code does not build, or the program has failed.
    """
    texts = log_texts(target, [sample_path(name) for name in SAMPLES])
    equal, difference = 0, ""
    published = read_digests()
    for name in SAMPLES:
        theirs = texts[sample_path(name)]
        if target.is_core:
            ours = FORMS[target.integers](core_text(sample_path(name)))
            equal += ours == theirs
            if ours != theirs:
                difference = difference or f"{name}: {first_difference(ours, theirs)}"
            continue
        if digest(theirs) == getattr(published[name], target.integers):
            equal += 1
            continue
        if target.without or not difference:
            ours = FORMS[target.integers](python_text(sample_path(name), target.without))
            if ours == theirs:
                equal += 1
            else:
                difference = difference or f"{name}: {first_difference(ours, theirs)}"
    return Outcome(equal, difference)


def read_rows() -> dict[str, list[str]]:
    """Return the rows of the table, by language."""
    text = PAGE.read_text(encoding="utf-8")
    lines = text.split(BEGIN)[1].split(END)[0].strip().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {row[0]: row for row in rows}


def write_rows(rows: list[list[str]]) -> None:
    """Replace the table of the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    lines = [HEADER, ["---"] * len(HEADER), *rows]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    PAGE.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")


def make_table(only: list[str]) -> list[str]:
    """Build and run what this machine has, write the table, and return what to print.

    Args:
        only: names of targets; the rows of others stay. Empty for all.
    """
    old, rows, said = read_rows(), [], []
    for target in [*TESTED, *BY_HAND]:
        name, reason = language_name(target), target.missing()
        if only and target.name not in only:
            reason = "not asked for"
        if reason:
            said.append(f"{name}: left out, its row stays: {reason}")
            rows.append(old.get(name, [name, "not run", reason, "", ""]))
            continue
        try:
            read, difference = _samples_cell(target)
        except BuildError as error:
            read, difference = "does not build", str(error)
        said.append(f"{name}: {read} {difference}".rstrip())
        checked = (
            ALWAYS if target in TESTED else datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
        )
        rows.append([name, read, COLOURS.sub("", target.versions()), f"`{schema_id()}`", checked])
    write_rows(rows)
    return said


def _samples_cell(target: Target) -> tuple[str, str]:
    if target.is_only_built:
        built(target)
        check_recipe(target)
        return "builds, and runs [its recipe](recipes.md)", ""
    found = compare(target)
    check_recipe(target)
    cell = f"{found.equal} of {len(read_digests())}"
    if target.is_core:
        cell += ", [the core](#the-core)"
    if target.without:
        cell += ", without " + ", ".join(f"`{it}`" for it in sorted(target.without))
    return cell, found.difference
