"""The command line: it prints the counts of the manifest, and errors in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pyspark_adapter.cli.main import main
from tests.inputs import ROOT, SAMPLES, UNREADABLE, sample_path
from tests.unit.test_damaged_logs import DAMAGES, UPDATE

Output = pytest.CaptureFixture[str]

# Rows cannot be separated if the length of a value is not in the log.
OLD_TEMPORALS = "mariadb-10.11-old-temporals"
COUNTED = sorted(set(SAMPLES) - UNREADABLE - {OLD_TEMPORALS, "mariadb-10.11-old-fractions"})


def printed_counts(text: str) -> dict[str, dict[str, int]]:
    """Return the printed counts of tables with rows."""
    lines = text.splitlines()
    assert lines[0].split() == ["table", "inserts", "updates", "deletes", "statements"]
    counts = {}
    for line in lines[1:]:
        if line.startswith("statements: "):
            continue
        name, *numbers = line.rsplit(maxsplit=4)
        values = [int(number.replace(",", "")) for number in numbers[:3]]
        if any(values):
            counts[name.strip().replace("`", "")] = dict(
                zip(("insert", "update", "delete"), values, strict=True)
            )
    return counts


@pytest.mark.parametrize("name", COUNTED)
def test_tables_prints_the_counts_of_the_manifest(name: str, capsys: Output) -> None:
    assert main(["tables", str(sample_path(name))]) == 0
    expected = {
        table.replace("`", ""): counts for table, counts in SAMPLES[name]["row_changes"].items()
    }
    assert printed_counts(capsys.readouterr().out) == expected


def test_rows_that_cannot_be_counted_are_an_error(capsys: Output) -> None:
    assert main(["tables", str(sample_path(OLD_TEMPORALS))]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("error: mariadb-10.11-old-temporals.000001@")
    assert "column 3 t (TIME): the width of its values is not logged" in printed


def test_tables_of_several_logs_are_added_up(capsys: Output) -> None:
    path = str(sample_path("mysql-9.7-no-checksum"))
    assert main(["tables", path, path]) == 0
    expected = {
        table: {kind: 2 * count for kind, count in counts.items()}
        for table, counts in SAMPLES["mysql-9.7-no-checksum"]["row_changes"].items()
    }
    assert printed_counts(capsys.readouterr().out) == expected


def test_tables_of_a_folder_are_those_of_its_logs(capsys: Output) -> None:
    names = ("mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    assert main(["tables", str(sample_path(names[0]).parent)]) == 0
    found = printed_counts(capsys.readouterr().out)
    assert set(found) == {
        table.replace("`", "") for name in names for table in SAMPLES[name]["row_changes"]
    }


@pytest.mark.parametrize("name", ["cut-in-body", "empty", "flipped-byte", "no-table-map"])
def test_damaged_log_is_one_line_and_exit_code_1(name: str, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "binlog.000007"
    path.write_bytes(DAMAGES[name].log)
    assert main(["tables", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: binlog.000007")
    assert printed.err.count("\n") == 1
    assert DAMAGES[name].words[0] in printed.err


def test_error_names_position_and_event(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "binlog.000007"
    path.write_bytes(DAMAGES["cut-in-body"].log)
    main(["tables", str(path)])
    expected = f"error: binlog.000007@{UPDATE.start_pos} UPDATE_ROWS_EVENT: the file ends inside"
    assert capsys.readouterr().err.startswith(expected)


def test_missing_path_is_exit_code_1(tmp_path: Path, capsys: Output) -> None:
    missing = tmp_path / "binlog.000001"
    assert main(["tables", str(missing)]) == 1
    printed = capsys.readouterr().err
    assert printed == f"error: {missing}: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("arguments", [[], ["tables"], ["rows", "x"], ["tables", "--nothing", "x"]])
def test_wrong_arguments_are_exit_code_2(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m pyspark_adapter")


def test_the_package_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pyspark_adapter", "tables", str(ROOT / "missing.000001")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")


@pytest.mark.parametrize("arguments", [[], ["export"], ["tables"], ["warm"]])
def test_help_loads_no_library(arguments: list[str]) -> None:
    command = (
        "import json, sys\n"
        "from pyspark_adapter.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as done:\n    assert done.code == 0\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments, "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    printed, _, loaded = done.stdout.rstrip().rpartition("\n")
    assert printed.startswith("usage: python -m pyspark_adapter")
    assert {"numba", "numpy", "pyarrow", "pyspark", "mysql_binlog"}.isdisjoint(json.loads(loaded))
