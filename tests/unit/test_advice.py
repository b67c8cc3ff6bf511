"""Each error ends in what to do: by its class, or by the place that raises it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql.types import StructType

import pyspark_adapter
from pyspark_adapter import (
    BinlogError,
    BinlogWarning,
    OptionError,
    SchemaMismatchError,
    TruncatedEventError,
    errors,
    read_batches,
)
from pyspark_adapter.cli.arguments import spelled_as_flags
from pyspark_adapter.options.binlog_options import OPTIONS
from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spelling import in_python
from tests.fuzz.mutation import mutate
from tests.inputs import ROOT, sample_path
from tests.unit.events.test_damaged_logs import DAMAGES, Damage

PACKAGE = Path(pyspark_adapter.__file__).parent
MOST_LETTERS = 800
CRASHERS = [path for path in (ROOT / "tests/fuzz/crashers").rglob("*") if path.is_file()]
CLASSES = {
    name: cls
    for name, cls in vars(errors).items()
    if isinstance(cls, type) and issubclass(cls, BinlogError)
}
# Makes its text of parts that another test has read: `test_option_names`.
NAMED_ELSEWHERE = {"options/checks.py"}
SPARK_NAMES = {spec.spark_name for spec in OPTIONS}
# The text of an OptionError says what is allowed, which is what to do.
ALLOWED = re.compile(r"expected |did you mean|leave it out")


def raised_in(path: Path) -> Iterator[ast.Call]:
    """Yield the calls that make an error of ours."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CLASSES:
            yield node


def text_of(node: ast.AST) -> str:
    """Return the literal parts of a message."""
    return "".join(
        str(part.value) for part in ast.walk(node) if isinstance(part, ast.Constant) and part.value
    )


SITES = [(path, call) for path in sorted(PACKAGE.rglob("*.py")) for call in raised_in(path)]


def test_an_error_whose_class_has_no_advice_has_its_own() -> None:
    assert len(SITES) > 150
    silent = []
    for path, call in SITES:
        name = getattr(call.func, "id", "")
        own = {keyword.arg: keyword.value for keyword in call.keywords}.get("advice")
        is_empty = own is None or (isinstance(own, ast.Constant) and not own.value)
        is_said = name == "OptionError" and ALLOWED.search(text_of(call.args[0]))
        if is_empty and not CLASSES[name].class_advice and not is_said:
            silent.append(str(path.relative_to(PACKAGE)))
    assert set(silent) == NAMED_ELSEWHERE


def test_each_class_but_two_has_advice() -> None:
    silent = {name for name, cls in CLASSES.items() if not cls.class_advice}
    assert silent == {"BinlogError", "OptionError"}


def test_advice_names_options_that_exist_as_spark_does() -> None:
    texts = [cls.class_advice for cls in CLASSES.values()]
    texts += [
        text_of(keyword.value)
        for _, call in SITES
        for keyword in call.keywords
        if keyword.arg == "advice"
    ]
    named = {name for text in texts for name in re.findall(r"\boption ([a-zA-Z_]+)", text)}
    assert "ignoreCorruptFiles" in named
    assert named <= SPARK_NAMES
    for text in texts:
        assert not text.endswith("."), text
        bare = re.sub(r"option \w+(=\w+)?", "", text)
        assert not any(name in bare for name in SPARK_NAMES if not name.islower()), text


def check(error: BinlogError) -> None:
    """Check that an error is one short line that says once what to do, as Python spells it."""
    text = str(error)
    assert text.isprintable()
    assert len(text) <= MOST_LETTERS
    advice = error.spelled(error.advice)
    assert advice, text
    assert text.endswith(f"; {advice}")
    assert text.count(advice) == 1
    assert in_python(text) == text


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_log_says_what_to_do(damage: Damage, tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    log.write_bytes(damage.log)
    with pytest.raises(damage.error) as caught:
        read_batches(log).to_table()
    check(caught.value)
    assert "option " not in spelled_as_flags(str(caught.value))


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.name)
def test_logs_that_fuzzing_found_say_what_to_do(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    log.write_bytes(path.read_bytes())
    try:
        read_batches(log).to_table()
    except BinlogError as error:
        check(error)


@pytest.mark.parametrize("sample", ["mysql-9.7-types", "mariadb-11.8-transactions"])
def test_logs_damaged_at_random_say_what_to_do(sample: str, tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    said = set()
    for seed in range(60):
        log.write_bytes(mutate(sample, seed)[0])
        try:
            for _ in read_batches(log, verify_checksums=bool(seed % 2)):
                pass
        except BinlogError as error:
            check(error)
            said.add(error.message)
    assert len(said) > 10


def test_spark_is_given_short_traces(tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    log.write_bytes(DAMAGES["cut-in-header"].log)
    reader = DefaultSource({"path": str(log)}).reader(StructType().add("_gtid", "string"))
    [partition] = reader.partitions()
    with pytest.raises(TruncatedEventError) as in_task:
        list(reader.read(partition))
    with pytest.raises(OptionError) as in_driver:
        DefaultSource({"path": str(log), "tabel": "a.b"}).schema()
    with pytest.raises(SchemaMismatchError) as of_table:
        DefaultSource({"path": str(sample_path("mysql-9.7-shop")), "table": "a.b"}).schema()
    for caught in (in_task, in_driver, of_table):
        names = [frame.name for frame in caught.traceback]
        assert len(names) <= 5, names  # this function, Spark's method, the decorator


def test_a_skipped_log_is_not_advised_to_be_skipped(tmp_path: Path) -> None:
    log = tmp_path / "binlog.000001"
    log.write_bytes(sample_path("mysql-9.7-shop").read_bytes()[:-100])
    with pytest.warns(BinlogWarning) as caught:
        read_batches(log, ignore_corrupt_files=True).to_table()
    texts = [str(warning.message) for warning in caught]
    assert texts
    assert not any("ignore_corrupt_files" in text for text in texts)


def test_the_place_of_a_value_does_not_hide_its_advice() -> None:
    log = sample_path("mysql-9.7-types")
    with pytest.raises(BinlogError, match=r"option zero_date_time_behavior=CONVERT_TO_NULL") as it:
        read_batches(log, zero_date_time_behavior="EXCEPTION").to_table()
    check(it.value)
    assert "ignore_corrupt_files" not in str(it.value)


# What only programs do: they pass schemas, plan tasks and streams.
NOT_OF_COMMANDS = (
    "spark/",
    "splits/read_split.py",
    "splits/log_splits.py",
    "stream/",
    "server/server.py",
)
OF_PROGRAMS = re.compile(
    r"\boption [a-z]\w*[A-Z]|\w=True|\ba schema\b|read_schema|list_tables|pyspark_adapter|load\("
)
# Of a program's schema, paths and tasks, and of options that commands set themselves.
SAID_BY_PROGRAMS = {
    *("events/event_errors.py", "find_logs.py", "plan/output_schema.py", "plan/row_plan.py")
}


def test_messages_of_commands_name_flags_only() -> None:
    calls = [(str(path.relative_to(PACKAGE)), call) for path, call in SITES]
    calls += [
        (str(path.relative_to(PACKAGE)), node)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("warn", "_warn")
    ]
    texts = [("errors.py", cls.class_advice) for cls in CLASSES.values()]
    texts += [(path, text_of(call)) for path, call in calls]
    seen = [(path, spelled_as_flags(text)) for path, text in texts]
    assert any("--ignore-corrupt-files" in text for _, text in seen)
    wrong = {
        (path, text)
        for path, text in seen
        if OF_PROGRAMS.search(text) and not path.startswith(NOT_OF_COMMANDS)
    }
    assert {path for path, _ in wrong} == SAID_BY_PROGRAMS, wrong
