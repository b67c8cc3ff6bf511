"""The columns that a definition gives are those that the server has logged."""

from pathlib import Path

import pytest

from pyspark_adapter import TableName, read_batches, read_schema
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.plan.row_plan import natural_fields
from pyspark_adapter.timeline.defined_table import defined, table_map_of
from tests.inputs import sample_path

OPTIONS = BinlogOptions(default_charset="utf8mb4")
# They log names, signs and character sets of all columns.
LOGS = [
    *("mysql-9.7-types", "mysql-9.7-geometry-vector", "mysql-8.0-few"),
    *("mariadb-11.8-types-full", "mariadb-11.8-own-types", "mariadb-10.11-types-full"),
]


@pytest.mark.parametrize("name", LOGS)
def test_types_are_those_of_the_log(name: str, tmp_path: Path) -> None:
    path = sample_path(name)
    created = {"schema_changes": True, "change_types": "create"}
    columns = ["_database_name", "_table_name", "_statement"]
    found = [
        row
        for batch in read_batches(path, **created)  # type: ignore[arg-type]
        for row in batch.select(columns).to_pylist()
    ]
    assert found
    for database, table_name, statement in (row.values() for row in found):
        table = TableName(database, table_name)
        is_mariadb = name.startswith("mariadb")
        definition = defined(statement, SqlDialect(is_mariadb=is_mariadb))
        assert definition is not None
        made = natural_fields(table_map_of(table, definition, is_mariadb=is_mariadb), OPTIONS)
        ddl = tmp_path / "tables.sql"  # without it the log has BINARY for a UUID
        ddl.write_text(f"USE `{database}`;\n{statement};\n", encoding="utf-8")
        logged = read_schema(path, table=str(table), ddl=str(ddl), default_charset="utf8mb4")
        shown = [field for field in logged if field.name not in METADATA_BY_NAME]
        assert made == (shown[:-2] if definition.is_versioned else shown), table


def test_a_type_that_is_not_known_is_an_error() -> None:
    definition = defined("CREATE TABLE t (c XML)", SqlDialect(is_mariadb=True))
    assert definition is not None
    with pytest.raises(UnsupportedError, match="column c of type XML"):
        table_map_of(TableName("", "t"), definition, is_mariadb=True)
