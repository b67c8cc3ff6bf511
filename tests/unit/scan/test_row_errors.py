"""Rows that cannot be decoded: the rows before them are read, and the error names table and column.

Layouts: `rows.md`, "Partial JSON"; `values.md`, "GEOMETRY", "VECTOR", "Compressed columns".
"""

import tracemalloc
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import (
    BinlogError,
    CorruptEventError,
    EventSite,
    UnsupportedError,
    list_tables,
    read_batches,
)
from pyspark_adapter.decode import columns
from pyspark_adapter.kernels import entry_points
from pyspark_adapter.kernels import fill as fill_module
from pyspark_adapter.kernels.layout import Cursor
from pyspark_adapter.scan import row_images
from pyspark_adapter.values.compressed_columns import MAX_INFLATED, inflate
from samples.event_headers import HEADER
from tests.support.encoders import integer, json_document, prefixed
from tests.support.log_writer import ABSENT, PARTIAL_UPDATE, WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import LOG_NAME, find_event, read_sample, read_until_error, replaced
from tests.support.reading import read_rows

PLAIN = read_sample("mysql-9.7-no-checksum")
UPDATE = find_event(PLAIN, "UPDATE_ROWS_EVENT")
ROWS_BEFORE = 3

# Table id, flags and extra data; then the number of columns and a bitmap for each image.
NUM_COLUMNS = UPDATE.start_pos + HEADER.size + 6 + 2 + 2
FIRST_ROW = NUM_COLUMNS + 1 + 1 + 1
ID = FIRST_ROW + 1
TITLE_LENGTH = ID + 4
SCORE = TITLE_LENGTH + 1 + len("first")
CHANGED = SCORE + 3
BODY_LENGTH = CHANGED + 7


@dataclass(frozen=True)
class Damage:
    """Bytes to put into the update, and the words of the error."""

    offset: int
    data: bytes
    words: tuple[str, ...]


DAMAGES = {
    "other-number-of-columns": Damage(
        NUM_COLUMNS, b"\x06", ("nochecksum97.notes", "another number of columns")
    ),
    "text-is-not-utf8": Damage(
        TITLE_LENGTH + 1, b"\xff", ("column 2 title (VARCHAR)", "not valid in the column's")
    ),
    "text-beyond-the-event": Damage(
        TITLE_LENGTH, b"\xf0", ("column 2 title (VARCHAR)", "reaches beyond the end")
    ),
    "digits-beyond-their-group": Damage(
        SCORE, b"\xff\xff\xff", ("column 3 score (NEWDECIMAL)", "digits")
    ),
    "seconds-beyond-59": Damage(
        CHANGED + 4, b"\x3f", ("column 4 changed (DATETIME2)", "out of range")
    ),
    "clear-sign-bit-of-datetime": Damage(CHANGED, b"\x19", ("column 4 changed (DATETIME2)",)),
    "blob-beyond-the-event": Damage(
        BODY_LENGTH, b"\xff\xff", ("column 5 body (BLOB)", "reaches beyond the end")
    ),
}


def read_damaged(path: Path, damage: Damage) -> tuple[int, BinlogError | None]:
    path.write_bytes(replaced(PLAIN, damage.offset, damage.data))
    return read_until_error(path)


def test_the_offsets_are_those_of_the_values() -> None:
    assert PLAIN[NUM_COLUMNS] == 5
    assert PLAIN[TITLE_LENGTH : TITLE_LENGTH + 6] == b"\x05first"
    assert PLAIN[SCORE : SCORE + 3] == bytes.fromhex("80 01 05")  # 1.5 as DECIMAL(5,1)
    assert PLAIN[BODY_LENGTH : BODY_LENGTH + 7] == b"\x05\0short"


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_the_column_is_named_after_the_rows_before_it(damage: Damage, log_path: Path) -> None:
    num_rows, error = read_damaged(log_path, damage)
    assert isinstance(error, CorruptEventError)
    assert error.site == EventSite(LOG_NAME, UPDATE.start_pos, "UPDATE_ROWS_EVENT")
    for word in damage.words:
        assert word in error.message
    assert num_rows == ROWS_BEFORE


def test_only_columns_that_are_asked_for_are_decoded(log_path: Path) -> None:
    damage = DAMAGES["text-is-not-utf8"]
    log_path.write_bytes(replaced(PLAIN, damage.offset, damage.data))
    table = "nochecksum97.notes"
    _, error = read_until_error(log_path, table=table)
    assert isinstance(error, CorruptEventError)
    schema = pa.schema([("id", pa.int32()), ("body", pa.string())])
    assert read_until_error(log_path, table=table, schema=schema) == (7, None)


GEOMETRY = LoggedColumn("v", 255, b"\x04")
VECTOR = LoggedColumn("v", 242, b"\x04", False, 63)
COMPRESSED = LoggedColumn("v", 140, b"\x04", False, 8)
JSON = LoggedColumn("v", 245, b"\x04")
GOOD_VALUES = {
    GEOMETRY: bytes.fromhex("e6100000 0101000000000000000000f03f0000000000000040"),
    VECTOR: bytes.fromhex("0000803f"),
    COMPRESSED: bytes.fromhex("89c82b2f1f1e0000"),
    JSON: bytes.fromhex("0f0b083f420f0000000000"),  # "00:00:00.999999"
}
ZLIB = zlib.compress(b"w" * 200)


def read_bad_value(tmp_path: Path, column: LoggedColumn, bad: bytes) -> tuple[int, BinlogError]:
    """Return how many rows come before a bad value, the third of three, and its error."""
    values = [GOOD_VALUES[column], GOOD_VALUES[column], bad]
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("id", 3), column])
    images = [[bytes(4), len(value).to_bytes(4, "little") + value] for value in values]
    writer.rows(9, Rows(WRITE_V2, images, [True, True]))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    num_rows, error = read_until_error(path, table="d.t")
    assert error is not None
    return num_rows, error


@pytest.mark.parametrize(
    ("column", "bad", "words"),
    [
        (GEOMETRY, b"\x01", "SRID and"),
        (GEOMETRY, bytes(8), "SRID and"),
        (VECTOR, bytes(5), "floats of four bytes"),
        (JSON, bytes.fromhex("0f0b0840420f0000000000"), "JSON document is not valid"),
        (JSON, bytes.fromhex("0f0c0840420f0000000000"), "JSON document is not valid"),
        (COMPRESSED, b"\x89", "compressed value"),
        (COMPRESSED, b"\x89\xc8", "compressed value"),
        (COMPRESSED, b"\x89\xc8\xff\xff", "compressed value"),
        (COMPRESSED, b"\x81\xc8" + ZLIB[:-1], "compressed value"),  # without all of its checksum
        (COMPRESSED, b"\x81\xc7" + ZLIB, "compressed value"),  # one byte more than it tells
        (COMPRESSED, b"\x81\xc9" + ZLIB, "compressed value"),  # one byte less
        (COMPRESSED, b"\x81\xc8" + ZLIB + b"\0", "compressed value"),  # and a byte behind it
        (COMPRESSED, b"\x89\xc8" + ZLIB, "compressed value"),  # a header that it denies
        (COMPRESSED, b"\x84\xff\xff\xff\xff" + ZLIB, "compressed value"),
    ],
)
def test_a_value_that_cannot_be_is_an_error_after_the_rows_before_it(
    column: LoggedColumn, bad: bytes, words: str, tmp_path: Path
) -> None:
    num_rows, error = read_bad_value(tmp_path, column, bad)
    assert num_rows == 2
    assert isinstance(error, CorruptEventError)
    assert error.site is not None
    assert error.site.event_type == "WRITE_ROWS_EVENT"
    assert "table d.t column 2 v" in str(error)
    assert words in str(error)


def test_another_method_of_compression_is_not_supported(tmp_path: Path) -> None:
    num_rows, error = read_bad_value(tmp_path, COMPRESSED, b"\x91\xc8" + ZLIB)
    assert num_rows == 2
    assert isinstance(error, UnsupportedError)
    assert "compressed" in str(error)


def test_text_within_a_compressed_value_is_checked(tmp_path: Path) -> None:
    column = LoggedColumn("v", 140, b"\x04", False, 255)
    GOOD_VALUES[column] = GOOD_VALUES[COMPRESSED]
    num_rows, error = read_bad_value(tmp_path, column, b"\0\xff")
    assert num_rows == 2
    assert "not valid in the column's character set" in str(error)


@pytest.mark.parametrize("told", [100, MAX_INFLATED, MAX_INFLATED + 1])
def test_a_value_is_not_inflated_beyond_what_it_tells(told: int) -> None:
    deflated = zlib.compress(bytes(50 << 20))
    tracemalloc.start()
    with pytest.raises(CorruptEventError, match="length of"):
        inflate(b"\x84" + told.to_bytes(4, "big") + deflated[: -len(deflated) // 2])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 80 << 20


DOCUMENT_COLUMNS = [
    LoggedColumn("id", 3),
    LoggedColumn("a", 245, b"\4"),
    LoggedColumn("b", 245, b"\4"),
]
X1, X2 = prefixed(json_document({"x": 1}), 4), '{"x": 2}'
TO_2 = prefixed(bytes.fromhex("0003242e7803050200"), 4)
NO_SUCH = prefixed(bytes.fromhex("0203242e79"), 4)
SAME_DOCUMENT = prefixed(b"", 4)
NONE, FIRST, SECOND, BOTH = b"\0", b"\1\1", b"\1\2", b"\1\3"
METADATA = ("_absent_columns", "_json_diff")

Pair = tuple[list[bytes | None], bytes, list[bytes | None]]


def pair(key: int, before: list[bytes | None], options: bytes, after: list[bytes | None]) -> Pair:
    """Return an update of a row: its image before, what stands between, its image after."""
    return [integer(key, 4), *before], options, [integer(key, 4), *after]


def write_log(path: Path, *pairs: Pair, tables: tuple[str, ...] = ("t",)) -> Path:
    """Write a log in which each of some tables is updated."""
    writer = LogWriter()
    for table_id, table in enumerate(tables, start=1):
        writer.begin()
        writer.table_map(table_id, table, DOCUMENT_COLUMNS)
        images = [image for before, _, after in pairs for image in (before, after)]
        before, after = ([value is not ABSENT for value in image] for image in images[:2])
        options = [options for _, options, _ in pairs]
        writer.rows(table_id, Rows(PARTIAL_UPDATE, images, before, after, value_options=options))
        writer.commit()
    path.write_bytes(writer.data)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "binlog.000001"


def documents(path: Path, **options: Any) -> list[tuple[Any, Any]]:
    """Return both documents of the images after the updates."""
    rows = read_rows(path, metadata_columns="_change_type", **options)
    return [(row["a"], row["b"]) for row in rows if row["_change_type"] == "update_postimage"]


def test_each_row_says_which_documents_are_differences(log: Path) -> None:
    write_log(
        log,
        pair(1, [X1, X1], FIRST, [TO_2, X1]),
        pair(2, [X1, X1], SECOND, [X1, TO_2]),
        pair(3, [X1, X1], BOTH, [TO_2, SAME_DOCUMENT]),
        pair(4, [X1, X1], NONE, [X1, X1]),
        pair(5, [None, X1], SECOND, [X1, None]),
        pair(6, [X1, None], b"\xfc\1\0\3", [TO_2, None]),
    )
    x1 = '{"x": 1}'
    wanted = [(X2, x1), (x1, X2), (X2, x1), (x1, x1), (x1, None), (X2, None)]
    assert documents(log) == wanted
    assert documents(log, batch_rows=2) == wanted


def test_one_document_alone_is_the_same(log: Path) -> None:
    write_log(log, pair(1, [X1, X1], BOTH, [SAME_DOCUMENT, TO_2]))
    for name, text in (("a", '{"x": 1}'), ("b", X2)):
        batches = read_batches(log, table="d.t", schema=pa.schema([(name, pa.string())]))
        assert [row[name] for batch in batches for row in batch.to_pylist()][1] == text


def test_a_document_that_is_not_wanted_is_not_looked_at(log: Path) -> None:
    write_log(log, pair(1, [None, X1], BOTH, [TO_2, TO_2]))
    batches = read_batches(log, table="d.t", schema=pa.schema([("b", pa.string())]))
    assert [batch.column("b").to_pylist() for batch in batches] == [['{"x": 1}', X2]]


def test_a_document_whose_before_is_not_logged_is_never_told(log: Path) -> None:
    write_log(
        log,
        pair(1, [ABSENT, X1], BOTH, [TO_2, TO_2]),
        pair(2, [ABSENT, X1], BOTH, [SAME_DOCUMENT, SAME_DOCUMENT]),
        pair(3, [ABSENT, X1], NONE, [X1, X1]),
        pair(4, [ABSENT, X1], FIRST, [None, X1]),
    )
    rows = read_rows(log, metadata_columns=METADATA)[1::2]
    x1, replace = '{"x": 1}', '{"op": "replace", "path": "$.x", "value": 2}'
    assert [(row["_absent_columns"], row["a"], row["b"]) for row in rows] == [
        (["a"], None, X2),
        (["a"], None, x1),
        ([], x1, x1),
        ([], None, x1),
    ]
    assert [row["_json_diff"] for row in rows] == [
        f'{{"a": [{replace}], "b": [{replace}]}}',
        '{"a": [], "b": []}',
        None,
        None,
    ]
    as_json = [row["row"] for row in read_rows(log, table=None)][1::2]
    assert as_json == [
        f'{{"id": 1, "b": {X2}}}',
        f'{{"id": 2, "b": {x1}}}',
        f'{{"id": 3, "a": {x1}, "b": {x1}}}',
        f'{{"id": 4, "a": null, "b": {x1}}}',
    ]


def test_metadata_tells_of_documents_that_are_not_wanted(log: Path) -> None:
    write_log(log, pair(1, [ABSENT, X1], BOTH, [TO_2, SAME_DOCUMENT]))
    batches = list(
        read_batches(
            log,
            table="d.t",
            schema=pa.schema(
                [
                    ("_json_diff", pa.string()),
                    ("id", pa.int32()),
                    ("_absent_columns", pa.list_(pa.string())),
                ]
            ),
        )
    )
    assert batches[0].to_pylist()[1] == {
        "_json_diff": '{"a": [{"op": "replace", "path": "$.x", "value": 2}], "b": []}',
        "id": 1,
        "_absent_columns": ["a"],
    }


GOOD_UPDATE = pair(1, [X1, X1], FIRST, [TO_2, X1])
BAD_UPDATES = {
    "null-before": (
        pair(2, [None, X1], FIRST, [TO_2, X1]),
        r"column 2 a \(JSON\): .*which is NULL",
    ),
    "unchanged-null": (
        pair(2, [None, X1], FIRST, [SAME_DOCUMENT, X1]),
        "column 2 a .*which is NULL",
    ),
    "no-such-path": (
        pair(2, [X1, X1], SECOND, [X1, NO_SUCH]),
        r"table d\.t column 3 b \(JSON\): .*cannot remove b'\$\.y'",
    ),
    "damaged-differences": (
        pair(2, [X1, X1], SECOND, [X1, prefixed(b"\7", 4)]),
        "column 3 b .*operation",
    ),
    "damaged-before": (pair(2, [prefixed(b"\xee", 4), X1], FIRST, [TO_2, X1]), "column 2 a"),
    "value-options": (pair(2, [X1, X1], b"\2\1", [X1, X1]), "value options 0 or 1"),
    "long-value-options": (pair(2, [X1, X1], b"\xfc\1\1", [X1, X1]), "value options 0 or 1"),
}


@pytest.mark.parametrize(("bad", "words"), BAD_UPDATES.values(), ids=BAD_UPDATES.keys())
@pytest.mark.parametrize("tables", [("t",), ("t", "u")], ids=["one-table", "two-tables"])
def test_a_bad_row_is_an_error_after_those_before_it(
    bad: Pair, words: str, tables: tuple[str, ...], log: Path
) -> None:
    write_log(log, GOOD_UPDATE, bad, tables=tables)
    batches = read_batches(log, table="d.t", metadata_columns="_change_type")
    keys: list[int] = []
    with pytest.raises(CorruptEventError, match=words):
        keys.extend(key for batch in batches for key in batch.column("id").to_pylist())
    assert keys[:2] == [1, 1]
    with pytest.raises(CorruptEventError):
        list(read_batches(log))


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_value_options_may_not_leave_the_event(cut: int, log: Path) -> None:
    """The event ends within the packed number of the options, or within the bits after it."""
    options = b"\xfc\1\0\3"[:cut] if cut < 3 else b"\xfc\1\0"
    log.write_bytes(cut_log(options))
    errors = []
    for call in (lambda: list(read_batches(log, table="d.t")), lambda: list_tables(log)):
        with pytest.raises(BinlogError, match="value options") as caught:
            call()
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def cut_log(options: bytes) -> bytes:
    """Return a log whose only rows event ends after some bytes of its value options."""
    writer = LogWriter()
    writer.begin()
    writer.table_map(1, "t", DOCUMENT_COLUMNS)
    body = bytes.fromhex("01 00 00 00 00 00 01 00 02 00 03 ff ff")
    writer.event(PARTIAL_UPDATE, body + b"\xf8" + integer(1, 4) + X1 + X1 + options)
    writer.commit()
    return bytes(writer.data)


def events_of_one_row(tmp_path: Path, num_events: int) -> Path:
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("id", 3)])
    for number in range(num_events):
        is_last = int(number == num_events - 1)
        writer.rows(9, Rows(WRITE_V2, [[number.to_bytes(4, "little")]], [True], flags=is_last))
    writer.commit()
    path = tmp_path / LOG_NAME
    path.write_bytes(writer.data)
    return path


# No input is known that leads a kernel outside: each length is checked before it is followed.
def test_a_kernel_that_leaves_its_input_costs_one_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locate = entry_points.locate

    def leave(*arguments: Any) -> int:
        selection, cursor = arguments[2], arguments[-2]
        if len(selection) > 3:
            cursor[Cursor.EVENT] = 3
            raise IndexError("outside")
        return int(locate(*arguments))

    monkeypatch.setattr(row_images, "locate", leave)
    path = events_of_one_row(tmp_path, 5)
    num_rows, error = read_until_error(path, table="d.t")
    assert num_rows == 3
    assert isinstance(error, CorruptEventError)
    assert error.site is not None
    assert error.site.start_pos == find_event(path.read_bytes(), "WRITE_ROWS_EVENT", 3).start_pos


def test_a_kernel_that_leaves_its_output_costs_one_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_column = fill_module.fill_column

    def leave(batch: fill_module.Batch, column: fill_module.ColumnTask) -> int:
        if batch.num_rows > 3:
            raise IndexError("outside")
        return fill_column(batch, column)

    monkeypatch.setattr(columns, "fill_column", leave)
    path = events_of_one_row(tmp_path, 5)
    num_rows, error = read_until_error(path, table="d.t")
    assert num_rows == 3
    assert isinstance(error, CorruptEventError)
    assert error.site is not None
    assert error.site.start_pos == find_event(path.read_bytes(), "WRITE_ROWS_EVENT", 3).start_pos
    assert "table d.t" in str(error)
