"""The rows that row images lead to, a batch of images at a time.

No Python object is made for a row: rows get a number by their key, and a sort by this number, which
keeps the order of the log, puts the images of a row next to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.as_of.partial_images import filled_from_rows
from pyspark_adapter.errors import (
    BinlogError,
    EventSite,
    SchemaMismatchError,
    UnsupportedError,
    listed,
)
from pyspark_adapter.plan.output_schema import ABSENT, METADATA_BY_NAME
from pyspark_adapter.values.equal_rows import row_numbers
from pyspark_adapter.values.widening import common_type

TYPE: Final = "_change_type"
_NEW_IMAGES: Final = pa.array(["insert", "update_postimage"])
_ADVICE: Final = (
    "check that the baseline is of the position passed, that no log is missing, and"
    " that the server logs all changes of the table (sql_log_bin, foreign keys with CASCADE)"
)


class RowState:
    """Rows of a table, which row images change.

    Args:
        name: of the table, for messages.
        rows: the rows to begin with.
        is_whole: whether these are all rows; else an image may be of a row that is not known.

    Attributes:
        rows: the rows now.
        num_unknown: of rows that were not known when a change of them came.
    """

    def __init__(self, name: str, rows: pa.Table, *, is_whole: bool) -> None:
        self._name = name
        self.rows = rows
        self._is_whole = is_whole
        self.num_unknown = 0

    def apply(
        self,
        images: pa.Table,
        key: Sequence[str],
        default_of: Callable[[str], pa.Scalar] | None = None,
    ) -> None:
        """Take row images, in the order of the log.

        Args:
            images: metadata columns and all columns of the rows.
            key: the columns that identify a row; none if whole rows do, of which some may be equal.
            default_of: gives the value of a column that inserts leave out; None if no image lacks
                columns.

        Raises:
            SchemaMismatchError: if the columns of the rows are others.
            UnsupportedError: for a null in the key, as a date 0000-00-00 is read, or an image that
                lacks columns of a row that is not known.
            BinlogError: if an image changes a row that is not there, or adds one that is.
        """
        metadata = [name for name in images.column_names if name in METADATA_BY_NAME]
        changed = images.drop_columns(metadata)
        rows, changed = same_columns(self._name, self.rows, changed)
        both = pa.concat_tables([rows, changed]).combine_chunks()
        is_new = pc.is_in(images[TYPE], _NEW_IMAGES).to_numpy()
        exists = np.concatenate([np.ones(len(rows), dtype=bool), is_new])
        names = [name for name in both.column_names if name.lower() in {*map(str.lower, key)}]
        for name in names:
            if both[name].null_count:
                raise UnsupportedError(
                    f"table {self._name}: column {name} of its key has a null, or a date such as"
                    " 0000-00-00: such rows cannot be told from each other"
                )
        numbers = row_numbers(both.select(names or both.column_names))
        order = np.argsort(numbers, kind="stable")
        sorted_numbers, exists = numbers[order], exists[order]
        is_first = np.append([True], sorted_numbers[1:] != sorted_numbers[:-1])
        is_last = np.append(is_first[1:], [True])
        if names:
            before = np.append([False], exists[:-1]) & ~is_first
            wrong = before == exists
            unknown = is_first & ~exists
            kept = order[is_last & exists]
        else:
            steps = np.where(exists, 1, -1)
            count = np.cumsum(steps)
            starts = np.flatnonzero(is_first)
            run = np.cumsum(is_first) - 1
            count -= np.append([0], count[starts[1:] - 1])[run]
            if not self._is_whole:  # each image of a row that is not known was one of these
                low = np.minimum(np.minimum.reduceat(count, starts), 0)
                unknown = is_last & (low[run] < 0)
                self.num_unknown -= int(low.sum()) + int(unknown.sum())
                wrong, count = np.zeros(len(order), dtype=bool), count - low[run]
            else:
                wrong, unknown = count < 0, np.zeros(len(order), dtype=bool)
            kept = np.repeat(order[is_last], np.maximum(count[is_last], 0))
        if not self._is_whole:
            wrong &= ~unknown
            self.num_unknown += int(unknown.sum())
        if wrong.any():
            raise self._contradiction(images, both, names, int(order[wrong].min()) - len(rows))
        if default_of is not None:
            previous = np.full(len(order), -1)
            previous[order[1:]] = np.where(is_first[1:], -1, order[:-1])
            both, unknown_values = filled_from_rows(both, images, previous, default_of)
            if unknown_values[kept].any():
                number = int(kept[unknown_values[kept]].min()) - len(rows)
                raise partial_error(self._name, images.slice(number, 1))
        self.rows = both.take(pa.array(np.sort(kept)))

    def _contradiction(
        self, images: pa.Table, both: pa.Table, names: Sequence[str], number: int
    ) -> BinlogError:
        """Return the error for an image that does not fit the rows; `number` is below 0 for one."""
        row = both.slice(number + len(both) - len(images), 1).select(list(names)).to_pylist()[0]
        shown = f" with {', '.join(f'{k} = {v}' for k, v in row.items())}" if row else ""
        if number < 0:
            return BinlogError(
                f"table {self._name}: expected rows with distinct keys in the baseline, found two"
                f" rows{shown}",
                advice=_ADVICE,
            )
        image = images.slice(number, 1).to_pylist()[0]
        is_new = image[TYPE] in _NEW_IMAGES.to_pylist()
        problem = "a row that already exists" if is_new else "a row that does not exist"
        return BinlogError(
            f"table {self._name}: {image[TYPE]} of {problem}{shown}",
            site=EventSite(image["_log_file"], image["_start_pos"]),
            advice=_ADVICE,
        )


def partial_error(name: str, image: pa.Table) -> UnsupportedError:
    """Return the error for an image without columns whose values are not known."""
    [row] = image.to_pylist()
    return UnsupportedError(
        f"table {name}: an image without the columns {listed(row[ABSENT])}, whose values are not"
        " known (binlog_row_image, PARTIAL_JSON)",
        site=EventSite(row["_log_file"], row["_start_pos"]),
        advice="choose a baseline after this change, or a moment before it",
    )


def same_columns(name: str, rows: pa.Table, changed: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Return two tables in the columns of the second, in the types that hold the values of both.

    Raises:
        SchemaMismatchError: if their columns differ.
    """
    by_name = {column.lower(): column for column in rows.column_names}
    wanted = {column.lower(): column for column in changed.column_names}
    if by_name.keys() != wanted.keys():
        more, fewer = by_name.keys() - wanted.keys(), wanted.keys() - by_name.keys()
        raise SchemaMismatchError(
            f"table {name}: the rows have columns {listed(by_name.values())}, and the log"
            f" {listed(wanted.values())}: expected the same"
            f" (only the rows have {listed(sorted(more)) if more else 'none'}, only the log"
            f" {listed(sorted(fewer)) if fewer else 'none'})",
            advice="if the log has no names of columns, give the definition in option ddl",
        )
    fields = []
    for key, column in wanted.items():
        here, there = rows.schema.field(by_name[key]).type, changed.schema.field(column).type
        if {str(kind).removeprefix("large_") for kind in (here, there)} == {"binary", "string"}:
            raise SchemaMismatchError(  # a cast would take text for bytes
                f"table {name}: column {column} is {here} in the rows, and {there} in the log",
                advice="give the definition of the table in option ddl, or another baseline",
            )
        fields.append(pa.field(column, common_type(here, there) or there))
    schema = pa.schema(fields)
    try:
        rows = rows.select([by_name[key] for key in wanted]).rename_columns(list(wanted.values()))
        return rows.cast(schema), changed.cast(schema)
    except pa.ArrowException as error:
        raise SchemaMismatchError(
            f"table {name}: the types of the baseline do not fit those of the log: {error}"
        ) from error
