"""Questions to an archive with an index and without: `python -m bench.archive --gigabytes 10`.

The archive is made of the logs of `bench.make_logs`: copies with numbers, times, GTIDs, names and
ids of tables and keys of their own and valid checksums, an hour after each other.
"""

import argparse
import datetime
import shutil
import struct
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bench.timing import MEGABYTE, describe_machine
from pyspark_adapter import list_tables, read_batches, undo_statements
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index.build_index import ALL_KEYS, build_index
from pyspark_adapter.index.make_index import make_indexes
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.entry_points import locate
from pyspark_adapter.operations.indexed_answers import add_logs, largest_transactions
from pyspark_adapter.operations.row_history import row_history
from pyspark_adapter.operations.statistics import Statistics
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.sources import log_file as log_file_module
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.splits.read_split import plan_read

GTID, TABLE_MAP, ROWS = 33, 19, (30, 31, 32)
HOUR = 3600
NUM_TABLES = 34  # of each kind of log
KEY_STEP = GTID_STEP = 1_000_000
NAMES = ("bulk.000001", "upd.000003", "oltp.000002")
Numbers = np.ndarray[Any, Any]


@dataclass
class Copies:
    """A log that is copied, and where what differs between the copies is.

    Attributes:
        data: the log.
        kind: number of the kind of log.
    """

    data: Numbers
    kind: int
    keys: Numbers  # offsets of the keys of all row images
    starts: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    types: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, path: Path, kind: int) -> "Copies":
        """Read a log."""
        made = cls(np.fromfile(path, dtype=np.uint8), kind, key_offsets(path))
        data, pos = made.data.tobytes(), 4
        while pos < len(data):
            length = struct.unpack_from("<I", data, pos + 9)[0]
            made.starts.append(pos)
            made.lengths.append(length)
            made.types.append(data[pos + 4])
            pos += length
        return made

    def write(self, path: Path, number: int) -> None:
        """Write a copy."""
        data = self.data.copy()
        keys = data[self.keys[:, None] + np.arange(4)].view("<u4").ravel() + number * KEY_STEP
        data[self.keys[:, None] + np.arange(4)] = keys.astype("<u4").view(np.uint8).reshape(-1, 4)
        content = bytearray(data.tobytes())
        random = np.random.default_rng(number)
        weights = 1 / np.arange(1, NUM_TABLES + 1)
        choice = random.choice(NUM_TABLES, 4096, p=weights / weights.sum()).tolist()
        later, num_transactions, table = number * HOUR, 0, 0
        for start, length, type_code in zip(self.starts, self.lengths, self.types, strict=True):
            _add(content, start, 4, later)
            body = start + 19
            if type_code == GTID:
                num_transactions += 1
                table = choice[num_transactions & 4095]
                _add(content, body + 17, 8, number * GTID_STEP)
                _add(content, body + 42, 7, later * 1_000_000)
                if content[body + 48] & 128:  # the commit on the source, too
                    _add(content, body + 49, 7, later * 1_000_000)
            elif type_code == TABLE_MAP or type_code in ROWS:
                content[body : body + 6] = (1000 + 100 * self.kind + table).to_bytes(6, "little")
            if type_code == TABLE_MAP:
                name = body + 8 + 2 + content[body + 8]
                end = name + 1 + content[name]
                content[end - 2 : end] = b"%02d" % table
            end = start + length - 4
            checksum = zlib.crc32(memoryview(content)[start:end])
            content[end : end + 4] = checksum.to_bytes(4, "little")
        path.write_bytes(content)


def _add(content: bytearray, start: int, size: int, value: int) -> None:
    total = int.from_bytes(content[start : start + size], "little") + value
    content[start : start + size] = total.to_bytes(size, "little")


def key_offsets(path: Path) -> Numbers:
    """Return the offsets of the first column of all row images of a log of one table."""
    options = BinlogOptions()
    found = []
    for scanned in Scanner(find_log_files(path, options)[0], options):
        count = scanned.events.shape[1]
        tables = scanned.tables
        num_columns = len(tables.table_maps[int(scanned.events[lay.Event.SLOT, 0])].columns)
        columns = np.full((len(lay.TableColumn), num_columns), -1, dtype=np.int64)
        columns[lay.TableColumn.OUTPUT, 0] = 0
        pos = np.empty((1, (1 << 17) + 16), dtype=np.int32)
        located = np.empty((len(lay.LocatedRow), 1 << 17), dtype=np.int64)
        totals = np.zeros((len(lay.Total), 1), dtype=np.int64)
        cursor = np.zeros(len(lay.Cursor), dtype=np.int64)
        cursor[lay.Cursor.MAX_BYTES] = 1 << 40
        images = np.zeros((2, len(lay.Present), lay.MAX_COLUMNS), dtype=np.int32)
        while cursor[lay.Cursor.EVENT] < count:
            num_rows = locate(
                scanned.data,
                scanned.event_table,
                np.arange(count),
                np.empty(0, np.int64),
                tables.widths,
                tables.plans,
                tables.plan_columns,
                columns,
                pos,
                located,
                totals,
                cursor,
                images,
            )
            found.append(pos[0, :num_rows].astype(np.int64) + scanned.reader.base_pos)
    return np.concatenate(found)


def make_archive(logs: Path, folder: Path, gigabytes: float) -> None:
    """Write an archive of about a size, unless one of that size is there."""
    sources = [logs / name for name in NAMES]
    sizes = [path.stat().st_size for path in sources]
    count = max(3, round(gigabytes * 1e9 / (sum(sizes) / len(sizes))))
    folder.mkdir(parents=True, exist_ok=True)
    if len(list(folder.glob("binlog.*"))) == count:
        return
    copies = [Copies.of(path, kind) for kind, path in enumerate(sources)]
    for number in range(count):
        copies[number % len(copies)].write(folder / f"binlog.{number + 1:06}", number)


class BytesRead:
    """Counts the bytes that are read of logs."""

    def __init__(self) -> None:
        self.count = 0
        opens = vars(log_file_module)["open_location"]

        class Counted:
            def __init__(self, file: Any) -> None:
                self.file = file

            def readinto(counted, buffer: Any) -> int:  # noqa: N805 - self is that of the outer one
                size = int(counted.file.readinto(buffer))
                self.count += size
                return size

            def __getattr__(self, name: str) -> Any:
                return getattr(self.file, name)

        vars(log_file_module)["open_location"] = lambda location: Counted(opens(location))


class Questions:
    """Asks an archive, with an index and without.

    Args:
        folder: of the archive.
        index: of the indexes.
        repeats: of each question with an index.
    """

    def __init__(self, folder: Path, index: Path, repeats: int) -> None:
        self.plain = BinlogOptions()
        self.log_files = find_log_files(folder, self.plain)
        self.num_bytes = sum(log.num_bytes for log in self.log_files)
        self._index = str(index)
        self._repeats = repeats
        self._read = BytesRead()

    def ask(self, name: str, bar: str, answer: Callable[[dict[str, Any]], Any]) -> None:
        """Print how long a question takes, and check that both answers are the same."""
        times: list[tuple[float, float]] = []
        for _ in range(self._repeats):
            self._read.count = 0
            found, *taken = _timed(lambda: answer({"index": self._index}))
            times.append((taken[0], taken[1]))
        num_bytes = self._read.count
        expected, without, without_cpu = _timed(lambda: answer({}))
        if found != expected:
            raise RuntimeError(f"{name}: the answer with an index differs")
        wall, cpu = (min(column) for column in zip(*times, strict=True))
        print(
            f"| {name} | {without:.2f} s ({without_cpu:.2f}) | {1000 * wall:.0f} ms"
            f" ({1000 * cpu:.0f}) | {bar} | {_size(num_bytes)} |",
            flush=True,
        )

    def all(self) -> None:
        """Ask all questions."""
        logs = self.log_files
        print(
            f"\n| question, {_size(self.num_bytes)}; wall (processor) time | without | with index"
            " | bar | bytes read |"
        )
        print("|---|---|---|---|---|")
        # One log is asked for: the pack has all.
        open_it = partial(_timed, lambda: IndexFolder(self._index).header_of(logs[0]))
        opened = [open_it() for _ in range(self._repeats)]
        wall, cpu = (1000 * min(column) for column in list(zip(*opened, strict=True))[1:])
        cells = f"{wall:.0f} ms ({cpu:.0f}) | 30 ms | 0"
        print(f"| open the index of {len(logs)} logs | - | {cells} |")
        paths = [log.path for log in logs]
        self.ask("tables", "20 ms", lambda more: [*map(repr, list_tables(paths, **more))])
        self.ask("statistics by hour", "20 ms", self._statistics)
        self.ask("the ten largest transactions", "150 ms", self._largest)
        table, key, time_, gtid = self._sample()
        self.ask(
            "plan of a typed read",
            "30 ms",
            lambda more: plan_read(logs, _options(table=table, **more)).schema,
        )
        first = time_ - datetime.timedelta(hours=1)
        times: dict[str, Any] = {
            "starting_timestamp": first,
            "ending_timestamp": time_ + datetime.timedelta(hours=1),
        }
        self.ask(
            f"one table of {3 * NUM_TABLES} in two hours",
            "100 ms, 20 MB",
            lambda more: _rows(read_batches(paths, table=table, **times, **more)),
        )
        self.ask("history of a key", "100 ms, 10 MB", lambda more: self._history(table, key, more))
        self.ask(
            "undo of one transaction",
            "300 ms",
            lambda more: list(undo_statements(paths, include_gtids=gtid, **more)),
        )
        self._spark(table, times | {"starting_timestamp": time_})

    def _statistics(self, more: dict[str, Any]) -> Any:
        statistics = Statistics("hour")
        add_logs(statistics, self.log_files, _options(**more))
        return statistics.by_table()

    def _largest(self, more: dict[str, Any]) -> Any:
        return largest_transactions(self.log_files, _options(**more), 10, "num_bytes")[
            0
        ].to_pylist()

    def _history(self, table: TableName, key: int, more: dict[str, Any]) -> list[str]:
        keys = [((("", key),))]
        return [
            repr(change) for change in row_history(self.log_files, _options(**more), table, keys)
        ]

    def _sample(self) -> tuple[TableName, int, datetime.datetime, str]:
        """Return a table, the key of a row in the middle of the archive, its time and GTID."""
        log_file = self.log_files[len(self.log_files) // 2 // 3 * 3]  # of bulk inserts
        table = TableName("bench", "bu07")
        batch = next(iter(read_batches(log_file.path, table=str(table))))
        row = batch.slice(batch.num_rows // 2, 1)
        found = row.to_pylist()[0]
        return table, int(found["id"]), found["_commit_timestamp"], found["_gtid"]

    def _spark(self, table: TableName, times: dict[str, Any]) -> None:
        """Print the share of the archive that a Spark job over a part of the time reads."""
        from pyspark_adapter.spark.batch import BinlogReader, LogPartition

        options = _options(table=table, index=self._index, **times)
        reader = BinlogReader(self.log_files, plan_read(self.log_files, options))
        parts = [part for part in reader.partitions() if isinstance(part, LogPartition)]
        num_bytes = sum(split.num_bytes for part in parts for split in part.splits)
        share = 100 * num_bytes / self.num_bytes
        print(
            f"| Spark, one table in one hour of {len(self.log_files)} | 100 % | {share:.2f} %"
            f" of the bytes | 5 % | {_size(num_bytes)} |"
        )


def _timed(run: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return what a function returns, and the seconds of wall and of processor time."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = run()
    return found, time.perf_counter() - wall, time.process_time() - cpu


def _options(**options: Any) -> BinlogOptions:
    return BinlogOptions.from_python({"metadata_columns": "_commit_timestamp", **options})


def _rows(batches: Any) -> pa.Table:
    return pa.Table.from_batches(list(batches))


def _size(num_bytes: int) -> str:
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if num_bytes >= size:
            return f"{num_bytes / size:.1f} {unit}"
    return str(num_bytes)


def time_builds(log_files: list[LogFile], repeats: int) -> None:
    """Print the speed of the build, and that of `stats`, on a log of each kind."""
    options = BinlogOptions()
    print("\n| processor time, MB/s | stats | index without keys | with keys |")
    print("|---|---|---|---|")
    for name, log_file in zip(NAMES, log_files, strict=False):
        runs: list[Callable[[], object]] = [
            partial(_count, log_file),
            partial(build_index, log_file, options, keys_of=""),
            partial(build_index, log_file, options, keys_of=ALL_KEYS),
        ]
        times = [[_timed(run)[2] for run in runs] for _ in range(repeats)]  # in turns
        rates = [log_file.num_bytes / MEGABYTE / min(column) for column in zip(*times, strict=True)]
        cells = [f"{rates[0]:,.0f}", *(f"{r:,.0f} ({r / rates[0]:.2f})" for r in rates[1:])]
        print(f"| {name.split('.')[0]} | {' | '.join(cells)} |")


def _count(log_file: LogFile) -> None:
    add_logs(Statistics(), [log_file], BinlogOptions())


def make_all_indexes(log_files: list[LogFile], folder: Path, keys_of: str) -> int:
    """Index an archive into one packed file; return its size."""
    shutil.rmtree(folder, ignore_errors=True)
    indexes = IndexFolder(folder, may_be_missing=True)
    for done in make_indexes(log_files, indexes, BinlogOptions(), keys_of=keys_of):
        if done.problem:
            raise RuntimeError(done.problem)
    indexes.pack()
    return sum(path.stat().st_size for path in folder.iterdir())


def main() -> None:
    """Make the archive and its index, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=Path, default=Path("bench/logs"))
    parser.add_argument("--out", type=Path, default=Path("out/archive"), help="a new folder")
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    if missing := [name for name in NAMES if not (arguments.logs / name).exists()]:
        parser.error(
            f"{arguments.logs} lacks {', '.join(missing)}: run `python -m bench.make_logs`"
        )
    make_archive(arguments.logs, arguments.out / "logs", arguments.gigabytes)
    log_files = find_log_files(arguments.out / "logs", BinlogOptions())
    num_bytes = sum(log.num_bytes for log in log_files)
    sizes = [make_all_indexes(log_files, arguments.out / "index", keys) for keys in ("", ALL_KEYS)]
    Questions(arguments.out / "logs", arguments.out / "index", arguments.repeats).all()
    time_builds(log_files, arguments.repeats)
    shares = [100 * size / num_bytes for size in sizes]
    print(f"\nSize of the index: {shares[0]:.4f} % without keys, {shares[1]:.4f} % with keys.")
    print(f"\n{describe_machine()}", file=sys.stderr)


if __name__ == "__main__":
    main()
