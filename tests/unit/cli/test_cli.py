"""The command line: it prints the counts of the manifest, and errors in one line."""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.cli.arguments import _FLAGS, NOT_FLAGS, add_logs, chosen_logs
from pyspark_adapter.cli.main import COMMANDS, main
from pyspark_adapter.options.binlog_options import OPTIONS
from tests.inputs import ROOT, SAMPLES, UNREADABLE, sample_path
from tests.support.programs import captured, started
from tests.unit.events.test_damaged_logs import DAMAGES, UPDATE

# It starts processes.
pytestmark = pytest.mark.slow

Output = pytest.CaptureFixture[str]

# Rows cannot be separated if the length of a value is not in the log.
COUNTED = sorted(set(SAMPLES) - UNREADABLE - {"mariadb-10.11-old-fractions"})


JSON = ("--format", "jsonl")


def printed_counts(text: str) -> dict[str, dict[str, int]]:
    """Return the printed counts of tables with rows."""
    counts = {}
    for line in text.splitlines():
        row = json.loads(line)
        values = {kind: row[f"{kind}s"] for kind in ("insert", "update", "delete")}
        if any(values.values()):
            counts[row["table"].replace("`", "")] = values
    return counts


@pytest.mark.parametrize("name", COUNTED)
def test_tables_prints_the_counts_of_the_manifest(name: str, capsys: Output) -> None:
    assert main(["tables", str(sample_path(name)), *JSON]) == 0
    expected = {
        table.replace("`", ""): counts for table, counts in SAMPLES[name]["row_changes"].items()
    }
    assert printed_counts(capsys.readouterr().out) == expected


def test_tables_are_columns_of_text(capsys: Output) -> None:
    assert main(["tables", str(sample_path("mysql-9.7-shop"))]) == 0
    titles, first, *_ = capsys.readouterr().out.splitlines()
    assert titles.startswith("table               ")
    assert {"inserts", "updates", "deletes", "statements"} <= set(titles.split())
    assert dict(zip(titles.split(), first.split(), strict=False))["table"] == "shop.customers"


def test_rows_that_cannot_be_counted_are_an_error(capsys: Output) -> None:
    assert main(["tables", str(sample_path("mysql-9.7-encrypted"))]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("error: mysql-9.7-encrypted.000001: ")
    assert "the log is encrypted" in printed


def test_tables_of_several_logs_are_added_up(capsys: Output) -> None:
    path = str(sample_path("mysql-9.7-no-checksum"))
    assert main(["tables", path, path, *JSON]) == 0
    expected = {
        table: {kind: 2 * count for kind, count in counts.items()}
        for table, counts in SAMPLES["mysql-9.7-no-checksum"]["row_changes"].items()
    }
    assert printed_counts(capsys.readouterr().out) == expected


def test_tables_of_a_folder_are_those_of_its_logs(capsys: Output) -> None:
    names = ("mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    assert main(["tables", str(sample_path(names[0]).parent), *JSON]) == 0
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
    assert bool(printed.out) == bool(DAMAGES[name].num_rows)
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
    assert printed == (
        f"error: {missing}: cannot be read: No such file or directory; check the path;"
        " --ignore-missing-files skips logs that are gone\n"
    )


@pytest.mark.parametrize("arguments", [[], ["row", "x"], ["tables", "--nothing", "x"]])
def test_wrong_arguments_are_exit_code_2(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("usage: mysql-binlog-spark ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a log, a directory of logs, or a server (--host)"),
        (["x", "--host", "h", "--user", "u"], "--host: expected no host, since there are paths"),
        (["x", "--since", "soon"], "--since: expected a time such as"),
        (["x", "--batch-rows", "1"], "--batch-rows: expected"),
        (
            ["x", "--since", "2026-01-01", "--since", "2026-02-01"],
            "--since: expected one value, found 2026-01-01 and 2026-02-01",
        ),
        (["x", "--position", "b.1:4", "--position", "b.2:4"], "--position: expected one value"),
        (
            ["--host", "h", "--password=a", "--password=b"],
            "--password: expected one value, found ***",
        ),
        (["--host", "h"], "--user: expected a user, with --host, got ''"),
    ],
)
def test_an_option_that_is_not_allowed_is_exit_code_2(
    arguments: list[str], message: str, capsys: Output
) -> None:
    assert main(["tables", *arguments]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"error: {message}")
    assert printed.count("\n") == 1


def test_filters_are_those_of_the_reader(capsys: Output) -> None:
    path = str(sample_path("mysql-9.7-shop"))
    flags = ["--table", "shop.ord*", "--table", "shop.products", "--change", "delete,insert"]
    assert main(["tables", path, *flags, *JSON]) == 0
    assert printed_counts(capsys.readouterr().out) == {
        "shop.products": {"insert": 7, "update": 0, "delete": 1},
        "shop.orders": {"insert": 53, "update": 0, "delete": 2},
        "shop.order_items": {"insert": 55, "update": 0, "delete": 8},
    }


def test_every_option_of_the_reader_is_a_flag() -> None:
    parser = argparse.ArgumentParser()
    add_logs(parser)
    flags = {action.dest for action in parser._actions}
    assert set(_FLAGS.values()) | NOT_FLAGS <= {spec.name for spec in OPTIONS}
    for spec in OPTIONS:
        assert (f"option_{spec.name}" in flags) != (spec.name in NOT_FLAGS), spec.name


def test_the_password_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYSQL_PWD", "from the environment")
    parser = argparse.ArgumentParser()
    add_logs(parser)
    arguments = parser.parse_args(["--host", "h", "--user", "u"])
    assert chosen_logs(arguments).options["password"] == "from the environment"  # noqa: S105


def test_a_password_that_nobody_types_is_an_error() -> None:
    command = [sys.executable, "-m", "pyspark_adapter", "tables", "--host", "h", "--password"]
    pipe = subprocess.PIPE
    ended = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,
        text=True,
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("error: --password: expected a password, and there is no")


@pytest.mark.parametrize("command", ["check", "transactions", "rows"])
def test_a_full_disk_is_one_line(command: str) -> None:
    words = [sys.executable, "-m", "pyspark_adapter", command, str(sample_path("mysql-9.7-shop"))]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*words, "-q"], stdout=full, stderr=subprocess.PIPE, text=True, env=environment
        )
    assert (ended.returncode, ended.stderr) == (1, "error: No space left on device\n")


def test_control_characters_of_a_log_are_escaped(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "evil\x1b[2J.000001"
    path.write_bytes(b"text")
    assert main(["tables", str(path)]) == 1
    assert "evil\\x1b[2J" in capsys.readouterr().err


def test_warnings_are_lines_unless_quiet(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "binlog.000007"
    path.write_bytes(DAMAGES["cut-in-body"].log)
    for flags, expected in (([], 1), (["--quiet"], 0)):
        assert main(["tables", str(path), "--ignore-corrupt-files", *flags]) == 0
        printed = capsys.readouterr().err
        assert printed.count("\n") == expected
        assert printed.startswith("warning: binlog.000007@") == bool(expected)


def test_transactions_are_lines_or_json(capsys: Output) -> None:
    path = str(sample_path("mysql-9.7-shop"))
    assert main(["transactions", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:5] == ["time", "position", "bytes", "rows", "seconds"]
    assert main(["transactions", path, "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == len(lines) - 1 == 28
    for line, row in zip(lines[1:], rows, strict=True):
        assert f"{row['position']} " in line
        assert set(lines[0].split()[:7]) < set(row)
        assert all(table["table"] in line for table in row["tables"])
    assert "shop.products ~1, shop.orders +1, shop.order_items +2" in lines[8]
    assert main(["transactions", path, "--top", "1", "--by", "rows"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("shop.orders +50")


@pytest.mark.parametrize("form", ["text", "csv", "jsonl"])
def test_stats_name_what_fills_the_logs(form: str, capsys: Output) -> None:
    assert main(["stats", str(sample_path("mysql-9.7-shop")), "--format", form]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("1 log of 25.7 KiB; 28 transactions of 25.5 KiB; ")
    lines = printed.out.splitlines()
    if form == "text":
        assert lines[1].split() == ["shop.orders", "11", "53", "61", "2", "6,660", "48.7"]
    elif form == "csv":
        assert lines[1] == "shop.orders,11,53,61,2,6660,48.68"
    else:
        assert json.loads(lines[0])["table"] == "shop.orders"


@pytest.mark.parametrize("command", ["transactions", "stats"])
def test_what_is_before_a_damage_is_printed(command: str, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "binlog.000007"
    path.write_bytes(sample_path("mysql-9.7-shop").read_bytes()[:-700])
    assert main([command, str(path)]) == 1
    printed = capsys.readouterr()
    assert "shop.orders" in printed.out
    assert printed.err.splitlines()[-1].startswith("error: binlog.000007@")


def run_program(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pyspark_adapter", *words]
    return subprocess.run(command, text=True, cwd=ROOT, **{"capture_output": True, **more})


def test_the_package_runs_as_a_program() -> None:
    done = run_program("tables", str(ROOT / "missing.000001"))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert run_program("tables", "--nothing").stderr.startswith("usage: python -m pyspark_adapter")


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    path = str(sample_path("mysql-9.7-shop"))
    done = run_program("tables", path, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def interrupt(command: list[str], wait: Callable[[subprocess.Popen[str]], None]) -> tuple[int, str]:
    """Start the command, interrupt it after a wait as a terminal does, and return how it ended."""
    with started([sys.executable, "-m", "pyspark_adapter", *command]) as program:
        wait(program)
        os.killpg(program.pid, signal.SIGINT)
        _, printed = program.communicate()
    return program.returncode, printed


def test_an_interrupted_read_is_one_line(tmp_path: Path) -> None:
    pipe = tmp_path / "binlog.000001"
    os.mkfifo(pipe)
    opened = []

    def wait(_program: object) -> None:
        opened.append(pipe.open("wb"))  # returns when the command has opened it

    assert interrupt(["tables", str(pipe)], wait) == (130, "interrupted\n")
    opened[0].close()


@pytest.mark.parametrize("arguments", [[], *([name] for name in COMMANDS)])
def test_help_loads_no_library(arguments: list[str]) -> None:
    command = (
        "import json, sys\n"
        "from pyspark_adapter.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as done:\n    assert done.code == 0\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = captured([sys.executable, "-c", command, *arguments, "--help"], cwd=ROOT, check=True)
    printed, _, loaded = done.stdout.rstrip().rpartition("\n")
    assert printed.startswith("usage: ")
    assert {"numba", "numpy", "pyarrow", "pyspark", "mysql_binlog"}.isdisjoint(json.loads(loaded))
    if not arguments:  # the options of the reader take longer to load than all else
        assert "pyspark_adapter.options" not in json.loads(loaded)


@pytest.mark.parametrize(
    ("command", "left_out"),
    [
        ("transactions", {"decode.columns", "kernels.fill", "ddl", "timeline", "reader"}),
        ("stats", {"decode.columns", "kernels.fill", "ddl", "timeline", "reader"}),
        ("rows", {"counting.table_list", "spark", "sql_text"}),
        ("events", {"counting.table_list", "kernels.jit", "scan.scanner"}),
    ],
)
def test_a_command_loads_what_it_needs(command: str, left_out: set[str]) -> None:
    """The first line appears after all that is loaded before it."""
    code = (
        "import json, sys\n"
        "from pyspark_adapter.cli.main import main\n"
        "main(sys.argv[1:])\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = captured(
        [sys.executable, "-c", code, command, "--quiet", str(sample_path("mysql-9.7-shop"))],
        cwd=ROOT,
        check=True,
    )
    loaded = json.loads(done.stdout.rstrip().rpartition("\n")[2])
    assert "pyspark_adapter.format.schema" in loaded
    assert {f"pyspark_adapter.{name}" for name in left_out}.isdisjoint(loaded)
    assert {"pandas", "pyspark", "cryptography", "pymysql", "pyarrow.parquet"}.isdisjoint(loaded)
