"""Runs of `replicate`: a server under load and DDL, and kills.

Kill as often as asked: `python -m tests.exactly_once.replica_run --help`.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.replication.lake import read_state
from pyspark_adapter.replication.run import FORMATS
from pyspark_adapter.sources.locations import Location
from tests.exactly_once.local_replica import LocalRuns, settle_quickly
from tests.exactly_once.processes import Role
from tests.exactly_once.replica_load import ReplicaLoad
from tests.exactly_once.replica_program import CATALOG, Replication
from tests.exactly_once.replica_tables import ComparedTables, compare_tables
from tests.exactly_once.runs import do_runs, run_parser
from tests.live.servers import Instance, connect
from tests.live.servers.instance import free_port
from tests.unit.s3_server import s3_process

SERVERS: Final = ("mysql-latest", "mariadb-11.8")
OPTIONS: Final = {
    "max-binlog-size": "262144",  # so that many logs are begun
    # As the servers' defaults: a killed server has the transactions that are in its log.
    "innodb-flush-log-at-trx-commit": "1",
    "sync-binlog": "1",
}
# Else logs are kept for replicas that never come.
OPTIONS_OF_MARIADB: Final = {"slave-connections-needed-for-purge": "0"}
# Of a run without Spark, which may be short: statements, and those of DDL.
MIN_STATEMENTS: Final = 160
MIN_DDL: Final = 4
# Commits of Delta tables from kill to kill, at most; a round has some 20. Most kills hit the first
# of a round, or what comes before.
MOST_COMMITS: Final = (4, 8, 30)
SERVER: Final = "server"
POWER: Final = "power"  # of local lakes
KILLS: Final = (Role.DRIVER.value, Role.DRIVER.value, SERVER)


class Compared(NamedTuple):
    """What a run came to.

    Attributes:
        equal: tables and rows that are equal.
        num_statements, num_ddl: that were done meanwhile; DDL among the statements.
        num_purged: logs.
        kills: how many there were, by target.
        num_failed: rounds of the program that failed and were tried again.
    """

    equal: ComparedTables
    num_statements: int
    num_ddl: int
    num_purged: int
    kills: dict[str, int]
    num_failed: int


def run_replica(
    servers: Path,
    server: str,
    seed: int,
    kills: Sequence[str],
    seconds: float = inf,
    table_format: str = "delta",
    *,
    in_s3: bool = False,
) -> Compared:
    """Copy the tables of a server under load, kill, and compare all cells.

    A failed run leaves its files in a folder next to that of the server.

    Args:
        servers: folder of the servers.
        server: one of `tests.live.servers`.
        seed: of all choices.
        kills: what is killed, one after the other, of KILLS; first while tables are copied.
        seconds: after which no more is killed.
        table_format: of the lake.
        in_s3: whether an Iceberg lake is in a server of S3; its catalog is in the folder.

    Returns:
        What was compared.

    Raises:
        ProgramError: if the program ends with an error of its own.
        AssertionError: if a cell differs; a note names the folder.
    """
    return _in_folder(
        servers, server, seed, table_format, lambda run: run.run(kills, seconds), in_s3=in_s3
    )


def run_local(
    servers: Path, server: str, seed: int, num_stops: int, table_format: str = "delta"
) -> Compared:
    """Do the same in this process; see `local_replica`; raises AssertionError."""
    return _in_folder(
        servers, server, seed, table_format, lambda run: run.run_local(seed, num_stops)
    )


def _in_folder(
    servers: Path,
    server: str,
    seed: int,
    table_format: str,
    do: Callable[[ReplicaRun], Compared],
    *,
    in_s3: bool = False,
) -> Compared:
    folder = servers / "run" / f"replica-{server}-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    instance = Instance(servers, f"replica-{server}")
    try:
        with _lake_in_s3(folder) if in_s3 else nullcontext(Location.parse(folder / "lake")) as lake:
            found = do(ReplicaRun(instance, server, seed, folder, lake, table_format))
    except AssertionError as error:
        error.add_note(f"see {folder}")
        raise
    finally:
        instance.stop()
    instance.discard()
    shutil.rmtree(folder)
    return found


@contextmanager
def _lake_in_s3(folder: Path) -> Iterator[Location]:
    """Give a lake in a server of S3, with a catalog in a folder."""
    os.environ[f"PYICEBERG_CATALOG__{CATALOG.upper()}__URI"] = f"sqlite:///{folder}/{CATALOG}.db"
    with s3_process() as s3:
        uri = s3.uri("key:secret@x/") + "&allow_bucket_creation=true"
        fs.FileSystem.from_uri(uri)[0].create_dir("lake")
        yield Location.parse(s3.uri("key:secret@lake/kills"))


class ReplicaRun:
    """A run."""

    def __init__(
        self,
        instance: Instance,
        server: str,
        seed: int,
        folder: Path,
        lake: Location,
        table_format: str,
    ) -> None:
        self._format, self._lake = table_format, lake
        self._instance = instance
        self._server = server
        self._options: dict[str, str | None] = {"port": str(free_port()), **OPTIONS}
        if server.startswith("mariadb"):
            self._options |= OPTIONS_OF_MARIADB
        self._state = instance.start(server, options=self._options, fresh=True)
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self._load = ReplicaLoad(self._state, seed)
        self._program = Replication(self._state, folder, lake, table_format)
        self._num_purged = 0

    def run(self, kills: Sequence[str], seconds: float = inf) -> Compared:
        """Kill, and compare; raises as `run_replica`."""
        deadline = time.monotonic() + seconds
        self._load.begin()
        program = self._program
        try:
            program.start()
            for number, kill in enumerate(kills):
                if time.monotonic() > deadline:
                    break
                if number == 0:
                    program.wait_for_copies(3)
                else:
                    program.wait_for_commits(
                        self._source.randrange(self._source.choice(MOST_COMMITS))
                    )
                program.wait_until(time.monotonic() + self._source.uniform(0, 2))
                if kill != POWER:  # the state that is read may not be on the disk
                    self._purge()
                self._kill(kill)
            self._load.stop()
            program.end()
            program.finish()
        finally:
            program.end()
        found = self._compare(program.kills, len(program.failures))
        if POWER in kills:  # DDL has tables copied, a loss of files never
            assert program.copied_again == []
        return found

    def run_local(self, seed: int, num_stops: int) -> Compared:
        """Stop the program between its steps, and compare; raises as `run_replica`."""
        self._load.begin()
        settle_quickly()
        runs = LocalRuns(self._state, str(self._lake), seed, self._format)
        load = self._load
        runs.stop_often(
            num_stops,
            lambda: load.num_ddl >= MIN_DDL and load.num_statements >= MIN_STATEMENTS,
            self._purge_to,
        )
        self._load.stop()
        runs.finish()
        return self._compare({"stop": runs.num_stops}, runs.num_failed)

    def _compare(self, kills: dict[str, int], num_failed: int) -> Compared:
        catalog = "" if self._lake.is_local else CATALOG
        equal = compare_tables(self._state, self._lake, self._format, catalog)
        load = self._load
        done = (load.num_statements, load.num_ddl, self._num_purged)
        return Compared(equal, *done, dict(kills), num_failed)

    def _kill(self, kill: str) -> None:
        if kill == POWER:
            self._program.lose_power(self._source)
            return
        if kill != SERVER:
            self._program.kill(Role(kill))
            return
        self._program.excuse()
        with self._load.restarting():
            self._instance.kill()
            self._state = self._instance.start(self._server, options=self._options)

    def _purge(self) -> None:
        """Remove the logs that have been read."""
        try:
            offset = read_state(self._lake).offset
        except BinlogError:  # there is no state yet, or it is being written
            return
        if offset is not None:
            self._purge_to(offset.log_name)

    def _purge_to(self, log_file: str) -> None:
        """Remove the logs before one."""
        with closing(connect(self._state)) as connection, connection.cursor() as cursor:
            num_before = cursor.execute("SHOW BINARY LOGS")
            cursor.execute(f"PURGE BINARY LOGS TO '{log_file}'")
            self._num_purged += num_before - cursor.execute("SHOW BINARY LOGS")


def main() -> int:
    """Run; return 1 if a table differs."""
    parser = run_parser("tests.exactly_once.replica_run", __doc__, SERVERS)
    parser.add_argument("--seconds", type=float, default=inf, help="of kills, at most")
    parser.add_argument(
        "--local", action="store_true", help="in this process, stopped between its steps"
    )
    parser.add_argument("--format", choices=FORMATS, default="delta", help="of the lake")
    parser.add_argument("--s3", action="store_true", help="a lake of iceberg in object storage")
    arguments = parser.parse_args()
    servers = arguments.servers.resolve()

    def run(server: str, seed: int) -> Compared:
        if arguments.local:
            return run_local(servers, server, seed, arguments.kills, arguments.format)
        kills = random.Random(seed).choices(KILLS, k=arguments.kills)  # noqa: S311
        return run_replica(
            servers, server, seed, kills, arguments.seconds, arguments.format, in_s3=arguments.s3
        )

    return do_runs(arguments.seeds, arguments.only, SERVERS, run)


if __name__ == "__main__":
    raise SystemExit(main())
