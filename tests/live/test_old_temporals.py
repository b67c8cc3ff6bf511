"""MariaDB's dates and times in the form before 10.1 are read as the server selects them.

The log does not say how many digits their fractions have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import TableName, UnsupportedError, list_tables, read_batches
from samples.truth import fetch_rows
from tests.live import random_values as make
from tests.live.random_values import Values, source_of
from tests.live.servers import connected_server
from tests.live.value_cases import DAYS, EPOCH
from tests.support.splits import SplitLog
from tests.truth.cells import Cell, arrow_cell, selected_cell

pytestmark = pytest.mark.live

MIXED = (
    *("TIME(3)", "DATETIME", "TIMESTAMP(6)", "INT", "DATETIME(6)", "TIME", "TIMESTAMP(2)"),
    *("DATETIME(5)", "TIME(6)"),
)
# Columns by table; the first one is the key.
TABLES = {
    **{f"f{n}": (f"TIME({n})", f"DATETIME({n})", f"TIMESTAMP({n})") for n in (0, 3, 6)},
    **{f"time{n}": (f"TIME({n})",) for n in range(7)},
    **{f"datetime{n}": (f"DATETIME({n})",) for n in range(7)},
    **{f"timestamp{n}": (f"TIMESTAMP({n})",) for n in range(7)},
    "mixed": MIXED,
}
MOST_ROWS = 16  # of a table

# Tables whose rows show the digits, in each event; those of others fit more than one number.
SHOWN = ("f0", "f6", *(f"{kind}{n}" for kind in ("time", "datetime") for n in (0, 2, 5, 6)))
SHOWN += ("timestamp0", "timestamp2")


def values_of(sql_type: str) -> Values:
    kind, _, digits = sql_type.removesuffix(")").partition("(")
    fsp = int(digits or 0)
    if kind == "TIME":
        return make.times(fsp)
    if kind == "INT":
        return make.signed(4)
    return make.dates(**(DAYS if kind == "DATETIME" else EPOCH), fsp=fsp)


@dataclass(frozen=True)
class Written:
    """Tables that were written to a log.

    Attributes:
        log: it.
        rows: by table what each image holds: kind, key and values.
        ddl: a file with the definitions.
    """

    log: Path
    rows: dict[str, list[tuple[str, int, tuple[Cell, ...]]]]
    ddl: Path


def definition_of(table: str) -> str:
    columns = "".join(
        f", c{i} {kind} {'NOT NULL' if table == 'f0' and i == 1 else 'NULL'}"
        for i, kind in enumerate(TABLES[table], 1)
    )
    return f"CREATE TABLE {table} (id INT PRIMARY KEY{columns})"


def selected(connection: Any, table: str) -> dict[int, tuple[Cell, ...]]:
    """Return the rows that the server selects, by key."""
    kinds = [kind.partition("(")[0].lower() for kind in TABLES[table]]
    return {
        int(key): tuple(map(selected_cell, kinds, values))
        for key, *values in fetch_rows(connection, f"SELECT * FROM {table} ORDER BY id")  # noqa: S608
    }


def write(connection: Any, table: str) -> list[tuple[str, int, tuple[Cell, ...]]]:
    """Write rows to a table, and return the images that are logged."""
    columns = [values_of(kind)(source_of(f"{table} {kind}")) for kind in TABLES[table]]
    count = min(MOST_ROWS, *map(len, columns))
    rows = list(zip(*(column[:count] for column in columns), strict=True))
    if table != "f0":
        rows.append((None,) * len(columns))
    if table == "mixed":  # NULL in some columns only
        rows += [(*row[:i], None, *row[i + 1 :]) for i, row in enumerate(rows[: len(columns)])]
    shown = ", ".join(
        f"({i}, {', '.join('NULL' if v is None else connection.escape(v) for v in row)})"
        for i, row in enumerate(rows)
    )
    fetch_rows(connection, f"INSERT INTO {table} VALUES {shown}")  # noqa: S608
    before = selected(connection, table)
    images = [("insert", key, values) for key, values in before.items()]
    fetch_rows(connection, "SET binlog_row_image = MINIMAL")
    first = columns[0][-1]
    fetch_rows(connection, f"UPDATE {table} SET c1 = {connection.escape(first)}")  # noqa: S608
    after = selected(connection, table)
    absent = (None,) * len(columns)
    for key, values in after.items():
        if before[key] != values:
            images.append(("update_preimage", key, absent))
            # Only what was assigned is logged; the key is not.
            images.append(("update_postimage", -1, (values[0], *absent[1:])))
    fetch_rows(connection, "SET binlog_row_image = FULL")
    fetch_rows(connection, f"DELETE FROM {table} ORDER BY id")  # noqa: S608
    return [*images, *(("delete", key, values) for key, values in after.items())]


@pytest.fixture(scope="module")
def written(
    servers_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[bool, Written]]:
    """Give a log with the definitions of its tables, and one without."""
    options = {"mysql56-temporal-format": "OFF"}
    ddl = tmp_path_factory.mktemp("old") / "tables.sql"
    ddl.write_text("".join(f"{definition_of(table)};\n" for table in TABLES))
    with connected_server(servers_folder, "mariadb-10.11", "old", options) as (state, connection):
        connection.decoders = {}
        fetch_rows(connection, "SET time_zone = '+00:00'")
        found = {}
        for is_defined in (True, False):
            database = "known" if is_defined else "unknown"
            fetch_rows(connection, f"SET sql_log_bin = {int(is_defined)}")
            fetch_rows(connection, f"CREATE DATABASE {database}")
            fetch_rows(connection, f"USE {database}")
            fetch_rows(connection, "FLUSH BINARY LOGS")
            [(log_name, *_)] = fetch_rows(connection, "SHOW MASTER STATUS")
            for table in TABLES:
                fetch_rows(connection, definition_of(table))
            fetch_rows(connection, "SET sql_log_bin = 1")
            rows = {table: write(connection, table) for table in TABLES}
            found[is_defined] = Written(Path(state.binlog_dir) / log_name, rows, ddl)
        fetch_rows(connection, "FLUSH BINARY LOGS")
        yield found


def read(log: Path, table: str, **options: Any) -> list[tuple[str, int, tuple[Cell, ...]]]:
    """Return the images of a table as `write` does."""
    database = "unknown" if options.pop("is_unknown", False) else "known"
    batches = read_batches(log, table=f"{database}.{table}", **options)
    found = []
    for row in (row for batch in batches for row in batch.to_pylist()):
        values = [v for name, v in row.items() if not name.startswith("_")]
        key = -1 if values[0] is None else values[0]
        found.append((row["_change_type"], key, tuple(map(arrow_cell, values[1:]))))
    return found


def in_order(rows: Sequence[Any]) -> list[Any]:
    """Return images in an order that does not depend on NULL."""
    return sorted(rows, key=repr)


@pytest.mark.parametrize("table", TABLES)
def test_digits_come_from_the_definition(written: dict[bool, Written], table: str) -> None:
    known, unknown = written[True], written[False]
    assert in_order(read(known.log, table)) == in_order(known.rows[table])
    found = read(unknown.log, table, is_unknown=True, ddl=str(unknown.ddl))
    assert in_order(found) == in_order(unknown.rows[table])


@pytest.mark.parametrize("table", TABLES)
def test_digits_come_from_the_rows_or_are_refused(written: dict[bool, Written], table: str) -> None:
    unknown = written[False]
    if table in SHOWN:
        assert in_order(read(unknown.log, table, is_unknown=True)) == in_order(unknown.rows[table])
        return
    with pytest.raises(UnsupportedError, match=r"how many digits .* fit .* option ddl"):
        read(unknown.log, table, is_unknown=True)


def test_other_columns_are_read_and_rows_are_counted(written: dict[bool, Written]) -> None:
    unknown = written[False]
    schema = pa.schema([("_change_type", pa.string()), ("col_1", pa.int32())])
    for table in ("time1", "datetime3", "timestamp5"):
        batches = read_batches(unknown.log, table=f"unknown.{table}", schema=schema)
        found = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
        expected = [(kind, None if key < 0 else key) for kind, key, _ in unknown.rows[table]]
        assert in_order(found) == in_order(expected)
    counted = {str(found.table): found.num_changes for found in list_tables(unknown.log)}
    assert counted == {
        f"unknown.{table}": sum(kind != "update_preimage" for kind, _, _ in images)
        for table, images in unknown.rows.items()
    }


@pytest.mark.parametrize(("is_defined", "table"), [(True, "mixed"), (False, "f6")])
def test_digits_do_not_depend_on_where_a_read_begins(
    written: dict[bool, Written], table: str, *, is_defined: bool
) -> None:
    name = TableName("known" if is_defined else "unknown", table)
    log = SplitLog(written[is_defined].log, table=name)
    whole = log.whole()
    splits = log.splits(1)
    assert len(splits) > 2
    found = log.read(splits)
    assert whole.rows
    assert found.rows == whole.rows
    assert found.errors == whole.errors == []
