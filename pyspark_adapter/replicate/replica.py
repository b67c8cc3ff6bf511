"""Copies the tables of a database into Delta tables and keeps them current.

    python replicate.py --host db1 --user replicator shop lake

The password comes from the environment variable MYSQL_PWD; else the program asks for it. The folder
`lake/shop` gets a Delta table for each table, `lake/shop.state` what the program needs to go on,
`lake/shop.history` all changes if `--history` is given. Each of them holds a file `_mysql_binlog`;
folders without it are not touched. See the guide "Into lake tables".
"""

import argparse
import json
import os
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from getpass import getpass
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable
from history import FACTS, History, properties, write
from pyspark.sql import DataFrame, SparkSession
from server_tables import Server, file_name, quoted

from pyspark_adapter import TableChanges, latest_changes, session, tables_of

SETTLE_SECONDS = 1.0  # SELECT sees a transaction some milliseconds after it is in the log
PAUSE_SECONDS = 1.0  # between rounds
BATCH_BYTES = 256 << 20  # of log
MARKER = "_mysql_binlog"  # in the folders that are of this program; Delta and Spark pass over it
OWNER = b"Written by replicate.py"
TEXT = OWNER + b", which may replace or remove what it wrote in this folder.\n"
# What deltalake writes in the folder of a table, and in its `_delta_log`.
PARTS = re.compile(r"part-\d{5}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-c\d{3}\.\w+\.parquet")
COMMITS = re.compile(r"\d{20}\.(json|crc|checkpoint\.(.+\.)?parquet)|_last_checkpoint")


def claim(folder: Path) -> None:
    """Make a folder one of this program; one that holds something and is not is refused."""
    if not is_ours(folder) and folder.exists() and any(folder.iterdir()):
        raise SystemExit(
            f"{folder}: it holds files, and no {MARKER} that says that this program wrote them;"
            " choose another folder for the lake, or move them away"
        )
    folder.mkdir(parents=True, exist_ok=True)
    if not is_ours(folder):
        (folder / MARKER).write_bytes(TEXT)


def is_ours(folder: Path) -> bool:
    """Return whether this program made a folder; other programs have markers of that name, too."""
    marker = folder / MARKER
    return marker.is_file() and marker.read_bytes().startswith(OWNER)


def remove(folder: Path, names: re.Pattern[str]) -> None:
    """Remove the files of this program in a folder, and the folder if there are no others."""
    found = sorted(folder.iterdir(), key=lambda path: path.name == MARKER)
    kept = [path for path in found if not names.fullmatch(path.name) and path.name != MARKER]
    for path in found:
        if path not in kept and not (kept and path.name == MARKER):
            path.unlink()
    if kept:
        print(f"{folder}: kept, because of {kept[0].name} in it", flush=True)
    else:
        folder.rmdir()


class Replica:
    """The Delta tables, and which of them follow the log.

    A Delta table has in its log, as the version of the transaction `applied`, up to which
    transaction its rows are those of the server. The state has the definitions that the tables had
    when they were copied; a table that is not there is copied.
    """

    def __init__(self, server: Server, lake: Path, has_history: bool) -> None:
        self.server, self.database = server, server.access["database"]
        name = file_name(self.database)
        self.folder, self.state_folder = lake / name, lake / f"{name}.state"
        self.state_file = self.state_folder / "state.json"
        self.history = History(lake / f"{name}.history") if has_history else None
        for folder in [self.folder, self.state_folder, *([lake / f"{name}.history"] * has_history)]:
            claim(folder)
        server.check()
        found = self.state_file.read_text() if self.state_file.exists() else "[{}, {}, false]"
        self.start, self.followed, *had_history = json.loads(found)
        if had_history != [has_history]:
            self.followed = {}

    def save(self, followed: dict[str, str]) -> None:
        """Store which tables follow the log."""
        self.followed = followed
        new = self.state_folder / "state.new"
        new.write_text(json.dumps([self.start, followed, bool(self.history)]))
        new.replace(self.state_file)

    def has(self, table: str) -> bool:
        """Return whether the Delta tables of a table are there."""
        path = self.folder / file_name(table)
        return DeltaTable.is_deltatable(str(path)) and (
            self.history is None or self.history.has(path)
        )

    def compare(self, now: dict[str, str]) -> None:
        """Stop following altered tables, and remove those that are gone."""
        for log in self.state_folder.glob("dropped-*"):
            remove(log, COMMITS)
        self.save({n: c for n, c in self.followed.items() if now.get(n) == c and self.has(n)})
        known = {self.folder / file_name(name) for name in now}
        for folder in {*self.folder.glob("*")} - known:
            if not is_ours(folder) or folder.is_symlink():
                continue
            if (log := folder / "_delta_log").is_dir() and not log.is_symlink():
                # A stop during the removal leaves no half table.
                remove(log.rename(self.state_folder / f"dropped-{time.time_ns()}"), COMMITS)
            remove(folder, PARTS)

    def begin(self) -> None:
        """Note where the log is to be followed from."""
        shutil.rmtree(self.state_folder / "checkpoint", ignore_errors=True)
        self.start = self.server.position()
        self.save({})

    def copy(self, tables: dict[str, str]) -> None:
        """Copy tables; one whose definition changes meanwhile is not followed yet."""
        position = self.server.position()
        time.sleep(SETTLE_SECONDS if tables else 0)
        version = (int(position["log_file"].rpartition(".")[2]) << 40) + position["pos"] - 1
        for name, create in tables.items():
            path = self.folder / file_name(name)
            claim(path)
            try:
                write(path, self.server.rows(name), "overwrite", version)
                if self.history:
                    self.history.begin(path, version)
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
        delta = DeltaTable(path := self.folder / file_name(changes.table.table_name))
        schema, applied = pa.schema(delta.schema()), delta.transaction_version("applied")
        left_out = self.server.left_out(changes.table.table_name)
        # Altered, and altered back while it was copied: this read began with another definition.
        if any(s.kind == "alter" and s.commit_version <= applied for s in changes.statements):
            return False
        if self.history:
            self.history.add(path, changes, left_out)
        parts = [part for part in changes.parts if part.last_commit_version > applied]
        is_altered = any(statement.commit_version > applied for statement in changes.statements)
        if is_altered or not parts:
            return not is_altered
        if not changes.key or any({*part.columns} - left_out != {*schema.names} for part in parts):
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
        """Return the options of a read; statements after its start change the definitions."""
        ddl = self.state_folder / "tables.sql"
        place = "-- CHANGE MASTER TO MASTER_LOG_FILE='{log_file}', MASTER_LOG_POS={pos};\nUSE {}"
        head = place.format(quoted(self.database), **self.start)
        ddl.write_text(";\n".join([head, *self.followed.values()]))
        names = [f"{quoted(self.database)}.{quoted(name)}" for name in self.followed]
        options = {"row": "arrow", "time": "string", "schemaChanges": "true", "ddl": str(ddl)}
        options |= {k: str(v) for k, v in self.server.access.items() if k != "database"}
        options |= {"tables": ",".join(names), "metadataColumns": ",".join(FACTS.names)}
        return options | {"onStatementEvents": "error"}

    def follow(self, spark: SparkSession) -> None:
        """Apply the changes up to now."""
        limits = {"startingOffsets": json.dumps(self.start), "maxBytesPerTrigger": str(BATCH_BYTES)}
        stream = spark.readStream.format("mysql_binlog").options(**self.options(), **limits).load()
        writer = stream.writeStream.foreachBatch(self.apply).trigger(availableNow=True)
        writer.start(checkpointLocation=f"{self.state_folder}/checkpoint").awaitTermination()

    def round(self, spark: SparkSession, has_failed: bool) -> None:
        """Bring all tables up to now."""
        tables = self.server.definitions()
        # A history needs the changes before a statement; others are not worth the time.
        self.compare(tables if has_failed or not self.history else tables | self.followed)
        if self.followed:
            self.follow(spark)
        else:
            self.begin()
        self.compare(tables)
        self.copy({name: tables[name] for name in tables.keys() - self.followed.keys()})


def main() -> None:
    """Copy the tables, and keep them current."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, default=3306)
    parser.add_argument("--user", required=True)
    parser.add_argument("--rounds", type=int, default=1 << 62, help="end after so many")
    parser.add_argument("--history", action="store_true", help="keep all changes, too")
    parser.add_argument("database")
    parser.add_argument("lake", type=Path)
    asked = parser.parse_args()
    access = {n: getattr(asked, n) for n in ("host", "port", "user", "database")}
    password = os.environ.get("MYSQL_PWD")
    access["password"] = getpass() if password is None else password
    replica = Replica(Server(**access), asked.lake, asked.history)
    conf = {"spark.sql.session.timeZone": "UTC", "spark.ui.showConsoleProgress": "false"}
    spark = session("replicate", conf | {"spark.sql.shuffle.partitions": str(os.cpu_count())})
    num_failed = 0
    while asked.rounds > 0:
        try:
            replica.round(spark, num_failed > 0)
        except Exception as error:  # the server restarts, or a table was altered meanwhile
            if (num_failed := num_failed + 1) == 10:
                raise
            print("tries again:", error, flush=True)
        else:
            num_failed, asked.rounds = 0, asked.rounds - 1
            print("current as of", time.strftime("%H:%M:%S"), flush=True)
        time.sleep(PAUSE_SECONDS + num_failed)


if __name__ == "__main__":
    main()
