"""MariaDB's UUID, INET4 and INET6: text where a definition names the type, else bytes.

That the text is that of the server is shown in `tests/live/test_fixed_binaries.py`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyspark_adapter import (
    CorruptEventError,
    OptionError,
    SchemaMismatchError,
    read_batches,
    rows_at,
)
from pyspark_adapter.cli.main import main
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.kernels.layout import FixedBinary
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.splits.log_splits import OffsetRange
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.stream_timeline import StreamTimeline
from pyspark_adapter.values.text_form import fixed_bytes, fixed_text
from tests.inputs import ROOT, sample_path
from tests.support.log_writer import WRITE_V2, Image, LoggedColumn, LogWriter, Rows

ID = LoggedColumn("id", 3, is_nullable=False)
SIXTEEN = LoggedColumn("u", 254, bytes([254, 16]), collation=63)
FOUR = LoggedColumn("u", 254, bytes([254, 4]), collation=63)
DEFINED = "CREATE TABLE d.t (id INT NOT NULL PRIMARY KEY, u {})"
DIGITS = "00112233-4455-1677-8899-aabbccddeeff"
VALUE = UUID(DIGITS).bytes
CUT = bytes.fromhex("0011")
CUT_DIGITS = "00110000-0000-0000-0000-000000000000"

Step = str | Sequence[bytes | None]


def write(path: Path, *steps: Step, column: LoggedColumn = SIXTEEN, names: bool = False) -> Path:
    """Write a log of statements and of inserts with these values of `u`."""
    writer = LogWriter(has_metadata=names, server_version="11.8.2-MariaDB-log")
    number = 0
    for step in steps:
        if isinstance(step, str):
            writer.statement(step)
            continue
        images: list[Image] = []
        for value in step:
            number += 1
            logged = None if value is None else bytes([len(value)]) + value
            images.append([number.to_bytes(4, "little"), logged])
        writer.begin()
        writer.table_map(8, "t", [ID, column])
        writer.rows(8, Rows(WRITE_V2, images, [True] * 2))
        writer.commit()
    path.write_bytes(writer.data)
    return path


def values(path: Path, **options: Any) -> list[Any]:
    found = read_batches(path, table="d.t", metadata_columns=[], **options)
    return [row["u"] for batch in found for row in batch.to_pylist()]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (FixedBinary.UUID, DIGITS),
        (FixedBinary.INET4, "10.0.255.0"),
        *(
            (FixedBinary.INET6, text)
            for text in (
                *("::", "::1", "::1:2:3", "::1:2:3:4:5:6:7", "1:2:3:4:5:6:7::", "1::4:0:0:7:8"),
                *("::1.2.3.4", "::0.1.0.0", "::ffff:0.0.0.0", "::fffe:1:2", "1::3:0:5:0:7:0"),
                *("fe80::", "2001:db8::ff00:42:8329", "1:2:3:4:5:6:7:8", "1:2::5:6:7:8"),
            )
        ),
    ],
)
def test_text_is_that_of_the_server(kind: FixedBinary, text: str) -> None:
    assert fixed_text(fixed_bytes(text, kind), kind) == text


@pytest.mark.parametrize("sql_type", ["UUID", "INET4", "INET6"])
def test_the_text_is_that_of_the_server(tmp_path: Path, sql_type: str) -> None:
    source = random.Random(3)  # noqa: S311 - to be the same each time is the purpose
    kind, column = FixedBinary[sql_type], FOUR if sql_type == "INET4" else SIXTEEN
    size = column.metadata[1]
    found: list[bytes | None] = [None, b"", b"\0", b"\xff" * size]
    for _ in range(2000):
        data = bytearray(source.randbytes(size))
        for k in range(0, size, 2):
            if source.random() < 0.5:
                data[k : k + 2] = source.choice([b"\0\0", b"\xff\xff", b"\0\1"])
        found.append(bytes(data).rstrip(b"\0"))
    log = write(tmp_path / "binlog.000001", DEFINED.format(sql_type), found, column=column)
    texts = values(log)
    assert texts == [None if v is None else fixed_text(v, kind) for v in found]
    if sql_type == "INET6":
        packed = [IPv6Address(text).packed for text in texts[1:]]
        assert packed == [(v and v.ljust(16, b"\0")) or bytes(16) for v in found[1:]]


def test_bytes_are_given_where_they_are_asked_for(tmp_path: Path) -> None:
    log = write(tmp_path / "binlog.000001", DEFINED.format("UUID"), [VALUE, None, CUT])
    whole = [VALUE, None, CUT.ljust(16, b"\0")]
    schema = pa.schema([("id", pa.int32()), ("u", pa.binary())])
    assert values(log) == [DIGITS, None, CUT_DIGITS]
    assert values(log, uuid="binary") == whole
    assert values(log, schema=schema) == whole
    # Text that may be invalid is another matter.
    assert values(log, invalid_text="BINARY") == [DIGITS, None, CUT_DIGITS]


def test_without_a_definition_there_are_bytes(tmp_path: Path) -> None:
    log = write(tmp_path / "binlog.000001", [VALUE], names=True)
    assert values(log) == [VALUE]
    log = write(tmp_path / "binlog.000001", DEFINED.format("BINARY(16)"), [VALUE])
    assert values(log) == [VALUE]


def test_a_value_that_is_longer_than_its_type_is_damage(tmp_path: Path) -> None:
    for sql_type, column, size in (("UUID", SIXTEEN, 17), ("INET4", FOUR, 5)):
        log = write(
            tmp_path / "binlog.000001", DEFINED.format(sql_type), [b"\1" * size], column=column
        )
        with pytest.raises(CorruptEventError, match=r"WRITE_ROWS.*column 2 u \(STRING\): "):
            values(log)


def test_a_column_that_is_binary_for_a_while_is_no_mixture(tmp_path: Path) -> None:
    changed = "ALTER TABLE d.t MODIFY u UUID"
    log = write(tmp_path / "binlog.000001", DEFINED.format("BINARY(16)"), [VALUE], changed, [VALUE])
    for options in ({}, {"schema_at": "latest"}, {"schema_at": "first"}, {"merge_schema": False}):
        with pytest.raises(SchemaMismatchError, match=r"binary.*pass a schema"):
            values(log, **options)
    assert values(log, uuid="binary") == [VALUE, VALUE]
    # Rows of all tables are each as their table was then.
    found = read_batches(log, schema_changes=True)
    rows = [row for batch in found for row in batch.to_pylist()]
    assert [row["_change_type"] for row in rows] == ["create", "insert", "alter", "insert"]
    assert json.loads(rows[3]["row"])["u"] == DIGITS
    assert json.loads(rows[1]["row"])["u"] != DIGITS


@pytest.mark.parametrize("name", ["d.t", "t"])
def test_the_option_ddl_names_types_of_a_log_that_names_columns(tmp_path: Path, name: str) -> None:
    """By the names of columns, so that one type holds over the whole read."""
    ddl = tmp_path / "ddl.sql"
    ddl.write_text(f"CREATE TABLE {name} (U UUID, added INT, id INT PRIMARY KEY);")
    log = write(tmp_path / "binlog.000001", DEFINED.format("BINARY(16)"), [VALUE], names=True)
    assert values(log, ddl=ddl) == [DIGITS]
    [row] = [r for batch in read_batches(log, ddl=ddl) for r in batch.to_pylist()]
    assert json.loads(row["row"]) == {"id": 1, "u": DIGITS}
    ddl.write_text(f"CREATE TABLE {name} (id INT PRIMARY KEY, u INET4);")  # of other bytes
    assert values(log, ddl=ddl) == [VALUE]


@pytest.mark.parametrize("schema_changes", [False, True])
def test_later_batches_of_a_stream_have_the_text(tmp_path: Path, schema_changes: bool) -> None:
    """Their definitions are in logs before."""
    write(tmp_path / "binlog.000001", DEFINED.format("UUID"), [VALUE])
    write(tmp_path / "binlog.000002", [VALUE], "CREATE TABLE d.other (id INT)")
    write(tmp_path / "binlog.000003", "DROP TABLE d.other", [CUT])
    options = BinlogOptions.from_python({"schema_changes": schema_changes})
    logs = find_log_files(tmp_path, options)
    request = plan_read(logs, options)
    stream = StreamTimeline(request)
    given = []
    for log in logs:
        for split in stream.splits([(log, OffsetRange(4, log.num_bytes))]):
            rows = [row for batch in read_split(split, request) for row in batch.to_pylist()]
            given += [json.loads(row["row"])["u"] for row in rows if row["row"] is not None]
    assert given == [DIGITS, DIGITS, CUT_DIGITS]


def test_scripts_have_the_text(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    log = str(write(tmp_path / "binlog.000001", DEFINED.format("UUID"), [VALUE, CUT]))
    for command, wanted in (
        (["redo", log], f"(1, '{DIGITS}')"),
        (["undo", log], "`id` = 2"),
        (["rows", log, "--format", "sql"], f"'{CUT_DIGITS}'"),
    ):
        assert main(command) == 0
        assert wanted.encode() in capfdbinary.readouterr().out


def test_rows_are_found_by_the_text(tmp_path: Path) -> None:
    create = "CREATE TABLE d.t (id INT NOT NULL, u UUID NOT NULL PRIMARY KEY)"
    column = LoggedColumn("u", 254, bytes([254, 16]), collation=63, is_nullable=False)
    many = [random.Random(k).randbytes(16) for k in range(50)]  # noqa: S311
    log = write(tmp_path / "binlog.000001", create, [*many, CUT], [VALUE], column=column)
    for index in ({}, {"index": tmp_path / "index"}):
        if index:
            assert main(["index", str(log), "--index", str(index["index"])]) == 0
        for key in (DIGITS, CUT_DIGITS):
            assert values(log, keys=key, **index) == [key]


def test_the_rows_at_a_moment_have_the_text(tmp_path: Path) -> None:
    create = DEFINED.format("UUID")
    added = "ALTER TABLE d.t ADD v UUID NOT NULL"
    for names in (False, True):
        log = write(tmp_path / "binlog.000001", create, [VALUE], added, names=names)
        [row] = rows_at(log, table="d.t").rows.to_pylist()
        assert row == {"id": 1, "u": DIGITS, "v": "00000000-0000-0000-0000-000000000000"}
    with pytest.raises(OptionError, match="option uuid: expected none"):
        rows_at(log, table="d.t", uuid="binary")


def test_a_baseline_of_bytes_is_taken_as_text_or_refused(tmp_path: Path) -> None:
    """Versions before gave bytes; a cast would take text for bytes, or the other way round."""
    ddl, past = tmp_path / "ddl.sql", tmp_path / "past.parquet"
    ddl.write_text(DEFINED.format("UUID") + ";")
    log = write(tmp_path / "binlog.000001", [VALUE], names=True)
    rows = pa.table({"id": pa.array([9], pa.int32()), "u": pa.array([VALUE], pa.binary())})
    pq.write_table(rows, past)
    options: dict[str, Any] = {"baseline": past, "starting_position": f"{log.name}:4"}
    found = rows_at(log, table="d.t", ddl=ddl, **options).rows
    assert {row["u"] for row in found.to_pylist()} == {DIGITS}
    pq.write_table(found, past)
    with pytest.raises(SchemaMismatchError, match="column u is string in the rows, and binary"):
        rows_at(log, table="d.t", **options)


def test_a_uuid_in_a_definition_is_found_by_its_text(tmp_path: Path) -> None:
    create = DEFINED.format(f"UUID DEFAULT '{DIGITS}'")
    log, key = write(tmp_path / "binlog.000001", create, [VALUE]), tmp_path / "key"
    key.write_bytes(bytes(range(32)))
    words = ["mask", str(log), "--columns", "d.t.u", "--key", str(key)]
    assert main([*words, "--output", str(tmp_path / "masked")]) == 1
    assert main([*words, "--output", str(tmp_path / "masked"), "--keep-definitions"]) == 0


def test_the_sample_of_a_server_is_read_as_it_was_written(tmp_path: Path) -> None:
    statements = (ROOT / "samples/sql/special/mariadb-types.sql").read_text(encoding="utf-8")
    ddl = tmp_path / "ddl.sql"
    ddl.write_text("USE owntypes118;\n" + statements.splitlines()[1])
    found = read_batches(
        sample_path("mariadb-11.8-own-types"),
        table="owntypes118.addresses",
        change_types="insert",
        ddl=ddl,
    )
    rows = [row for batch in found for row in batch.to_pylist()]
    assert [(row["u"], row["i4"], row["i6"]) for row in rows] == [
        ("123e4567-e89b-12d3-a456-426655440000", "1.2.3.4", "2001:db8::ff00:42:8329"),
        (None, None, None),
        ("00000000-0000-0000-0000-000000000000", "0.0.0.0", "::"),  # noqa: S104
        ("ffffffff-ffff-ffff-ffff-ffffffffff00", "255.255.255.0", "::ffff:1.2.3.0"),
    ]
