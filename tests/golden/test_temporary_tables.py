"""Columns of base tables that temporary ones have hidden, in logs of real servers.

`columns.json` has what INFORMATION_SCHEMA.COLUMNS showed after the last statement; null where the
statements do not tell. The servers: MySQL 9.7.4 in the format STATEMENT, MariaDB 11.8.9 in MIXED.
"""

import json
from pathlib import Path

import pytest

from pyspark_adapter.discovery.log_survey import follow_statements
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog

FOLDER = Path(__file__).parent / "temporary"
TRUTH: dict[str, dict[str, str | None]] = json.loads((FOLDER / "columns.json").read_text())


@pytest.mark.parametrize("server", TRUTH)
def test_columns_are_those_of_the_server_or_unknown(server: str, engine: str) -> None:
    [log_file] = find_log_files(FOLDER / f"{server}-temporary.000001")
    whole = ReadRange(4, stops_at_gtid=True)
    catalog = follow_statements(log_file, whole, BinlogOptions(engine=engine), Catalog()).after
    found: dict[str, str | None] = {}
    for name in TRUTH[server]:
        definition = catalog.find(TableName("d", name))
        columns = () if definition is None else definition.columns
        found[name] = ",".join(column.name for column in columns) or None
    assert found == TRUTH[server]
    for name in ("h1", "i1"):
        assert f"ALTER TABLE {name} " in catalog.reason(TableName("d", name))
