"""Changes whose images lack columns, merged along the lineage of each row.

The lineage of a row goes from its insert to its delete, under one key or several. The time it has
one key is a key interval. A key may have intervals of several rows, one after another.

    images -> changes        pair both images of an update            a shuffle by position
           -> key events     an update of the key leaves one key and takes another
           -> key intervals  each with the last cell of each column   a shuffle by key
           -> lineages       of rows whose key changed: intervals that follow each other

Only intervals of rows whose key changed reach the last step. One task numbers them in order, in
Python. It sees where they begin and end, not their cells.

The intervals feed two branches of the plan. Spark computes them once if it knows that both read the
same. It cannot know that of a Python source such as ours, so it reads the source twice.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import LongType

from pyspark_adapter.plan.output_schema import ABSENT, DIFF
from pyspark_adapter.spark.change_columns import TYPE, ChangeColumns, checked, checked_key, field

PREVIOUS_KEY: Final = "_previous_key"

# What a change does to a key. After the last two, no row has the key.
_INSERT, _TAKE, _UPDATE, _DELETE, _LEAVE = "insert", "take", "update", "delete", "leave"
_ENDS: Final = (_DELETE, _LEAVE)


def merge_lineages(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return the last state of each key, with the cells of all images of its row.

    Args:
        df: changes, with `_absent_columns` and `_json_diff`.

    Returns:
        The columns of the frame without `_json_diff`, and `_previous_key`; see `latest_changes`.
    """
    intervals = _key_intervals(_key_events(_changes(df, columns), columns))
    is_whole = (F.col("first_kind") != _TAKE) | F.col("kind").isin(*_ENDS)
    settled = intervals.where(F.col("is_last") & is_whole)
    settled = settled.withColumns({"origin_kind": F.col("first_kind"), "origin": F.col("key")})
    moved = intervals.where((F.col("first_kind") == _TAKE) | (F.col("kind") == _LEAVE))
    lineages = _ends_of_lineages(moved).select(settled.columns)
    return _rows(settled.unionByName(lineages), columns)


def _cell(name: str) -> Column:
    """Return the cell of a column in an image, null if it is absent.

    An absent document that has differences in the log did change: its cell exists, not known.
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
        columns.position().alias("position"), kind.alias("kind"), image.alias("image")
    )
    is_before = F.col("kind").isin("update_preimage", "delete")
    changes = images.groupBy("position").agg(
        F.first(F.when(is_before, F.col("image")), ignorenulls=True).alias("before"),
        F.first(F.when(~is_before, F.col("image")), ignorenulls=True).alias("after"),
        F.max(F.col("kind").startswith("update")).alias("is_update"),
    )
    is_paired = F.col("is_update") == (F.col("before").isNotNull() & F.col("after").isNotNull())
    message = F.concat(
        F.lit(
            "expected an insert, a delete or both images of an update; filter changes whole, at "
        ),
        F.to_json("position"),
    )
    return changes.withColumn("position", checked(is_paired, F.col("position"), message))


def _key_events(changes: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return what changes do to each key: key, kind, position, metadata and cells."""

    def key(*sources: str) -> Column:
        return F.struct(
            *[
                checked_key(
                    name,
                    F.coalesce(*[field(name, f"{source}.key") for source in sources])["value"],
                    F.col("position"),
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
        .otherwise(F.array(event("old_key", _LEAVE), event("new_key", _TAKE)))
    )
    cells = F.struct(
        *[
            F.coalesce(field(name, "after.cells"), field(name, "before.cells")).alias(name)
            for name in columns.values
        ]
    )
    exploded = keyed.select(
        F.explode(events).alias("event"),
        "position",
        F.coalesce("after.metadata", "before.metadata").alias("metadata"),
        cells.alias("cells"),
    )
    return exploded.select("event.*", "position", "metadata", "cells")


def _key_intervals(events: DataFrame) -> DataFrame:
    """Return one row for each key interval: its last event, with the last cell of each column.

    Columns are those of the events; `first_kind` and `start`, the kind and position of its first
    event; and `is_last`, whether it is the last interval of its key.
    """
    of_key = Window.partitionBy("key").orderBy("position")
    begins = F.col("kind").isin(_INSERT, _TAKE) | F.coalesce(
        F.lag("kind").over(of_key).isin(*_ENDS), F.lit(False)
    )
    numbered = events.withColumns(
        {"begins": begins.cast("int"), "is_last": F.lead("kind").over(of_key).isNull()}
    )
    so_far = of_key.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    numbered = numbered.withColumn("interval", F.sum("begins").over(so_far))
    of_interval = Window.partitionBy("key", "interval").orderBy("position")
    firsts = {"first_kind": F.col("kind"), "start": F.col("position")}
    return _last_of(numbered, of_interval, firsts).drop("begins", "interval")


def _ends_of_lineages(moved: DataFrame) -> DataFrame:
    """Return the last interval of each lineage that continues, with the last cell of each column.

    Columns are those of the intervals; `origin_kind`, the kind of the first event of the lineage;
    and `origin`, its first key.
    """
    ends = moved.withColumns(
        {
            "taken_by": F.when(F.col("first_kind") == _TAKE, F.col("start")),
            "left_by": F.when(F.col("kind") == _LEAVE, F.col("position")),
        }
    )
    # One change may begin and end an interval, or begin one where the row's last interval ends.
    order = ["start", "taken_by"]
    number = F.udf(_lineage_numbers(), LongType(), useArrow=False).asNondeterministic()
    numbered = (
        ends.repartition(1)
        .sortWithinPartitions(*order)
        .withColumn("lineage", number(F.to_json("taken_by"), F.to_json("left_by")))
    )
    of_lineage = Window.partitionBy("lineage").orderBy(*order)
    firsts = {"origin_kind": F.col("first_kind"), "origin": F.col("key")}
    lineages = _last_of(numbered, of_lineage, firsts)
    return lineages.where(~F.col("kind").isin(*_ENDS) & F.col("is_last"))


def _lineage_numbers() -> Callable[[str | None, str | None], int]:
    """Return a function that numbers lineages when it is called for all intervals in order.

    The function has state. Each task unpickles a copy of its own, as it is returned here.
    """
    open_lineages: dict[str, int] = {}  # by the change by which the row left its key
    numbers = count()

    def number(taken_by: str | None, left_by: str | None) -> int:
        lineage = next(numbers) if taken_by is None else open_lineages.pop(taken_by)
        if left_by is not None:
            open_lineages[left_by] = lineage
        return lineage

    return number


def _last_of(df: DataFrame, window: WindowSpec, firsts: dict[str, Column]) -> DataFrame:
    """Return the last row of each partition of a window, with the last cell of each column."""
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
    is_row = ~F.col("kind").isin(*_ENDS)
    was_there = F.col("origin_kind") != _INSERT
    kind = F.when(~is_row, "delete").when(was_there, "update_postimage").otherwise("insert")
    values = []
    for name in columns.values:
        cell = field(name, "cells")
        message = (
            f"column {name}: expected a document, the log holds only differences; read from an"
            " earlier log, which holds the document, or drop the column, at "
        )
        value = checked(
            F.coalesce(cell["is_known"], F.lit(True)),
            cell["value"],
            F.concat(F.lit(message), F.to_json("position")),
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
