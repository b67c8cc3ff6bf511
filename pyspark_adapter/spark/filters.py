"""Converts the filters that Spark pushes down into comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from pyspark_adapter.spark.pushed_filters import Comparison

# By the names of Spark's classes, which PySpark 4.0 lacks.
_OPERATORS: Final[Mapping[str, str]] = MappingProxyType(
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
    if kind not in _OPERATORS or len(one.attribute) != 1:
        return None
    value = one.value
    if kind == "In":  # null equals nothing
        value = tuple(item for item in value if item is not None)
    return None if value is None else Comparison(one.attribute[0], _OPERATORS[kind], value)
