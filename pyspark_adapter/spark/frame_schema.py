"""The schema of a frame: its columns, and in their metadata what is known of the table."""

from __future__ import annotations

from pyspark.sql.types import StructType

from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.spark.change_columns import TYPE
from pyspark_adapter.spark.removals import removal_metadata
from pyspark_adapter.spark.row_key import key_metadata
from pyspark_adapter.spark.types import to_spark_schema


def frame_schema(request: ReadRequest) -> StructType:
    """Return the schema that Spark gets for a read."""
    metadata = {TYPE: removal_metadata(request), **key_metadata(request.row_key)}
    return to_spark_schema(request.schema, metadata)
