"""Tables that are written as data sets: names of folders, and tables that fail."""

from pathlib import Path
from unittest.mock import MagicMock, Mock, patch

import pytest
from py4j.protocol import Py4JError

from pyspark_adapter.discovery.table_list import TableSummary
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.spark import export


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f600", "/", "\n", "."])
@pytest.mark.parametrize("length", [1, 64, 255])
def test_folders_have_names_that_file_systems_take(
    letter: str, length: int, tmp_path: Path
) -> None:
    tables = [TableName(letter * length, letter * (length - 1) + last) for last in ("a", "b")]
    names = {export.folder_name(table) for table in tables}
    assert len(names) == 2
    for name in names:
        assert name.isprintable()
        (tmp_path / name).mkdir()
        (tmp_path / f".{name}.crc").touch()
    assert len(list(tmp_path.iterdir())) == 4


def test_a_table_that_fails_in_the_jvm_does_not_stop_the_others(tmp_path: Path) -> None:
    write = Mock(side_effect=[Py4JError("File name too long\n\tat java.io\n\x1b[2J"), 7])
    tables = [MagicMock(spec=TableSummary, table=TableName("d", t), paths=["x"]) for t in "ab"]
    with patch.object(export, "write_parquet", write):
        done = [*export.export_tables(Mock(), tables, tmp_path, {})]
    assert {found.error for found in done} == {"File name too long", None}
    assert sum(found.num_rows for found in done) == 7
