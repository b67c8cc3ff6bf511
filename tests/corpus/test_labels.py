"""Everything that the schema shows of a log can be computed, of a whole log and of a cut one."""

from __future__ import annotations

import pytest
from kaitaistruct import EndOfStreamError
from mysql_binlog import MysqlBinlog

from tests.corpus.handmade import MAGIC, MYSQL, Column, event, table_map
from tests.corpus.labels import failures
from tests.corpus.logs import Log, corpus_logs, sample_logs
from tests.inputs import need_corpus, sample_path

LOGS = {log.name: log for log in sample_logs()}
MOST_BYTES = 200_000  # of a log of which everything is computed
# Its temporals have fractions, of which the log does not tell the size.
AMBIGUOUS = "mariadb-10.11-old-fractions"


def failed(log: Log) -> list[tuple[str, Exception]]:
    """Return what cannot be computed of a log."""
    num_structures, found = failures(MysqlBinlog.from_bytes(log.content))
    assert num_structures > 0
    return found


@pytest.mark.parametrize("name", [name for name in LOGS if name != AMBIGUOUS])
def test_all_of_a_sample_can_be_computed(name: str) -> None:
    assert failed(LOGS[name]) == []


def test_rows_of_unknown_widths_cannot_be_computed() -> None:
    found = failed(LOGS[AMBIGUOUS])
    assert {name for name, _ in found} <= {"RowsLayout.num_rows", "RowsEvent.rows"}
    assert all(isinstance(error, EndOfStreamError) for _, error in found)


def test_all_of_the_corpus_can_be_computed() -> None:
    need_corpus()
    logs = [log for log in corpus_logs() if log.path.stat().st_size <= MOST_BYTES]
    assert len(logs) > 60
    assert {log.name: found for log in logs if (found := failed(log))} == {}


@pytest.mark.parametrize("length", [130, 150, 170, 200, 240, 400, 700, 1000, 1300])
def test_all_of_a_cut_log_can_be_computed(length: int) -> None:
    content = sample_path("mysql-9.7-shop").read_bytes()[:length]
    _, found = failures(MysqlBinlog.from_bytes(content))
    assert found == []


def test_zeros_at_the_end_of_a_log_are_one_cut_event() -> None:  # gotchas.md 10 and 12
    root = MysqlBinlog.from_bytes(MAGIC + MYSQL + event(3, b"") + bytes(100))
    stop, zeros = root.events[1:]
    assert not stop.frame.is_truncated
    assert zeros.frame.is_truncated
    assert zeros.body == bytes(100 - 19)
    assert root.trailing == b""


def test_rows_of_another_width_than_their_table_stay_raw() -> None:
    rows = event(30, bytes.fromhex("070000000000 0100 0200 02 ff 00 05000000"))
    root = MysqlBinlog.from_bytes(MAGIC + MYSQL + table_map([Column(3)]) + rows)
    body = root.events[2].body
    assert (body.layout.has_table_map, body.layout.is_row_sized, body.layout.num_rows) == (
        True,
        False,
        0,
    )
    _, found = failures(root)
    assert found == []
