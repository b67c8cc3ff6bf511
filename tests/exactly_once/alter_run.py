"""Proof that a stream outlives ALTER TABLE: `python -m tests.exactly_once.alter_run --help`.

A table is altered under load. With onSchemaChange=end the stream is started again at each change;
it also loses what it has planned, at random. With keep it continues. At the end each row image was
given once, the changes lead from row to row, and to the rows that the server selects.
"""

from __future__ import annotations

import pickle
import random
import threading
import time
import warnings
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxBytes

from pyspark_adapter.spark.source import DefaultSource
from pyspark_adapter.spark.stream import BinlogStreamReader
from samples.truth import fetch_rows
from tests.exactly_once.runs import ProofError, do_runs, run_parser
from tests.live.replication import Source, source
from tests.live.servers import connect

# Server, option, and whether its logs are read over the network.
RUNS: Final = {
    "mysql-end-server": ("mysql-latest", "end", True),
    "mariadb-end-folder": ("mariadb-11.8", "end", False),
    "mariadb-keep-server": ("mariadb-11.8", "keep", True),
    "mysql-keep-folder": ("mysql-latest", "keep", False),
}
TABLE: Final = "repl.t"
NUM_CLIENTS: Final = 2
LEAST_IMAGES = 100
END_SECONDS: Final = 120.0
PAUSE_SECONDS: Final = 0.02  # between the transactions of a client
OPTIONS: Final[dict[str, str | None]] = {"max-binlog-size": "65536", "binlog-row-metadata": "FULL"}
METADATA: Final = ("_change_type", "_log_file", "_start_pos", "_row_number")


@dataclass
class Outcome:
    """What a run came to."""

    num_alters: int = 0
    num_starts: int = 0
    num_lost: int = 0
    num_batches: int = 0
    num_images: int = 0
    num_rows: int = 0
    num_columns: int = 0

    def __str__(self) -> str:
        return (
            f"{self.num_alters} ALTERs, {self.num_starts} starts for them, {self.num_lost} lost"
            f" plans; {self.num_images:,} row images in {self.num_batches} batches, each once;"
            f" {self.num_rows:,} rows of {self.num_columns} columns as the server selects them"
        )


class Load(threading.Thread):
    """Clients that insert, update and delete rows, whatever the columns are."""

    def __init__(self, server: Source, seed: int, number: int) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._choices = random.Random(seed + number)  # noqa: S311 - to do the same again
        self._number = number
        self.ends = False
        self.error: Exception | None = None

    def run(self) -> None:
        """Work until it is to end."""
        one = self._number
        try:
            with closing(connect(self._server.state)) as connection:
                while not self.ends:
                    one += NUM_CLIENTS
                    self._transact(connection, one)
                    time.sleep(PAUSE_SECONDS)
        except Exception as error:  # noqa: BLE001 - for the thread that waits
            self.error = error

    def _transact(self, connection: Any, one: int) -> None:
        pick = self._choices
        fetch_rows(connection, "BEGIN")
        fetch_rows(connection, f"INSERT INTO {TABLE} (id, note) VALUES ({one}, 'new')")  # noqa: S608
        for _ in range(pick.randrange(4)):
            other = one - NUM_CLIENTS * pick.randrange(40)
            statement = f"UPDATE {TABLE} SET note = CONCAT(LEFT(note, 20), 'u')"  # noqa: S608
            if pick.random() < 0.3:
                statement = f"DELETE FROM {TABLE}"  # noqa: S608
            fetch_rows(connection, f"{statement} WHERE id = {other}")
        fetch_rows(connection, "COMMIT")


class AlterRun:
    """A run."""

    def __init__(self, server: Source, seed: int, mode: str, folder: str | None) -> None:
        self._server = server
        self._seed = seed
        self._choices = random.Random(seed)  # noqa: S311 - to do the same again
        where = {"path": folder} if folder else {k: str(v) for k, v in server.options.items()}
        self._options = {
            **where,
            "table": TABLE,
            "onSchemaChange": mode,
            "metadataColumns": ",".join(METADATA),
            "maxBytesPerTrigger": "20000",
        }
        self._is_kept = mode == "keep"
        self._columns: dict[str, str] = {}  # that were added, with their types
        self._rows: dict[int, dict[str, Any]] = {}
        self._given: set[tuple[Any, ...]] = set()
        self.outcome = Outcome()

    def run(self, num_alters: int) -> Outcome:
        """Alter so often, and prove; raises ProofError."""
        server = self._server
        server.ask(f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, note VARCHAR(30))")
        server.ask(f"INSERT INTO {TABLE} VALUES (0, 'first')")  # noqa: S608
        reader = self._start()
        offset = reader.initialOffset()
        names = [*reader._request.schema.names]
        clients = [Load(server, self._seed, number) for number in range(1, NUM_CLIENTS + 1)]
        for client in clients:
            client.start()
        for _ in range(num_alters):
            for _ in range(self._choices.randrange(1, 4)):
                reader, offset = self._poll(reader, offset)
                time.sleep(0.02)
            self._alter()
        # On a fast machine the clients have written little by now.
        while len(self._given) <= LEAST_IMAGES and any(client.is_alive() for client in clients):
            reader, offset = self._poll(reader, offset)
        for client in clients:
            client.ends = True
            client.join()
            if client.error is not None:
                raise client.error
        if not self._is_kept:
            for name, kind in self._columns.items():  # so that all rows hold them
                value = str(1 << 40) if kind == "BIGINT" else "7"
                server.ask(f"UPDATE {TABLE} SET {name} = {value} + id")  # noqa: S608
            names = ["id", "note", *self._columns]
        # A later position than that of all rows.
        server.ask(f"INSERT INTO {TABLE} (id, note) VALUES (-1, 'last')")  # noqa: S608
        end = time.monotonic() + END_SECONDS
        while -1 not in self._rows:
            if time.monotonic() > end:
                raise ProofError(f"the stream stays at {offset}")
            reader, offset = self._poll(reader, offset)
        self._prove([name for name in names if not name.startswith("_")])
        return self.outcome

    def _start(self) -> BinlogStreamReader:
        """Start the query, as Spark does."""
        source_of_spark = DefaultSource(self._options)
        reader = source_of_spark.streamReader(source_of_spark.schema())
        assert isinstance(reader, BinlogStreamReader)
        return reader

    def _alter(self) -> None:
        pick, columns = self._choices, self._columns
        number = self.outcome.num_alters = self.outcome.num_alters + 1
        kind = pick.choice(["add", "add", "widen", "drop", "rename"])
        narrow = [name for name, found in columns.items() if found == "INT"]
        if kind == "widen" and narrow:
            name = pick.choice(narrow)
            columns[name] = "BIGINT"
            self._change(f"MODIFY {name} BIGINT")
            value = 5 if self._is_kept else 1 << 33
            self._server.ask(f"UPDATE {TABLE} SET {name} = {value} LIMIT 3")  # noqa: S608
        elif kind == "drop" and len(columns) > 1:
            name = pick.choice([*columns])
            del columns[name]
            self._change(f"DROP COLUMN {name}")
        elif kind == "rename" and columns:
            name = pick.choice([*columns])
            columns[f"r{number}"] = columns.pop(name)
            self._change(f"CHANGE {name} r{number} {columns[f'r{number}']}")
        else:
            columns[f"c{number}"] = "INT"
            where = pick.choice(["FIRST", "AFTER id", ""])
            self._change(f"ADD COLUMN c{number} INT {where}")
        if self._is_kept and number == 1:  # of the columns of the start
            self._change("MODIFY id BIGINT, MODIFY note VARCHAR(400)")

    def _change(self, what: str) -> None:
        self._server.ask(f"ALTER TABLE {TABLE} {what}")

    def _poll(
        self, reader: BinlogStreamReader, start: dict[str, Any]
    ) -> tuple[BinlogStreamReader, dict[str, Any]]:
        """Run a batch; return the reader of the next one, and where it begins."""
        limit = self._choices.choice([ReadAllAvailable(), ReadMaxBytes(20_000)])
        end = reader.latestOffset(start, limit)
        if end == start:
            return reader, start
        if self._choices.random() < 0.1:  # killed: Spark has noted the end of the batch
            self.outcome.num_lost += 1
            reader = self._start()
        tasks = reader.partitions(start, end)
        if self._choices.random() < 0.1:
            tasks = reader.partitions(start, end)
        copy = pickle.loads(pickle.dumps(reader))  # noqa: S301 - of our own making
        rows = [row for task in tasks for found in copy.read(task) for row in found.to_pylist()]
        self.outcome.num_batches += bool(rows)
        for row in rows:
            self._take(row)
        if "schema_change" in end:
            self.outcome.num_starts += 1
            reader = self._start()
        return reader, end

    def _take(self, row: dict[str, Any]) -> None:
        place = tuple(row.pop(name) for name in METADATA)
        if place in self._given:
            raise ProofError(f"{place}: given before")
        self._given.add(place)
        before = self._rows.pop(row["id"], None)
        is_old = place[0] in ("delete", "update_preimage")
        if is_old != (before is not None):
            raise ProofError(f"{place}: {row}: the row before is {before}")
        if before is not None and before["note"] != row["note"]:
            raise ProofError(f"{place}: {row}: the row before is {before}")
        if not is_old:
            self._rows[row["id"]] = row

    def _prove(self, names: list[str]) -> None:
        """Compare the rows with those of the server; columns that it has no more are null."""
        there = {row[0] for row in self._server.ask(f"SHOW COLUMNS FROM {TABLE}")}
        selected = ", ".join(name if name in there else "NULL" for name in names)
        found = {row[0]: row for row in self._server.ask(f"SELECT {selected} FROM {TABLE}")}  # noqa: S608
        given = {key: tuple(row.get(name) for name in names) for key, row in self._rows.items()}
        if given != found:
            wrong = [(k, given.get(k), found.get(k)) for k in {*given, *found}]
            wrong = [one for one in wrong if one[1] != one[2]]
            raise ProofError(f"{len(wrong)} rows differ, such as {wrong[:3]}")
        self.outcome.num_images = len(self._given)
        self.outcome.num_rows, self.outcome.num_columns = len(found), len(names)


def run_alters(servers: Path, name: str, seed: int, num_alters: int) -> Outcome:
    """Start a server, and run; `name` is one of `RUNS`."""
    server, mode, is_read_live = RUNS[name]
    options = dict(OPTIONS)
    with source(servers, server, f"alter-{name}-{seed}", options) as running:
        folder = None
        if not is_read_live:
            state = running.state
            folder = str(Path(state.binlog_dir) / f"{state.binlog_base}.[0-9]*")
        with warnings.catch_warnings(action="ignore"):  # of columns that are left out
            return AlterRun(running, seed, mode, folder).run(num_alters)


def main() -> int:
    """Run; return 1 if a stream has not delivered each change once."""
    arguments = run_parser("tests.exactly_once.alter_run", __doc__, RUNS).parse_args()

    def run(name: str, seed: int) -> Outcome:
        return run_alters(arguments.servers.resolve(), name, seed, arguments.kills)

    return do_runs(arguments.seeds, arguments.only, RUNS, run)


if __name__ == "__main__":
    raise SystemExit(main())
