"""A warning names the line of the caller, not one of the package or of what it is built on."""

import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark_adapter import BinlogWarning, list_tables, read_batches, read_schema
from pyspark_adapter.warn import warn
from tests.support.logs import read_sample
from tests.unit.test_house import FOLDER, TREES, imports_in

LOG = read_sample("mysql-9.7-no-checksum")
STATEMENTS = read_sample("mysql-9.7-statement")


def line_of(call: Callable[[], Any]) -> list[tuple[str, int]]:
    """Return the places of the warnings of a call that is written on one line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(one.category is BinlogWarning for one in caught)
    return [(one.filename, one.lineno) for one in caught]


def next_line() -> tuple[str, int]:
    """Return the place after that of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return __file__, frame.f_back.f_lineno + 1


def test_rows_of_a_damaged_log(tmp_path: Path) -> None:
    (tmp_path / "binlog.000001").write_bytes(LOG[:-5])
    options: Any = {"ignore_corrupt_files": True}
    expected = next_line()
    found = line_of(lambda: list(read_batches(tmp_path, **options)))
    assert found == [expected]
    expected = next_line()
    found = line_of(lambda: list_tables(tmp_path, **options))
    assert found == [expected]


def test_rows_of_statements(log_path: Path) -> None:
    log_path.write_bytes(STATEMENTS)
    expected = next_line()
    assert line_of(lambda: list(read_batches(log_path))) == [expected]


def test_an_index_that_lists_more(tmp_path: Path) -> None:
    (tmp_path / "binlog.000001").write_bytes(LOG)
    index = tmp_path / "binlog.index"
    index.write_text("binlog.000001\nbinlog.000002\n")
    expected = next_line()
    assert line_of(lambda: read_schema(index, ignore_missing_files=True)) == [expected]


def test_a_file_of_the_package_is_not_named() -> None:
    code = compile("warn('x')", str(FOLDER / "made_up.py"), "exec")
    frame: dict[str, Any] = {"warn": warn}
    expected = next_line()
    found = line_of(lambda: exec(code, frame))  # noqa: S102
    assert found == [expected]


def test_a_file_next_to_the_package_is_named() -> None:
    name = f"{FOLDER}_jobs/job.py"
    code = compile("warn('x')", name, "exec")
    assert line_of(lambda: exec(code, {"warn": warn})) == [(name, 1)]  # noqa: S102


def test_only_one_module_warns() -> None:
    users = {
        module
        for module, tree in TREES.items()
        if any(name.startswith("warnings") for name in imports_in(tree, within_functions=True))
    }
    # The command line prints what the package warns of, and takes the warning of getpass for an
    # error; the report drops warnings of Matplotlib.
    assert users == {"warn", "cli.arguments", "cli.terminal", "operations.report.pictures"}
