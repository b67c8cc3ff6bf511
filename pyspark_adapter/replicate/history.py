"""Delta tables that hold all changes of tables; rows are added to them, and never changed."""

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake

from pyspark_adapter import TableChanges

FACTS = pa.schema(
    [
        ("_change_type", pa.string()),
        ("_commit_version", pa.int64()),
        ("_row_number", pa.int64()),
        ("_commit_timestamp", pa.timestamp("us", "UTC")),
    ]
)
STATEMENT = pa.field("_statement", pa.string())


def properties(version: int) -> CommitProperties:
    """Return what a commit of a Delta table says about its rows."""
    return CommitProperties(app_transactions=[Transaction("applied", version)])


def write(path: Path, rows: pa.RecordBatchReader, mode: str, version: int) -> None:
    """Write rows to a Delta table, and note up to which transaction its rows are now."""
    schema_mode = "merge" if mode == "append" else mode
    noted = properties(version)
    write_deltalake(path, rows, mode=mode, schema_mode=schema_mode, commit_properties=noted)


class History:
    """The changes of each table in a Delta table of its own.

    Rows are in the order of `_commit_version` and `_row_number`. Next to the changes there are

    - `copy`: the table was copied, and all rows from before are replaced by those that follow;
    - `read`: a row of the copy;
    - `create`, `alter`, `rename`, `drop`, `truncate`: a statement. The table is copied after it.

    Args:
        folder: of the Delta tables, which have the names of the tables' folders.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, table: Path) -> bool:
        """Return whether a table has a history."""
        return bool(DeltaTable.is_deltatable(str(self.folder / table.name)))

    def begin(self, table: Path, version: int) -> None:
        """Add the rows of a table that was copied, unless a run that was killed has done so."""
        copied = DeltaTable(table).to_pyarrow_dataset()
        schema = pa.schema([*FACTS, STATEMENT, *copied.schema])
        path = self.folder / table.name
        if self.has(table):
            known = DeltaTable(path)
            applied = known.transaction_version("applied")
            if applied == version:
                return
            fields = {field.name.lower(): field for field in pa.schema(known.schema())}
            is_other = any(fields.get(field.name.lower(), field) != field for field in schema)
            if is_other or applied > version:  # another type, or the server's logs begin again
                path.rename(self.folder / f"{table.name}.{time.time_ns()}")
        facts = {"_commit_version": version, "_commit_timestamp": datetime.now(UTC)}

        def batches() -> Iterator[pa.RecordBatch]:
            mark = {"_change_type": "copy", "_row_number": 0, **facts}
            yield pa.RecordBatch.from_pylist([mark], schema)
            number = 1
            for batch in copied.to_batches():
                numbers = range(number, number + len(batch))
                number = numbers.stop
                values = {"_change_type": "read", **facts, "_statement": None}
                columns = {name: pa.repeat(value, len(batch)) for name, value in values.items()}
                columns |= {"_row_number": pa.array(numbers)}
                columns |= {name: batch[name] for name in copied.schema.names}
                arrays = [columns[field.name].cast(field.type) for field in schema]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        rows = pa.RecordBatchReader.from_batches(schema, batches())
        write(path, rows, "append", version)

    def add(self, table: Path, changes: TableChanges, left_out: set[str]) -> None:
        """Add the statements of a batch, and the changes up to the first one; each once.

        Columns that are left out are in the log, and not in the table.
        """
        copied = DeltaTable(table)
        since_copy = copied.transaction_version("applied")
        columns = pa.schema(copied.schema())
        applied = DeltaTable(self.folder / table.name).transaction_version("applied")
        versions = [s.commit_version for s in changes.statements if s.commit_version > since_copy]
        cut = min(versions, default=sys.maxsize)
        kinds = pa.schema([*FACTS, STATEMENT])
        names = [field.name for field in kinds]
        shown = [(s.kind, s.commit_version, 0, None, s.text) for s in changes.statements]
        rows = [dict(zip(names, row, strict=True)) for row in shown if row[1] > applied]
        found = [pa.Table.from_pylist(rows, kinds)]
        for part in changes.parts:
            if part.last_commit_version > cut or {*part.columns} - left_out != {*columns.names}:
                break  # these changes are in the copy that follows
            new = part.rows.where(f"_commit_version > {applied}").toArrow()
            schema = pa.schema([*FACTS, *columns])
            found.append(new.select(schema.names).cast(schema))
        added = pa.concat_tables(found, promote_options="default")
        if len(added):
            last = pc.max(added["_commit_version"]).as_py()
            write(self.folder / table.name, added.to_reader(), "append", last)
