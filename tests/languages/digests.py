"""The published digests of the samples: `samples/expected/digests.tsv`."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mysql_binlog import MysqlBinlog

from samples.sample import SAMPLES_FOLDER
from tests.inputs import SAMPLES, sample_path
from tests.languages.shape import read_shapes, without_fields
from tests.languages.text import CanonicalText, rounded_text, signed_text

PUBLISHED = SAMPLES_FOLDER / "expected" / "digests.tsv"
HEADER = ("sample", "lines", "signed", "rounded")
FORMS = {"signed": signed_text, "rounded": rounded_text}


@dataclass(frozen=True)
class Digests:
    """What is published of the text of a sample.

    Attributes:
        lines: how many lines the text has.
        signed: SHA-256 of the text with signed integers of 64 bits.
        rounded: SHA-256 of the text with integers beyond 2^53 as doubles.
    """

    lines: int
    signed: str
    rounded: str


def read_digests() -> dict[str, Digests]:
    """Return the published digests, by sample."""
    header, *rows = PUBLISHED.read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == list(HEADER)
    cells = (row.split("\t") for row in rows)
    return {name: Digests(int(lines), *digests) for name, lines, *digests in cells}


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def digests_of(text: str) -> Digests:
    """Return the digests of a text that has all digits of its integers."""
    return Digests(text.count("\n"), digest(signed_text(text)), digest(rounded_text(text)))


@cache
def python_walker(without: frozenset[str] = frozenset()) -> CanonicalText:
    """Return what makes the text from the compiled Python, without some fields."""
    return CanonicalText(MysqlBinlog, without_fields(read_shapes(), without))


def python_text(path: Path, without: frozenset[str] = frozenset()) -> str:
    """Return the text that the compiled Python gives of a log, without some fields."""
    return python_walker(without).of_log(path)


def write_digests() -> None:
    """Publish what the compiled Python gives of the samples."""
    lines = ["\t".join(HEADER)]
    for name in SAMPLES:
        found = digests_of(python_text(sample_path(name)))
        lines.append("\t".join([name, str(found.lines), found.signed, found.rounded]))
    PUBLISHED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
