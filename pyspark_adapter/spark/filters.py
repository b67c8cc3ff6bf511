"""Converts the filters that Spark pushes down into comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from pyspark.sql import datasource as spark

from pyspark_adapter.spark.pushed_filters import Comparison

_OPERATORS: Final[Mapping[type[spark.Filter], str]] = MappingProxyType(
    {
        spark.EqualTo: "=",
        spark.EqualNullSafe: "=",
        spark.LessThan: "<",
        spark.LessThanOrEqual: "<=",
        spark.GreaterThan: ">",
        spark.GreaterThanOrEqual: ">=",
        spark.In: "in",
        spark.StringStartsWith: "starts with",
        spark.StringEndsWith: "ends with",
        spark.StringContains: "contains",
    }
)


def comparisons_of(filters: Iterable[spark.Filter]) -> Iterator[Comparison]:
    """Yield the filters that compare a column of the output with a value.

    Other filters (`IS NULL`, fields of structs) are ignored.
    """
    for one in filters:
        if (comparison := _comparison_of(one)) is not None:
            yield comparison


def _comparison_of(one: Any) -> Comparison | None:
    if isinstance(one, spark.Not):
        comparison = _comparison_of(one.child)
        # A null-safe comparison is false for null, so its negation is true.
        is_null_safe = isinstance(one.child, spark.EqualNullSafe)
        if comparison is None or comparison.is_negated or is_null_safe:
            return None
        return replace(comparison, is_negated=True)
    if type(one) not in _OPERATORS or len(one.attribute) != 1:
        return None
    value = one.value
    if isinstance(one, spark.In):  # null equals nothing
        value = tuple(item for item in value if item is not None)
    return None if value is None else Comparison(one.attribute[0], _OPERATORS[type(one)], value)
