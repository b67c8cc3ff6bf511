"""What the tools print of the samples is what the schema parses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.corpus.comparison import compare_log
from tests.corpus.logs import sample_logs
from tests.corpus.tally import Tally

LOGS = {log.name: log for log in sample_logs()}
# Some of each kind, so that nothing passes by comparing nothing.
LEAST = {
    "cell.bit": 5000,
    "cell.blob": 500,
    "cell.blob_compressed": 10,
    "cell.date": 100,
    "cell.datetime": 2,
    "cell.datetime2": 500,
    "cell.double": 300,
    "cell.enum": 200,
    "cell.float": 300,
    "cell.int24": 50,
    "cell.json": 250,
    "cell.long": 3000,
    "cell.longlong": 100,
    "cell.newdecimal": 5000,
    "cell.null": 5000,
    "cell.set": 500,
    "cell.short": 100,
    "cell.string": 300,
    "cell.time": 2,
    "cell.time2": 500,
    "cell.timestamp": 2,
    "cell.timestamp2": 500,
    "cell.tiny": 100,
    "cell.varchar": 2000,
    "cell.varchar_compressed": 8,
    "cell.vector": 2,
    "cell.year": 100,
    "checksum": 2000,
    "gtid.gtid": 500,
    "gtid_list": 5,
    "intvar": 15,
    "load.block length": 4,
    "mariadb_gtid.alter": 100,
    "mariadb_gtid.gtid": 100,
    "previous_gtids": 10,
    "query.load_end": 4,
    "query.text": 500,
    "rand": 2,
    "rows.count": 900,
    "rows_query": 200,
    "session.sql_mode": 500,
    "session.time_zone": 10,
    "table_map": 900,
    "transaction_payload.bytes": 10,
    "user_var.decimal": 2,
    "user_var.int": 4,
    "user_var.null": 2,
    "user_var.real": 2,
    "user_var.string": 4,
    "xa_prepare.xid": 4,
    "xid": 300,
}


@pytest.fixture(scope="module")
def tallies() -> dict[str, Tally]:
    """Give what was compared, by sample."""
    return {name: compare_log(log) for name, log in LOGS.items()}


@pytest.mark.parametrize("name", LOGS)
def test_text_is_what_the_schema_parses(name: str, tallies: dict[str, Tally]) -> None:
    tally = tallies[name]
    assert tally.differences == []
    assert tally.compared["events"] == int(LOGS[name].is_complete)
    assert tally.compared["type"] >= 5


def test_enough_is_compared_of_each_kind(tallies: dict[str, Tally]) -> None:
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    few = {kind: total.compared[kind] for kind in LEAST if total.compared[kind] < LEAST[kind]}
    assert few == {}


def test_little_is_left_out(tallies: dict[str, Tally]) -> None:
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    assert set(total.skipped) == {
        "cells after a GEOMETRY, which mysqlbinlog cannot print",
        "options that mariadb-binlog prints for newer logs only",
        "rows without a column",
    }
    assert total.skipped["cells after a GEOMETRY, which mysqlbinlog cannot print"] == 5
    assert total.skipped["rows without a column"] == 1


@pytest.mark.parametrize(
    ("kind", "printed", "other"),
    [
        ("query.text", b"CREATE DATABASE shop", b"CREATE DATABASE shap"),
        ("cell.varchar", b"='Ana", b"='Anb"),
        ("gtid.last_committed", b"last_committed=3", b"last_committed=4"),
        ("session.sql_mode", b"sql_mode=", b"sql_mode=1"),
        ("xid", b"\tXid = ", b"\tXid = 1"),
        ("table_map", b"mapped to number ", b"mapped to number 1"),
        ("column.long", b"/* INT meta=0 nullable=0", b"/* INT meta=0 nullable=1"),
        ("rows.table", b"### INSERT INTO `shop`.`o", b"### INSERT INTO `shop`.`p"),
    ],
)
def test_other_text_is_a_difference(
    kind: str, printed: bytes, other: bytes, tmp_path: Path
) -> None:
    log = LOGS["mysql-9.7-shop"]
    assert printed in log.text
    changed = tmp_path / "shop.txt"
    changed.write_bytes(log.text.replace(printed, other))
    differences = compare_log(replace(log, text_path=changed)).differences
    kinds = {difference.kind for difference in differences}
    assert kind in kinds
    assert len(kinds) <= 2  # a number may stand in a statement's header as well


def test_text_without_an_event_is_a_difference(tmp_path: Path) -> None:
    log = LOGS["mysql-9.7-shop"]
    changed = tmp_path / "shop.txt"
    changed.write_bytes(log.text.rsplit(b"# at ", 1)[0])
    differences = compare_log(replace(log, text_path=changed)).differences
    assert [difference.kind for difference in differences] == ["events"]
