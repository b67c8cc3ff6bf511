"""The errors: their tree, their text, their way to another process, and what adds to them."""

import copy
import inspect
import pickle
import traceback
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import errors, read_batches
from pyspark_adapter.errors import (
    BinlogError,
    ChecksumMismatchError,
    CorruptEventError,
    DataLossError,
    EventSite,
    LogFileError,
    MissingTableMapError,
    NotABinlogError,
    OptionError,
    SchemaMismatchError,
    ServerError,
    StatementEventError,
    TruncatedEventError,
    UnsupportedError,
    located,
    one_line,
    prefixed,
)
from pyspark_adapter.spelling import in_python
from pyspark_adapter.warn import warn
from tests.inputs import sample_path

SITE = EventSite("binlog.000007", 6735, "TABLE_MAP_EVENT")

# Each class with what it is besides a BinlogError, and its facts.
CLASSES: dict[type[BinlogError], tuple[type[BaseException], dict[str, object]]] = {
    BinlogError: (Exception, {}),
    NotABinlogError: (BinlogError, {}),
    TruncatedEventError: (EOFError, {"needed": 81, "available": 40}),
    CorruptEventError: (ValueError, {}),
    ChecksumMismatchError: (CorruptEventError, {"expected": 0x90A14986, "actual": 0xFFFFFFFF}),
    MissingTableMapError: (LookupError, {"table_id": 2**48 - 1}),
    SchemaMismatchError: (ValueError, {}),
    StatementEventError: (BinlogError, {}),
    UnsupportedError: (NotImplementedError, {}),
    OptionError: (ValueError, {"option": "row", "value": "x", "allowed": "json | arrow"}),
    LogFileError: (OSError, {}),
    DataLossError: (LookupError, {}),
    ServerError: (BinlogError, {}),
}
ALL = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)


def make(cls: type[BinlogError]) -> BinlogError:
    facts: dict[str, Any] = CLASSES[cls][1]
    error: BinlogError = cls("expected 2 bytes, found 1", site=SITE, **facts)
    return error


def test_the_table_above_has_every_class() -> None:
    defined = {
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, BinlogError)
    }
    assert defined == set(CLASSES)


@ALL
def test_class_is_caught_as_its_bases(cls: type[BinlogError]) -> None:
    assert issubclass(cls, BinlogError)
    assert issubclass(cls, CLASSES[cls][0])


@ALL
def test_class_is_drawn_in_the_docstring(cls: type[BinlogError]) -> None:
    assert errors.__doc__ is not None
    lines = [line.split()[0] for line in errors.__doc__.splitlines() if line.startswith("    ")]
    assert cls.__name__ in lines


MOST_LETTERS = 1000  # of a message: one screen


def test_a_file_that_is_no_log_says_so(tmp_path: Path) -> None:
    path = tmp_path / "binlog.index"
    path.write_text("./binlog.000001 is not here\n")
    with pytest.raises(BinlogError) as caught:
        read_batches(path).to_table()
    assert len(str(caught.value)) < MOST_LETTERS
    other = tmp_path / "binlog.000001"
    other.write_bytes(b"# at 4\n#261120 18:23:12 server id 1\n")
    with pytest.raises(NotABinlogError, match=r"is not a binary log: .* give the log itself"):
        read_batches(other).to_table()


@pytest.mark.parametrize(
    ("sample", "options", "named"),
    [
        ("mysql-9.7-types", {"zero_date_time_behavior": "EXCEPTION"}, "zero_date_time_behavior"),
        ("mysql-9.7-statement", {"on_statement_events": "error"}, "on_statement_events"),
    ],
)
def test_an_error_that_an_option_lets_pass_names_it(
    sample: str, options: dict[str, Any], named: str
) -> None:
    with pytest.raises(BinlogError, match=named) as caught:
        read_batches(sample_path(sample), **options).to_table()
    assert len(str(caught.value)) < MOST_LETTERS


@ALL
def test_facts_have_defaults(cls: type[BinlogError]) -> None:
    error = cls("why")
    assert error.problem == "why"
    assert str(error) == (f"why; {in_python(cls.class_advice)}" if cls.class_advice else "why")
    assert error.site is None
    for name, value in CLASSES[cls][1].items():
        assert type(getattr(error, name)) is type(value)
        assert not getattr(error, name)


@ALL
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_text_site_and_facts(cls: type[BinlogError], protocol: int) -> None:
    error = make(cls)
    again = pickle.loads(pickle.dumps(error, protocol))  # noqa: S301  # of our own making
    assert type(again) is cls
    assert str(again) == str(error)
    assert again.site == SITE
    assert vars(again) == vars(error)
    for name, value in CLASSES[cls][1].items():
        assert getattr(again, name) == value


@ALL
def test_copies_keep_what_was_added_later(cls: type[BinlogError]) -> None:
    error = make(cls)
    with pytest.raises(cls), prefixed("table a.b"):
        raise error
    error.task = 3  # type: ignore[attr-defined]
    for again in (copy.copy(error), copy.deepcopy(error)):
        assert type(again) is cls
        assert again.problem == f"{SITE}: table a.b: expected 2 bytes, found 1"
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@ALL
def test_text_begins_with_the_site(cls: type[BinlogError]) -> None:
    error = make(cls)
    assert error.problem == "binlog.000007@6735 TABLE_MAP_EVENT: expected 2 bytes, found 1"
    assert str(error).startswith(error.problem)
    assert str(cls("why", advice="do that")) == "why; do that"
    assert str(cls("why", advice="")) == "why"


@pytest.mark.parametrize(
    ("site", "text"),
    [
        (EventSite("binlog.000007"), "binlog.000007"),
        (EventSite("binlog.000007", 0), "binlog.000007@0"),
        (EventSite("binlog.000007", 4), "binlog.000007@4"),
        (EventSite("binlog.000007", 2**33), "binlog.000007@8589934592"),
        (EventSite("binlog.000007", -1, "X_EVENT"), "binlog.000007 X_EVENT"),
    ],
)
def test_site_leaves_out_what_is_not_known(site: EventSite, text: str) -> None:
    assert str(site) == text
    assert str(BinlogError("why", site=site)) == f"{text}: why"


def test_located_fills_in_a_missing_site() -> None:
    with pytest.raises(CorruptEventError) as caught, located(SITE):
        raise CorruptEventError("why")
    assert caught.value.site == SITE


def test_located_keeps_the_site_that_is_nearer() -> None:
    nearer = EventSite("binlog.000001", 4)
    with pytest.raises(CorruptEventError) as caught, located(SITE), located(nearer):
        raise CorruptEventError("why")
    assert caught.value.site == nearer


def test_prefixes_stand_from_the_outside_in() -> None:
    with pytest.raises(CorruptEventError) as caught, located(SITE), prefixed("a"), prefixed("b"):
        raise CorruptEventError("why")
    assert caught.value.problem == f"{SITE}: a: b: why"


@pytest.mark.parametrize("context", [located(SITE), prefixed("table a.b")])
def test_errors_that_are_not_ours_pass_unchanged(context: object) -> None:
    with pytest.raises(ZeroDivisionError) as caught, context:  # type: ignore[attr-defined]
        raise ZeroDivisionError("other")
    assert caught.value.args == ("other",)
    assert not hasattr(caught.value, "site")


# What a name of a log or a message of a server may hold: ends of lines, sequences for terminals,
# and marks that turn text around.
FOREIGN = "a\nb\r\x1b[2J\x9b\x00\u2028\u202e\x7f\t"


@pytest.mark.parametrize("cls", [BinlogError, *BinlogError.__subclasses__(), ChecksumMismatchError])
def test_foreign_text_is_one_line_without_control_characters(cls: type[BinlogError]) -> None:
    error = cls(f"table {FOREIGN}", site=EventSite(f"log{FOREIGN}", 4, "X_EVENT"))
    for again in (error, copy.copy(error)):
        text = "".join(traceback.format_exception_only(again))
        assert text.strip().isprintable()
        assert str(again).isprintable()
        assert str(again.site).isprintable()
        assert "\\x1b[2J" in text


def test_no_error_has_another_text() -> None:
    classes = [it for _, it in inspect.getmembers(errors, inspect.isclass)]
    own = [cls for cls in classes if issubclass(cls, BinlogError) and "__str__" in vars(cls)]
    assert own == [BinlogError]


def test_a_warning_is_one_line() -> None:
    with pytest.warns(errors.BinlogWarning) as caught:
        warn(f"table {FOREIGN}")
    assert str(caught[0].message).isprintable()


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    error = BinlogError(f"table t{'x' * 100_000}: expected y", site=SITE)
    assert len(str(error)) < errors.MAX_MESSAGE + 10
    assert str(error).startswith("binlog.000007@6735 TABLE_MAP_EVENT: table t")
    assert str(error).endswith("x: expected y")
    assert len(str(CorruptEventError("x" * 100_000))) < errors.MAX_MESSAGE + 10
    assert len(str(CorruptEventError("\0" * 100_000))) < errors.MAX_MESSAGE + 10
    assert len(str(BinlogError("x" * 100_000, advice="y" * 100_000))) < errors.MAX_MESSAGE + 10
    assert one_line("é\U0001f600 ok", 8) == "é\U0001f600 ok"
