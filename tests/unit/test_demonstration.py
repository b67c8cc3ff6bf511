"""A made-up option: of reads in Python and of Spark."""

from typing import Any

import pytest

from pyspark_adapter import OptionError, read_batches
from pyspark_adapter.options.binlog_options import BinlogOptions
from tests.inputs import sample_path

LOG = sample_path("mysql-9.7-shop")


def bodies(**options: Any) -> set[str | None]:
    return set(read_batches(LOG, view="events", **options).to_table()["body"].to_pylist())


def test_the_option_is_one_of_python_and_spark() -> None:
    assert len(bodies()) > 10
    assert bodies(event_bodies=False) == {None}
    assert BinlogOptions.from_spark({"eventBodies": "false"}).event_bodies is False
    with pytest.raises(OptionError, match="event_bodies"):
        bodies(event_bodies="maybe")
    assert "event_bodies" in (read_batches.__doc__ or "")
