"""What older releases of PySpark lack, and what takes its place. No other module asks for one.

| release | lacks |
|---|---|
| 3.5 | data sources in Python, VARIANT |
| 3.5, 4.0 | filters that are pushed down, table functions over Arrow, GEOMETRY |
| 3.5 to 4.1 | limits of the batches of a stream, the start of a batch in `latestOffset`, lag |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Protocol

import pyarrow as pa
import pyspark
from pyspark.sql import DataFrame, SparkSession, types
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse

# The classes of Spark that other modules take from here.
__all__ = [
    "DataSource",
    "DataSourceReader",
    "DataSourceStreamReader",
    "InputPartition",
    "ReadAllAvailable",
    "ReadLimit",
    "ReadMaxBytes",
    "ReadMaxFiles",
    "SupportsTriggerAvailableNow",
]

RELEASE: Final[str] = pyspark.__version__
_NUMBERS: Final = tuple(int(part) for part in RELEASE.split(".")[:2])
HAS_DATA_SOURCES: Final = _NUMBERS >= (4, 0)
HAS_FILTERS: Final = _NUMBERS >= (4, 1)
HAS_READ_LIMITS: Final = _NUMBERS >= (4, 2)
_HAS_ARROW_FUNCTIONS: Final = _NUMBERS >= (4, 1)


class _Base:
    """A stand-in for a class that this release of PySpark lacks."""

    def __init__(self, value: Any = None) -> None:
        self.value = self.options = value


if TYPE_CHECKING or HAS_DATA_SOURCES:
    from pyspark.sql.datasource import (
        DataSource,
        DataSourceReader,
        DataSourceStreamReader,
        InputPartition,
    )
else:
    DataSource = DataSourceReader = DataSourceStreamReader = InputPartition = _Base

if TYPE_CHECKING or HAS_READ_LIMITS:
    from pyspark.sql.streaming.datasource import (
        ReadAllAvailable,
        ReadLimit,
        ReadMaxBytes,
        ReadMaxFiles,
        SupportsTriggerAvailableNow,
    )
else:
    ReadLimit = ReadMaxBytes = ReadMaxFiles = _Base
    ReadAllAvailable, SupportsTriggerAvailableNow = type("All", (_Base,), {}), object

VARIANT_TYPE: Final[types.DataType | None] = (
    types.VariantType() if hasattr(types, "VariantType") else None
)
GEOMETRY_TYPE: Final[types.DataType | None] = (
    types.GeometryType("ANY") if hasattr(types, "GeometryType") else None
)


def needed(kind: types.DataType | None, what: str, release: str) -> types.DataType:
    """Return a type of Spark; raises UnsupportedError if this release of PySpark lacks it."""
    if kind is None:
        raise UnsupportedError(
            f"{what} needs PySpark {release} or later, found {RELEASE}",
            advice="choose another value of the option, or a later PySpark",
        )
    return kind


def check_options(options: BinlogOptions) -> None:
    """Refuse options that need a later release of PySpark; raises OptionError if one is set."""
    if options.push_filters and not HAS_FILTERS:
        raise refuse("pushFilters", "true", f"false with PySpark {RELEASE}; true needs 4.1")
    if options.on_schema_change == "end" and not HAS_READ_LIMITS:
        allowed = f"fail or keep with PySpark {RELEASE}; end needs 4.2"
        raise refuse("onSchemaChange", "end", allowed)


def register(spark: SparkSession, source: type[DataSource]) -> None:
    """Register the format in a session, unless PySpark has no data sources in Python."""
    if HAS_DATA_SOURCES:
        spark.dataSource.register(source)


class BatchFunction(Protocol):
    """Turns the record batches of a partition into others."""

    def eval(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield what becomes of a batch."""

    def terminate(self) -> Iterator[pa.RecordBatch]:
        """Yield what comes after the last batch."""


def batch_function(
    function: type[BatchFunction], schema: types.StructType
) -> Callable[[DataFrame], DataFrame]:
    """Return a function of frames, from one of the record batches of a partition.

    Args:
        function: a class. Each partition gets its own instance.
        schema: of the result.
    """
    if _HAS_ARROW_FUNCTIONS:
        of_table: Any = F.arrow_udtf(function, returnType=schema)
        return lambda frame: of_table(frame.asTable())

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        made = function()
        for batch in batches:
            yield from made.eval(batch)
        yield from made.terminate()

    return lambda frame: map_in_arrow(frame, run, schema)


def map_in_arrow(
    frame: DataFrame,
    function: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: types.StructType,
) -> DataFrame:
    """Return a frame of what a function yields for the batches of each partition.

    Raises:
        UnsupportedError: if Pandas is not installed, which PySpark asks for without using it.
    """
    if find_spec("pandas") is None:
        raise UnsupportedError(
            f"PySpark {RELEASE} needs the package pandas here, which is not installed",
            advice="pip install pandas",
        )
    return frame.mapInArrow(function, schema)
