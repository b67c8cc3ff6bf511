"""Statements that remove rows of a table: obeyed where a frame has them, else refused.

Renames of columns are refused as long as the frame has the column of the old name.

A read with option schemaChanges has them as rows. For other reads of one table, the schema that
Spark gets says, in the metadata of `_change_type`, which was the last such statement when the
driver looked through the logs, and up to where it looked. Changes that come before that statement,
or after that place, may be of rows that have been removed: the reader cannot know their state.
"""

from __future__ import annotations

from typing import Any, Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import StructType

from pyspark_adapter.errors import EventSite, OptionError, short_traces
from pyspark_adapter.events.statements import MOVES_ROWS
from pyspark_adapter.options.change_types import SCHEMA_CHANGE_TYPES
from pyspark_adapter.plan.output_schema import MAX_VERSIONED_LOG, commit_version_base
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.spark.change_columns import TYPE, ChangeColumns, checked, field, key_metadata
from pyspark_adapter.spark.types import to_spark_schema

STATEMENT: Final = "_statement"
_VERSION: Final = "_commit_version"
_REMOVES: Final = ("drop", "truncate")
_CHANGES_KEY: Final = r"(?i)\bPRIMARY\s+KEY\b"
# The old name of a column is the only group.
_OLD_NAME: Final = (
    r"(?i)\b(?:RENAME\s+COLUMN|CHANGE(?:\s+COLUMN)?)\s+(?:IF\s+EXISTS\s+)?"
    r"(`[^`]+`|\S+)\s+(?:TO\s+)?(?!\1\s)"
)

_SHOWN: Final = "mysql_binlog.schema_changes"
_FOLLOWED: Final = "mysql_binlog.follows_renames"
_LAST: Final = "mysql_binlog.removal"
_LAST_VERSION: Final = "mysql_binlog.removal_version"
_END_VERSION: Final = "mysql_binlog.removals_end"

_RENAMED: Final = "mysql_binlog.renamed_columns"

_OLD_VALUES: Final = "rows from before a rename have their values in column"
_MERGE: Final = "merge the two: df.withColumn('{new}', coalesce('{new}', '{old}')).drop('{old}')"
_LATER: Final = "read from after the statement, with option startingPosition"
_ADVICE: Final = "read with option schemaChanges, so that the changes include such statements"


def removal_metadata(request: ReadRequest) -> dict[str, Any]:
    """Return the metadata of `_change_type` for a read."""
    removals = request.removals
    renamed = {} if removals is None else {_RENAMED: dict(removals.renamed)}
    if request.options.schema_changes:
        return {_SHOWN: True, _FOLLOWED: request.options.follow_renames, **renamed}
    if removals is None:
        return {}
    metadata: dict[str, Any] = {_LAST: "", **renamed}
    if removals.last_site is not None:
        metadata[_LAST] = f"{removals.last_site}: {removals.last}"
        metadata[_LAST_VERSION] = _version_of(removals.last_site)
    metadata[_END_VERSION] = _version_of(removals.end)
    return {name: value for name, value in metadata.items() if value is not None}


def frame_schema(request: ReadRequest) -> StructType:
    """Return the schema that Spark gets for a read, with the known facts about the table."""
    metadata = {TYPE: removal_metadata(request), **key_metadata(request.row_key)}
    return to_spark_schema(request.schema, metadata)


def _version_of(site: EventSite) -> int | None:
    """Return the least commit version of a transaction at a place or after it; None if unknown."""
    number = log_number(site.log_file)
    return None if number > MAX_VERSIONED_LOG else commit_version_base(number) + site.start_pos


def has_statements(df: DataFrame) -> bool:
    """Return whether a frame has the statements that remove rows."""
    return STATEMENT in df.columns or bool(df.schema[TYPE].metadata.get(_SHOWN))


def last_removal(df: DataFrame, columns: ChangeColumns) -> DataFrame:
    """Return the last statement that removed all rows, as it is in the frame; no row for none."""
    rows = df.where(F.col(TYPE).isin(*_REMOVES))
    row = F.max_by(F.struct(*map(field, df.columns)), columns.position())
    return rows.agg(row.alias("row")).where("row IS NOT NULL").select("row.*")


def changes_of_rows(df: DataFrame, columns: ChangeColumns, *, finds_key: bool) -> DataFrame:
    """Return the changes of rows that were not removed by a statement.

    Args:
        finds_key: whether the key is that of the table, which a statement may change.

    Raises:
        OptionError: if rows were removed and the frame does not have the statement that did it.
    """
    _refuse_old_names(df)
    if not has_statements(df):
        return _refusing(df)
    position = columns.position()
    removed = df.where(F.col(TYPE).isin(*_REMOVES)).agg(F.max(position).alias("_removed_at"))
    is_kept = F.col("_removed_at").isNull() | (position >= F.col("_removed_at"))
    kept = df.crossJoin(F.broadcast(removed)).where(is_kept).drop("_removed_at")
    return _without_statements(kept, finds_key=finds_key)


def _refuse_old_names(df: DataFrame) -> None:
    """Refuse a frame that has a column under the names from before and after a rename.

    Raises:
        OptionError: if there is one.
    """
    names = {name.lower(): name for name in df.columns}
    for old, (new, statement) in df.schema[TYPE].metadata.get(_RENAMED, {}).items():
        if (name := names.get(old.lower())) is not None and new.lower() in names:
            with short_traces:
                raise OptionError(
                    f"df: {_OLD_VALUES} {name}, which is {new} since {statement}",
                    option="df",
                    advice=f"{_MERGE.format(old=name, new=new)}, or {_LATER}",
                )


def _without_statements(df: DataFrame, *, finds_key: bool) -> DataFrame:
    """Return the rows of a frame; the job fails at a statement that cannot be obeyed."""
    is_statement = F.coalesce(F.col(TYPE).isin(*SCHEMA_CHANGE_TYPES), F.lit(False))
    is_alter = F.col(TYPE) == "alter"
    shown = F.col(STATEMENT) if STATEMENT in df.columns else F.lit(None)
    text = F.coalesce(shown, F.lit(""))
    follows = bool(df.schema[TYPE].metadata.get(_FOLLOWED))
    old_names = F.transform(
        F.regexp_extract_all(text, F.lit(_OLD_NAME)),
        lambda name: F.lower(F.replace(name, F.lit("`"))),
    )
    columns = F.array(*[F.lit(name.lower()) for name in df.columns])
    reasons = [
        (
            (F.col(TYPE) == "rename") & F.lit(not follows),
            "the table got its name, or lost it, so that its rows are in part those of another;"
            " read with option followRenames, or from after the statement:",
        ),
        (
            is_alter & (text == ""),
            "expected column _statement, the frame lacks it, at an alter; add it with option"
            " metadataColumns",
        ),
        (
            is_alter & text.rlike(MOVES_ROWS),
            f"rows were removed or brought in, and not logged; {_LATER}, and add those rows:",
        ),
        (
            is_alter & F.arrays_overlap(old_names, columns),
            f"{_OLD_VALUES} of the old name; {_MERGE.format(old='old', new='new')}, or {_LATER}:",
        ),
        (
            is_alter & text.rlike(_CHANGES_KEY) & F.lit(finds_key),
            "the key of the table may have changed; pass keys:",
        ),
    ]
    is_row = F.lit(False)
    for condition, reason in reasons:
        message = F.concat_ws(" ", F.lit(f"{TYPE}: {reason}"), F.left(text, F.lit(200)))
        is_row = checked(~condition, is_row, message)
    return df.where(F.when(~is_statement, F.lit(True)).otherwise(is_row))


def _refusing(df: DataFrame) -> DataFrame:
    """Return a frame without statements; its job fails if rows of it may be gone."""
    metadata = df.schema[TYPE].metadata
    last, last_version, end = (metadata.get(key) for key in (_LAST, _LAST_VERSION, _END_VERSION))
    reason = f"rows of the table were removed, and not logged, by {last}"
    removed = f"{reason}; {_ADVICE}"
    if last and (last_version is None or _VERSION not in df.columns):
        with short_traces:  # the option is one of `spark.read`
            raise OptionError(f"df: {reason}", option="df", advice=_ADVICE)
    if end is None or _VERSION not in df.columns:
        return df
    version = field(_VERSION)
    later = (
        "the frame has changes that were logged after its schema was found, and TRUNCATE or DROP"
        f" TABLE there would not be noticed; {_ADVICE}"
    )
    is_row = checked(version < end, F.lit(True), F.lit(f"df: {later}"))
    if last and last_version is not None:
        is_row = checked(version >= last_version, is_row, F.lit(f"df: {removed}"))
    return df.where(is_row)  # unlike a column, also evaluated for a count
