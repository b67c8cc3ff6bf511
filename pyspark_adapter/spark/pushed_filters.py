"""Filters of a query, as far as a read can apply them before it decodes rows.

The result keeps all rows that the query selects, and few others; the query filters the rows again.
Comparisons of other columns are ignored.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from pyspark_adapter.events.row_filter import RowFilter
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.change_types import CHANGE_TYPES, SCHEMA_CHANGE_TYPES
from pyspark_adapter.options.filter_values import ServerIds, micros_of
from pyspark_adapter.options.gtid_set import GtidSet, Range, complement, intersection
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.options.name_patterns import NamePattern, TablePattern
from pyspark_adapter.plan.output_schema import MAX_VERSIONED_LOG, commit_version_base
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.log_splits import Split

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LONGS: Final = (-(1 << 63), (1 << 63) - 1)
_SERVER_IDS: Final = (0, (1 << 32) - 1)

# By the names of Spark's classes, which PySpark 4.0 lacks.
_SPARK_OPERATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "EqualTo": "=",
        "EqualNullSafe": "=",
        "LessThan": "<",
        "LessThanOrEqual": "<=",
        "GreaterThan": ">",
        "GreaterThanOrEqual": ">=",
        "In": "in",
        "StringStartsWith": "starts with",
        "StringEndsWith": "ends with",
        "StringContains": "contains",
    }
)
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "=": operator.eq,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "in": lambda value, values: value in values,
        "starts with": lambda value, start: value.startswith(start),
        "ends with": lambda value, end: value.endswith(end),
        "contains": lambda value, part: part in value,
    }
)


@dataclass(frozen=True)
class Comparison:
    """A comparison of a column with a value. It is never true if the column is null.

    Attributes:
        operator: one of `=`, `<`, `<=`, `>`, `>=`, `in`, `starts with`, `ends with`, `contains`.
        value: not null; for `in`, a tuple of values.
        is_negated: whether it selects the rows for which the operator returns false.
    """

    column: str
    operator: str
    value: Any
    is_negated: bool = False

    @property
    def values(self) -> tuple[Any, ...]:
        """The value, or all values of `in`."""
        return self.value if self.operator == "in" else (self.value,)

    @property
    def is_choice(self) -> bool:
        """Whether only the values themselves pass."""
        return self.operator in ("=", "in") and not self.is_negated

    def compares(self, kind: type) -> bool:
        """Return whether all values have a type."""
        return all(type(value) is kind for value in self.values)

    def passes(self, value: Any) -> bool:
        """Return whether a non-null value of the column passes."""
        return _OPERATORS[self.operator](value, self.value) != self.is_negated

    def ranges(self, whole: Range) -> list[Range]:
        """Return the numbers of a range that pass, if the values are numbers."""
        first, last = whole
        if self.operator.startswith("<"):
            last = self.value - (self.operator == "<")
        elif self.operator.startswith(">"):
            first = self.value + (self.operator == ">")
        ranges = [(first, last)]
        if self.operator in ("=", "in"):
            ranges = [(value, value) for value in self.values]
        ranges = intersection(ranges, [whole])
        return complement(ranges, whole) if self.is_negated else ranges


@dataclass(frozen=True)
class PushedFilters:
    """A read, narrowed by the filters of a query.

    Attributes:
        options: of the read, narrowed.
        log_names: comparisons that the names of its logs have to pass.
        versions: first and last `_commit_version` to read.
        keeps_none: whether no row passes.
        values: of columns of the table, by name in lower case; others do not pass.
    """

    options: BinlogOptions
    log_names: tuple[Comparison, ...] = ()
    versions: Range = _LONGS
    keeps_none: bool = False
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def keeps_log(self, log_file: LogFile) -> bool:
        """Return whether a log may have rows that pass."""
        if self.keeps_none or not all(test.passes(log_file.name) for test in self.log_names):
            return False
        if not _has_versions(log_file):
            return True  # its read says so
        base = commit_version_base(log_file.number)
        end = base + max(commit_version_base(1), log_file.num_bytes)
        return base <= self.versions[1] and self.versions[0] < end

    def keeps_split(self, split: Split) -> bool:
        """Return whether a split may have rows that are asked for: its transactions begin in it."""
        if split.range is None or not _has_versions(split.log_file):
            return True
        start, stop = split.range.start, split.range.stop
        base = commit_version_base(split.log_file.number)
        return base + start <= self.versions[1] and (stop is None or self.versions[0] < base + stop)

    def options_of(self, log_file: LogFile) -> BinlogOptions:
        """Return the options for a log that `keeps_log`."""
        if not _has_versions(log_file):
            return self.options
        own = RowFilter(self.options, log_file)
        base = commit_version_base(log_file.number)
        changes: dict[str, Any] = {}
        first_pos = self.versions[0] - base
        if first_pos > own.first_pos:
            if not log_file.compression:  # a position beyond the end is an error
                first_pos = min(first_pos, log_file.num_bytes)
            changes["starting_position"] = LogPosition(log_file.name, first_pos)
        if self.versions[1] < _LONGS[1]:
            end_pos = self.versions[1] - base + 1
            if own.end_pos is None or end_pos < own.end_pos:
                changes["ending_position"] = LogPosition(log_file.name, end_pos)
        return replace(self.options, **changes)


def _has_versions(log_file: LogFile) -> bool:
    return log_file.number <= MAX_VERSIONED_LOG


def push_filters(
    options: BinlogOptions, metadata: Iterable[str], comparisons: Iterable[Comparison]
) -> PushedFilters:
    """Return a read, narrowed by comparisons that all have to pass.

    Args:
        metadata: names of the metadata columns of its output; others are columns of a table.
        comparisons: comparisons of columns of the output.
    """
    names = frozenset(metadata)
    pushed = PushedFilters(options)
    values: dict[str, tuple[Any, ...]] = {}
    for comparison in comparisons:
        if comparison.column not in names and comparison.is_choice:
            values.setdefault(comparison.column.lower(), comparison.values)
        if comparison.column in names and comparison.column in _PUSHED:
            kind, push = _PUSHED[comparison.column]
            if comparison.compares(kind):
                pushed = push(pushed, comparison)
    return replace(pushed, values=values)


def _narrowed(pushed: PushedFilters, name: str, values: tuple[Any, ...]) -> PushedFilters:
    """Narrow an option that lists what to read."""
    if not values:
        return replace(pushed, keeps_none=True)
    change: dict[str, Any] = {name: values}
    return replace(pushed, options=replace(pushed.options, **change))


def _push_change_type(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    before = pushed.options.change_types or CHANGE_TYPES
    if pushed.options.change_types is None and pushed.options.schema_changes:
        before += SCHEMA_CHANGE_TYPES
    return _narrowed(pushed, "change_types", tuple(filter(comparison.passes, before)))


def _push_server_id(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    before = pushed.options.server_ids or (_SERVER_IDS,)
    ranges = intersection(before, comparison.ranges(_SERVER_IDS))
    return _narrowed(pushed, "server_ids", tuple(ServerIds(*both) for both in ranges))


def _push_database_name(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    options = pushed.options
    if options.table is not None or not comparison.is_choice:
        return pushed
    names = tuple(
        NamePattern.exact(name)
        for name in comparison.values
        if options.databases is None or any(old.matches(name) for old in options.databases)
    )
    return _narrowed(pushed, "databases", names)


def _push_table_name(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    options = pushed.options
    if options.table is not None or not comparison.is_choice:
        return pushed
    any_name = NamePattern.of("*")
    names = tuple(
        TablePattern(old.database, NamePattern.exact(name))
        for old in options.tables or (TablePattern(any_name, any_name),)
        for name in comparison.values
        if old.table.matches(name)
    )
    return _narrowed(pushed, "tables", names)


def _push_gtid(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    if not comparison.is_choice or not comparison.values:
        return pushed
    try:
        gtids = GtidSet.parse(",".join(comparison.values))
    except ValueError:
        return pushed
    if pushed.options.include_gtids is not None:
        gtids = gtids.intersection(pushed.options.include_gtids)
    if not gtids.entries:
        return replace(pushed, keeps_none=True)
    return replace(pushed, options=replace(pushed.options, include_gtids=gtids))


def _push_commit_timestamp(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    if any(at.tzinfo is None for at in comparison.values):
        return pushed
    micros = [micros_of(at) for at in comparison.values]
    value = tuple(micros) if comparison.operator == "in" else micros[0]
    ranges = replace(comparison, value=value).ranges(_LONGS)
    if not ranges:
        return replace(pushed, keeps_none=True)
    options = pushed.options
    start, end = _instant(ranges[0][0]), _instant(ranges[-1][1] + 1)
    starts = [at for at in (start, options.starting_timestamp) if at is not None]
    ends = [at for at in (end, options.ending_timestamp) if at is not None]
    changed = replace(
        options,
        starting_timestamp=max(starts, default=None),
        ending_timestamp=min(ends, default=None),
    )
    return replace(pushed, options=changed)


def _instant(micros: int) -> datetime | None:
    """Return a time; None if it is outside the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return None


def _push_commit_version(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    versions = intersection([pushed.versions], comparison.ranges(_LONGS))
    if not versions:
        return replace(pushed, keeps_none=True)
    return replace(pushed, versions=(versions[0][0], versions[-1][1]))


def _push_log_file(pushed: PushedFilters, comparison: Comparison) -> PushedFilters:
    return replace(pushed, log_names=(*pushed.log_names, comparison))


_PUSHED: Final[Mapping[str, tuple[type, Callable[[PushedFilters, Comparison], PushedFilters]]]] = (
    MappingProxyType(
        {
            "_change_type": (str, _push_change_type),
            "_commit_version": (int, _push_commit_version),
            "_commit_timestamp": (datetime, _push_commit_timestamp),
            "_gtid": (str, _push_gtid),
            "_log_file": (str, _push_log_file),
            "_database_name": (str, _push_database_name),
            "_table_name": (str, _push_table_name),
            "_server_id": (int, _push_server_id),
        }
    )
)


def comparisons_of(filters: Iterable[Any]) -> Iterator[Comparison]:
    """Yield the filters that compare a column of the output with a value.

    Other filters (`IS NULL`, fields of structs) are ignored.
    """
    for one in filters:
        if (comparison := _comparison_of(one)) is not None:
            yield comparison


def _comparison_of(one: Any) -> Comparison | None:
    kind = type(one).__name__
    if kind == "Not":
        comparison = _comparison_of(one.child)
        # A null-safe comparison is false for null, so its negation is true.
        is_null_safe = type(one.child).__name__ == "EqualNullSafe"
        if comparison is None or comparison.is_negated or is_null_safe:
            return None
        return replace(comparison, is_negated=True)
    if kind not in _SPARK_OPERATORS or len(one.attribute) != 1:
        return None
    value = one.value
    if kind == "In":  # null equals nothing
        value = tuple(item for item in value if item is not None)
    return None if value is None else Comparison(one.attribute[0], _SPARK_OPERATORS[kind], value)
