"""Tables that are written as data sets: names of folders, and tables that fail."""

import struct
from pathlib import Path
from unittest.mock import MagicMock, Mock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py4j.protocol import Py4JError

from pyspark_adapter import BinlogError, folder_name, list_tables
from pyspark_adapter.counting.table_summary import TableSummary
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.spark import export
from tests.support.log_writer import TABLE_MAP, WRITE_V2, LogWriter, Rows, packed

ALL_BYTES = [bytes([number]) for number in range(256)]
# Names as Python has them, lone surrogates included.
names = st.text(st.characters(exclude_categories=()), max_size=300) | st.sampled_from(
    ["", ".", "..", "_", "_x", "a/b", "../x", "/", "\0", "%", "%empty", "~", "a~1", "\udc80"]
)


def check_name(name: str) -> None:
    """Check that a name is that of one folder, on any file system, which Spark shows."""
    assert 0 < len(name.encode("ascii")) <= 240
    assert name[0] not in "._"
    assert not name.endswith(("._COPYING_", "."))
    assert not set(name) & set('/\\:*?"<>|=')
    assert name.isprintable()


@given(names, names)
def test_a_name_is_that_of_one_folder(first: str, second: str) -> None:
    check_name(folder_name(first))
    check_name(folder_name(first, second))
    assert folder_name(first).lower() != folder_name(first, second).lower()


@given(st.tuples(names, names), st.tuples(names, names))
def test_no_two_tables_have_a_folder(one: tuple[str, str], other: tuple[str, str]) -> None:
    swapped = (one[0].swapcase(), one[1].swapcase())
    parts = {one, other, swapped, (one[1], one[0]), (".".join(one), ""), ("", ".".join(one))}
    assert len({folder_name(*pair).lower() for pair in parts}) == len(parts)


def log_of(database: bytes, table: bytes) -> bytes:
    """Return a log with a row of a table, with names of any bytes."""
    log = LogWriter()
    log.begin()
    body = struct.pack("<IHH", 1, 0, 1)
    for name in (database, table):
        body += packed(len(name)) + name + b"\0"
    log.event(TABLE_MAP, body + b"\x01\x03\x00\x01")
    log.rows(1, Rows(WRITE_V2, [[b"\1\0\0\0"]], [True]))
    log.commit()
    return bytes(log.data)


@pytest.mark.parametrize(
    "name", [*ALL_BYTES, b"", b"..", b"a/b", b"\xed\xb2\x80", b"x" * 250, b"/" * 250]
)
def test_names_that_a_log_can_hold(name: bytes, tmp_path: Path) -> None:
    """Lone surrogates are none of them: a name that is not UTF-8 is an error."""
    (tmp_path / "log").write_bytes(log_of(name, name))
    try:
        tables = list_tables(tmp_path / "log")
    except BinlogError:
        with pytest.raises(UnicodeDecodeError):
            name.decode()
        return
    (found,) = tables
    check_name(folder_name(found.table.database_name, found.table.table_name))
    str(found.table).encode()


def test_a_table_that_fails_in_the_jvm_does_not_stop_the_others(tmp_path: Path) -> None:
    write = Mock(side_effect=[Py4JError("File name too long\n\tat java.io\n\x1b[2J"), 7])
    tables = [MagicMock(spec=TableSummary, table=TableName("d", t), paths=["x"]) for t in "ab"]
    with patch.object(export, "write_parquet", write):
        done = [*export.export_tables(Mock(), tables, tmp_path, {})]
    assert {found.error for found in done} == {"File name too long", None}
    assert sum(found.num_rows for found in done) == 7
