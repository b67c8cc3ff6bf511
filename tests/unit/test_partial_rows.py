"""Rows events of partial updates, by hand: what is given, and what is refused.

Layout: `rows.md`, "Partial JSON".
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, CorruptEventError, list_tables, read_batches
from tests.support.encoders import integer, json_document, prefixed
from tests.support.log_writer import ABSENT, PARTIAL_UPDATE, LoggedColumn, LogWriter, Rows
from tests.support.reading import read_rows

COLUMNS = [
    LoggedColumn("id", 3),
    LoggedColumn("a", 245, b"\4"),
    LoggedColumn("b", 245, b"\4"),
]
X1, X2 = prefixed(json_document({"x": 1}), 4), '{"x": 2}'
TO_2 = prefixed(bytes.fromhex("0003242e7803050200"), 4)
NO_SUCH = prefixed(bytes.fromhex("0203242e79"), 4)
SAME = prefixed(b"", 4)
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
        writer.table_map(table_id, table, COLUMNS)
        images = [image for before, _, after in pairs for image in (before, after)]
        before, after = ([value is not ABSENT for value in image] for image in images[:2])
        options = [options for _, options, _ in pairs]
        writer.rows(table_id, Rows(PARTIAL_UPDATE, images, before, after, value_options=options))
        writer.commit()
    path.write_bytes(writer.data)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the path of a log."""
    return tmp_path / "binlog.000001"


def documents(path: Path, engine: str, **options: Any) -> list[tuple[Any, Any]]:
    """Return both documents of the images after the updates."""
    rows = read_rows(path, engine, metadata_columns="_change_type", **options)
    return [(row["a"], row["b"]) for row in rows if row["_change_type"] == "update_postimage"]


def test_each_row_says_which_documents_are_differences(engine: str, log: Path) -> None:
    write_log(
        log,
        pair(1, [X1, X1], FIRST, [TO_2, X1]),
        pair(2, [X1, X1], SECOND, [X1, TO_2]),
        pair(3, [X1, X1], BOTH, [TO_2, SAME]),
        pair(4, [X1, X1], NONE, [X1, X1]),
        pair(5, [None, X1], SECOND, [X1, None]),
        pair(6, [X1, None], b"\xfc\1\0\3", [TO_2, None]),
    )
    x1 = '{"x": 1}'
    wanted = [(X2, x1), (x1, X2), (X2, x1), (x1, x1), (x1, None), (X2, None)]
    assert documents(log, engine) == wanted
    assert documents(log, engine, batch_rows=2) == wanted


def test_one_document_alone_is_the_same(engine: str, log: Path) -> None:
    write_log(log, pair(1, [X1, X1], BOTH, [SAME, TO_2]))
    for name, text in (("a", '{"x": 1}'), ("b", X2)):
        batches = read_batches(
            log, table="d.t", engine=engine, schema=pa.schema([(name, pa.string())])
        )
        assert [row[name] for batch in batches for row in batch.to_pylist()][1] == text


def test_a_document_that_is_not_wanted_is_not_looked_at(engine: str, log: Path) -> None:
    write_log(log, pair(1, [None, X1], BOTH, [TO_2, TO_2]))
    batches = read_batches(log, table="d.t", engine=engine, schema=pa.schema([("b", pa.string())]))
    assert [batch.column("b").to_pylist() for batch in batches] == [['{"x": 1}', X2]]


def test_a_document_whose_before_is_not_logged_is_never_told(engine: str, log: Path) -> None:
    write_log(
        log,
        pair(1, [ABSENT, X1], BOTH, [TO_2, TO_2]),
        pair(2, [ABSENT, X1], BOTH, [SAME, SAME]),
        pair(3, [ABSENT, X1], NONE, [X1, X1]),
        pair(4, [ABSENT, X1], FIRST, [None, X1]),
    )
    rows = read_rows(log, engine, metadata_columns=METADATA)[1::2]
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
    as_json = [row["row"] for row in read_rows(log, engine, table=None)][1::2]
    assert as_json == [
        f'{{"id": 1, "b": {X2}}}',
        f'{{"id": 2, "b": {x1}}}',
        f'{{"id": 3, "a": {x1}, "b": {x1}}}',
        f'{{"id": 4, "a": null, "b": {x1}}}',
    ]


def test_metadata_tells_of_documents_that_are_not_wanted(engine: str, log: Path) -> None:
    write_log(log, pair(1, [ABSENT, X1], BOTH, [TO_2, SAME]))
    batches = list(
        read_batches(
            log,
            table="d.t",
            engine=engine,
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


GOOD = pair(1, [X1, X1], FIRST, [TO_2, X1])
BAD = {
    "null-before": (
        pair(2, [None, X1], FIRST, [TO_2, X1]),
        r"column 2 a \(JSON\): .*which is NULL",
    ),
    "unchanged-null": (pair(2, [None, X1], FIRST, [SAME, X1]), "column 2 a .*which is NULL"),
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


@pytest.mark.parametrize(("bad", "words"), BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("tables", [("t",), ("t", "u")], ids=["one-table", "two-tables"])
def test_a_bad_row_is_an_error_after_those_before_it(
    bad: Pair, words: str, tables: tuple[str, ...], log: Path
) -> None:
    write_log(log, GOOD, bad, tables=tables)
    errors = set()
    for engine in ("kernels", "reference"):
        batches = read_batches(log, table="d.t", engine=engine, metadata_columns="_change_type")
        keys: list[int] = []
        with pytest.raises(CorruptEventError, match=words) as caught:
            keys.extend(key for batch in batches for key in batch.column("id").to_pylist())
        assert keys[:2] == [1, 1]
        errors.add(str(caught.value))
        with pytest.raises(CorruptEventError):
            list(read_batches(log, engine=engine))
    if bad[0][1] != prefixed(b"\xee", 4):  # a document as such: the kernels tell its place
        assert len(errors) == 1


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_value_options_may_not_leave_the_event(cut: int, engine: str, log: Path) -> None:
    """The event ends within the packed number of the options, or within the bits after it."""
    options = b"\xfc\1\0\3"[:cut] if cut < 3 else b"\xfc\1\0"
    log.write_bytes(cut_log(options))
    errors = []
    for read in (
        lambda: list(read_batches(log, table="d.t", engine=engine)),
        lambda: list_tables(log, engine=engine),
    ):
        with pytest.raises(BinlogError, match="value options") as caught:
            read()
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def cut_log(options: bytes) -> bytes:
    """Return a log whose only rows event ends after some bytes of its value options."""
    writer = LogWriter()
    writer.begin()
    writer.table_map(1, "t", COLUMNS)
    body = bytes.fromhex("01 00 00 00 00 00 01 00 02 00 03 ff ff")
    writer.event(PARTIAL_UPDATE, body + b"\xf8" + integer(1, 4) + X1 + X1 + options)
    writer.commit()
    return bytes(writer.data)
