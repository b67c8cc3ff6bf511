"""The rows of a table at a known position of the logs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from pyspark_adapter.as_of.dump_file import rows_of_dump
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import delta_errors, open_delta
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.open_storage import storage_of
from pyspark_adapter.sources.ownership import DATA_SET, Owner, owner_of
from pyspark_adapter.spark.data_set import SUCCESS
from pyspark_adapter.timeline.user_ddl import read_ddl_file

# In the metadata of a Parquet file: the table and the position that its rows are of.
TABLE: Final = b"mysql_binlog.table"
POSITION: Final = b"mysql_binlog.position"
_PARQUET: Final = b"PAR1"


@dataclass(frozen=True)
class Baseline:
    """The rows of a table at a position of the logs.

    Attributes:
        rows: the rows; None without a baseline.
        definition: of the table; None if it is not known.
        position: from which transactions are not in the rows; None if it is not known.
        ddl: the file with the definition; None if there is none.
    """

    rows: pa.Table | None = None
    definition: TableDefinition | None = None
    position: LogPosition | None = None
    ddl: str | None = None

    @classmethod
    def read(cls, path: str, table: TableName) -> Baseline:
        """Return the baseline in a Delta table, in a Parquet file or data set, or in a dump.

        A version of a Delta table follows its path: `/lake/shop/orders@v12`.

        Raises:
            OptionError: if it is neither, or not of the table.
            BinlogError: if a dump cannot be read.
        """
        local = Path(path)
        try:
            if local.is_file():
                with local.open("rb") as file:
                    is_dump = file.read(4) != _PARQUET
                if is_dump:
                    return cls._of_dump(path, table)
            rows = _rows_of_delta(path)
            if rows is None:
                system, at = file_system(Location.parse(path))
                _check_whole(system, at, path)
                rows = pq.read_table(at, filesystem=system)
        except (OSError, pa.ArrowException) as error:
            raise _refused(path, str(error).partition("\n")[0]) from error
        metadata = rows.schema.metadata or {}
        of_table = metadata.get(TABLE, str(table).encode()).decode()
        if of_table != str(table):
            raise _refused(path, f"it has the rows of table {of_table}, not of {table}")
        taken = [name for name in rows.column_names if name in METADATA_BY_NAME]
        if taken:
            raise _refused(path, f"it has changes ({taken[0]}), not the rows of a table")
        logged_at = metadata.get(POSITION)
        position = None if logged_at is None else LogPosition.parse(logged_at.decode())
        return cls(rows.replace_schema_metadata(), position=position)

    @classmethod
    def _of_dump(cls, path: str, table: TableName) -> Baseline:
        data = Path(path).read_bytes()
        ddl = read_ddl_file(path)
        definition = ddl.find(table)
        if definition is None:
            raise _refused(path, f"it has no definition of table {table} that is understood")
        rows = rows_of_dump(path, data, table, definition)
        position = ddl.position and LogPosition(ddl.log_name, ddl.position[1])
        return cls(rows, definition, position, path)


def _rows_of_delta(path: str) -> pa.Table | None:
    """Return the rows of a Delta table, at the version after its path; None if it is none.

    Raises:
        BinlogError: if it cannot be read.
        OSError: if the place cannot be read.
    """
    name, at, number = path.rpartition("@v")
    has_version = bool(at) and number.isdecimal()
    location = Location.parse(name if has_version else path)
    try:
        storage_of(location).look_up(location.child("_delta_log"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    delta = open_delta(location, int(number) if has_version else None, extra="delta")
    if delta is None:
        return None
    with delta_errors(location):
        return pa.table(delta.to_pyarrow_table())


def _check_whole(system: fs.FileSystem, at: str, path: str) -> None:
    """Check that a data set of this package is complete; raises OptionError."""
    is_whole = system.get_file_info(f"{at}/{SUCCESS}").type == fs.FileType.File
    if owner_of(system, at) == Owner(DATA_SET) and not is_whole:
        raise _refused(path, f"it lacks {SUCCESS}, as after a write that was stopped")


def _refused(path: str, reason: str) -> OptionError:
    return OptionError(
        f"baseline: expected a Delta table, a Parquet data set or a dump of mysqldump, got {path}:"
        f" {reason}",
        option="baseline",
        value=path,
        advice="dump it with: mysqldump --single-transaction --source-data=2 DATABASE TABLE",
    )
