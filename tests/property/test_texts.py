"""Text of any bytes in any character set: both decoders give the same, and what Python gives."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyspark_adapter import BinlogError, read_batches
from pyspark_adapter.charsets.charset import CHARSETS, charset_of, decode_text
from tests.support.log_writer import WRITE_V2, LoggedColumn, Rows
from tests.support.reading import PROFILE, encoded, read_rows, write_log
from tests.support.typed_column import TypedColumn

COLLATIONS = {charset_of(collation): collation for collation in range(251) if collation != 63}
PYTHON = {"utf8mb4": "utf-8", "utf16": "utf-16-be", "utf16le": "utf-16-le", "utf32": "utf-32-be"}

# Bytes at the edges of what leads, follows, or stands alone in some character set.
EDGES = bytes.fromhex("00 30 39 3f 40 5c 7e 7f 80 81 8e 8f a0 a1 b2 c0 c3 d8 dc e0 ed f0 f4 fe ff")
DATA = st.binary(max_size=20) | st.lists(st.sampled_from(EDGES), max_size=20).map(bytes)


def column_of(charset: str) -> TypedColumn:
    """Return a column of bytes in a character set."""
    column = LoggedColumn("v", 252, b"\x01", False, COLLATIONS[charset])
    return TypedColumn(column, DATA, lambda data: bytes([len(data)]) + data)


def write(path: Path, charset: str, values: list[bytes]) -> Path:
    """Write a log of one column."""
    column = column_of(charset)
    rows = Rows(WRITE_V2, [encoded([column], [value]) for value in values], [True])
    return write_log(path, [column], [rows])


def outcome(path: Path) -> tuple[list[Any], BinlogError | None]:
    """Return what a read that stops at invalid text gives, and its error."""
    found = []
    try:
        for batch in read_batches(path, table="d.t"):
            found += batch.column("c0").to_pylist()
    except BinlogError as error:
        return found, error
    return found, None


@pytest.mark.parametrize("charset", sorted(set(CHARSETS) - {"binary"}))
@PROFILE
@given(data=st.data())
def test_any_bytes_are_taken_as_plain_python_takes_them(
    charset: str, tmp_path: Path, data: Any
) -> None:
    values = data.draw(st.lists(DATA, min_size=1, max_size=20))
    path = write(tmp_path / "log.000001", charset, values)
    replaced = [row["c0"] for row in read_rows(path, invalid_text="REPLACE")]
    assert replaced == [decode_text(value, charset, replaces=True) for value in values]
    if charset in PYTHON:
        assert replaced == [value.decode(PYTHON[charset], "replace") for value in values]
    wanted: list[str] = []
    with suppress(UnicodeDecodeError):
        wanted.extend(decode_text(value, charset) for value in values)
    found, error = outcome(path)
    assert found == wanted
    assert (error is None) == (len(wanted) == len(values))


@pytest.mark.parametrize("charset", ["utf8mb4", "ascii", "cp1256", "gbk", "utf16"])
def test_bytes_are_given_as_they_are(charset: str, tmp_path: Path) -> None:
    values = [b"", b"a", b"\xff\xfe\xff", bytes(range(200))]
    path = write(tmp_path / "log.000001", charset, values)
    assert [row["c0"] for row in read_rows(path, invalid_text="BINARY")] == values
    rows = [
        row["row"]
        for batch in read_batches(path, invalid_text="BINARY")
        for row in batch.to_pylist()
    ]
    assert rows[:3] == ['{"c0": ""}', '{"c0": "YQ=="}', '{"c0": "//7/"}']


def test_replaced_text_stands_in_json_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "log.000001", "gbk", [b"\xff\xd6\xd0\x80"])
    [batch] = read_batches(path, invalid_text="REPLACE")
    assert batch.column("row").to_pylist() == ['{"c0": "\ufffd中\ufffd"}']
