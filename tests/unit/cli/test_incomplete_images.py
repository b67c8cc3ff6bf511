"""What an update changes and the log has in part only is in each output, or refused.

The log is of MySQL 9.7 with binlog_row_value_options=PARTIAL_JSON and binlog_row_image=MINIMAL. Its
own tool shows `@2=JSON_REMOVE(@2, '$.big')`, then JSON_REPLACE and two times JSON_INSERT.
"""

import csv
import io
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyspark_adapter import BinlogWarning, read_batches
from pyspark_adapter.cli.main import main
from pyspark_adapter.cli.rows import describe
from tests.support.streams import FollowedStream

Output = pytest.CaptureFixture[str]

PATH = Path(__file__).with_name("partial-json-minimal.000001")
LOG = str(PATH)
TABLE = ["--table", "d.pj"]
FIRST = {"c": [{"op": "remove", "path": "$.big"}]}


def printed(capsys: Output, *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", [["rows", LOG], ["history", LOG, *TABLE, "--key", "1"]])
def test_text_has_the_differences(command: list[str], capsys: Output) -> None:
    out = printed(capsys, *command)
    assert "no change" not in out
    assert "c: remove $.big  (id=1)" in out
    assert 'c: replace $.name "2024-02-29 01:02:03.000004", insert $.n NULL, insert $."a.b"' in out


@pytest.mark.parametrize("command", [["rows", LOG], ["history", LOG, *TABLE, "--key", "1"]])
def test_json_lines_have_them(command: list[str], capsys: Output) -> None:
    first, second = map(json.loads, printed(capsys, *command, "--format", "jsonl").splitlines())
    assert (first["before"], first["after"], first["json_diff"]) == ({"id": 1}, {}, FIRST)
    assert [step["op"] for step in second["json_diff"]["c"]] == ["replace", "insert", "insert"]


@pytest.mark.parametrize("table", [[], TABLE])
def test_tables_of_values_have_a_column_of_them(
    table: list[str], capsys: Output, tmp_path: Path
) -> None:
    rows = [*csv.DictReader(io.StringIO(printed(capsys, "rows", LOG, *table, "--format", "csv")))]
    assert json.loads(rows[1]["_absent_columns"]) == ["id", "c", "k"]
    found = [[row["_json_diff"] for row in rows]]
    for form in ("parquet", "arrow"):
        path = str(tmp_path / form)
        printed(capsys, "rows", LOG, *table, "--format", form, "--output", path)
        read = pq.read_table(path) if form == "parquet" else pa.ipc.open_file(path).read_all()
        assert read["_absent_columns"].to_pylist()[1] == ["id", "c", "k"]
        found.append([value or "" for value in read["_json_diff"].to_pylist()])
    assert found[0] == found[1] == found[2]
    assert json.loads(found[0][1]) == FIRST


def test_sql_is_rolled_back_or_refused(capsys: Output) -> None:
    assert main(["rows", LOG, "--format", "sql"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-3:-1] == ["START TRANSACTION;", "ROLLBACK;"]
    assert "logged as differences to one that is not logged" in err
    for command in ("redo", "undo"):
        assert main([command, LOG]) == 1
        assert capsys.readouterr().out == ""


def test_rows_at_a_moment_are_refused(tmp_path: Path, capsys: Output) -> None:
    assert main(["as-of", LOG, *TABLE, "--output", str(tmp_path / "rows.csv")]) == 1
    assert (
        "an image without the columns c, k, whose values are not known" in capsys.readouterr().err
    )


def test_a_read_without_the_column_warns() -> None:
    with pytest.warns(BinlogWarning, match=r"table d\.pj: .* the metadata column _json_diff has"):
        read_batches(LOG, table="d.pj").to_table()


def test_streams_have_them(tmp_path: Path) -> None:
    (tmp_path / "binlog.000001").write_bytes(PATH.read_bytes())
    stream = FollowedStream(tmp_path)
    assert stream.poll()
    assert [row for row in stream.rows if "'_json_diff': '" in row] == stream.rows[1::2]
    assert json.dumps(FIRST, separators=(",", ":")) in stream.rows[1].replace(" ", "")


def test_updates_are_counted(tmp_path: Path, capsys: Output) -> None:
    assert printed(capsys, "transactions", LOG).count("d.pj ~1") == 2
    assert json.loads(printed(capsys, "tables", LOG, "--format", "jsonl"))["updates"] == 2
    printed(capsys, "report", LOG, "--output", str(tmp_path / "r.html"))
    assert re.search(r"row changes\D+2\b", (tmp_path / "r.html").read_text())


def test_columns_that_are_not_logged_are_named() -> None:
    assert describe({"id": 1}, {}, None, ["id", "c", "k"]) == "not logged: c, k  (id=1)"
    assert describe({"id": 1, "c": 2}, {"id": 1, "c": 2}) == "no change  (id=1, c=2)"
