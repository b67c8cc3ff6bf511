"""Rows, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.corpus.cells import read_cell, readings
from tests.corpus.logs import Pair
from tests.corpus.table_maps import column_comment
from tests.corpus.tally import Place, Tally
from tests.truth.tool_text import ChangeType, Flavor, RowImage, parse_rows

# In the order in which the tools print them.
FLAGS = {
    "is_statement_end": "STMT_END_F",
    "is_no_foreign_key_checks": "NO_FOREIGN_KEY_CHECKS_F",
    "is_relaxed_unique_checks": "RELAXED_UNIQUE_CHECKS_F",
    "has_complete_rows": "COMPLETE_ROWS_F",
    "is_sql_foreign_key": "USE_SQL_FOREIGN_KEY_F",
    "is_no_check_constraints": "NO_CHECK_CONSTRAINT_CHECKS_F",
}


@dataclass(frozen=True)
class SchemaImage:
    """A row image with the event that it stands in."""

    place: Place
    change_type: ChangeType
    database_name: str
    table_name: str
    cells: list[Any]
    table_map: Any


@dataclass
class Statement:
    """The rows events of a statement, until the tool prints their rows."""

    pairs: list[Pair] = field(default_factory=list)


def change_type(body: Any, *, is_after: bool) -> ChangeType:
    """Return what an image is."""
    if body.operation.name == "write":
        return ChangeType.INSERT
    if body.operation.name == "delete":
        return ChangeType.DELETE
    return ChangeType.UPDATE_POSTIMAGE if is_after else ChangeType.UPDATE_PREIMAGE


def images_of(pair: Pair) -> Iterator[SchemaImage]:
    """Yield the images of a rows event."""
    body = pair.plain.body
    table_map = pair.plain._root.events[body.layout.table_map_event_index].body
    for row in body.rows or []:
        for name in ("before_image", "after_image"):
            image = getattr(row, name, None)
            if image is not None:
                yield SchemaImage(
                    pair.place,
                    change_type(body, is_after=name == "after_image"),
                    body.database,
                    body.table,
                    image,
                    table_map,
                )


def compare_image(printed: RowImage, parsed: SchemaImage, tally: Tally, flavor: Flavor) -> None:
    place = parsed.place
    tally.check("rows.change", place, printed.change_type, parsed.change_type)
    tally.check(
        "rows.table",
        place,
        (printed.database_name, printed.table_name),
        (parsed.database_name, parsed.table_name),
    )
    if printed.is_complete:
        numbers = {cell.column_index + 1 for cell in parsed.cells if cell.is_present}
        tally.check("rows.columns", place, set(printed.values), numbers)
    else:
        tally.skipped["cells after a GEOMETRY, which mysqlbinlog cannot print"] += 1
    for cell in parsed.cells:
        number = cell.column_index + 1
        if not cell.is_present or number not in printed.values:
            continue
        name = parsed.table_map.columns[cell.column_index].column_type.name
        comment = column_comment(parsed.table_map, cell.column_index, is_null=cell.is_null)
        tally.check(f"column.{name}", place, printed.types[number], comment)
        if cell.is_null:
            tally.check("cell.null", place, printed.values[number], b"NULL")
            continue
        tool, schema = readings(printed.values[number], read_cell(cell), flavor)
        tally.check(f"cell.{name}", place, tool, schema)


def compare_rows(pair: Pair, tally: Tally, statement: Statement, flavor: Flavor) -> None:
    """Compare a rows event; its rows when the tool prints those of the statement."""
    body = pair.plain.body
    words = [word for name, word in FLAGS.items() if getattr(body.head.flag_bits, name)]
    if flavor is Flavor.MARIADB:
        words = [] if body.head.version == 0 else [word for word in words if word == "STMT_END_F"]
    detail = f"table id {body.table_id}" + (f" flags: {' '.join(words)}" if words else "")
    tally.check("rows.header", pair.place, pair.section.detail.strip(), detail)
    if body.head.version == 0:
        tally.skipped["rows of version 0, which the tools do not print"] += 1
        return
    statement.pairs.append(pair)
    printed = parse_rows(pair.section.lines, (pair.place.start_pos,), flavor)
    if not printed and not body.head.flag_bits.is_statement_end:
        return
    compare_statement(printed, statement, tally, flavor)


def compare_statement(
    printed: list[RowImage], statement: Statement, tally: Tally, flavor: Flavor
) -> None:
    """Compare the rows of a statement, and begin the next one."""
    pairs, statement.pairs = statement.pairs, []
    bodies = [pair.plain.body for pair in pairs]
    if not all(
        body.layout.is_row_sized or not (body.head.version and body.row_data) for body in bodies
    ):
        tally.skipped["rows without a table map, or of unknown widths"] += len(printed)
        return
    parsed = [image for pair in pairs for image in images_of(pair)]
    shown = [image for image in printed if image.values or not image.is_complete]
    tally.skipped["rows without a column"] += len(printed) - len(shown)
    if all(image.is_complete for image in shown):
        tally.check("rows.count", pairs[-1].place, len(shown), len(parsed))
    for image, found in zip(shown, parsed, strict=False):
        compare_image(image, found, tally, flavor)
