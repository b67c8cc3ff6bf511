"""Columns of base tables that temporary ones have hidden, in logs of real servers.

`columns.json` has what INFORMATION_SCHEMA.COLUMNS showed after the last statement; null where the
statements do not tell. The servers: MySQL 9.7.4 in the format STATEMENT, MariaDB 11.8.9 in MIXED.
"""

import json
import sys
from pathlib import Path

import pytest

from pyspark_adapter.errors import EventSite
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.timeline import Timeline

FOLDER = Path(__file__).parent / "temporary"
TRUTH: dict[str, dict[str, str | None]] = json.loads((FOLDER / "columns.json").read_text())


@pytest.mark.parametrize("server", TRUTH)
def test_columns_are_those_of_the_server_or_unknown(server: str) -> None:
    log_files = find_log_files(FOLDER / f"{server}-temporary.000001")
    timeline = Timeline(log_files, Surveyor(BinlogOptions()))
    log, end = FollowedLog(timeline, log_files[0]), EventSite("", sys.maxsize)
    found: dict[str, str | None] = {}
    for name in TRUTH[server]:
        definition = log.state_at(TableName("d", name), end).definition
        columns = () if definition is None else definition.columns
        found[name] = ",".join(column.name for column in columns) or None
    assert found == TRUTH[server]
    for name in ("h1", "i1"):
        assert f"ALTER TABLE {name} " in log.state_at(TableName("d", name), end).reason
