"""Changes whose images lack columns, merged along the life of each row.

A row lives from its insert to its delete, under one key or several. Its changes under one key, from
its coming to its going, are a stay; a key may have stays of several rows, one after the other.

    images -> changes       both images of an update together      a shuffle by place
           -> events        a change of the key is a leave and an arrival
           -> stays         each with the last cell of each column a shuffle by key
           -> lives         of rows that changed their key: stays that follow one another

Only stays of rows that changed their key go through the last step. They are numbered in their order
by one task, in Python, which looks at their ends and not at their cells.

Spark does all up to the stays once for both kinds, if it knows that it is the same; of a Python
source such as ours it does not, and reads it twice.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import LongType

from pyspark_adapter.spark.change_columns import (
    ABSENT,
    DIFF,
    TYPE,
    ChangeColumns,
    checked,
    checked_key,
    field,
)

PREVIOUS_KEY: Final = "_previous_key"

# What an event is to its key. After the last two no row has it.
_INSERT, _ARRIVE, _UPDATE, _DELETE, _LEAVE = "insert", "arrive", "update", "delete", "leave"
_GONE: Final = (_DELETE, _LEAVE)


def changes_of_lives(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return the last state of each key, with the cells of all images of its row.

    Args:
        df: changes, with `_absent_columns` and `_json_diff`.
        columns: of them.

    Returns:
        The columns of the frame but `_json_diff`, and `_previous_key`, as of `latest_changes`.
    """
    stays = _stays(_events(_changes(df, columns), columns))
    is_whole = (F.col("first_kind") != _ARRIVE) | F.col("kind").isin(*_GONE)
    settled = stays.where(F.col("is_last") & is_whole)
    settled = settled.withColumns({"origin_kind": F.col("first_kind"), "origin": F.col("key")})
    moved = stays.where((F.col("first_kind") == _ARRIVE) | (F.col("kind") == _LEAVE))
    return _rows(settled.unionByName(_ends_of_lives(moved).select(settled.columns)), columns)


def _cell(name: str) -> Column:
    """Return the cell of a column in an image, null where it is absent.

    It is not known where it is absent and the log has differences of it: it has changed.
    """
    is_there = ~F.coalesce(F.array_contains(ABSENT, name), F.lit(False))
    has_differences = F.array_contains(F.json_object_keys(DIFF), name)
    value = F.when(is_there, field(name)).alias("value")
    cell = F.struct(value, is_there.alias("is_known"))
    return F.when(is_there | has_differences, cell).alias(name)


def _changes(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return one row for each change, with both its images."""
    kind = columns.kind()
    image = F.struct(
        F.struct(*map(_cell, columns.keys)).alias("key"),
        F.struct(*map(_cell, columns.values)).alias("cells"),
        F.struct(
            *[field(name) for name in columns.metadata if name not in (TYPE, ABSENT, DIFF)]
        ).alias("metadata"),
    )
    images = df.select(
        columns.order_of_change().alias("place"),
        kind.alias("kind"),
        image.alias("image"),
    )
    is_before = F.col("kind").isin("update_preimage", "delete")
    changes = images.groupBy("place").agg(
        F.first(F.when(is_before, F.col("image")), ignorenulls=True).alias("before"),
        F.first(F.when(~is_before, F.col("image")), ignorenulls=True).alias("after"),
        F.max(F.col("kind").startswith("update")).alias("is_update"),
    )
    is_paired = F.col("is_update") == (F.col("before").isNotNull() & F.col("after").isNotNull())
    message = F.concat(
        F.lit("expected an insert, a delete or both images of an update at "),
        F.to_json("place"),
    )
    return changes.withColumn("place", checked(is_paired, F.col("place"), message))


def _events(changes: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return what changes are to each key: key, kind, place, cells and metadata."""

    def key(*sources: str) -> Column:
        return F.struct(
            *[
                checked_key(
                    name,
                    F.coalesce(*[field(name, f"{source}.key") for source in sources])["value"],
                    F.col("place"),
                )
                for name in columns.keys
            ]
        )

    before = F.when(F.col("before").isNotNull(), key("before"))
    after = F.when(F.col("after").isNotNull(), key("after", "before"))
    keyed = changes.withColumns({"old_key": before, "new_key": after})

    def event(key: str, kind: str) -> Column:
        return F.struct(F.col(key).alias("key"), F.lit(kind).alias("kind"))

    events = (
        F.when(F.col("old_key").isNull(), F.array(event("new_key", _INSERT)))
        .when(F.col("new_key").isNull(), F.array(event("old_key", _DELETE)))
        .when(F.col("old_key") == F.col("new_key"), F.array(event("new_key", _UPDATE)))
        .otherwise(F.array(event("old_key", _LEAVE), event("new_key", _ARRIVE)))
    )
    cells = F.struct(
        *[
            F.coalesce(field(name, "after.cells"), field(name, "before.cells")).alias(name)
            for name in columns.values
        ]
    )
    exploded = keyed.select(
        F.explode(events).alias("event"),
        "place",
        F.coalesce("after.metadata", "before.metadata").alias("metadata"),
        cells.alias("cells"),
    )
    return exploded.select("event.*", "place", "metadata", "cells")


def _stays(events: DataFrame) -> DataFrame:
    """Return one row for each stay: its last event, with the last cell of each column.

    Beside the columns of events: `first_kind` and `start` of its first event, and whether it
    `is_last` of its key.
    """
    of_key = Window.partitionBy("key").orderBy("place")
    begins = F.col("kind").isin(_INSERT, _ARRIVE) | F.coalesce(
        F.lag("kind").over(of_key).isin(*_GONE), F.lit(False)
    )
    numbered = events.withColumns(
        {"begins": begins.cast("int"), "is_last": F.lead("kind").over(of_key).isNull()}
    )
    so_far = of_key.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    numbered = numbered.withColumn("stay", F.sum("begins").over(so_far))
    of_stay = Window.partitionBy("key", "stay").orderBy("place")
    return _last_of(numbered, of_stay, {"first_kind": F.col("kind"), "start": F.col("place")}).drop(
        "begins", "stay"
    )


def _ends_of_lives(moved: DataFrame) -> DataFrame:
    """Return the last stay of each life that goes on, with the last cell of each column.

    Beside the columns of stays: `origin_kind`, the kind of the first event of its first stay, and
    `origin`, the key of that.
    """
    has_come = F.col("first_kind") == _ARRIVE
    ends = moved.withColumns(
        {
            "come": F.when(has_come, F.col("start")),
            "gone": F.when(F.col("kind") == _LEAVE, F.col("place")),
        }
    )
    # A stay may come and go by one change, or begin where the one before has ended.
    order = ["start", "come"]
    number = F.udf(_life_numbers(), LongType(), useArrow=False).asNondeterministic()
    numbered = (
        ends.repartition(1)
        .sortWithinPartitions(*order)
        .withColumn("life", number(F.to_json("come"), F.to_json("gone")))
    )
    of_life = Window.partitionBy("life").orderBy(*order)
    lives = _last_of(
        numbered, of_life, {"origin_kind": F.col("first_kind"), "origin": F.col("key")}
    )
    return lives.where(~F.col("kind").isin(*_GONE) & F.col("is_last"))


def _life_numbers() -> Callable[[str | None, str | None], int]:
    """Return a function that numbers lives, when it is called for all stays in their order.

    It keeps what it has seen: each task gets a copy of its own, as it is returned here.
    """
    lives: dict[str, int] = {}  # by the change by which the row has left its key
    numbers = count()

    def number(come: str | None, gone: str | None) -> int:
        life = next(numbers) if come is None else lives.pop(come)
        if gone is not None:
            lives[gone] = life
        return life

    return number


def _last_of(df: DataFrame, window: WindowSpec, firsts: dict[str, Column]) -> DataFrame:
    """Return the last row of each partition of a window.

    Args:
        df: with a struct of cells.
        window: partitions and their order.
        firsts: columns to add, of the first row of each.
    """
    so_far = window.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    names = df.select("cells.*").columns
    cells = [
        F.last(field(name, "cells"), ignorenulls=True).over(so_far).alias(name) for name in names
    ]
    merged = {name: F.first(value).over(so_far) for name, value in firsts.items()}
    merged["cells"] = F.struct(*cells)
    merged["is_end"] = F.lead("kind").over(window).isNull()
    return df.withColumns(merged).where("is_end").drop("is_end")


def _rows(states: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return the state of each key in the columns of the frame."""
    is_row = ~F.col("kind").isin(*_GONE)
    was_there = F.col("origin_kind") != _INSERT
    kind = F.when(~is_row, "delete").when(was_there, "update_postimage").otherwise("insert")
    values = []
    for name in columns.values:
        cell = field(name, "cells")
        message = f"column {name}: expected a document, the log has but differences of it at "
        value = checked(
            F.coalesce(cell["is_known"], F.lit(True)),
            cell["value"],
            F.concat(F.lit(message), F.to_json("place")),
        )
        values.append(F.when(is_row, value).alias(name))
    absent = F.array_compact(
        F.array(*[F.when(field(name, "cells").isNull(), name) for name in columns.values])
    )
    previous = F.when(is_row & was_there & (F.col("origin") != F.col("key")), F.col("origin"))
    return states.select(
        "key.*",
        "metadata.*",
        kind.alias(TYPE),
        F.when(is_row, absent.cast("array<string>")).alias(ABSENT),
        *values,
        previous.alias(PREVIOUS_KEY),
    )
