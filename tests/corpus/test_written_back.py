"""What the schema reads is all that there is: written back, each log has the same bytes."""

from __future__ import annotations

from typing import Any

import pytest
from kaitaistruct import KaitaiStruct
from mysql_binlog import MysqlBinlog

from tests.corpus.labels import Labels
from tests.corpus.logs import corpus_logs
from tests.corpus.written_back import RAW_COPIES, write_back
from tests.inputs import SAMPLES, need_corpus, sample_path

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


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in UNREADABLE])
def test_sample_is_written_back(name: str) -> None:
    log = sample_path(name).read_bytes()
    written = write_back(log)
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
            assert event.body.num_json_columns > 0
            assert values_of(event.body.rows) == values_of(other.body.rows)


def test_small_logs_of_the_corpus_are_written_back() -> None:
    need_corpus()
    logs = [log for log in corpus_logs() if len(log.content) <= MOST_BYTES]
    assert len(logs) > 40
    assert {log.name for log in logs if write_back(log.content).differing} == set()
