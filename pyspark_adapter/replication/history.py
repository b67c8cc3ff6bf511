"""Tables that hold all changes of tables; rows are added to them, and never changed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Set
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.changes import Changes
from pyspark_adapter.replication.lake import table_folder
from pyspark_adapter.sources.locations import Location

if TYPE_CHECKING:
    from pyspark_adapter.replication.delta_tables import DeltaTables
    from pyspark_adapter.replication.iceberg_tables import IcebergTables
    from pyspark_adapter.replication.versions import Versions

FACTS: Final = pa.schema(
    [
        ("_change_type", pa.string()),
        ("_commit_version", pa.int64()),
        ("_row_number", pa.int64()),
        ("_commit_timestamp", pa.timestamp("us", "UTC")),
    ]
)
_KIND: Final = ".history"  # in the names of their folders
_STATEMENT: Final = pa.field("_statement", pa.string())


class History:
    """The changes of each table in a table of its own, next to the copies.

    Rows are in the order of `_commit_version` and `_row_number`. Next to the changes there are

    - `copy`: the table was copied, and all rows from before are replaced by those that follow;
    - `read`: a row of the copy;
    - `create`, `alter`, `rename`, `drop`, `truncate`: a statement. The table is copied after it.

    A history whose columns get other types ends, and another begins: `orders.2` after `orders`.

    Args:
        lake: its folder.
        tables: of the lake, in its format.
        versions: of these.
    """

    has_renames: Final = False  # the rows from before would have the values of another column

    def __init__(
        self, lake: Location, tables: DeltaTables | IcebergTables, versions: Versions
    ) -> None:
        self._lake, self._tables, self._versions = lake, tables, versions
        self._places: dict[TableName, Location] = {}

    def folder_of(self, table: TableName) -> Location:
        """Return the folder of the newest history of a table."""
        if table not in self._places:
            folders = [*self._folders(table, self._exists)]
            self._places[table] = folders[-1] if folders else table_folder(self._lake, table, _KIND)
        return self._places[table]

    def _folders(self, table: TableName, exists: Callable[[Location], bool]) -> Iterator[Location]:
        location = first = table_folder(self._lake, table, _KIND)
        for number in count(2):
            if not exists(location):
                return
            yield location
            location = first.parent.child(f"{first.name}.{number}")

    def _exists(self, location: Location) -> bool:
        return self._versions.opened(location) is not None

    def has(self, table: TableName) -> bool:
        """Return whether a table has a history, and all that it had are as the state knows them."""
        known = [*self._folders(table, self._versions.knows)]
        return all([*map(self._versions.fits, known)]) and self._exists(self.folder_of(table))

    def widens(self, old: pa.DataType, new: pa.DataType) -> bool:
        """Return whether the type of a column can become another one without a copy."""
        return self._tables.widens(old, new)

    def begin(self, table: TableName, copied: Any, version: int) -> None:
        """Add the rows of a table that was copied, unless a run that was killed has done so."""
        # Before the write: deltalake opens no table while it writes another.
        columns, source = self._tables.schema(copied), self._tables.rows(copied)
        schema = pa.schema([*FACTS, _STATEMENT, *columns])
        location = self.folder_of(table)
        known = self._tables.open(location)
        if known is not None:
            applied = self._tables.applied(known, location)
            if applied == version:
                return
            if (
                not self.may_have(table, schema) or applied > version
            ):  # another type, or the server's logs begin again
                first, _, number = location.name.partition(".")
                location = location.parent.child(f"{first}.{int(number or 1) + 1}")
                known = None
        self._places[table] = location
        facts = {"_commit_version": version, "_commit_timestamp": datetime.now(UTC)}

        def batches() -> Iterator[pa.RecordBatch]:
            mark = {"_change_type": "copy", "_row_number": 0, **facts}
            yield pa.RecordBatch.from_pylist([mark], schema)
            number = 1
            for batch in source:
                numbers = range(number, number + len(batch))
                number = numbers.stop
                values = {"_change_type": "read", **facts, "_statement": None}
                filled = {name: pa.repeat(value, len(batch)) for name, value in values.items()}
                filled |= {"_row_number": pa.array(numbers)}
                filled |= {name: batch[name] for name in columns.names}
                arrays = [filled[field.name].cast(field.type) for field in schema]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        rows = pa.RecordBatchReader.from_batches(schema, batches())
        self._tables.append(location, known, rows, version)

    def may_have(self, table: TableName, schema: pa.Schema) -> bool:
        """Return whether the newest history of a table can have some columns, too."""
        known = self._tables.open(self.folder_of(table))
        if known is None:
            return True
        known_fields = {f.name.lower(): f for f in self._tables.schema(known)}
        pairs = [(known_fields.get(f.name.lower(), f), f) for f in self._tables.form_of(schema)]
        return all(
            old == new or (old.name == new.name and self.widens(old.type, new.type))
            for old, new in pairs
        )

    def add(
        self,
        since_copy: int,
        changes: Changes,
        columns: pa.Schema,
        left_out: Set[str],
        *,
        ends: bool = True,
    ) -> None:
        """Add the statements of a round, and the changes in the columns of the copy; each once.

        Columns that are left out are in the log, and not in the table. If the first statement
        ends the changes, those after it are in the copy that follows. The copy has those up to
        transaction `since_copy`.
        """
        location = self.folder_of(changes.table)
        known = self._tables.open(location)
        if known is None:
            return  # removed by the user: the table is copied again, which begins another
        applied = self._tables.applied(known, location)
        versions = [s.commit_version for s in changes.statements if s.commit_version > since_copy]
        cut = min(versions, default=sys.maxsize) if ends else sys.maxsize
        kinds = pa.schema([*FACTS, _STATEMENT])
        names = [field.name for field in kinds]
        shown = [(s.kind, s.commit_version, 0, None, s.text) for s in changes.statements]
        rows = [dict(zip(names, row, strict=True)) for row in shown if row[1] > applied]
        tables = [pa.Table.from_pylist(rows, kinds)]
        for part in changes.parts:
            logged = {*part.columns} - left_out
            if part.last_commit_version > cut or (ends and logged != {*columns.names}):
                break  # these changes are in the copy that follows
            schema = pa.schema([*FACTS, *(field for field in columns if field.name in logged)])
            tables.append(part.rows_after(applied).select(schema.names).cast(schema))
        if not ends:  # so that added columns exist before a change has them
            tables.append(pa.schema([*kinds, *columns]).empty_table())
        added = pa.concat_tables(tables, promote_options="default")
        if len(added):
            last = pc.max(added["_commit_version"]).as_py()
            self._tables.append(location, known, added.to_reader(), last)
