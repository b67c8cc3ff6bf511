"""The columns of a frame of changes by their use, and checks of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.options.change_types import CHANGE_TYPES, SNAPSHOT

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
