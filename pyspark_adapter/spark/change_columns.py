"""The columns of a frame of changes by their use, their key, and checks of its rows.

The key of a table travels with its rows, in the metadata of the columns that form it. The schema
that the data source gives to Spark has the metadata. It is kept by `select`, filters, joins,
`persist`, `foreachBatch`, Parquet and Delta, and Spark Connect sends it to the client.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import TimestampType

from pyspark_adapter.errors import OptionError
from pyspark_adapter.options.change_types import CHANGE_TYPES, SNAPSHOT

# The position of a column in the key, from 1, and how many columns the key has.
KEY_PART: Final = "mysql_binlog.key_part"
KEY_SIZE: Final = "mysql_binlog.key_size"


def key_metadata(row_key: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the metadata of the columns of a key, by column.

    >>> key_metadata(["order_id", "line"])["line"]
    {'mysql_binlog.key_part': 2, 'mysql_binlog.key_size': 2}
    """
    return {name: {KEY_PART: i + 1, KEY_SIZE: len(row_key)} for i, name in enumerate(row_key)}


def check_row_key(df: DataFrame, keys: Sequence[str]) -> None:
    """Refuse a key that lacks only the last column of the table's key, if that is a time.

    The key of a table with system versioning (MariaDB) ends in the end of the row's period. Without
    it, a historical row would count as the current one.

    Raises:
        OptionError: if the column is missing.
    """
    parts = {f.metadata[KEY_PART]: f for f in df.schema if KEY_PART in f.metadata}
    names = [parts[part].name for part in sorted(parts)]
    is_time = bool(parts) and isinstance(parts[max(parts)].dataType, TimestampType)
    if is_time and set(keys) == set(names[:-1]) != set():
        raise OptionError(
            f"keys: expected all columns of the key of the table, {', '.join(names)}, got"
            f" {', '.join(keys)}; pass them all, or no keys",
            option="keys",
            allowed="all columns of a key",
        )


def row_key_of(df: DataFrame) -> list[str]:
    """Return the columns that identify a row of a table, in the order of their key.

    Raises:
        OptionError: if the frame does not say, or lacks one of them.
    """
    parts = sorted(
        (field.metadata[KEY_PART], field.metadata.get(KEY_SIZE), field.name)
        for field in df.schema
        if KEY_PART in field.metadata
    )
    names = [name for _, _, name in parts]
    size = len(parts)
    if parts and [(part, of) for part, of, _ in parts] == [(i + 1, size) for i in range(size)]:
        return names
    if parts:
        reason = f"it has {', '.join(names)}, which are not all {parts[0][1]} columns of one key"
    else:
        reason = (
            "no column says that it is part of one, since the table has no key that is never null,"
            " or another at first than at last, or neither the log (binlog_row_metadata=FULL) nor"
            " CREATE TABLE (in the logs or option ddl) shows it, or the read had a schema"
        )
    raise OptionError(
        f"keys: expected a frame with the key of its table, found none: {reason}; pass the columns"
        " that identify a row and are never null",
        option="keys",
        allowed="columns that identify a row",
    )


TYPE: Final = "_change_type"


@dataclass(frozen=True, slots=True)
class ChangeColumns:
    """The columns of a frame of changes, by their use.

    Attributes:
        keys: columns that identify a row.
        values: the other columns of the table.
        metadata: columns that describe a change, including those of `order`.
        order: columns that order the changes.
    """

    keys: tuple[str, ...]
    values: tuple[str, ...]
    metadata: tuple[str, ...]
    order: tuple[str, ...]

    def position(self) -> Column:
        """Return the position of a change in the order; images of one update share it."""
        return F.struct(*map(field, self.order))

    def kind(self) -> Column:
        """Return the kind of an image, that of a snapshot as insert; the job fails for others."""
        kind = F.when(F.col(TYPE) == SNAPSHOT, "insert").otherwise(F.col(TYPE))
        message = F.concat(
            F.lit(f"{TYPE}: expected {', '.join(CHANGE_TYPES)}, got "),
            F.coalesce(F.col(TYPE), F.lit("null")),
            F.lit("; give the values of the read, or leave other rows out"),
        )
        return checked(F.coalesce(kind.isin(*CHANGE_TYPES), F.lit(False)), kind, message)


def field(name: str, of: str = "") -> Column:
    """Return a column by its name, or a field of a struct."""
    quoted = "`" + name.replace("`", "``") + "`"
    return F.col(f"{of}.{quoted}" if of else quoted)


def checked(condition: Column, value: Column, message: Column) -> Column:
    """Return a value; the job fails with a message where the condition does not hold."""
    return F.when(condition, value).otherwise(F.raise_error(message))


def checked_key(name: str, value: Column, position: Column) -> Column:
    """Return a value of a key; the job fails if it is null."""
    text = F.lit(
        f"key column {name}: expected a value, got null; pass keys that no row has null, at "
    )
    return checked(value.isNotNull(), value, F.concat(text, F.to_json(position))).alias(name)
