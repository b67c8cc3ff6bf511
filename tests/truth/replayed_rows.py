"""The rows that row images leave in a table, whether decoded or printed by a tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

Row = dict[int, Any]  # by number of the column, from 1; a column that was never logged is absent
Cell = Mapping[str, str]  # a value as `samples/expected` has it


class Image(Protocol):
    """A row image."""

    @property
    def change_type(self) -> str:
        """As `_change_type` has it."""

    @property
    def start_pos(self) -> int:
        """Offset of the event."""

    @property
    def values(self) -> Mapping[int, Any]:
        """By number of the column; a column not in the image is absent."""

    @property
    def changed(self) -> frozenset[int]:
        """Numbers of absent columns for which the image has differences."""


def replay(images: Iterable[Image]) -> list[Row]:
    """Return the rows that changes of a table leave; raises LookupError."""
    rows: list[Row] = []
    before: Row = {}
    for image in images:
        if image.change_type == "insert":
            rows.append(dict(image.values))
        elif image.change_type == "update_postimage":
            after = {**before, **image.values}
            rows.append({number: after[number] for number in after if number not in image.changed})
        else:
            before = take_row(rows, image)
    return rows


def take_row(rows: list[Row], image: Image) -> Row:
    """Remove and return the row of a before image; columns that either lacks do not count."""
    for index, row in enumerate(rows):
        if all(row.get(number, value) == value for number, value in image.values.items()):
            return rows.pop(index)
    raise LookupError(f"{image.change_type} at {image.start_pos}: no row like {image.values}")


def find_row(
    rows: Sequence[Row],
    cells: Sequence[Cell | None],
    is_same: Callable[[int, Any, Cell | None], bool],
) -> Row | None:
    """Return the row that is the selected one, in the columns that its images have.

    Args:
        rows: what replay left of the table.
        cells: the selected row.
        is_same: takes the number of a column, a value and a cell; returns whether they agree.
    """
    # Rows whose images had few columns agree with many: the fullest are taken first.
    for row in sorted(rows, key=len, reverse=True):
        if all(
            is_same(number, row[number], cell)
            for number, cell in enumerate(cells, start=1)
            if number in row
        ):
            return row
    return None
