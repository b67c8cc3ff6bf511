"""Print how many rows of each table changed in each minute."""

import sys

import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter import read_batches

logs = sys.argv[1:] or ["samples/mysql-9.7-shop.000001"]
columns = pa.schema(
    [
        ("_change_type", pa.string()),
        ("_event_timestamp", pa.timestamp("us", tz="UTC")),
        ("_database_name", pa.string()),
        ("_table_name", pa.string()),
    ]
)
# Only these columns are asked for, so no row is decoded.
changes = pa.Table.from_batches(read_batches(logs, schema=columns), columns)
# An update has two images; count the one after it.
changes = changes.filter(pc.field("_change_type") != "update_preimage")
minute = pc.floor_temporal(changes["_event_timestamp"], unit="minute")
table = pc.binary_join_element_wise(changes["_database_name"], changes["_table_name"], ".")
counts = pa.table({"minute": minute, "table": table}).group_by(["minute", "table"])
for row in counts.aggregate([([], "count_all")]).sort_by("minute").to_pylist():
    print(f"{row['minute']:%Y-%m-%d %H:%M}  {row['table']:30} {row['count_all']:8,}")
