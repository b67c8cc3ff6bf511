"""Copies the tables of a database into Delta tables and keeps them current.

    python replicate.py --host db1:3306 --user replicator --password PASSWORD shop lake

The folder `lake/shop` gets a Delta table for each table, `lake/shop.state` what the program needs
to go on. The guide "Into lake tables" says what is guaranteed, and why.
"""

import argparse
import json
import os
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from pyspark.sql import DataFrame, SparkSession
from server_tables import Server, quoted

from pyspark_adapter import TableChanges, latest_changes, session, tables_of

SETTLE_SECONDS = 1.0  # SELECT sees a transaction some milliseconds after it is in the log
PAUSE_SECONDS = 1.0  # between rounds
BATCH_BYTES = 256 << 20  # of log


def properties(version: int) -> CommitProperties:
    """Return what a commit of a Delta table says about its rows."""
    return CommitProperties(app_transactions=[Transaction("applied", version)])


class Replica:
    """The Delta tables, and which of them follow the log.

    A Delta table has in its log, as the version of the transaction `applied`, up to which
    transaction its rows are those of the server. The state has the definitions that the tables had
    when they were copied; a table that is not there is copied.
    """

    def __init__(self, server: Server, lake: Path, database: str) -> None:
        self.server, self.database, self.folder = server, database, lake / database
        self.state_folder = lake / f"{database}.state"
        self.state_file = self.state_folder / "state.json"
        self.state_folder.mkdir(parents=True, exist_ok=True)
        server.check()
        found = self.state_file.read_text() if self.state_file.exists() else "[{}, {}]"
        self.start, self.followed = json.loads(found)

    def save(self, followed: dict[str, str]) -> None:
        """Store which tables follow the log."""
        self.followed = followed
        new = self.state_folder / "state.new"
        new.write_text(json.dumps([self.start, followed]))
        new.replace(self.state_file)

    def path(self, table: str) -> Path:
        """Return the folder of a Delta table; the characters are as in the server's files."""
        return self.folder / re.sub(r"[^\w $-]", lambda found: f"@{ord(found[0]):04x}", table)

    def compare(self) -> dict[str, str]:
        """Stop to follow altered tables, remove those that are gone; return all definitions."""
        dropped = self.state_folder / "dropped"
        shutil.rmtree(dropped, ignore_errors=True)
        now = self.server.definitions()
        self.save(
            {n: c for n, c in self.followed.items() if now.get(n) == c and self.path(n).exists()}
        )
        for folder in {*self.folder.glob("*")} - set(map(self.path, now)):
            folder.rename(dropped)  # a stop during the removal leaves no half table
            shutil.rmtree(dropped)
        return now

    def begin(self) -> None:
        """Note where the log is to be followed from."""
        shutil.rmtree(self.state_folder / "checkpoint", ignore_errors=True)
        self.start = self.server.position()
        self.save({})

    def copy(self, tables: dict[str, str]) -> None:
        """Copy tables; those whose definition is another meanwhile are not followed yet."""
        position = self.server.position()
        time.sleep(SETTLE_SECONDS)
        version = (int(position["log_file"].rpartition(".")[2]) << 40) + position["pos"] - 1
        for name, create in tables.items():
            try:
                write_deltalake(
                    self.path(name),
                    self.server.rows(name),
                    mode="overwrite",
                    schema_mode="overwrite",
                    commit_properties=properties(version),
                )
            except Exception:
                if self.server.definitions(name).get(name) == create:
                    raise
            else:
                if self.server.definitions(name).get(name) == create:
                    self.save(self.followed | {name: create})

    def apply(self, batch: DataFrame, _batch_id: int) -> None:
        """Apply a batch; one that comes again changes nothing."""
        with tables_of(batch) as tables, ThreadPoolExecutor(4) as pool:
            found = [changes for changes in tables if changes.table.table_name in self.followed]
            is_merged = pool.map(self.merge, found)
            late = {c.table.table_name for c, ok in zip(found, is_merged, strict=True) if not ok}
        self.save({name: self.followed[name] for name in self.followed.keys() - late})

    def merge(self, changes: TableChanges) -> bool:
        """Apply the changes of a table; return False if it has to be copied instead."""
        delta = DeltaTable(self.path(changes.table.table_name))
        schema = pa.schema(delta.schema())
        applied = delta.transaction_version("applied")
        parts = [part for part in changes.parts if part.last_commit_version > applied]
        is_altered = any(statement.commit_version > applied for statement in changes.statements)
        if is_altered or not parts:
            return not is_altered
        if not changes.key or any({*part.columns} != {*schema.names} for part in parts):
            return False
        rows = reduce(DataFrame.unionByName, [part.rows for part in parts])
        net = latest_changes(rows.where(f"_commit_version > {applied}"), changes.key).toArrow()
        is_deleted = "source._change_type = 'delete'"
        values = {name: f"source.{name}" for name in map(quoted, schema.names)}
        delta.merge(
            net.select(schema.names)
            .cast(schema)
            .append_column("_change_type", net["_change_type"]),
            " AND ".join(f"target.{name} = source.{name}" for name in map(quoted, changes.key)),
            source_alias="source",
            target_alias="target",
            commit_properties=properties(parts[-1].last_commit_version),
        ).when_matched_delete(is_deleted).when_matched_update(values).when_not_matched_insert(
            values, f"NOT {is_deleted}"
        ).execute()
        return True

    def options(self) -> dict[str, str]:
        """Return the options of a read of the tables that are followed."""
        ddl = self.state_folder / "tables.sql"
        ddl.write_text(f"USE {quoted(self.database)};\n" + ";\n".join(self.followed.values()))
        names = [f"{quoted(self.database)}.{quoted(name)}" for name in self.followed]
        options = {"row": "arrow", "time": "string", "schemaChanges": "true", "ddl": str(ddl)}
        options |= {k: str(v) for k, v in self.server.access.items() if k != "database"}
        return options | {"tables": ",".join(names), "onStatementEvents": "error"}

    def follow(self, spark: SparkSession) -> None:
        """Apply the changes up to now."""
        limits = {"startingOffsets": json.dumps(self.start), "maxBytesPerTrigger": str(BATCH_BYTES)}
        stream = spark.readStream.format("mysql_binlog").options(**self.options(), **limits).load()
        writer = stream.writeStream.foreachBatch(self.apply).trigger(availableNow=True)
        writer = writer.option("checkpointLocation", str(self.state_folder / "checkpoint"))
        writer.start().awaitTermination()

    def round(self, spark: SparkSession) -> None:
        """Bring all tables up to now."""
        tables = self.compare()
        if self.followed:
            self.follow(spark)
        else:
            self.begin()
        self.copy({name: tables[name] for name in tables.keys() - self.followed.keys()})


def main() -> None:
    """Copy the tables, and keep them current."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, default=3306)
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", default=os.environ.get("MYSQL_PWD", ""))
    parser.add_argument("--rounds", type=int, default=sys.maxsize, help="end after so many")
    parser.add_argument("database")
    parser.add_argument("lake", type=Path)
    asked = parser.parse_args()
    access = {name: getattr(asked, name) for name in ("host", "port", "user", "password")}
    replica = Replica(Server(**access, database=asked.database), asked.lake, asked.database)
    conf = {"spark.sql.session.timeZone": "UTC", "spark.ui.showConsoleProgress": "false"}
    spark = session("replicate", conf | {"spark.sql.shuffle.partitions": str(os.cpu_count())})
    num_failed = 0
    while asked.rounds > 0:
        try:
            replica.round(spark)
        except Exception as error:  # the server restarts, or a table was altered meanwhile
            num_failed += 1
            if num_failed == 10:
                raise
            print("tries again:", error, flush=True)
        else:
            num_failed, asked.rounds = 0, asked.rounds - 1
            print("current as of", time.strftime("%H:%M:%S"), flush=True)
        time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    main()
