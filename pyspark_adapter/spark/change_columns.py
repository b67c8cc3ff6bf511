"""Which columns of a frame of changes are what, and what their rows have to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - its usual name

TYPE: Final = "_change_type"
ABSENT: Final = "_absent_columns"
DIFF: Final = "_json_diff"
CHANGE_TYPES: Final = ("insert", "update_preimage", "update_postimage", "delete")


@dataclass(frozen=True, slots=True)
class ChangeColumns:
    """The columns of a frame of changes, by what they are.

    Attributes:
        keys: columns that identify a row.
        values: the other columns of the table.
        metadata: columns that tell of a change, those of `order` among them.
        order: columns that order the changes.
    """

    keys: tuple[str, ...]
    values: tuple[str, ...]
    metadata: tuple[str, ...]
    order: tuple[str, ...]

    def order_of_change(self) -> Column:
        """Return the place of a change among all, the same for both images of an update."""
        return F.struct(*map(field, self.order))

    def kind(self) -> Column:
        """Return the kind of an image, an error if it is none of ours."""
        message = F.concat(
            F.lit(f"{TYPE}: expected {', '.join(CHANGE_TYPES)}, got "),
            F.coalesce(F.col(TYPE), F.lit("null")),
        )
        return checked(
            F.coalesce(F.col(TYPE).isin(*CHANGE_TYPES), F.lit(False)), F.col(TYPE), message
        )


def field(name: str, of: str = "") -> Column:
    """Return the column of a name, or the field of that name in a struct."""
    quoted = "`" + name.replace("`", "``") + "`"
    return F.col(f"{of}.{quoted}" if of else quoted)


def checked(condition: Column, value: Column, message: Column) -> Column:
    """Return a value where a condition holds, and end the job with a message where it does not."""
    return F.when(condition, value).otherwise(F.raise_error(message))


def checked_key(name: str, value: Column, order: Column) -> Column:
    """Return a value of a key that is not null."""
    message = f"key column {name}: expected a value, got null in the change at "
    return checked(value.isNotNull(), value, F.concat(F.lit(message), F.to_json(order))).alias(name)
