"""Foreign keys that change rows of other tables below the log, as CASCADE and SET NULL do.

MariaDB, and MySQL before 9.6, do not log these rows. Their tables are copied again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.ddl.constraints import FIRST_TO_LOG_CASCADES
from pyspark_adapter.errors import listed
from pyspark_adapter.operations.server_tables import TableServer
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.changes import TYPE, Changes
from pyspark_adapter.warn import warn

# Of each column of keys that change other rows.
_CASCADES: Final = """SELECT c.CONSTRAINT_SCHEMA, c.CONSTRAINT_NAME, c.TABLE_NAME,
    k.REFERENCED_TABLE_SCHEMA, k.REFERENCED_TABLE_NAME, k.COLUMN_NAME, k.REFERENCED_COLUMN_NAME
    FROM information_schema.REFERENTIAL_CONSTRAINTS c JOIN information_schema.KEY_COLUMN_USAGE k
    ON (k.CONSTRAINT_SCHEMA, k.CONSTRAINT_NAME, k.TABLE_NAME)
     = (c.CONSTRAINT_SCHEMA, c.CONSTRAINT_NAME, c.TABLE_NAME)
    WHERE c.DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION')
     OR c.UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION') ORDER BY 1, 2, 3, k.ORDINAL_POSITION"""


@dataclass(frozen=True, slots=True)
class Link:
    """A foreign key.

    Attributes:
        child: whose rows it changes.
        parent: whose changes lead to that.
        columns: names of the columns of both, in pairs.
    """

    child: TableName
    parent: TableName
    columns: tuple[tuple[str, str], ...]


def cascades(tables: TableServer) -> list[Link]:
    """Return the foreign keys of a server that change rows of other tables which its log lacks.

    Raises:
        ServerError: as `TableServer.connect`.
    """
    from pyspark_adapter.server.connection import version_of

    with tables.connect() as connection:
        version = version_of(connection.get_server_info())
        if not connection.is_mariadb and version >= FIRST_TO_LOG_CASCADES:
            return []
        rows = connection.rows(_CASCADES)
    links = []
    for (database, _, child, *parent), columns in groupby(rows, lambda row: row[:5]):
        pairs = tuple((row[5], row[6]) for row in columns)
        links.append(Link(TableName(database, child), TableName(*parent), pairs))
    return links


class ForeignKeys:
    """The foreign keys of the tables of a server that act below its log.

    Args:
        ask: asks the server for all foreign keys.
    """

    def __init__(self, ask: Callable[[], list[Link]]) -> None:
        self._ask = ask
        self._definitions: Mapping[TableName, str] | None = None
        self._links: list[Link] = []
        self._told: set[Link] = set()

    def look_at(self, definitions: Mapping[TableName, str]) -> None:
        """Ask the server for the foreign keys of tables, if a definition is another one; warn.

        Raises:
            ServerError: if it cannot be reached.
        """
        if definitions == self._definitions:
            return
        self._links = [link for link in self._ask() if link.child in definitions]
        self._definitions = definitions
        new = {*self._links} - self._told
        self._told |= new
        children = sorted({str(link.child) for link in new if link.parent in definitions})
        if children:
            warn(
                "the server does not log what foreign keys with CASCADE or SET change in these"
                f" tables; they are copied again when a change may reach a row: {listed(children)}"
            )
        for link in sorted(new, key=str):
            if link.parent not in definitions:
                warn(
                    f"table {link.child} may become wrong: changes of {link.parent} reach it by a"
                    " foreign key, the server does not log them, and that table is not copied"
                )

    def children(self, parents: Iterable[TableName]) -> set[TableName]:
        """Return the tables that changes of some tables may reach, these themselves if they do."""
        children: set[TableName] = set()
        left = [*parents]
        while left:
            parent = left.pop()
            reached = {link.child for link in self._links if link.parent == parent} - children
            children |= reached
            left += reached
        return children

    def reached(
        self,
        parts: Iterable[Changes],
        followed: Container[TableName],
        rows: Callable[[TableName], Iterator[pa.RecordBatch]],
    ) -> list[TableName]:
        """Return the followed tables that changes may reach, which are merged; warn.

        Args:
            rows: returns the rows of a copy; none of a table that is not followed.
        """
        reached: dict[TableName, TableName] = {}
        for changes in parts:
            for link in self._links:
                if link.parent == changes.table and link.child not in reached:
                    keys = _old_keys(changes, [name for _, name in link.columns])
                    if keys is None or (len(keys) and _has_row(rows, link, keys)):
                        children = {link.child, *self.children([link.child])}
                        reached |= dict.fromkeys(children, changes.table)
        for table, parent in reached.items():
            warn(f"table {table} is copied again: changes of {parent} reach it by a foreign key")
        return [table for table in reached if table in followed]


def _old_keys(changes: Changes, columns: Sequence[str]) -> pa.Array | None:
    """Return the first column of the keys that rows had which were deleted, or got another key.

    Returns:
        None if the log does not have the columns.
    """
    parts: list[pa.ChunkedArray] = []
    for part in changes.parts:
        rows = part.rows
        if not {*columns} <= {*rows.column_names}:
            return None
        kinds = rows[TYPE]
        differs = np.zeros(len(rows), dtype=bool)
        for name in columns:
            key = rows[name]
            is_other = pc.fill_null(pc.not_equal(key[:-1], key[1:]), True)
            differs[:-1] |= is_other.to_numpy(zero_copy_only=False)
        is_old = pc.equal(kinds, "update_preimage").to_numpy(zero_copy_only=False) & differs
        is_gone = pc.equal(kinds, "delete").to_numpy(zero_copy_only=False)
        parts.append(rows[columns[0]].filter(pa.array(is_old | is_gone)))
    if len({keys.type for keys in parts}) > 1:
        return None
    chunks = [chunk for keys in parts for chunk in keys.chunks]
    return pa.concat_arrays(chunks) if chunks else pa.nulls(0)


def _has_row(
    rows: Callable[[TableName], Iterator[pa.RecordBatch]], link: Link, keys: pa.Array
) -> bool:
    """Return whether a copy may have a row with one of some keys."""
    name = link.columns[0][0]
    is_exact = pa.types.is_integer(keys.type) or pa.types.is_decimal(keys.type)
    if not is_exact:  # servers compare text by its collation
        return True
    for batch in rows(link.child):
        if name not in batch.schema.names:
            return True
        column = batch[name]
        try:
            wanted = keys.cast(column.type)
        except pa.ArrowInvalid:
            return True
        if pc.any(pc.is_in(column, wanted)).as_py():
            return True
    return False
