"""`examples/replicate/` without Spark, in this process: a stand-in for the stream and its frames.

All else is the program's own: state, copies, merges, what is done at DDL. A run takes a fraction of
the time that it takes with Spark, and can be stopped between any two steps.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import replicate
import server_tables

from pyspark_adapter import read_batches
from pyspark_adapter.decode.table_groups import KEY
from pyspark_adapter.options.binlog_options import OPTIONS
from tests.exactly_once.replica_load import DATABASE, PASSWORD, USER
from tests.live.servers import ServerState

STOP_SHARE: Final = 0.03  # of the steps
MOST_FAILURES: Final = 10
NO_SPARK: Final[Any] = None
_NAMES: Final = {option.spark_name: option.name for option in OPTIONS}
_VERSION: Final = "_commit_version"


class Stopped(BaseException):
    """The program is killed here."""


class Frame:
    """What the program uses of a DataFrame."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def where(self, condition: str) -> Frame:
        """Return the rows after a commit version, the only condition that there is."""
        name, sign, version = condition.split()
        assert (name, sign) == (_VERSION, ">")
        return Frame(self.table.filter(pc.greater(self.table[_VERSION], int(version))))

    def toArrow(self) -> pa.Table:  # noqa: N802 - Spark's name
        """Return the rows."""
        return self.table

    def unionByName(self, other: Frame) -> Frame:  # noqa: N802 - Spark's name
        """Return the rows of both."""
        return Frame(pa.concat_tables([self.table, other.table]))


def latest_changes(frame: Frame, key: Sequence[str]) -> SimpleNamespace:
    """Return the last change of each key."""
    last: dict[Any, dict[str, Any]] = {}
    for row in frame.table.to_pylist():
        place = tuple(row[name] for name in key)
        if row["_change_type"] in ("insert", "update_postimage"):
            last[place] = row
        else:
            gone = {name: row[name] for name in (*key, _VERSION)}
            last[place] = {"_change_type": "delete", **gone}
    net = pa.Table.from_pylist(list(last.values()), frame.table.schema)
    return SimpleNamespace(toArrow=lambda: net)


@contextmanager
def tables_of(groups: list[dict[str, Any]]) -> Iterator[list[SimpleNamespace]]:
    """Give the tables of groups of changes, as the function of the package."""
    groups.sort(key=lambda row: (row["table_name"], row["first_commit_version"]))
    found = []
    schemas = {row["shape"]: row["schema"] for row in groups if row["schema"] is not None}
    for name, of_table in groupby(groups, key=lambda row: row["table_name"]):
        rows = list(of_table)
        parts = []
        for shape, run in groupby(rows, key=lambda row: row["shape"]):
            if shape is None:
                continue
            schema = pa.ipc.read_schema(pa.py_buffer(schemas[shape]))
            of_part = list(run)
            batches = [pa.ipc.read_record_batch(row["rows"], schema) for row in of_part]
            parts.append(
                SimpleNamespace(
                    key=json.loads(schema.metadata[KEY]),
                    columns=[name for name in schema.names if not name.startswith("_")],
                    last_commit_version=max(row["last_commit_version"] for row in of_part),
                    rows=Frame(pa.Table.from_batches(batches).replace_schema_metadata()),
                )
            )
        statements = [row for row in rows if row["change_type"]]
        found.append(
            SimpleNamespace(
                table=SimpleNamespace(table_name=name),
                parts=parts,
                key=parts[-1].key if parts else (),
                statements=[
                    SimpleNamespace(
                        kind=row["change_type"],
                        text=row["statement"],
                        commit_version=row["last_commit_version"],
                    )
                    for row in statements
                ],
            )
        )
    yield found


class LocalReplica(replicate.Replica):
    """The program, stopped at random.

    Args:
        seed: of the places where it is stopped.
        stop_share: of its steps.
    """

    def __init__(
        self, server: server_tables.Server, lake: Path, *, seed: int, stop_share: float
    ) -> None:
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self._stop_share = stop_share
        super().__init__(server, lake, has_history=True)

    def maybe_stop(self) -> None:
        """Stop, or not."""
        if self._source.random() < self._stop_share:
            raise Stopped

    def save(self, followed: dict[str, str]) -> None:
        """Store which tables follow the log."""
        self.maybe_stop()
        super().save(followed)
        self.maybe_stop()

    def merge(self, changes: Any) -> bool:
        """Apply the changes of a table."""
        self.maybe_stop()
        is_merged = super().merge(changes)
        self.maybe_stop()
        return is_merged

    @property
    def offset(self) -> dict[str, Any] | None:
        """Up to where the log has been read, for good."""
        checkpoint = self.state_folder / "checkpoint" / "offset.json"
        return json.loads(checkpoint.read_text()) if checkpoint.exists() else None

    def follow(self, spark: Any) -> None:  # noqa: ARG002 - of the program
        """Apply the changes up to now, in a batch whose end is stored after it."""
        checkpoint = self.state_folder / "checkpoint" / "offset.json"
        checkpoint.parent.mkdir(exist_ok=True)
        begin = self.offset or self.start
        end = self.server.position()
        # Other than a stream, this read looks at all logs: the definitions are of where it begins.
        start, self.start = self.start, begin
        options: dict[str, Any] = {_NAMES[name]: value for name, value in self.options().items()}
        self.start = start
        options["starting_position"] = "{log_file}:{pos}".format(**begin)
        options["ending_position"] = "{log_file}:{pos}".format(**end)
        groups: Any = [row for batch in read_batches(**options) for row in batch.to_pylist()]
        self.apply(groups, 0)
        self.maybe_stop()
        checkpoint.write_text(json.dumps(end))
        self.maybe_stop()


class LocalRuns:
    """The program, begun again whenever it was stopped.

    Args:
        state: of the server.
        lake: folder of the Delta tables.
        seed: of the places where it is stopped.
    """

    def __init__(self, state: ServerState, lake: Path, seed: int) -> None:
        self._state = state
        self._lake = lake
        self._source = random.Random(seed)  # noqa: S311 - to do the same again
        self.num_stops = 0
        self.num_failed = 0

    def stop_often(
        self, count: int, is_enough: Callable[[], bool], after_round: Callable[[str], None]
    ) -> None:
        """Run until it was stopped so often, and longer until enough was done to the server.

        Args:
            count: of stops.
            is_enough: whether the load has done enough.
            after_round: is called with the first log that is still needed.
        """
        while self.num_stops < count or not is_enough():
            try:
                self._run(None, STOP_SHARE, after_round)
            except Stopped:
                self.num_stops += 1

    def finish(self) -> None:
        """Read the rest."""
        self._run(2, 0, lambda _: None)

    def _run(
        self, num_rounds: int | None, stop_share: float, after_round: Callable[[str], None]
    ) -> None:
        access = {"host": self._state.host, "port": self._state.port, "user": USER}
        server = server_tables.Server(**access, password=PASSWORD, database=DATABASE)
        seed = self._source.getrandbits(32)
        program = LocalReplica(server, self._lake, seed=seed, stop_share=stop_share)
        num_failed = 0
        while num_rounds is None or num_rounds > 0:
            try:
                program.round(NO_SPARK, num_failed > 0)
            except Exception:  # a table was altered meanwhile
                num_failed += 1
                self.num_failed += 1
                if num_failed == MOST_FAILURES:
                    raise
                continue
            num_failed = 0
            num_rounds = num_rounds and num_rounds - 1
            if program.offset is not None:
                after_round(program.offset["log_file"])


def use_stand_ins() -> None:
    """Let the program use these instead of Spark; for the rest of the process."""
    stand_ins = {"tables_of": tables_of, "latest_changes": latest_changes, "DataFrame": Frame}
    for name, found in {**stand_ins, "SETTLE_SECONDS": 0.2, "PAUSE_SECONDS": 0}.items():
        setattr(replicate, name, found)
