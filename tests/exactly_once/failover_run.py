"""Proof that a stream outlives its server: `python -m tests.exactly_once.failover_run --help`.

A source under load is killed, its replica takes its place, and the old source comes back as a
replica, round after round; the stream is killed at random, too. At the end each transaction that
the servers have was given once, and the changes lead to the rows that the server selects.
"""

from __future__ import annotations

import ast
import json
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymysql

from pyspark_adapter.options.gtid_position import GtidPosition
from samples.truth import fetch_rows
from tests.exactly_once.failover_program import COLUMNS, Checkpoint
from tests.exactly_once.failover_servers import PASSWORD, USER, Node, wait_until
from tests.exactly_once.runs import ProofError, do_runs, run_parser
from tests.inputs import ROOT
from tests.live.servers import ServerState

SERVERS = {"mysql": "mysql-latest", "mariadb": "mariadb-11.8"}
DATABASE = "shared"
TABLE = f"{DATABASE}.t"
NUM_CLIENTS = 3
END_SECONDS = 120.0
# Seconds between the transactions of a client: a rebuilt server has to apply them all.
MOST_PAUSE = 0.02
# While the run waits for the stream, which shares the processors with clients and servers.
MOST_PAUSE_FOR_STREAM = 0.5
_STATEMENTS = (
    f"REPLACE INTO {TABLE} VALUES (%s, %s)",  # noqa: S608
    f"UPDATE {TABLE} SET note = CONCAT(LEFT(note, 99), 'u') WHERE id = %s AND '' <> %s",  # noqa: S608
    f"DELETE FROM {TABLE} WHERE id = %s AND '' <> %s",  # noqa: S608
)


@dataclass
class Outcome:
    """What a run came to.

    Attributes:
        num_rounds: times that the source was killed.
        num_stream_kills: times that the stream was.
        num_rebuilt: old sources with a transaction that no other server had.
        num_transactions: each given once.
        num_rows: that the server selects in the end, as the changes lead to.
        num_batches: of the stream.
        num_moves: batches that ended on another server than the one before.
        seconds: that it took.
    """

    num_rounds: int = 0
    num_stream_kills: int = 0
    num_rebuilt: int = 0
    num_transactions: int = 0
    num_rows: int = 0
    num_batches: int = 0
    num_moves: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.num_rounds} sources killed, {self.num_stream_kills} streams killed,"
            f" {self.num_rebuilt} old sources rebuilt; {self.num_transactions:,} transactions in"
            f" {self.num_batches:,} batches on {self.num_moves + 1} servers in turn, each once;"
            f" {self.num_rows:,} rows as the server selects them; {self.seconds:.0f} s"
        )


class Load:
    """Clients that insert, update and delete rows on whichever server is the source.

    Attributes:
        source: the server.
        most_pause: seconds between the transactions of a client, at most.
    """

    def __init__(self, source: Node, seed: int) -> None:
        self.source = source
        self.most_pause = MOST_PAUSE
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(seed + client, client), daemon=True)
            for client in range(NUM_CLIENTS)
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let the clients end their transactions."""
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self, seed: int, client: int) -> None:
        choices = random.Random(seed)  # noqa: S311 - to do the same again
        number = client
        while not self._ended.is_set():
            with (
                suppress(pymysql.MySQLError, OSError),
                closing(_connected(self.source.state)) as connection,
            ):
                while not self._ended.is_set():
                    number += NUM_CLIENTS
                    self._transact(connection, choices, number)
                    time.sleep(choices.uniform(0, self.most_pause))
            time.sleep(0.05)

    @staticmethod
    def _transact(connection: Any, choices: random.Random, number: int) -> None:
        fetch_rows(connection, "BEGIN")
        for _ in range(choices.choice([1, 1, 2, 5])):
            one = choices.randrange(max(1, number - 60), number + 1)
            one -= (one - number) % NUM_CLIENTS  # each client has rows of its own
            text = "x" * choices.randrange(1, 60)
            fetch_rows(connection, choices.choice(_STATEMENTS), str(one), text)
        fetch_rows(connection, _STATEMENTS[0], str(-number), "done")
        fetch_rows(connection, "COMMIT")


def _connected(state: ServerState) -> Any:
    """Return a connection; PyMySQL leaves its socket open if nobody listens any more.

    Raises:
        OSError, MySQLError: if the server is gone.
    """
    connection = pymysql.connect(user=state.user, autocommit=True, defer_connect=True)
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(state.socket)
    except OSError:
        server.close()
        raise
    connection.connect(server)
    return connection


class FailoverRun:
    """A run.

    Args:
        servers: folder of the servers.
        name: of `SERVERS`.
        seed: of all choices.
        moves: whether the stream has to follow each source to the next one. Otherwise it may stay
            on a server that is not killed, and be behind when the next kill comes.
    """

    def __init__(self, servers: Path, name: str, seed: int, *, moves: bool = False) -> None:
        self._nodes = [Node(servers, SERVERS[name], number) for number in (1, 2)]
        self._choices = random.Random(seed)  # noqa: S311 - to do the same again
        self._seed = seed
        self._moves = moves
        self._folder = servers / "run" / f"failover-{name}-{seed}"
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self._program: subprocess.Popen[bytes] | None = None
        self.outcome = Outcome()

    def run(self, num_rounds: int) -> Outcome:
        """Kill so often, and prove; raises ProofError."""
        begun = time.monotonic()
        try:
            self._set_up()
            load = Load(self._nodes[0], self._seed)
            load.start()
            for _ in range(num_rounds):
                self._round(load)
                if self._moves:  # else it may find its old server as a replica, and stay there
                    self._kill_stream()
                    self._start_stream()
                if self._moves or self._choices.random() < 0.5:
                    self._wait_for_batches(load)
            self._sleep_and_kill(1.0)
            load.stop()  # not after an error: a client may wait for a replica for ever
            self._drain()
            self._prove()
        except AssertionError as error:
            error.add_note(f"see {self._folder}")
            raise
        finally:
            if self._program is not None:
                self._program.kill()
                self._program.wait()
            for node in self._nodes:
                node.discard()
        shutil.rmtree(self._folder)
        self.outcome.seconds = time.monotonic() - begun
        return self.outcome

    def _set_up(self) -> None:
        source, replica = self._nodes
        source.start(fresh=True)
        replica.start(fresh=True)
        source.ask(
            f"CREATE USER {USER}@'%' IDENTIFIED BY '{PASSWORD}'",
            f"GRANT SELECT, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO {USER}@'%'",
            f"CREATE DATABASE {DATABASE}",
            f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, note VARCHAR(255))",
        )
        replica.follow(source, fresh=True)
        source.lead()
        source.wait_for_replica()
        wait_until(lambda: not source.gtids().minus(replica.gtids()))
        self._start = source.gtids()
        self._start_stream()
        wait_until(lambda: self._is_running() and self._num_done())

    def _num_done(self) -> int:
        """Return how many batches are done."""
        return Checkpoint(self._folder).num_done

    def _start_stream(self, until: str = "") -> None:
        nodes = [*self._nodes]
        if not self._moves:
            self._choices.shuffle(nodes)
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
        with (self._folder / "stream.err").open("ab") as errors:
            self._program = subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.exactly_once.failover_program"),
                    *(str(self._folder), hosts, until),
                ],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stderr=errors,
            )

    def _kill_stream(self) -> None:
        assert self._program is not None
        self._program.kill()
        self._program.wait()

    def _is_running(self) -> bool:
        """Return whether the stream runs; start it again if a task of it has lost its server.

        Or if the only server that answers is a replica that has not applied yet what was given: it
        has it in its relay log; or if the server was rebuilt while a task read it. At the end the
        stream has to come to all transactions.

        Raises:
            ProofError: if it has ended for another reason.
        """
        assert self._program is not None
        if self._program.poll() is None:
            return True
        text = (self._folder / "stream.err").read_text()
        last = text.strip().rpartition("\n")[2]
        is_behind = any(words in last for words in _IS_BEHIND)
        is_wrong = _AT_ODDS in last
        if is_wrong or not (last.startswith(_LOST_SERVER) or is_behind):
            raise ProofError(f"the stream has ended:\n{text[-3000:]}")
        self._start_stream()
        return True

    def _sleep_and_kill(self, seconds: float) -> None:
        """Let time go by, in which the stream may be killed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.05)
            self._is_running()
            if self._choices.random() < 0.02 / seconds:
                self._kill_stream()
                self.outcome.num_stream_kills += 1
                self._start_stream()

    def _wait_for_batches(self, load: Load) -> None:
        """Wait for what was planned before the last kill, and the next batch."""
        before = self._num_done()
        load.most_pause = MOST_PAUSE_FOR_STREAM
        wait_until(lambda: self._is_running() and self._num_done() > before + 1)
        load.most_pause = MOST_PAUSE

    def _round(self, load: Load) -> None:
        """Kill the source, promote the replica, and bring the source back as a replica."""
        source, replica = self._nodes
        self._sleep_and_kill(self._choices.uniform(0.5, 2.5))
        source.kill()
        self.outcome.num_rounds += 1
        replica.apply_rest()
        # Nobody may read what only the old source has.
        is_astray = bool(source.gtids_on_disk().minus(replica.gtids()))
        replica.lead()
        load.source = replica
        self._nodes = [replica, source]
        self._sleep_and_kill(self._choices.uniform(0.1, 1.0))
        self.outcome.num_rebuilt += is_astray
        source.start(fresh=is_astray)
        source.follow(replica, fresh=is_astray)
        replica.wait_for_replica()
        there = replica.gtids()
        wait_until(lambda: not there.minus(source.gtids()))

    def _drain(self) -> None:
        """Let the stream read the rest."""
        source, replica = self._nodes
        wait_until(lambda: not source.gtids().minus(replica.gtids()))
        self._kill_stream()
        self._start_stream(source.gtids().text)
        assert self._program is not None
        end = time.monotonic() + END_SECONDS
        while self._program.poll() is None:
            if time.monotonic() > end:
                raise ProofError(f"the stream has not come to {source.gtids().text}")
            time.sleep(0.05)
        if self._program.returncode:
            raise ProofError(f"the stream has ended:\n{self._errors()}")

    def _errors(self) -> str:
        return (self._folder / "stream.err").read_text()[-3000:]

    def _prove(self) -> None:
        """Compare what was given with the servers."""
        checkpoint = Checkpoint(self._folder)
        outcome = self.outcome
        outcome.num_batches = checkpoint.num_done
        offsets = [checkpoint.offset(number) for number in range(outcome.num_batches)]
        names = [offset.server for offset in offsets if offset is not None]
        outcome.num_moves = sum(a != b for a, b in pairwise(names))
        given: dict[str, set[int]] = {}
        places: set[tuple[Any, ...]] = set()
        state: dict[int, str] = {}
        batches = [checkpoint.rows / f"{number}.json" for number in range(1, outcome.num_batches)]
        for number, path in enumerate(batches):
            for text in json.loads(path.read_text()):
                row = ast.literal_eval(text)
                given.setdefault(row["_gtid"], set()).add(number)
                place = tuple(row[name] for name in COLUMNS)
                if len(given[row["_gtid"]]) > 1 or place in places:
                    raise ProofError(f"{row} of batch {number}: given before")
                places.add(place)
                values = json.loads(row["row"])
                if row["_change_type"] in ("delete", "update_preimage"):
                    if state.pop(values["id"], None) != values["note"]:
                        raise ProofError(f"{row}: this row was not there")
                elif values["id"] in state:
                    raise ProofError(f"{row}: this row was there already")
                else:
                    state[values["id"]] = values["note"]
        source = self._nodes[0]
        expected = source.gtids().minus(self._start)
        self._compare_gtids(expected, given)
        selected = dict(source.ask(f"SELECT id, note FROM {TABLE}"))  # noqa: S608
        if selected != state:
            raise ProofError(f"{len(selected)} rows of the server, {len(state)} by the changes")
        outcome.num_transactions, outcome.num_rows = len(given), len(state)

    def _compare_gtids(self, expected: GtidPosition, given: dict[str, set[int]]) -> None:
        if self._nodes[0].is_mysql:
            found = GtidPosition.parse(",".join(given))
            lost, more = expected.minus(found), found.minus(expected)
            if lost or more:
                raise ProofError(f"lost: {lost.text}; not of the server: {more.text}")
            return
        # Of a domain all numbers are used, one after the other.
        numbers = sorted(int(gtid.split("-")[2]) for gtid in given)
        first, last = self._start.last[0][1], expected.last[0][1]
        if numbers != [*range(first + 1, last + 1)]:
            missing = {*range(first + 1, last + 1)} - {*numbers}
            raise ProofError(f"lost: {sorted(missing)[:9]}, given: {len(numbers)}")


_LOST_SERVER = ("pyspark_adapter.errors.ServerError", "pyspark_adapter.server.server.NoServerError")
_AT_ODDS = "by the positions of its offsets, and not by their GTIDs"
# Of a batch that ended on the source, or that was planned on it; then of a task that finds a
# rebuilt server in its place.
_IS_BEHIND = (
    "the server lacks transactions that the stream has delivered",
    "is the end of a batch whose transactions",
    "the server no longer has it",
    "replaced by another log of the same name",
)


def main() -> int:
    """Run; return 1 if a stream has not delivered each transaction once."""
    arguments = run_parser("tests.exactly_once.failover_run", __doc__, SERVERS).parse_args()

    def run(name: str, seed: int) -> Outcome:
        return FailoverRun(arguments.servers.resolve(), name, seed).run(arguments.kills)

    return do_runs(arguments.seeds, arguments.only, SERVERS, run)


if __name__ == "__main__":
    raise SystemExit(main())
