"""What the kernels give of a log, compared with what the schema gives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyspark_adapter import BinlogError, TableName, read_batches
from pyspark_adapter.plan.output_schema import commit_version_base
from pyspark_adapter.sources.log_file import log_number
from tests.oracle.cells import Unknown, is_same, is_same_in_json
from tests.oracle.documents import parsed
from tests.oracle.rows import Image, images_of

METADATA = (
    *("_change_type", "_commit_version", "_row_number", "_commit_timestamp", "_gtid", "_start_pos"),
    *("_server_id", "_event_timestamp", "_query", "_xa", "_thread_id", "_transaction_bytes"),
)


def by_table(path: Path) -> dict[TableName, list[Image]]:
    """Return the row images of a log by the schema."""
    found: dict[TableName, list[Image]] = defaultdict(list)
    for image in images_of(path):
        found[image.table].append(image)
    return found


def compare(path: Path, table: TableName, images: list[Image]) -> Counter[str]:
    """Compare the rows of a table; count equal values, and values that the log leaves open."""
    counts: Counter[str] = Counter()
    try:
        rows = read_batches(path, table=table, metadata_columns=METADATA).to_table()
    except BinlogError as error:
        return Counter({type(error).__name__: 1})
    assert rows.num_rows == len(images)
    values = {name: rows.column(name).to_pylist() for name in rows.column_names}
    for name in ("_commit_timestamp", "_event_timestamp"):
        values[name] = rows.column(name).cast(pa.int64()).to_pylist()
    base = commit_version_base(log_number(path.name))
    names = [name for name in rows.column_names if name not in METADATA]
    as_json = read_batches(path, tables=str(table), metadata_columns=()).to_table()["row"]
    for k, (image, text) in enumerate(zip(images, as_json.to_pylist(), strict=True)):
        wanted = image.metadata | {"_commit_version": base + image.metadata["_commit_version"]}
        assert {name: values[name][k] for name in METADATA} == wanted
        is_whole = len(image.names) == len(names)
        members = parsed(text)
        for c, (logged, value) in enumerate(zip(image.names, image.values, strict=True)):
            name = names[c] if is_whole else logged
            if name not in values:
                counts["renamed"] += 1
                continue
            kind = rows.schema.field(name).type
            assert is_same(values[name][k], kind, value), (image.metadata, name)
            assert is_same_in_json(members.get(name), image.codes[c], value), (image.metadata, name)
            counts["untold" if value is Unknown.UNTOLD else "same"] += 1
    return counts


def compare_log(path: Path) -> Counter[str]:
    tables = by_table(path).items()
    return sum((compare(path, table, images) for table, images in tables), Counter())


PLACES = ("_database_name", "_table_name", "_change_type", "_start_pos")


def images_before_an_error(path: Path) -> Iterator[Image]:
    """Yield the row images of a damaged log, as far as the schema gets."""
    with suppress(Exception):
        yield from images_of(path)


def first_difference(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    """Return where rows as JSON, with PLACES, are not those of the schema; "" if they are.

    Either may end before the other, as both do at what they do not accept.
    """
    for number, (row, image) in enumerate(zip(rows, images_before_an_error(path), strict=False)):
        table, facts = image.table, image.metadata
        place = [table.database_name, table.table_name, facts["_change_type"], facts["_start_pos"]]
        if [row[name] for name in PLACES] != place:
            return f"row {number}: {row}, expected one at {place}"
        members = [*parsed(row["row"]).values()]
        cells = list(zip(image.codes, image.values, strict=True))
        cells = [cell for cell in cells if cell[1] is not Unknown.ABSENT]
        if len(members) != len(cells):
            continue  # two columns have the same name
        for k, (found, (code, value)) in enumerate(zip(members, cells, strict=True)):
            if not is_same_in_json(found, code, value):
                return f"row {number}, value {k} of {row}: expected {value}"
    return ""


def rows_with_places(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a log for `first_difference`, read by the kernels."""
    batches = read_batches(path, metadata_columns=PLACES, on_statement_events="ignore")
    return [row for batch in batches for row in batch.to_pylist()]
