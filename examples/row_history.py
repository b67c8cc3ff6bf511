"""Print the life of one row: when it changed, in which transaction, and what changed."""

import sys

from pyspark_adapter import read_batches

if len(sys.argv) not in (1, 5):
    sys.exit("usage: row_history.py LOG TABLE COLUMN VALUE")
log, table, column, wanted = sys.argv[1:] or [
    "samples/mysql-9.7-shop.000001",
    "shop.orders",
    "order_id",
    "1",
]
metadata = "_change_type,_event_timestamp,_gtid"

reader = read_batches(log, table=table, metadata_columns=metadata)
if column not in reader.schema.names:
    sys.exit(f"{table} has no column {column}; it has {', '.join(reader.schema.names)}")

before: dict[str, object] = {}
for batch in reader:
    for row in batch.to_pylist():
        if str(row[column]) != wanted:
            continue
        values = {name: value for name, value in row.items() if not name.startswith("_")}
        if row["_change_type"] == "update_preimage":
            before = values
            continue
        changed = {
            name: f"{before.get(name)!s} -> {value!s}" if before else value
            for name, value in values.items()
            if before.get(name) != value
        }
        if row["_change_type"] == "delete":
            changed = {}
        print(f"{row['_event_timestamp']:%Y-%m-%d %H:%M:%S} {row['_change_type']} {row['_gtid']}")
        for name, text in changed.items():
            print(f"    {name}: {text}")
        before = {}
