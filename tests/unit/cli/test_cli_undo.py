"""The commands `undo` and `redo`."""

import re
from pathlib import Path

import pytest

from pyspark_adapter import redo_statements, undo_statements
from pyspark_adapter.cli.main import main
from tests.inputs import sample_path
from tests.support import encoders
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

SHOP = str(sample_path("mysql-9.7-shop"))
PLACE = ["--position", "mysql-9.7-shop.000001:25000"]


@pytest.mark.parametrize("verb", ["undo", "redo"])
def test_the_script_is_that_of_the_library(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, SHOP, *PLACE, "--change", "delete"]) == 0
    statements = {"undo": undo_statements, "redo": redo_statements}[verb]
    lines = statements(SHOP, starting_position="mysql-9.7-shop.000001:25000", change_types="delete")
    assert capsys.readouterr() == ("".join(f"{line}\n" for line in lines), "")


def truncated(folder: Path) -> str:
    """Return a log in which a table has rows and is truncated."""
    log = LogWriter()
    log.begin()
    log.table_map(1, "t", [LoggedColumn("id", 3)])
    log.rows(1, Rows(WRITE_V2, [[encoders.integer(1, 4)]], [True]))
    log.commit()
    log.statement("TRUNCATE TABLE t")
    path = folder / "binlog.000001"
    path.write_bytes(log.data)
    return str(path)


def test_a_refusal_has_a_line_for_each_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = truncated(tmp_path)
    assert main(["undo", log]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    first, reason, narrow, force = err.splitlines()
    assert first == "error: no SQL, because of"
    assert "a statement that SQL of rows does not cover: TRUNCATE TABLE" in reason
    assert "read that alone: --position, --since or --gtid, --until-position, and --table" in narrow
    assert force == "  --force gives the SQL of the rows anyway"
    assert main(["undo", log, "--force"]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"(?m)^-- Not covered: \S+@\d+ QUERY_EVENT: TRUNCATE TABLE", out)
    assert err == ""


def test_a_script_is_written_whole_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "undo.sql"
    assert main(["undo", truncated(tmp_path), "--output", str(target)]) == 1
    assert not target.exists()
    capsys.readouterr()
    assert main(["undo", SHOP, "--output", str(target)]) == 0
    assert capsys.readouterr() == ("", f"written: {target}\n")
    assert main(["redo", SHOP, "--output", str(target)]) == 2
    assert "choose another file, or remove it" in capsys.readouterr().err
    assert main(["undo", SHOP]) == 0
    assert capsys.readouterr() == (target.read_text(), "")


def test_rows_per_statement_are_limited(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["redo", SHOP, "--rows-per-statement", "1"]) == 0
    single = capsys.readouterr().out
    assert main(["redo", SHOP]) == 0
    assert len(capsys.readouterr().out) < len(single)
    with pytest.raises(SystemExit):
        main(["redo", SHOP, "--transaction-rows", "0"])
    assert "expected a number from 1 to 10,000, got '0'" in capsys.readouterr().err


def test_a_table_that_no_log_has_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A DROP DATABASE in the range is not blamed."""
    log = LogWriter()
    log.statement("DROP DATABASE shop", "")
    path = tmp_path / "binlog.000001"
    path.write_bytes(log.data)
    assert main(["undo", str(path), SHOP, "--table", "shop.oders"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("-- No row changes.")
    assert "--table shop.oders: no table of these logs has that name" in err
    assert "shop.orders" in err
    assert main(["undo", str(path), SHOP, "--table", "shop.orders"]) == 1
    assert "DROP DATABASE shop" in capsys.readouterr().err


def test_a_slice_with_definitions_is_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "slice.000001"
    chosen = ["--table", "shop.orders", "--position", "mysql-9.7-shop.000001:25836"]
    assert main(["slice", SHOP, *chosen, "--definitions", "--out", str(target)]) == 0
    capsys.readouterr()
    assert main(["undo", str(target)]) == 0
    out, err = capsys.readouterr()
    assert "INSERT INTO `shop`.`orders`" in out
    assert "-- Not covered: slice.000001@" in out
    assert "CREATE TABLE orders" in out
    assert err == ""


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["redo", SHOP, "--change", "update_preimage"]) == 2
    assert "--change: expected both images of updates" in capsys.readouterr().err
