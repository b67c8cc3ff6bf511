"""Options as values: of Python's types, compared, copied, and shown without passwords."""

import pickle
import traceback
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from pyspark_adapter import BinlogOptions, OptionError, TableName
from tests.unit.options.test_options import SERVER, TRUSTING, UUID


def test_a_tilde_is_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/reader")
    given = {**TRUSTING, "sslCa": "~/ca.pem", "ddl": "~/ddl.sql"}
    options = BinlogOptions.from_spark(given)
    assert (options.ssl_ca, options.ddl) == ("/home/reader/ca.pem", "/home/reader/ddl.sql")
    assert BinlogOptions(ddl="s3://a/~/x").ddl == "s3://a/~/x"


@pytest.mark.parametrize(
    "given",
    [
        {"password": "geheim"},  # without a host
        {**SERVER, "passwort": "geheim"},
        {**SERVER, "PWD": "geheim"},
        {**SERVER, "password": b"geheim"},
    ],
    ids=str,
)
def test_a_password_is_in_no_message(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions.from_spark(given)
    assert "geheim" not in f"{caught.value!r} {caught.value} {vars(caught.value)}"
    assert "geheim" not in "".join(traceback.format_exception(caught.value))


def test_a_password_is_not_shown() -> None:
    options = BinlogOptions.from_spark({**SERVER, "password": "geheim"})
    assert options.password == "geheim"  # noqa: S105
    assert "geheim" not in repr(options)
    assert "reader" in repr(options)


def test_filters_may_be_lists() -> None:
    values: dict[str, Any] = {
        "server_ids": [1, 2],
        "change_types": ["insert", "delete"],
        "databases": ["a", "b*"],
        "include_gtids": ["0-1-5", f"{UUID}:7"],
    }
    texts: dict[str, Any] = {
        "server_ids": "1,2",
        "change_types": "insert,delete",
        "databases": "a,b*",
        "include_gtids": f"0-1-5,{UUID}:7",
    }
    assert BinlogOptions(**values) == BinlogOptions(**texts)


def test_times_may_be_values() -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    for value in (noon, noon.astimezone(timezone(timedelta(hours=2))), noon.replace(tzinfo=None)):
        assert BinlogOptions(starting_timestamp=value).starting_timestamp == noon


def test_metadata_columns_may_be_a_list() -> None:
    names: Any = ["_gtid", "_start_pos"]
    assert BinlogOptions(metadata_columns=names).metadata_columns == ("_gtid", "_start_pos")
    names = []
    assert BinlogOptions(metadata_columns=names).metadata_columns == ()


def test_options_are_a_value() -> None:
    options = BinlogOptions(table=TableName("a", "b"), batch_rows=7)
    assert pickle.loads(pickle.dumps(options)) == options  # noqa: S301  # of our own making
    with pytest.raises(FrozenInstanceError):
        options.batch_rows = 8  # type: ignore[misc]


@pytest.mark.parametrize(
    "given",
    [
        {"columns": 5, "table": "a.b"},
        {"metadata_columns": 5},
        {"ddl": 5},
        {"ddl": b"ddl.sql"},
        {"ddl": "a\0b"},
        {"keyring": "a\0b"},
    ],
    ids=str,
)
def test_values_of_other_types_and_paths_that_cannot_be_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions.from_python(given)
    assert caught.value.option == next(iter(given))


def test_seconds_may_have_all_digits_of_a_float() -> None:
    moment = datetime(2025, 11, 21, 0, 0, 0, 123456, tzinfo=UTC)
    for value in (1763683200.1234567, "1763683200.123456789", "2025-11-21T00:00:00.1234567Z"):
        assert BinlogOptions(starting_timestamp=value).starting_timestamp == moment  # type: ignore[arg-type]
