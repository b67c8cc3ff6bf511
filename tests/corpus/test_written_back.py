"""What the schema reads is all that there is: written back, each log has the same bytes."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from kaitaistruct import KaitaiStruct
from mysql_binlog import MysqlBinlog

from tests.corpus.labels import Labels
from tests.corpus.logs import corpus_logs
from tests.corpus.written_back import RAW_COPIES, Written, write_back
from tests.inputs import ROOT, SAMPLES, need_corpus, sample_path
from tests.languages.java_writer import JAVA, java_written
from tests.languages.left_out import need_toolchain
from tests.languages.shape import upper_camel

# MySQL encrypts the file as a whole; rows of MariaDB's old temporals cannot be told apart.
UNREADABLE = {"mysql-9.7-encrypted", "mariadb-10.11-old-fractions"}
# An update in place leaves bytes between the values of a document, which belong to none of them.
WITH_GAPS = {"mysql-9.7-types", "mysql-9.7-types-minimal-metadata", "mysql-9.7-partial-json"}
# What the server leaves in the field of its version behind the zero that ends it.
WITH_REST_OF_VERSION = {"mariadb-10.1-few"}
OFS_VERSION = 4 + 19 + 2
LEN_VERSION = 50
MOST_BYTES = (
    20_000  # of a log of the corpus: the larger ones take `python -m tests.corpus.written_back`
)
LABELS = Labels()
READABLE = [name for name in SAMPLES if name not in UNREADABLE]


def values_of(value: Any) -> Any:
    """Return all that is parsed of a value, without the raw copies."""
    if isinstance(value, list):
        return [values_of(item) for item in value]
    if not isinstance(value, KaitaiStruct):
        return value
    kind = type(value)
    fields = [name for name in vars(value) if not name.startswith("_")] + LABELS.of(kind)
    return {
        name: values_of(getattr(value, name))
        for name in fields
        if (kind.__name__, name) not in RAW_COPIES
    }


@cache
def written_sample(name: str) -> Written:
    """Return a sample that Python has written back."""
    return write_back(sample_path(name).read_bytes())


@pytest.mark.parametrize("name", READABLE)
def test_sample_is_written_back(name: str) -> None:
    log = sample_path(name).read_bytes()
    written = written_sample(name)
    assert written.num_zeroed > len(log) / 2
    assert bool(written.differing) == (name in WITH_GAPS | WITH_REST_OF_VERSION)
    if not written.differing:
        return
    events = MysqlBinlog.from_bytes(log).events
    others = MysqlBinlog.from_bytes(written.content).events
    if name in WITH_REST_OF_VERSION:
        ofs_rest = OFS_VERSION + len(events[0].body.server_version) + 1
        assert set(written.differing) <= set(range(ofs_rest, OFS_VERSION + LEN_VERSION))
        return
    for event, other in zip(events, others, strict=True):
        if event.data != other.data:
            assert event.body.layout.num_json_columns > 0
            assert values_of(event.body.rows) == values_of(other.body.rows)


def test_documentation_says_how_many_bytes_no_field_explains() -> None:
    differing = sum(len(written_sample(name).differing) for name in READABLE)
    size = sum(len(written_sample(name).content) for name in READABLE)
    page = (ROOT / "docs" / "format" / "python.md").read_text(encoding="utf-8")
    assert f"{differing} of the {size:,} bytes of the samples" in " ".join(page.split())


def test_java_writes_what_python_writes() -> None:
    need_toolchain(JAVA)
    copies = ",".join(
        f"{kind}.{lower_camel(name)}" + (f"={lower_camel(parsed)}" if parsed else "")
        for (kind, name), parsed in RAW_COPIES.items()
    )
    found = java_written([sample_path(name) for name in SAMPLES], copies)
    for name in SAMPLES:
        java = found[sample_path(name)]
        assert (java is None) == (name in UNREADABLE)
        if java is not None:
            python = written_sample(name)
            assert java == (python.num_zeroed, python.differing), name


def lower_camel(name: str) -> str:
    """Return a name as the compiler writes it for methods of Java."""
    camel = upper_camel(name)
    return camel[0].lower() + camel[1:]


def test_small_logs_of_the_corpus_are_written_back() -> None:
    need_corpus()
    logs = [log for log in corpus_logs() if len(log.content) <= MOST_BYTES]
    assert len(logs) > 40
    assert {log.name for log in logs if write_back(log.content).differing} == set()
