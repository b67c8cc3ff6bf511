"""Row images that lack columns, as `binlog_row_image` makes them, with the values from before.

An update logs the columns that it sets, or all but large ones that it does not set. What it leaves
out is in the row before: in its own old image, or in what the row was until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import EventSite, located
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.plan.output_schema import ABSENT, DIFF
from pyspark_adapter.values.binary_json.diff import changed_text, parse_text

_TYPE: Final = "_change_type"


def absent_columns(images: pa.Table) -> dict[str, Numbers]:
    """Return by column (n,) bool: the images that lack it. Columns that none lacks are left out."""
    lists = images[ABSENT].combine_chunks()
    if isinstance(lists, pa.ChunkedArray):
        lists = pa.concat_arrays(lists.chunks)
    owners = pc.list_parent_indices(lists).to_numpy()
    names = pc.list_flatten(lists).to_numpy(zero_copy_only=False)
    absent: dict[str, Numbers] = {}
    for name in images.column_names:
        of_name = owners[names == name]
        if len(of_name):
            absent[name] = np.zeros(len(images), dtype=bool)
            absent[name][of_name] = True
    return absent


def filled_from_old_images(images: pa.Table) -> pa.Table:
    """Return images whose new images of updates have what their old images have."""
    absent = absent_columns(images)
    if not absent:
        return images
    before = np.arange(len(images)) - _is_second(images)
    left: dict[str, Numbers] = {}
    for name, lacks in absent.items():
        source = np.where(lacks, before, np.arange(len(images)))
        left[name] = lacks & lacks[source]
        column = images[name].take(pa.array(source))
        images = images.set_column(images.column_names.index(name), name, column)
    return images.set_column(images.column_names.index(ABSENT), ABSENT, _lists(left, len(images)))


def _is_second(images: pa.Table) -> Numbers:
    """Return (n,) bool: the new images of updates that come after their old images."""
    kinds = images[_TYPE].to_numpy()
    after = kinds == "update_postimage"
    after[:1] = False
    after[1:] &= kinds[:-1] == "update_preimage"
    for name in ("_commit_version", "_row_number"):
        values = images[name].to_numpy()
        after[1:] &= values[1:] == values[:-1]
    return np.asarray(after)


def _lists(absent: Mapping[str, Numbers], count: int) -> pa.Array:
    """Return the column of images that lack columns."""
    names = np.array(list(absent), dtype=object)
    lacks = np.stack(list(absent.values()), axis=1) if absent else np.zeros((count, 0), dtype=bool)
    owners, columns = np.nonzero(lacks)
    offsets = np.searchsorted(owners, np.arange(count + 1)).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(names[columns], pa.string()))


def filled_from_rows(
    both: pa.Table, images: pa.Table, previous: Numbers, default_of: Callable[[str], pa.Scalar]
) -> tuple[pa.Table, Numbers]:
    """Return rows and images with what the images lack, and where that is not known.

    Args:
        both: the rows, and then the images, without metadata columns.
        images: with metadata columns.
        previous: (n,) of each of both, the one before of the same row; -1 for none.
        default_of: gives the value of a column that an insert leaves out.

    Returns:
        The table, and (n,) bool: whether a value is not known.

    Raises:
        BinlogError: if differences are not of the document before.
    """
    first, count = len(both) - len(images), len(both)
    unknown = np.zeros(count, dtype=bool)
    absent = absent_columns(images)
    if not absent:
        return both, unknown
    kinds = images[_TYPE].to_numpy()
    before = np.append(previous, -1)
    before[first:-1][_is_second(images)] = np.flatnonzero(_is_second(images)) + first - 1
    before[before < 0] = count
    for name, lacks_name in absent.items():
        lacks = np.append(np.append(np.zeros(first, dtype=bool), lacks_name), True)
        column = both[name]
        inserts = np.append(np.zeros(first, dtype=bool), lacks_name & (kinds == "insert"))
        if inserts.any():
            value = default_of(name).cast(column.type)
            column = pc.if_else(pa.array(inserts), value, column)
            lacks[:-1] &= ~inserts
        differences = _differences(images, name, lacks_name)
        lacks[[first + row for row in differences]] = False  # each leads to a document of its own
        source = np.where(lacks, before, np.arange(count + 1))
        while (source[source] != source).any():  # the value is where the row had one last
            source = source[source]
        source = source[:-1]
        if differences:
            column, source = _with_documents(column, source, images, before, differences)
        unknown |= source == count
        column = column.take(pa.array(np.where(source == count, 0, source)))
        both = both.set_column(both.column_names.index(name), name, column)
    return both, unknown


def _with_documents(
    column: pa.ChunkedArray,
    source: Numbers,
    images: pa.Table,
    before: Numbers,
    differences: Mapping[int, Any],
) -> tuple[pa.ChunkedArray, Numbers]:
    """Return a column with the documents that differences lead to, and the new sources.

    Args:
        column: (n,) of rows and images.
        source: (n,) where the value of each is; itself for the images with differences, n for
            unknown.
        images: the last of these.
        before: (n + 1,) the image or row before, n for none.
        differences: by image, in order.

    Raises:
        BinlogError: if they are not of the document before.
    """
    count, first = len(source), len(source) - len(images)
    position = np.arange(count + 1)
    documents: list[str | None] = [None]  # at n: not known
    for row, changes in differences.items():
        start = before[first + row]
        start = int(position[source[start] if start < count else count])
        if start == count:
            position[first + row] = count
            continue
        known = column[start].as_py() if start < count else documents[start - count]
        site = EventSite(images["_log_file"][row].as_py(), images["_start_pos"][row].as_py())
        with located(site):
            documents.append(changed_text(known, changes))
        position[first + row] = count + len(documents) - 1
    return pa.chunked_array([*column.chunks, pa.array(documents, column.type)]), position[source]


def _differences(images: pa.Table, name: str, lacks: Numbers) -> dict[int, Any]:
    """Return by image the differences by which a document is logged that it lacks.

    Raises:
        BinlogError: if they are not valid.
    """
    differences: dict[int, Any] = {}
    has_some = images[DIFF].is_valid().to_numpy()
    for row in np.flatnonzero(lacks & has_some).tolist():
        of_columns = parse_text(images[DIFF][row].as_py())
        if name.encode() in of_columns:
            differences[row] = of_columns[name.encode()]
    return differences
