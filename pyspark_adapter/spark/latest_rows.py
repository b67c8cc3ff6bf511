"""The state that row changes leave: the last row of each key, as DataFrame operations.

The changes of a key are brought together by one shuffle, and the last of them counts. Where the
frame has the column `_absent_columns`, row images may lack columns, and rows are followed through
all their changes: see `row_lives`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.spark.change_columns import (
    ABSENT,
    DIFF,
    TYPE,
    ChangeColumns,
    checked_key,
    field,
)
from pyspark_adapter.spark.row_lives import PREVIOUS_KEY, changes_of_lives

DEFAULT_ORDER = ("_commit_version", "_row_number")


def latest_rows(
    df: DataFrame,
    keys: Sequence[str],
    *,
    order_by: Sequence[str] = DEFAULT_ORDER,
    metadata: bool = False,
) -> DataFrame:
    """Return the rows that changes leave: of each key the last one, if it was not deleted.

    For changes from the creation of a table on, these are the rows of the table. For later ones
    they are the rows that were changed and are still there. All changes that are logged count, also
    those of a distributed transaction that was prepared and then rolled back: see `_xa`.

    ::

        orders = spark.read.format("mysql_binlog").option("table", "shop.orders").load(path)
        latest_rows(orders, ["order_id"]).show()

    With `_absent_columns` in the frame a column that an image lacks has the value of the last image
    of its row that had it, also if the row had another key then. What no image had is null, and
    named in `_absent_columns` of the result. Of a frame that `load` gives, Spark reads the logs
    twice for that: `persist` it before, or write it as Parquet, to have them read once.

    Args:
        df: changes of one table with its columns by their names in the log, both images of each
            update, `_change_type` and what `order_by` names; `_absent_columns` and `_json_diff`
            if images are not whole (`binlog_row_image` other than FULL): that they are not cannot
            be seen without.
        keys: columns of the primary key, or of another that identifies rows and is never null;
            with `binlog_row_image=MINIMAL` the primary key.
        order_by: columns that order the changes. `_commit_version` does for the logs of one
            server as long as it numbers them on; after RESET BINARY LOGS, and over several
            servers, a column of your own has to stand before it.
        metadata: keep the metadata columns, those of the last change of each row.

    Raises:
        OptionError: for a streaming frame (use `foreachBatch`), and for names that are not what
            they should be.
        SchemaMismatchError: the frame lacks a column.

    What only rows can tell is an error when Spark runs, in its words and ours: a null in a key, a
    key or one of two images that is not there, a document of which the log holds but differences.
    """
    columns = _find_columns(df, keys, order_by)
    dropped = {DIFF} if metadata else {*columns.metadata} - {ABSENT}
    rows = _changes_of_keys(df, columns).where(F.col(TYPE) != "delete")
    return rows.select(*[field(name) for name in df.columns if name not in dropped])


def latest_changes(
    df: DataFrame, keys: Sequence[str], *, order_by: Sequence[str] = DEFAULT_ORDER
) -> DataFrame:
    """Return what changes come to: one row for each key, to upsert or delete in another table.

    Columns are those of the frame but `_json_diff`, metadata those of the last change of the key.
    `_change_type` is

    - `delete` where no row has the key any more: it was deleted, or got another key; all columns
      but the key are null;
    - `insert` or `update_postimage` where one has it. In whole images they are as the last change
      was. With `_absent_columns` in the frame it is `insert` if the row has come into being within
      these changes, so that absent columns have their defaults; and `update_postimage` if it was
      there before, so that they are as they were.

    With `_absent_columns` there is a column more, `_previous_key`: the key, as a struct, of a row
    that was there before these changes under another one; else null. What is absent of such a row
    is to be found there.

    Args:
        df: as of `latest_rows`.
        keys: as of `latest_rows`.
        order_by: as of `latest_rows`.

    Raises:
        OptionError: as `latest_rows`.
        SchemaMismatchError: as `latest_rows`.
    """
    columns = _find_columns(df, keys, order_by)
    names = [name for name in df.columns if name != DIFF]
    if ABSENT in columns.metadata:
        names.append(PREVIOUS_KEY)
    return _changes_of_keys(df, columns).select(*map(field, names))


def _changes_of_keys(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    return (
        changes_of_lives(df, columns) if ABSENT in columns.metadata else _last_images(df, columns)
    )


def _last_images(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return the last image of each key; one before an update, and no other then, is a delete.

    Where an update leaves the key as it is, the image after it has it too, and is later.
    """
    is_row = columns.kind().isin("insert", "update_postimage")
    kept = [F.when(is_row, field(name)).alias(name) for name in columns.values]
    metadata = [field(name) for name in columns.metadata if name not in (TYPE, DIFF)]
    images = df.select(
        F.struct(
            *[checked_key(name, field(name), columns.order_of_change()) for name in columns.keys]
        ).alias("key"),
        F.struct(
            columns.order_of_change(), (F.col(TYPE) != "update_preimage").alias("is_after")
        ).alias("place"),
        F.struct(
            F.when(is_row, F.col(TYPE)).otherwise("delete").alias(TYPE), *metadata, *kept
        ).alias("image"),
    )
    last = images.groupBy("key").agg(F.max_by("image", "place").alias("image"))
    return last.select("key.*", "image.*")


def _find_columns(df: DataFrame, keys: Sequence[str], order_by: Sequence[str]) -> ChangeColumns:
    """Return which columns of a frame are what.

    Raises:
        OptionError: as `latest_rows`.
        SchemaMismatchError: as `latest_rows`.
    """
    if df.isStreaming:
        raise OptionError("expected a frame that ends, got a stream: use foreachBatch", option="df")
    by_lower: dict[str, str] = {}
    for name in df.columns:
        if name.lower() in by_lower:
            raise SchemaMismatchError(f"column {name}: expected one of this name, found two")
        by_lower[name.lower()] = name
    order = _find("order_by", order_by, by_lower)
    found_keys = _find("keys", keys, by_lower)
    _find("df", [TYPE], by_lower)
    metadata = [name for name in df.columns if name in METADATA_BY_NAME or name in order]
    for name in found_keys:
        if name in metadata:
            _refuse("keys", name, "columns of the table")
    if ABSENT in metadata and DIFF not in metadata:
        raise SchemaMismatchError(
            f"expected {DIFF} beside {ABSENT}: it tells what of a document has changed that is"
            " absent; option metadataColumns gives it"
        )
    values = [name for name in df.columns if name not in metadata and name not in found_keys]
    return ChangeColumns(tuple(found_keys), tuple(values), tuple(metadata), tuple(order))


def _find(option: str, names: Iterable[str], by_lower: dict[str, str]) -> list[str]:
    """Return names as the frame has them."""
    if isinstance(names, str):
        _refuse(option, names, "a list of names")
    found = []
    for name in names:
        if name.lower() not in by_lower:
            there = ", ".join(by_lower.values())
            raise SchemaMismatchError(f"{option}: expected column {name}, found {there}")
        if by_lower[name.lower()] in found:
            _refuse(option, name, "each name once")
        found.append(by_lower[name.lower()])
    if not found:
        _refuse(option, "", "names of columns")
    return found


def _refuse(option: str, value: str, allowed: str) -> None:
    raise OptionError(
        f"{option}: expected {allowed}, got {value!r}", option=option, value=value, allowed=allowed
    )
