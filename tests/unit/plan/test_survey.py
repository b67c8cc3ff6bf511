"""The pass over the logs before a read: what it takes from damaged logs, in logs made by hand."""

import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import (
    BinlogError,
    ChecksumMismatchError,
    list_tables,
    read_batches,
    read_schema,
)
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

QUERY, TABLE_MAP, WRITE_ROWS = 2, 19, 30
ID = LoggedColumn("id", 3)
LATER = LoggedColumn("later", 3)
# So many that kernels leave the checksum of their table map to Python.
MANY = [LoggedColumn(f"column_{k:03}", 3) for k in range(200)]
SCHEMA = pa.schema([("id", pa.int32())])


def write(path: Path, *shapes: list[LoggedColumn]) -> Path:
    """Write a log in which a table has one row of zeros in each shape."""
    writer = LogWriter()
    for i, columns in enumerate(shapes):
        writer.begin()
        writer.table_map(10 + i, "t", columns)
        row: list[bytes | None] = [struct.pack("<i", 0)] * len(columns)
        writer.rows(10 + i, Rows(WRITE_V2, [row], [True] * len(columns)))
        writer.commit()
    path.write_bytes(writer.data)
    return path


def events(data: bytes | bytearray, kind: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of each event of a type, by the lengths in the headers."""
    start = 4
    while start < len(data):
        end = start + int.from_bytes(data[start + 9 : start + 13], "little")
        if data[start + 4] == kind:
            yield start, end
        start = end


def damage(log: Path, kind: int, which: int, old: bytes, new: bytes) -> int:
    """Change bytes of an event, not its checksum, and return its offset."""
    data = log.read_bytes()
    start, end = list(events(data, kind))[which]
    event = data[start:end]
    assert event.count(old) >= 1
    log.write_bytes(data[:start] + event.replace(old, new, 1) + data[end:])
    return start


def names(log: Path, **options: Any) -> list[str]:
    return list(read_schema(log, table="d.t", metadata_columns="", **options).names)


def test_columns_that_come_after_damaged_rows_are_known_and_the_read_tells_of_the_damage(
    tmp_path: Path,
) -> None:
    log = write(tmp_path / "l", [ID], [ID], [ID, LATER])
    start = damage(log, WRITE_ROWS, 1, b"\xfe" + bytes(4), b"\xfe\7" + bytes(3))
    assert names(log) == ["id", "later"]
    batches = read_batches(log, table="d.t", metadata_columns="")
    assert next(batches).to_pylist() == [{"id": 0, "later": None}]
    with pytest.raises(ChecksumMismatchError) as caught:
        next(batches)
    assert caught.value.site is not None
    assert caught.value.site.start_pos == start


@pytest.mark.parametrize("later", [[ID, LATER], [*MANY, LATER]], ids=["small", "large"])
def test_a_damaged_table_map_adds_no_columns(tmp_path: Path, later: list[LoggedColumn]) -> None:
    log = write(tmp_path / "l", [ID], later, [ID, LoggedColumn("last", 3)])
    start = damage(log, TABLE_MAP, 1, b"later", b"wrong")
    assert names(log) == ["id"]
    batches = read_batches(log, table="d.t", metadata_columns="")
    assert next(batches).to_pylist() == [{"id": 0}]
    with pytest.raises(ChecksumMismatchError) as caught:
        next(batches)
    assert caught.value.site is not None
    assert caught.value.site.start_pos == start


def test_columns_at_last_are_those_of_a_shape_that_was_there_before(tmp_path: Path) -> None:
    assert names(write(tmp_path / "l", [ID], [ID, LATER], [ID]), schema_at="latest") == ["id"]


def test_a_table_without_row_changes_is_not_listed(tmp_path: Path) -> None:
    writer = LogWriter()
    writer.begin()
    writer.table_map(10, "t", [ID])
    writer.rows(10, Rows(WRITE_V2, [], [True]))
    writer.commit()
    (tmp_path / "l").write_bytes(writer.data)
    assert list_tables(tmp_path / "l") == []


def outcome(log: Path, **options: Any) -> tuple[list[int], str, list[str]]:
    """Return the ids that a read gives, its error, and its warnings."""
    ids: list[int] = []
    error = ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            for batch in read_batches(log, table="d.t", metadata_columns="", **options):
                ids += batch.column("id").to_pylist()
        except BinlogError as failure:
            error = f"{type(failure).__name__}: {failure}"
    return ids, error, sorted({str(warning.message) for warning in caught})


# An event of the log below and where it is damaged: bytes of its header, or a word of its body.
DAMAGES: dict[str, tuple[int, int, int | bytes, bytes]] = {
    "statement": (QUERY, 1, b"ALTER", b"ALTFR"),
    "table map": (TABLE_MAP, 1, b"later", b"wrong"),
    "type of a statement": (QUERY, 1, 4, bytes([16])),
    "length of a statement": (QUERY, 1, 9, bytes([70])),
    "length of a BEGIN": (QUERY, 2, 9, bytes([200])),
    "length of rows": (WRITE_ROWS, 0, 9, bytes([90])),
    "time of a table map": (TABLE_MAP, 1, 0, b"\x77"),
    "place after rows": (WRITE_ROWS, 1, 13, b"\x77"),
}
MODES: dict[str, dict[str, Any]] = {
    "strict": {},
    "unverified": {"verify_checksums": False},
    "ignored": {"ignore_corrupt_files": True},
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("damaged", DAMAGES)
def test_a_survey_hides_no_damage(tmp_path: Path, damaged: str, mode: str) -> None:
    log = tmp_path / "l"
    writer = LogWriter()
    for table_id, columns in ((10, [ID]), (11, [ID, LATER]), (12, [ID])):
        if LATER in columns:
            writer.statement("ALTER TABLE d.t ADD later INT")
        writer.begin()
        writer.table_map(table_id, "t", columns)
        row: list[bytes | None] = [struct.pack("<i", table_id)] * len(columns)
        writer.rows(table_id, Rows(WRITE_V2, [row], [True] * len(columns)))
        writer.commit()
    log.write_bytes(writer.data)
    assert outcome(log) == ([10, 11, 12], "", [])
    # A read with a schema surveys nothing.
    schema = read_schema(log, table="d.t", metadata_columns="").remove(1)
    kind, which, place, new = DAMAGES[damaged]
    if isinstance(place, bytes):
        start = damage(log, kind, which, place, new)
    else:
        data = bytearray(log.read_bytes())
        start = list(events(data, kind))[which][0]
        data[start + place : start + place + len(new)] = new
        log.write_bytes(data)
    expected = outcome(log, schema=schema, **MODES[mode])
    assert outcome(log, **MODES[mode]) == expected
    if mode == "strict":
        assert f"{start}" in expected[1]
    if mode == "ignored":
        assert expected[1] == ""
        assert any(f"{start}" in warning for warning in expected[2])


def test_a_length_that_skips_events_ends_what_is_known(tmp_path: Path) -> None:
    log = write(tmp_path / "l", [ID], [ID, LATER], [ID, LoggedColumn("last", 3)])
    data = bytearray(log.read_bytes())
    (_, _), (second, _), (third, _) = events(data, QUERY)
    data[second + 9 : second + 13] = (third - second).to_bytes(4, "little")
    log.write_bytes(data)
    assert names(log) == ["id"]
    assert outcome(log)[:2] == ([0], outcome(log, schema=SCHEMA)[1])


def test_a_statement_that_ends_as_a_begin_does_is_followed(tmp_path: Path) -> None:
    """A BEGIN is known by its bytes, and not parsed."""
    writer = LogWriter(has_metadata=False)
    writer.statement("CREATE TABLE t (named INT) -- \0BEGIN")
    writer.begin()
    writer.table_map(10, "t", [ID])
    writer.rows(10, Rows(WRITE_V2, [[struct.pack("<i", 0)]], [True]))
    writer.commit()
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    assert read_schema(log, table="d.t", metadata_columns="").names == ["named"]


@pytest.mark.parametrize("body", [b"\0BEGIN", bytes(13) + b"BEGIN"])
def test_a_begin_that_is_too_short_is_damage(body: bytes, tmp_path: Path) -> None:
    writer = LogWriter(has_checksums=False)
    place = len(writer.data)
    writer.event(QUERY, body)
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    with pytest.raises(BinlogError, match=f"@{place} QUERY_EVENT"):
        read_schema(log, table="d.t")
