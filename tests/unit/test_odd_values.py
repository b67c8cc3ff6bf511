"""Values of shapes, vectors and compressed columns that cannot be: an error that names the column.

Layouts: `values.md`, "GEOMETRY", "VECTOR", "Compressed columns".
"""

import tracemalloc
import zlib
from pathlib import Path

import pytest

from pyspark_adapter import BinlogError, CorruptEventError, UnsupportedError
from pyspark_adapter.values.compressed_columns import MAX_INFLATED, inflate
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.logs import read_until_error

GEOMETRY = LoggedColumn("v", 255, b"\x04")
VECTOR = LoggedColumn("v", 242, b"\x04", False, 63)
COMPRESSED = LoggedColumn("v", 140, b"\x04", False, 8)
GOOD = {
    GEOMETRY: bytes.fromhex("e6100000 0101000000000000000000f03f0000000000000040"),
    VECTOR: bytes.fromhex("0000803f"),
    COMPRESSED: bytes.fromhex("89c82b2f1f1e0000"),
}
ZLIB = zlib.compress(b"w" * 200)


def read(tmp_path: Path, engine: str, column: LoggedColumn, bad: bytes) -> tuple[int, BinlogError]:
    """Return how many rows come before a bad value, the third of three, and its error."""
    values = [GOOD[column], GOOD[column], bad]
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("id", 3), column])
    images = [[bytes(4), len(value).to_bytes(4, "little") + value] for value in values]
    writer.rows(9, Rows(WRITE_V2, images, [True, True]))
    writer.commit()
    path = tmp_path / "log.000001"
    path.write_bytes(writer.data)
    num_rows, error = read_until_error(path, table="d.t", engine=engine)
    assert error is not None
    return num_rows, error


@pytest.mark.parametrize(
    ("column", "bad", "words"),
    [
        (GEOMETRY, b"\x01", "SRID and"),
        (GEOMETRY, bytes(8), "SRID and"),
        (VECTOR, bytes(5), "floats of four bytes"),
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
    column: LoggedColumn, bad: bytes, words: str, engine: str, tmp_path: Path
) -> None:
    num_rows, error = read(tmp_path, engine, column, bad)
    assert num_rows == 2
    assert isinstance(error, CorruptEventError)
    assert error.site is not None
    assert error.site.event_type == "WRITE_ROWS_EVENT"
    assert "table d.t column 2 v" in str(error)
    assert words in str(error)


def test_another_method_of_compression_is_not_supported(engine: str, tmp_path: Path) -> None:
    num_rows, error = read(tmp_path, engine, COMPRESSED, b"\x91\xc8" + ZLIB)
    assert num_rows == 2
    assert isinstance(error, UnsupportedError)
    assert "compressed" in str(error)


def test_text_within_a_compressed_value_is_checked(engine: str, tmp_path: Path) -> None:
    column = LoggedColumn("v", 140, b"\x04", False, 255)
    GOOD[column] = GOOD[COMPRESSED]
    num_rows, error = read(tmp_path, engine, column, b"\0\xff")
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
