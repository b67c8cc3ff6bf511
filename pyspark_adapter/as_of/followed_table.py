"""A table that is followed through a read: its rows, statements about it, and ends of XA."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.as_of.altered_rows import NotFollowedError, altered_rows, type_of, with_texts
from pyspark_adapter.as_of.baseline import Baseline
from pyspark_adapter.as_of.partial_images import absent_columns, filled_from_old_images
from pyspark_adapter.as_of.row_state import RowState, partial_error
from pyspark_adapter.ddl.constraints import FIRST_TO_LOG_CASCADES
from pyspark_adapter.ddl.sql_definitions import AlterTable, CreateTable, UnknownChange
from pyspark_adapter.decode.group_rows import key_of
from pyspark_adapter.errors import BinlogError, SchemaMismatchError, UnsupportedError
from pyspark_adapter.events.statements import MOVES_ROWS, Statement
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.added_values import NotKnownError, value_of_older_rows
from pyspark_adapter.plan.key_filter import KeyFilter
from pyspark_adapter.plan.output_schema import commit_version_base
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.sql_text.findings import xa_of
from pyspark_adapter.timeline.catalog import Catalog
from pyspark_adapter.timeline.ddl import Ddl, ddl_from_json
from pyspark_adapter.timeline.table_changes import schema_changes

_ENDS: Final = ("XA COMMIT", "XA ROLLBACK")


class XaEnds:
    """The ends of distributed transactions up to a moment.

    What one of them changes stays locked until it ends. So its rows can be taken where they are
    logged if it commits before the moment, and left out otherwise.

    Args:
        read: passes over the logs from the baseline up to the moment, and yields the statements
            that are noted.
        has_baseline: whether there are rows of before: then none of a transaction may be unknown,
            so the ends are read in any case.

    Raises:
        UnsupportedError: if a transaction commits that was prepared before the baseline.
        BinlogError: if the logs cannot be read.
    """

    def __init__(self, read: Callable[[], Iterable[Statement]], *, has_baseline: bool) -> None:
        self._read: Callable[[], Iterable[Statement]] | None = read
        self._has_baseline = has_baseline
        # By name: of each end its version, and whether it is a COMMIT before the moment.
        self._ends: dict[str, list[tuple[int, bool]]] = {}
        self._prepared: set[str] = set()
        if has_baseline:
            self._read_once()

    def _read_once(self) -> None:
        if self._read is not None:
            read, self._read = self._read, None
            for statement in read():
                self._note(statement)

    def _note(self, statement: Statement) -> None:
        """Note what a statement does to a distributed transaction."""
        verb, xid = xa_of(statement)
        if verb == "XA PREPARE" and statement.is_selected:
            self._prepared.add(xid)
        if verb not in _ENDS:
            return
        site = statement.site
        commits = statement.is_selected and verb == "XA COMMIT"
        is_known = xid in self._prepared or statement.text.endswith(b"PHASE")
        if commits and self._has_baseline and not is_known:
            raise UnsupportedError(
                f"{verb} {xid} of a distributed transaction that was prepared before the baseline:"
                " its rows are not known",
                site=site,
                advice="choose a baseline after this transaction, or a moment before it",
            )
        self._prepared.discard(xid)  # the name may be used again
        version = commit_version_base(log_number(site.log_file or "")) + site.start_pos
        self._ends.setdefault(xid, []).append((version, commits))

    def committed(self, images: pa.Table) -> pa.Table:
        """Return row images without those of transactions that are not committed at the moment.

        Raises:
            BinlogError: if the logs cannot be read.
        """
        names = images["_xa"]
        if names.null_count == len(images):
            return images
        self._read_once()
        pairs = zip(names.to_pylist(), images["_commit_version"].to_pylist(), strict=True)
        keeps = np.array([xid is None or self._commits(xid, version) for xid, version in pairs])
        return images.filter(pa.array(keeps, pa.bool_()))

    def _commits(self, xid: str, version: int) -> bool:
        """Return whether the transaction of a name that begins at a version commits in time."""
        ends = self._ends.get(xid, ())
        return next((commits for end, commits in ends if end > version), False)


METADATA: Final = (
    *("_change_type", "_commit_version", "_row_number", "_log_file", "_start_pos"),
    *("_absent_columns", "_json_diff", "_xa"),
)
# Images that are applied together; more if the table has more rows.
_MIN_IMAGES: Final = 1 << 17


class FollowedTable:
    """A table that is followed through the groups of a read with option `row` = `arrow`.

    Args:
        baseline: where it begins.
        start: the position of the baseline; None if it is not known.
        keep: selects rows by key, once the columns are known; None for all rows.
        xa: how distributed transactions end.

    Attributes:
        is_whole: whether all rows are known: from a baseline, or since the table was created or
            emptied.
        num_unknown: rows whose insert is not in the logs.
        dropped_by: the statement that dropped the table; None if it exists.
    """

    def __init__(
        self,
        table: TableName,
        baseline: Baseline,
        start: LogPosition | None,
        keep: Keep | None,
        xa: XaEnds,
    ) -> None:
        self._table = table
        self._keep = keep
        self._xa = xa
        self._catalog = Catalog()
        self._is_defined_before = baseline.definition is None and start is not None
        self._first_version = 0
        if start is not None:
            self._first_version = commit_version_base(log_number(start.log_name)) + start.start_pos
        if baseline.definition is not None:
            self._catalog.define(table, baseline.definition)
        self.is_whole = baseline.rows is not None
        self._state: RowState | None = None
        self._num_unknown = 0
        if baseline.rows is not None:
            self._state = RowState(str(table), baseline.rows, is_whole=True)
        self._has_other_keys = True  # rows of the baseline that are not wanted
        self._key: tuple[str, ...] = ()
        self._key_of_last: tuple[str, ...] = ()  # of the images that were taken last
        self._are_partial = False
        self._pending: list[pa.Table] = []
        self._num_pending = 0
        self._schemas: dict[str, pa.Schema] = {}
        self.dropped_by: str | None = None
        self._logs_cascades = False

    @property
    def parents(self) -> list[TableName]:
        """Tables whose changes foreign keys carry over to this table without a trace in the log."""
        definition = self._catalog.definition_of(self._table)
        if definition is None or self._logs_cascades:
            return []
        return list(dict.fromkeys(key.parent for key in definition.foreign_keys))

    @property
    def num_unknown(self) -> int:
        """Rows that were changed and whose insert is not in the logs."""
        return self._num_unknown + (self._state.num_unknown if self._state is not None else 0)

    def take(self, group: Mapping[str, Any]) -> None:
        """Take the next group; raises UnsupportedError, BinlogError."""
        if group["schema"] is not None:
            self._schemas[group["shape"]] = pa.ipc.read_schema(pa.py_buffer(group["schema"]))
        if group["rows"] is not None:
            self._take_rows(self._schemas[group["shape"]], group["rows"])
        elif group["definition"] is not None:
            self._take_definition(group)
        else:
            text = group["statement"] or ""
            if re.search(MOVES_ROWS, text) and group["change_type"] == "alter":
                raise self._refused("it moves rows that are not logged", text, None)
            if group["change_type"] == "truncate":
                self._empty()

    def rows(self) -> pa.Table:
        """Return the rows after all groups; raises SchemaMismatchError."""
        self._flush()
        if self.dropped_by is not None:
            raise SchemaMismatchError(
                f"table {self._table}: expected a table, found that it was dropped at"
                f" {self.dropped_by}"
            )
        self._keep_baseline(())
        if self._state is not None:
            return self._state.rows
        definition = self._catalog.definition_of(self._table)
        if definition is None:
            raise SchemaMismatchError(
                f"table {self._table}: expected rows of it, or its definition, found none in the"
                " logs up to the moment",
                advice="check the name and the moment, or give a baseline",
            )
        columns = [column for column in definition.columns if not column.is_generated]
        return pa.schema([(column.name, type_of(column)) for column in columns]).empty_table()

    def _take_definition(self, group: Mapping[str, Any]) -> None:
        """Take a statement; those before the baseline define the table, unless a dump does."""
        ddl = ddl_from_json(group["definition"])
        self._catalog.case.tells |= ddl.case.tells
        dialect = ddl.parsed.session.dialect
        number = dialect.version // 10_000, dialect.version // 100 % 100
        self._logs_cascades = not dialect.is_mariadb and number >= FIRST_TO_LOG_CASCADES
        if group["statement"] is not None:
            self._follow(ddl, group["statement"])
        elif self._is_defined_before and group["last_commit_version"] < self._first_version:
            assert ddl.parsed.change is not None
            self._catalog.follow(ddl.parsed.change, ddl.parsed.session)

    def _take_rows(self, schema: pa.Schema, message: bytes) -> None:
        batch = pa.ipc.read_record_batch(pa.py_buffer(message), schema)
        rows = self._xa.committed(pa.Table.from_batches([batch]).replace_schema_metadata())
        key = self._key_of_last = self._key_of(schema)
        rows = filled_from_old_images(rows)
        self._keep_baseline(key)
        rows = self._kept(rows, key)
        if not len(rows):
            return
        self._check(rows)
        if self._pending and (key != self._key or rows.schema != self._pending[0].schema):
            self._flush()
        self._key = key
        self._pending.append(rows)
        self._num_pending += len(rows)
        num_rows = len(self._state.rows) if self._state is not None else 0
        if self._num_pending > max(_MIN_IMAGES, num_rows):
            self._flush()

    def _key_of(self, schema: pa.Schema) -> tuple[str, ...]:
        """Return the key of rows: as the log has it, else as the definition."""
        definition = self._catalog.definition_of(self._table)
        key = key_of(schema) or (() if definition is None else definition.row_key)
        return key if {*map(str.lower, key)} <= {*map(str.lower, schema.names)} else ()

    def _keep_baseline(self, key: Sequence[str]) -> None:
        """Select the rows of the baseline, once the key of the table is known."""
        if self._has_other_keys and self._state is not None:
            self._state.rows = self._kept(self._state.rows, key)
        self._has_other_keys = False

    def _kept(self, rows: pa.Table, key: Sequence[str]) -> pa.Table:
        """Return rows with the wanted keys, without generated columns."""
        definition = self._catalog.definition_of(self._table)
        if definition is not None:
            generated = {
                column.name.lower() for column in definition.columns if column.is_generated
            }
            rows = rows.drop_columns([n for n in rows.column_names if n.lower() in generated])
            rows = with_texts(rows, definition)
            key = key or definition.row_key
        return rows if self._keep is None else self._keep(rows, key)

    def _check(self, images: pa.Table) -> None:
        """Refuse images whose values are not known from the row before; raises UnsupportedError."""
        absent = absent_columns(images)
        if absent and not self._key_of_last:
            lacks = np.logical_or.reduce(list(absent.values()))
            raise partial_error(str(self._table), images.slice(int(lacks.argmax()), 1))
        self._are_partial |= bool(absent)

    def _default_of(self, name: str) -> pa.Scalar:
        """Return the value of a column that an insert leaves out; raises UnsupportedError."""
        definition = self._catalog.definition_of(self._table)
        for column in () if definition is None else definition.columns:
            if column.name.lower() == name.lower():
                with suppress(NotKnownError):
                    return value_of_older_rows(column, type_of(column))
        raise UnsupportedError(
            f"table {self._table}: inserts without a value of column {name}, whose default is not"
            " a literal, or not known",
            advice="give the definition at the baseline in option ddl, or choose another baseline",
        )

    def _flush(self) -> None:
        if not self._pending:
            return
        images = pa.concat_tables(self._pending)
        self._pending, self._num_pending = [], 0
        if self._state is None:
            names = [name for name in images.column_names if name not in METADATA]
            empty = images.select(names).schema.empty_table()
            self._state = RowState(str(self._table), empty, is_whole=self.is_whole)
        self._state.apply(images, self._key, self._default_of if self._are_partial else None)
        self._are_partial = False

    def _empty(self) -> None:
        """Remove all rows."""
        self._flush()
        self._num_unknown, self._state = self.num_unknown, None
        self.is_whole = True

    def _follow(self, ddl: Ddl, text: str) -> None:
        """Follow a statement; raises UnsupportedError."""
        parsed, session = ddl.parsed.change, ddl.parsed.session
        assert parsed is not None
        if parsed == UnknownChange(None):
            raise self._refused("what it does to tables is not known", text, ddl)
        before = self._catalog.definition_of(self._table)
        for change in schema_changes(parsed, session, self._table):
            if not change.is_of(self._table, ddl.case):
                continue
            if self._table not in change.names:
                ddl.case.doubt(self._table, f"{ddl.site}: {text}")
            if isinstance(parsed, UnknownChange):
                raise self._refused(parsed.reason or "it is not understood", text, ddl)
            if change.kind == "rename":
                raise self._refused(f"it renames {change.table} to {change.new_name}", text, ddl)
            if change.kind == "drop":
                self._empty()
                self.dropped_by = f"{ddl.site}: {text}"
            elif change.kind == "create":
                self._create(parsed, text, ddl)
            elif change.kind == "alter":
                self._flush()
                if self._state is not None and isinstance(parsed, AlterTable):
                    try:
                        rows = altered_rows(self._state.rows, before, parsed.alteration)
                    except (NotFollowedError, BinlogError) as error:
                        raise self._refused(str(error), text, ddl) from error
                    self._state.rows = rows
        self._catalog.follow(parsed, session)

    def _create(self, change: Any, text: str, ddl: Ddl) -> None:
        if isinstance(change, CreateTable) and change.if_absent and self.dropped_by is None:
            return  # of a table that exists, or may exist
        if self.is_whole and self.dropped_by is None and not getattr(change, "replaces", False):
            raise self._refused("it creates the table, which exists", text, ddl)
        self.dropped_by = None
        self._empty()

    def _refused(self, reason: str, text: str, ddl: Ddl | None) -> BinlogError:
        shown = f"{reason}: {text}" if text else reason
        return UnsupportedError(
            f"table {self._table}: a statement cannot be followed: {shown}",
            site=None if ddl is None else ddl.site,
            advice="choose a baseline after this statement, or a moment before it",
        )


class Keep:
    """Selects the rows with some keys.

    Args:
        options: of the read, with `keys`.
    """

    def __init__(self, options: Any) -> None:
        self._options = options

    def __call__(self, rows: pa.Table, key: Sequence[str]) -> pa.Table:
        """Return the rows that have one of the keys."""
        fields = [field for field in rows.schema if field.name not in METADATA]
        key_filter = KeyFilter.of(self._options, fields, key)
        assert key_filter is not None
        batches = [key_filter.apply(batch) for batch in rows.to_batches()]
        return pa.Table.from_batches(batches, rows.schema)
