"""Times of the command line: relative ones, and those of a time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pyspark_adapter.cli.given_times import absolute_time, with_joined_times, zone_of
from pyspark_adapter.cli.main import main
from tests.inputs import sample_path

NOW = datetime(2026, 11, 24, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("-90m", "UTC", "2026-11-23T23:00:00+00:00"),
        ("-2d", "UTC", "2026-11-22T00:30:00+00:00"),
        ("now", "Asia/Tokyo", "2026-11-24T00:30:00+00:00"),
        ("today", "UTC", "2026-11-24T00:00:00+00:00"),
        # In New York it is the evening before.
        ("today", "America/New_York", "2026-11-23T00:00:00-05:00"),
        ("Yesterday 18:00", "America/New_York", "2026-11-22T18:00:00-05:00"),
        ("2026-07-20 08:00", "Europe/Berlin", "2026-07-20T08:00:00+02:00"),
        ("2026-07-20T08:00Z", "Europe/Berlin", "2026-07-20T08:00Z"),
        ("1763683200.5", "Europe/Berlin", "1763683200.5"),
    ],
)
def test_absolute_time(text: str, zone: str, expected: str) -> None:
    assert absolute_time("--at", text, zone_of(zone), NOW) == expected


@pytest.mark.parametrize("text", ["yesterday 25:00", "-999999999w", "soon", ""])
def test_what_is_no_time_is_refused_by_the_name_of_its_flag(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(sample_path("mysql-9.7-shop"))
    for command in (
        ["stats", log, "--since"],
        ["as-of", log, "--table=d.t", "--output=o.csv", "--at"],
    ):
        assert main([*command[:-1], f"{command[-1]}={text}"]) == 2
        error = capsys.readouterr().err
        expected = f"error: {command[-1]}: expected a time such as 2026-11-21T12:34:56Z, -2h or"
        assert error.startswith(expected)


def test_only_times_are_joined_to_their_flag() -> None:
    words = ["rows", "--since", "-2h", "--until", "-5m", "--table", "-2h", "--since", "--until"]
    assert with_joined_times(words) == ["rows", "--since=-2h", "--until=-5m", *words[5:]]


def test_rows_of_the_last_hours(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the sample are older than an hour, and younger than a hundred years."""
    log = str(sample_path("mysql-9.7-shop"))
    assert main(["rows", log, "--until", "-1h", "--table", "shop.orders", "--format", "jsonl"]) == 0
    whole = capsys.readouterr().out
    assert whole
    assert (
        main(["rows", log, "--since", "-5200w", "--format", "jsonl", "--table", "shop.orders"]) == 0
    )
    assert capsys.readouterr().out == whole
    assert main(["rows", log, "--since", "-1s", "--format", "jsonl", "--table", "shop.orders"]) == 0
    assert capsys.readouterr().out == ""


def test_a_time_zone_moves_times_without_an_offset(capsys: pytest.CaptureFixture[str]) -> None:
    log = str(sample_path("mysql-9.7-shop"))
    found = []
    for zone in ("UTC", "Asia/Tokyo"):
        words = ["transactions", log, "--format", "jsonl", "--timezone", zone]
        assert (
            main([*words, "--since", f"{datetime.now(UTC) - timedelta(weeks=5000):%Y-%m-%d}"]) == 0
        )
        found.append(capsys.readouterr().out)
    assert found[0] == found[1] != ""
    assert main(["rows", log, "--timezone", "Nowhere/Here"]) == 2
    assert "--timezone: expected the name of a time zone" in capsys.readouterr().err
