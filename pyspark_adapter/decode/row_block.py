"""Decoded rows of one table, or of tables that differ in their names alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.row_plan import RowPlan, WantedColumn
from pyspark_adapter.values.arrow_arrays import number_array


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Row images of one plan, in the order of the log.

    Attributes:
        plan: by which they were decoded. Its table map is that of the first of several tables.
        num_rows: number of row images.
        columns: the wanted columns.
        metadata: the metadata columns asked for, by name.
        order: (num_rows,) int64, ascending: row images of several blocks are merged by it; None
            for a block that is alone.
        absent: for wanted columns that some row images do not hold, by index: a boolean array,
            true where the column is absent.
        table_of_event: of an event in `order`; None if all row images are of the plan's table.
    """

    plan: RowPlan
    num_rows: int
    columns: list[pa.Array]
    metadata: dict[str, pa.Array]
    order: Any
    absent: dict[int, pa.Array]
    table_of_event: Callable[[int], TableName] | None = None

    def table_of(self, row: int) -> TableName:
        """Return the table of a row image."""
        if self.table_of_event is None:
            return self.plan.table_map.table
        return self.table_of_event(int(self.order[row]))

    def where(self, is_kept: Any) -> RowBlock:
        """Return some of the row images."""
        mask = number_array(is_kept)
        return RowBlock(
            self.plan,
            mask.true_count,
            [column.filter(mask) for column in self.columns],
            {name: column.filter(mask) for name, column in self.metadata.items()},
            None if self.order is None else self.order[is_kept],
            {c: flags.filter(mask) for c, flags in self.absent.items()},
            self.table_of_event,
        )

    def head(self, num_rows: int) -> RowBlock:
        """Return the first row images; the block itself if it has no more."""
        return self if num_rows >= self.num_rows else self.part(0, num_rows)

    def part(self, first: int, num_rows: int) -> RowBlock:
        """Return `num_rows` row images from `first` on."""
        return RowBlock(
            self.plan,
            num_rows,
            [column.slice(first, num_rows) for column in self.columns],
            {name: column.slice(first, num_rows) for name, column in self.metadata.items()},
            None if self.order is None else self.order[first : first + num_rows],
            {c: flags.slice(first, num_rows) for c, flags in self.absent.items()},
            self.table_of_event,
        )


def spread(
    plan: RowPlan,
    held: Sequence[WantedColumn],
    arrays: Sequence[pa.Array],
    flags: Sequence[pa.Array | None],
    num_rows: int,
) -> tuple[list[pa.Array], list[pa.Array | None]]:
    """Return all columns of a plan, with nulls for those that no row image holds.

    Columns of one type share one array of nulls, so thousands of them cost little.

    Args:
        held: the wanted columns that some row image holds.
        arrays: of those.
        flags: of those, true where a column is absent; None if it is not.
        num_rows: row images.

    Returns:
        (arrays, flags) of all wanted columns.
    """
    index_of = {w.column.index: k for k, w in enumerate(held)}
    lacking = {w.field.type for w in plan.wanted if w.column.index not in index_of}
    nulls = {kind: pa.nulls(num_rows, kind) for kind in lacking}
    always = pa.repeat(pa.scalar(True), num_rows)
    pairs = [(index_of.get(w.column.index), w.field.type) for w in plan.wanted]
    return (
        [nulls[kind] if k is None else arrays[k] for k, kind in pairs],
        [always if k is None else flags[k] for k, _ in pairs],
    )
