"""Names of options: Python and Spark have their own spelling, and messages use it."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pyspark_adapter
from pyspark_adapter import (
    BinlogError,
    BinlogOptions,
    BinlogWarning,
    OptionError,
    list_tables,
    read_batches,
    read_schema,
)
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import OPTIONS
from pyspark_adapter.spark.pushed_filters import Comparison, push_filters
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spelling import spark_name
from pyspark_adapter.splits.read_split import plan_read
from tests.inputs import sample_path

SHOP = str(sample_path("mysql-9.7-shop"))
TYPES = str(sample_path("mysql-9.7-types"))
PACKAGE = Path(pyspark_adapter.__file__).parent
# Names with two spellings.
CAMEL = {spark_name(spec.name): spec.name for spec in OPTIONS if "_" in spec.name}


def all_batches(path: str = SHOP, **options: Any) -> None:
    for _ in read_batches(path, **options):
        pass


DOORS: dict[str, Callable[..., Any]] = {
    "read_batches": all_batches,
    "read_schema": lambda **options: read_schema(SHOP, **options),
    "list_tables": lambda **options: list_tables(SHOP, **options),
}


def by_spark(path: str, options: dict[str, str]) -> None:
    """Read as Spark does, without Spark."""
    source = DefaultSource({"path": path, **options})
    reader = source.reader(source.schema())
    for partition in reader.partitions():
        for _ in reader.read(partition):
            pass


@pytest.mark.parametrize("door", DOORS)
def test_the_nearest_name_is_proposed(door: str) -> None:
    with pytest.raises(OptionError) as caught:
        DOORS[door](tabel="shop.orders")
    assert str(caught.value) == "option tabel: no such option; did you mean table?"
    assert (caught.value.option, caught.value.value) == ("tabel", "shop.orders")
    assert {"table", "max_event_bytes"} <= set(caught.value.allowed.split(", "))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", ["maxEventBytes", "maxeventbytes", "MAX_EVENT_BYTES"])
def test_python_names_its_own_spelling(door: str, name: str) -> None:
    with pytest.raises(OptionError) as caught:
        DOORS[door](**{name: 5})
    assert str(caught.value) == f"option {name}: expected max_event_bytes, as Python spells it"


@pytest.mark.parametrize("name", ["max_event_bytes", "Max_EventBytes"])
def test_spark_names_its_own_spelling(name: str) -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions.from_spark({name: "5"})
    assert str(caught.value) == f"option {name}: expected maxEventBytes, as Spark spells it"
    with pytest.raises(OptionError, match="did you mean maxEventBytes"):
        BinlogOptions.from_spark({"maxEventByte": "5"})


def test_a_name_that_is_like_none_says_where_all_are() -> None:
    with pytest.raises(OptionError) as caught:
        all_batches(xyz=1)
    assert str(caught.value) == (
        "option xyz: no such option; help(pyspark_adapter.BinlogOptions) lists them"
    )
    assert caught.value.allowed == ", ".join(spec.name for spec in OPTIONS)


def test_how_options_are_spelled_is_no_option() -> None:
    with pytest.raises(OptionError):
        all_batches(uses_spark_names=True)
    with pytest.raises(OptionError):
        BinlogOptions.from_spark({"usesSparkNames": "true"})


# Options for Python, and the name in the errors of Python and Spark.
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"batch_rows": 1}, "batch_rows", "batchRows"),
    ({"ssl_ca": "ca.pem"}, "ssl_ca", "sslCa"),
    ({"metadata_columns": "nothing"}, "metadata_columns", "metadataColumns"),
    ({"starting_position": "other.000001:4"}, "starting_position", "startingPosition"),
    ({"max_files_per_trigger": 1}, "max_files_per_trigger", "maxFilesPerTrigger"),
]
# The same for errors deep in a read, with the sample.
FAILING: list[tuple[str, dict[str, Any], str, str]] = [
    (TYPES, {"max_event_bytes": 1024}, "max_event_bytes", "maxEventBytes"),
    (
        str(sample_path("mysql-9.7-compressed-transactions")),
        {"max_payload_bytes": 1024},
        "max_payload_bytes",
        "maxPayloadBytes",
    ),
    (
        TYPES,
        {"zero_date_time_behavior": "EXCEPTION"},
        "zero_date_time_behavior",
        "zeroDateTimeBehavior",
    ),
    (
        str(sample_path("mysql-9.7-statement")),
        {"on_statement_events": "error"},
        "on_statement_events",
        "onStatementEvents",
    ),
]


def as_spark(options: dict[str, Any]) -> dict[str, str]:
    return {spark_name(name): str(value) for name, value in options.items()}


@pytest.mark.parametrize(("options", "in_python", "in_spark"), REFUSED)
def test_a_refused_value_is_named_in_the_spelling_of_the_door(
    options: dict[str, Any], in_python: str, in_spark: str
) -> None:
    with pytest.raises(OptionError) as of_python:
        all_batches(**options)
    with pytest.raises(OptionError) as of_spark:
        by_spark(SHOP, as_spark(options))
    assert of_python.value.option == in_python
    assert of_spark.value.option == in_spark
    assert str(of_python.value).startswith(f"option {in_python}: expected ")
    assert str(of_spark.value).startswith(f"option {in_spark}: expected ")
    assert in_spark not in str(of_python.value)


def test_other_options_of_a_message_are_spelled_alike() -> None:
    with pytest.raises(OptionError, match=r"option ssl_mode PREFERRED") as caught:
        BinlogOptions(host="db1", user="reader", ssl_ca="ca.pem")
    assert caught.value.option == "ssl_ca"
    assert "sslMode" not in str(caught.value)


@pytest.mark.parametrize(("path", "options", "in_python", "in_spark"), FAILING)
def test_errors_deep_in_a_read_name_options_as_the_door_does(
    path: str, options: dict[str, Any], in_python: str, in_spark: str
) -> None:
    options = {**options}
    with pytest.raises(BinlogError) as of_python:
        all_batches(path, **options)
    with pytest.raises(BinlogError) as of_spark:
        by_spark(path, as_spark(options))
    assert f"option {in_python}" in str(of_python.value)
    assert in_spark not in str(of_python.value)
    assert str(of_spark.value) == str(of_python.value).replace(in_python, in_spark)


@pytest.mark.parametrize("paths", [5, [5], ["samples", None], b"samples"])
def test_paths_of_another_type_are_refused(paths: Any) -> None:
    with pytest.raises(OptionError, match="expected a path or several"):
        read_batches(paths)


def test_errors_of_a_list_of_tables_name_options_as_python_does() -> None:
    with pytest.raises(BinlogError, match=r"option max_event_bytes"):
        list_tables(TYPES, max_event_bytes=1024)
    with pytest.raises(BinlogError, match=r"option max_event_bytes"):
        read_schema(TYPES, table="types.integers", max_event_bytes=1024)


@pytest.mark.parametrize(
    ("path", "options", "in_python"),
    [
        (TYPES, {"max_event_bytes": 1024, "ignore_corrupt_files": True}, "max_event_bytes"),
        (str(sample_path("mysql-9.7-statement")), {}, "on_statement_events"),
    ],
)
def test_warnings_name_options_as_the_door_does(
    path: str, options: dict[str, Any], in_python: str
) -> None:
    with pytest.warns(BinlogWarning) as of_python:
        all_batches(path, **options)
    with pytest.warns(BinlogWarning) as of_spark:
        by_spark(path, as_spark(options))
    assert f"option {in_python}" in str(of_python[-1].message)
    assert spark_name(in_python) not in str(of_python[-1].message)
    assert f"option {spark_name(in_python)}" in str(of_spark[-1].message)


def test_a_request_that_is_narrowed_keeps_its_spelling() -> None:
    options = BinlogOptions.from_spark({"maxEventBytes": "1024"})
    assert options == BinlogOptions(max_event_bytes=1024)
    (log_file,) = find_log_files(TYPES, options)
    request = plan_read([log_file], options)
    comparison = Comparison("_change_type", "=", "insert")
    pushed = push_filters(options, ["_change_type"], [comparison])
    narrowed = request.narrowed(pushed.options_of(log_file))
    assert narrowed.options != options
    # Errors are spelled where they leave the package; warnings by the options.
    assert narrowed.options.spelled("option maxEventBytes") == "option maxEventBytes"


def texts_of(tree: ast.AST) -> list[str]:
    """Return the texts of a module, without its docstrings; those of f-strings as one."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
    texts = []
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node.value)
        if isinstance(node, ast.JoinedStr):
            parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
            texts.append("".join(map(str, parts)))
    return texts


def test_messages_name_options_as_the_doors_find_them() -> None:
    """Messages say `option maxEventBytes`; `spelled` does not find names without `option`."""
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        if path.name == "declarations.py":  # help, which `with_options` spells
            continue
        for text in texts_of(ast.parse(path.read_text(encoding="utf-8"))):
            words = re.sub(r"\boption \w+", "", text)
            wrong += [
                (path.name, text)
                for name in CAMEL
                if text != name and re.search(rf"\b{name}\b", words)
            ]
    assert wrong == []
