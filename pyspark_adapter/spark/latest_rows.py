"""The state that row changes lead to: the last row of each key, as DataFrame operations.

One shuffle groups the changes by key, and the last change of a key wins. If the frame has the
column `_absent_columns`, row images may lack columns. Each row is then followed through all its
changes; see `row_lineage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.errors import OptionError, SchemaMismatchError
from pyspark_adapter.plan.output_schema import ABSENT, DIFF, METADATA_BY_NAME
from pyspark_adapter.spark.change_columns import (
    TYPE,
    ChangeColumns,
    check_row_key,
    checked_key,
    field,
    row_key_of,
)
from pyspark_adapter.spark.removals import changes_of_rows, has_statements, last_removal
from pyspark_adapter.spark.row_lineage import PREVIOUS_KEY, merge_lineages

DEFAULT_ORDER = ("_commit_version", "_row_number")


def latest_rows(
    df: DataFrame,
    keys: Sequence[str] | None = None,
    *,
    order_by: Sequence[str] = DEFAULT_ORDER,
    metadata: bool = False,
) -> DataFrame:
    """Return the last row of each key, unless it was deleted.

    If the changes start where the table was created, the result is the table. If they start later,
    it is the rows that were changed and still exist. Every logged change counts, including those of
    a distributed transaction that was prepared and rolled back later; see `_xa`.

    ::

        orders = spark.read.format("mysql_binlog").option("table", "shop.orders").load(path)
        latest_rows(orders).show()

    If the frame has statements (option schemaChanges), the rows are those since the last TRUNCATE
    or DROP TABLE; what else removes or renames is an error. If it has none and comes from `load`,
    changes from before such a statement are an error, and so are those that came after `load`.

    If the frame has `_absent_columns`, a column that is absent from an image takes its value from
    the last earlier image of the row that has it, even if the row had another key then. A column
    that no image has is null and listed in the `_absent_columns` of the result. Spark then reads
    the logs of a frame that comes straight from `load` twice. To read them once, `persist` the
    frame or write it as Parquet first.

    Of a table whose history MariaDB keeps (WITH SYSTEM VERSIONING), the result has the rows of
    `FOR SYSTEM_TIME ALL`: its key ends in `row_end`.

    MariaDB leaves generated columns out of updates (since 11.8.9 whatever `binlog_row_image` is).
    They are null then, or have an earlier value: drop them from the frame first.

    Args:
        df: changes of one table: its columns, with their names in the log; both images of each
            update; `_change_type` and the columns of `order_by`. If images are not complete
            (`binlog_row_image` other than FULL), also `_absent_columns` and `_json_diff`; without
            these, an absent value cannot be told from NULL.
        keys: columns of the primary key, or of another key that identifies rows and is never null.
            With `binlog_row_image=MINIMAL`, the primary key. None for the key that the columns
            name in their metadata, as those of a read of one table do: the primary key, else the
            first unique key of NOT NULL columns, from the log (`binlog_row_metadata=FULL`), the
            statements in it or the option `ddl`.
        order_by: columns that order the changes. `_commit_version` orders the logs of one server
            until RESET BINARY LOGS restarts their numbers. After that, or for several servers, put
            a column of your own before it.
        metadata: keep the metadata columns, with the values of the last change of each row.

    Raises:
        OptionError: for a streaming frame (use `foreachBatch`), invalid `keys` or `order_by`, or
            no keys.
        SchemaMismatchError: if the frame lacks a column.

    Errors that depend on rows are raised when Spark runs the job: a null in a key, a missing key, a
    missing image of an update, a document of which the log holds only differences.
    """
    columns = _find_columns(df, keys, order_by)
    dropped = {DIFF} if metadata else {*columns.metadata} - {ABSENT}
    changes = changes_of_rows(df, columns, finds_key=keys is None)
    rows = _changes_of_keys(changes, columns).where(F.col(TYPE) != "delete")
    return rows.select(*[field(name) for name in df.columns if name not in dropped])


def latest_changes(
    df: DataFrame, keys: Sequence[str] | None = None, *, order_by: Sequence[str] = DEFAULT_ORDER
) -> DataFrame:
    """Return the net change of each key: one row to upsert into, or delete from, another table.

    The result has the columns of the frame, except `_json_diff`, and metadata of the last change of
    the key. `_change_type` is

    - `delete` if no row has the key any more, because it was deleted or its key changed. The
      columns of the table that are not in the key are null.
    - `insert` or `update_postimage` if a row has the key. If images are complete, it is the type of
      the last change. If the frame has `_absent_columns`, it is `insert` for a row that these
      changes inserted: its absent columns have their defaults. It is `update_postimage` for an
      older row: its absent columns are unchanged.
    - `truncate` or `drop`, in one row whose key is null, if such a statement removed all rows
      (option schemaChanges). It comes before the others, which are of the changes since then.

    If the frame has `_absent_columns`, the result also has `_previous_key`: a struct with the key
    that the row had before these changes, if that was another one; else null. The absent columns of
    such a row have the values stored under that key.

    It takes the arguments of `latest_rows`.

    Raises:
        OptionError: as `latest_rows`.
        SchemaMismatchError: as `latest_rows`.
    """
    columns = _find_columns(df, keys, order_by)
    names = [name for name in df.columns if name != DIFF]
    if ABSENT in columns.metadata:
        names.append(PREVIOUS_KEY)
    changes = changes_of_rows(df, columns, finds_key=keys is None)
    net = _changes_of_keys(changes, columns).select(*map(field, names))
    if not has_statements(df):
        return net
    return net.unionByName(last_removal(df, columns).drop(DIFF), allowMissingColumns=True)


def _changes_of_keys(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    return merge_lineages(df, columns) if ABSENT in columns.metadata else _last_images(df, columns)


def _last_images(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return the last image of each key. A preimage without a later image counts as a delete.

    If an update does not change the key, its postimage has the same key and is later.
    """
    is_row = columns.kind().isin("insert", "update_postimage")
    kept = [F.when(is_row, field(name)).alias(name) for name in columns.values]
    metadata = [field(name) for name in columns.metadata if name not in (TYPE, DIFF)]
    images = df.select(
        F.struct(
            *[checked_key(name, field(name), columns.position()) for name in columns.keys]
        ).alias("key"),
        F.struct(columns.position(), (F.col(TYPE) != "update_preimage").alias("is_after")).alias(
            "position"
        ),
        F.struct(
            F.when(is_row, columns.kind()).otherwise("delete").alias(TYPE), *metadata, *kept
        ).alias("image"),
    )
    last = images.groupBy("key").agg(F.max_by("image", "position").alias("image"))
    return last.select("key.*", "image.*")


def _find_columns(
    df: DataFrame, keys: Sequence[str] | None, order_by: Sequence[str]
) -> ChangeColumns:
    """Return the columns of a frame by their use; raises OptionError or SchemaMismatchError."""
    if df.isStreaming:
        raise OptionError("df: expected a batch frame, got a stream; use foreachBatch", option="df")
    by_lower: dict[str, str] = {}
    for name in df.columns:
        if name.lower() in by_lower:
            raise SchemaMismatchError(f"column {name}: expected one of this name, found two")
        by_lower[name.lower()] = name
    order = _find("order_by", order_by, by_lower)
    _find("df", [TYPE], by_lower)
    found_keys = _find("keys", row_key_of(df) if keys is None else keys, by_lower)
    check_row_key(df, found_keys)
    metadata = [name for name in df.columns if name in METADATA_BY_NAME or name in order]
    for name in found_keys:
        if name in metadata:
            _refuse("keys", name, "columns of the table")
    if ABSENT in metadata and DIFF not in metadata:
        raise SchemaMismatchError(
            f"expected {DIFF} with {ABSENT}: it holds the changes of absent documents; add it with"
            " option metadataColumns"
        )
    values = [name for name in df.columns if name not in metadata and name not in found_keys]
    return ChangeColumns(tuple(found_keys), tuple(values), tuple(metadata), tuple(order))


def _find(option: str, names: Iterable[str], by_lower: dict[str, str]) -> list[str]:
    """Return names as the frame spells them."""
    if isinstance(names, str):
        _refuse(option, names, "a list of names")
    matches = []
    for name in names:
        if name.lower() not in by_lower:
            there = ", ".join(by_lower.values())
            raise SchemaMismatchError(f"{option}: expected column {name}, found {there}")
        if by_lower[name.lower()] in matches:
            _refuse(option, name, "each name once")
        matches.append(by_lower[name.lower()])
    if not matches:
        _refuse(option, "", "names of columns")
    return matches


def _refuse(option: str, value: str, allowed: str) -> None:
    raise OptionError(
        f"{option}: expected {allowed}, got {value!r}", option=option, value=value, allowed=allowed
    )
