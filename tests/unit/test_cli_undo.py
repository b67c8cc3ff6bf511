"""The commands `undo` and `redo`."""

import pytest

from pyspark_adapter import redo_statements, undo_statements
from pyspark_adapter.cli.main import main
from tests.inputs import sample_path

SHOP = str(sample_path("mysql-9.7-shop"))
PLACE = ["--position", "mysql-9.7-shop.000001:25000", "--engine", "reference"]


@pytest.mark.parametrize("verb", ["undo", "redo"])
def test_the_script_is_that_of_the_library(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, SHOP, *PLACE, "--change", "delete"]) == 0
    statements = {"undo": undo_statements, "redo": redo_statements}[verb]
    lines = statements(SHOP, starting_position="mysql-9.7-shop.000001:25000", change_types="delete")
    assert capsys.readouterr() == ("".join(f"{line}\n" for line in lines), "")


def test_a_refusal_has_a_line_for_each_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["undo", SHOP]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    first, *reasons, last = err.splitlines()
    assert first == "error: no SQL, because of"
    assert len(reasons) == 5
    assert "CREATE TABLE customers" in reasons[0]
    assert last == "  force=True, or the flag --force, gives the SQL of the rows anyway"
    assert main(["undo", SHOP, "--force"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("-- Not covered: mysql-9.7-shop.000001@444 QUERY_EVENT: CREATE TABLE")
    assert err == ""


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["redo", SHOP, "--change", "update_preimage"]) == 2
    assert "--change: expected both images of updates" in capsys.readouterr().err
