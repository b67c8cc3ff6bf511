"""Rounds of a replica, one after the other, until they are to end; and what a lake says of them."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from pyspark_adapter.errors import (
    BinlogError,
    DataLossError,
    OptionError,
    ServerError,
    StatementEventError,
    one_line,
)
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.replication.changes import Applied
from pyspark_adapter.replication.lake import TakenLakeError, read_state
from pyspark_adapter.replication.replica import Replica
from pyspark_adapter.replication.verified_table import VerifiedTable, verify_table
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.server.server_errors import RefusedError
from pyspark_adapter.sources.delta_storage import require_deltalake
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.progress import format_bytes
from pyspark_adapter.stream.metrics import Metric, MetricsFile
from pyspark_adapter.warn import warn

# Rounds that fail, one after the other, until the error is raised. A lost connection is tried again
# for ever.
FORMATS: Final = ("delta", "iceberg")
_MOST_FAILURES: Final = 10
_LONGEST_PAUSE: Final = 60.0
_NEVER_ALLOWED: Final = (1045, 1227)  # the user or password is wrong, or may not read the log


@dataclass(frozen=True)
class Round:
    """A round of `replicate`.

    Attributes:
        number: from 1.
        ended_at: seconds since 1970.
        seconds: that it took.
        num_tables: that follow the log.
        num_copied: tables that were copied.
        num_changes: row images that were read from the log.
        lag_seconds: how old the tables are; None after a failure.
        lag_bytes: of log that was not read yet at the end; None after a failure.
        log_file: name of the log up to which was read, `pos` the place in it.
        pos: see above.
        error: why it failed; None if it has not. It is tried again.
        refused: tables that are not copied, by `database.table`, and why: others have files in
            their folders, or a type or a right is missing. They are tried again.
    """

    number: int
    ended_at: float
    seconds: float
    num_tables: int
    num_copied: int
    num_changes: int
    lag_seconds: float | None
    lag_bytes: int | None
    log_file: str
    pos: int
    error: str | None
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows_per_second(self) -> float:
        """Row images that were applied in a second of the round."""
        return self.num_changes / self.seconds if self.seconds > 0 else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the round as JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(self.ended_at))
        if self.error is not None:
            return f"round {self.number} failed and is tried again: {self.error}"
        if not self.num_tables:
            return (
                f"{clock} no table follows the log yet: no name fits, or it was altered meanwhile"
            )
        lag = f"{self.lag_seconds or 0:.1f} s and {format_bytes(self.lag_bytes or 0)} behind"
        copied = f", {self.num_copied:,} copied" if self.num_copied else ""
        copied += f", {len(self.refused):,} refused" if self.refused else ""
        return (
            f"{clock} {self.num_tables:,} tables{copied}, {lag}, {self.num_changes:,} changes,"
            f" {self.rows_per_second:,.0f} rows/s, {self.log_file}@{self.pos}"
        )


def replicate(
    databases: Sequence[str],
    to: str | os.PathLike[str],
    *,
    format: str = "delta",  # noqa: A002 - as the flag
    catalog: str | None = None,
    tables: str | None = None,
    history: bool = False,
    reload: bool = False,
    prune: bool = False,
    rounds: int | None = None,
    pause: float = 1.0,
    after_round: Callable[[Round], None] | None = None,
    stop: threading.Event | None = None,
    verify: Callable[[VerifiedTable], None] | None = None,
    repair: bool = False,
    **server: Any,
) -> None:
    """Copy databases of a running server into Delta tables, and keep them current.

    Needs the packages of the extra `replicate`, and no Spark. The guide "A database in the lake"
    says what a round does, and why each change arrives once.

    Args:
        databases: names of the databases.
        to: folder of the lake, or a URI: `s3://bucket/lake?region=eu-west-1`.
        format: `delta` or `iceberg`, which needs the extra `iceberg`.
        catalog: of Iceberg tables, by its name in the configuration of pyiceberg; None for one of
            the lake's own, a file, which needs a local folder.
        tables: which tables, as the option `tables`; None for all.
        history: whether all changes are kept, too.
        reload: whether all tables are copied again, as after a loss of logs.
        prune: whether the copies of tables that the server has dropped are removed: the files that
            the log or the snapshots of a copy name.
        rounds: after which it ends; None for none.
        pause: seconds from the beginning of a round to that of the next; a longer round is followed
            by the next at once.
        after_round: is called after each round, also one that failed.
        stop: ends it after the round when it is set.
        verify: ends it after each table was compared with the server, and is called with the
            result.
        repair: whether rows that differ then become those of the server.
        server: `host` and the other options of a running server.

    Raises:
        OptionError: for a wrong option, or a lake that is of another.
        ServerError: if the server refuses user or settings, or cannot be reached at the start.
        DataLossError: if logs that were not read are gone, or the server lacks transactions.
        BinlogError: if another program writes the lake, it cannot be written, or ten rounds fail
            one after the other.
    """
    if isinstance(databases, str) or not databases:
        raise OptionError("databases: expected a list of names", option="databases")
    if server.get("host") is None:
        raise OptionError("option host: expected the name of a server", option="host")
    if rounds is not None and rounds < 1:
        raise OptionError(f"option rounds: expected 1 or more, got {rounds}", option="rounds")
    if not 0 <= pause < math.inf:
        raise OptionError(f"option pause: expected 0 seconds or more, got {pause}", option="pause")
    if format == "delta":
        require_deltalake()
    if format not in FORMATS:
        raise OptionError(
            f"option format: expected {' or '.join(FORMATS)}, got {format!r}", option="format"
        )
    lake = Location.parse(to)
    if catalog is not None and (format != "iceberg" or not catalog):
        raise OptionError(
            "option catalog: expected a name, and the format iceberg",
            option="catalog",
            value=catalog,
        )
    if format == "iceberg" and catalog is None and not lake.is_local:
        raise OptionError(
            "option catalog: expected the name of a catalog, since a lake of iceberg in object"
            " storage has none of its own",
            option="catalog",
            advice="name one that pyiceberg is configured for, or choose the format delta",
        )
    address = LiveServer.from_options(BinlogOptions.from_python(server))
    stop = stop or threading.Event()
    names = list(dict.fromkeys(databases))
    replica = Replica(
        address,
        lake,
        names,
        tables,
        has_history=history,
        table_format=format,
        catalog=catalog or "",
        prunes=prune,
        reloads=reload,
    )
    try:
        note = after_round or (lambda _: None)
        _run(replica, 1 if verify else rounds, pause, note, stop)
        if verify is not None:
            for name in sorted(replica.state.followed, key=str):
                if not stop.is_set():
                    verify(verify_table(replica, name, repairs=repair))
    finally:
        replica.close()


def _run(
    replica: Replica,
    rounds: int | None,
    pause: float,
    after_round: Callable[[Round], None],
    stop: threading.Event,
) -> None:
    number = num_failed = num_done = 0
    started, is_incomplete = 0.0, False
    while not stop.is_set() and (rounds is None or num_done < rounds):
        if number:
            left = started + pause - time.monotonic() if num_failed == 0 else pause + num_failed
            if stop.wait(min(max(left, 0), _LONGEST_PAUSE)):
                return
        started = time.monotonic()
        applied, error = Applied(), None
        number += 1
        try:
            applied = replica.round(has_failed=num_failed > 0)
        except DataLossError as failure:
            if is_incomplete:  # else another server may have come in the middle of the round
                again = "copy all tables again with --reload (in Python, reload=True)"
                failure.advice = f"check the name of the server; if it is the right one, {again}"
                raise
            is_incomplete, num_failed, error = True, num_failed + 1, one_line(str(failure))
        except (TakenLakeError, OptionError, StatementEventError):  # they do not pass by themselves
            raise
        except Exception as failure:  # the server restarts, or a table was altered meanwhile
            num_failed += 1
            refused = next(
                (e for e in (failure, failure.__cause__) if isinstance(e, RefusedError)), None
            )
            is_lost = isinstance(failure, ServerError) and refused is None
            lacks_rights = refused is not None and refused.code in _NEVER_ALLOWED
            if (num_failed >= _MOST_FAILURES and not is_lost) or (lacks_rights and not num_done):
                raise
            error = one_line(str(failure))
        else:
            num_failed, num_done, is_incomplete = 0, num_done + 1, False
        done = _round(replica, number, time.monotonic() - started, applied, error)
        try:
            replica.note(done.to_json())
        except TakenLakeError:
            raise
        except BinlogError as failure:  # if it lasts, the next round fails, too
            warn(f"the lake cannot say what round {number} did: {failure}")
        after_round(done)


def _round(
    replica: Replica, number: int, seconds: float, applied: Applied, error: str | None
) -> Round:
    state = replica.state
    return Round(
        number,
        time.time(),
        round(seconds, 3),
        len(state.followed),
        len(applied.copied),
        applied.num_changes,
        None if error else round(applied.lag_seconds, 3),
        None if error else applied.lag_bytes,
        state.offset.log_name if state.offset else "",
        state.offset.pos if state.offset else 0,
        error,
        {str(n): f"{e} (since {_moment(applied.since[n])})" for n, e in applied.refused.items()},
    )


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def lake_status(to: str | os.PathLike[str]) -> list[str]:
    """Return lines about a lake, from the lake alone; raises BinlogError."""
    lake = Location.parse(to)
    state = read_state(lake)
    followed = len(state.followed)
    lines = [
        f"{lake.shown}: {len(state.tables):,} tables, {followed:,} of them follow the log"
        + (", with history" if state.has_history else "")
        + (f", in the catalog {state.catalog}" if state.catalog else "")
    ]
    if state.offset is not None:
        lines.append(f"read up to {state.offset.log_name}@{state.offset.pos}")
    if state.round:
        lines.append(f"last round: {Round(**state.round)}")
    stops = {
        str(n): "follows the log" if text else "is to be copied" for n, text in state.tables.items()
    }
    stops |= {n: f"is not copied: {why}" for n, why in state.round.get("refused", {}).items()}
    lines += [f"{name}: {stops[name]}" for name in sorted(stops)]
    for name, dropped_at in state.dropped.items():
        lines.append(
            f"{name}: dropped on the server, noticed at {_moment(dropped_at)}; --prune removes its"
            " copy"
        )
    return lines


_ROUNDS: Final = Metric("replicate_rounds_total", "counter", "Rounds that ended without an error.")
_FAILED: Final = Metric("replicate_failed_rounds_total", "counter", "Rounds that failed.")
_CHANGES: Final = Metric("replicate_changes_total", "counter", "Row images that were read.")
_COPIES: Final = Metric("replicate_copied_tables_total", "counter", "Tables that were copied.")
_TABLES: Final = Metric("replicate_tables", "gauge", "Tables that follow the log.")
_LAG_SECONDS: Final = Metric("replicate_lag_seconds", "gauge", "How old the tables are.")
_LAG_BYTES: Final = Metric("replicate_lag_bytes", "gauge", "Bytes of log that are not read yet.")
_ENDED: Final = Metric(
    "replicate_last_round_timestamp_seconds", "gauge", "When the last round ended."
)


class RoundMetrics:
    """A file with the counts and the lag of `replicate`.

    Raises:
        OptionError, OSError: as `MetricsFile`.
    """

    def __init__(self, path: str) -> None:
        counters = (_ROUNDS, _FAILED, _CHANGES, _COPIES)
        gauges = (_TABLES, _LAG_SECONDS, _LAG_BYTES, _ENDED)
        self._file = MetricsFile(path, (*counters, *gauges))
        for counter in counters:
            self._file.add(counter, 0)

    def note(self, done: Round) -> None:
        """Count a round."""
        file = self._file
        file.add(_ROUNDS if done.error is None else _FAILED)
        file.add(_CHANGES, done.num_changes)
        file.add(_COPIES, done.num_copied)
        file.set(_TABLES, done.num_tables)
        file.set(_LAG_SECONDS, done.lag_seconds)
        file.set(_LAG_BYTES, done.lag_bytes)
        file.set(_ENDED, round(done.ended_at, 3))
        file.write(at_once=True)
