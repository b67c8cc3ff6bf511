"""Statements about temporary tables change no base table: `temporary_tables.txt`, read each way.

A case begins with `== title`. Its lines, where LOG:OFFSET is a place in the log `binlog.00000LOG`
and only the order of the offsets counts:

    flavor mariadb|mysql        of the server; mysql at first
    LOG:OFFSET [word...] | SQL  a statement; words: t5 (thread), server=9 (id), db=shop, flag (of
                                statements that used a temporary table)
    start LOG:OFFSET            the log is the first after a start of the server
    ? LOG:OFFSET d.t -> a, b    the columns there; `unknown: why`, with what the warning says
    ? added d.t -> b 1:300      where columns were added
    ? truncated d.t -> none
"""

from __future__ import annotations

import datetime
import json
import warnings
import zoneinfo
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import list_tables, read_batches
from pyspark_adapter.errors import EventSite
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.splits.log_splits import OffsetRange, plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from pyspark_adapter.stream.log_stream import BatchLimit
from pyspark_adapter.timeline import temporary_tables
from tests.support.log_writer import WRITE_V1, LoggedColumn, LogWriter, Rows
from tests.support.splits import options_for
from tests.support.streams import FollowedStream

CASES = Path(__file__).with_name("temporary_tables.txt").read_text().split("== ")[1:]
VERSIONS = {"mysql": "8.0.36", "mariadb": "11.8.9-MariaDB"}
THREAD_SPECIFIC = 4


class Case:
    """The logs of a case, in a folder, with a row where each question about columns is asked."""

    def __init__(self, text: str, folder: Path) -> None:
        self.folder = folder
        self.rows: list[str] = []
        self.reasons: list[str] = []
        self.others: list[tuple[str, str]] = []
        self.offsets: dict[str, tuple[str, int]] = {}
        self._logs: dict[int, LogWriter] = {}
        self._flavor = "mysql"
        lines = text.strip().splitlines()[1:]
        self._starts = {int(line.split()[1][0]) for line in lines if line.startswith("start")}
        for _, i in sorted([(place_of(line), i) for i, line in enumerate(lines)]):
            self._take(lines[i])
        for number, log in self._logs.items():
            (folder / name_of(number)).write_bytes(log.data)

    def _take(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if head == "flavor":
            self._flavor = rest
        elif head == "?":
            asked, _, expected = rest.partition(" -> ")
            if asked[0].isdigit():
                place, table = asked.split()
                self._ask(place, table, expected)
            else:
                self.others.append((asked, expected))
        elif "|" in line:
            words, _, sql = line.partition(" | ")
            self._run(head, words.split()[1:], sql)

    def _log(self, number: int) -> LogWriter:
        if number not in self._logs:
            created = 1_700_000_000 if number in self._starts or number == 1 else 0
            self._logs[number] = LogWriter(
                has_metadata=False, server_version=VERSIONS[self._flavor], created=created
            )
        return self._logs[number]

    def _ask(self, place: str, table: str, expected: str) -> None:
        names = expected.split(", ")
        if expected.startswith("unknown"):
            names = ["col_1", "col_2"]
            self.reasons += [expected.partition(": ")[2]] * (": " in expected)
        log, value = self._log(int(place[0])), len(self.rows)
        self.rows.append(json.dumps(dict.fromkeys(names, value)))
        log.begin()
        log.table_map(9, table.partition(".")[2], [LoggedColumn("", 3)] * len(names))
        image = [value.to_bytes(4, "little")] * len(names)
        log.rows(9, Rows(WRITE_V1, [image], [True] * len(names)))
        log.commit()

    def _run(self, place: str, words: list[str], sql: str) -> None:
        number = int(place[0])
        facts = dict(word.split("=") for word in words if "=" in word)
        threads = [int(word[1:]) for word in words if word[0] == "t"]
        self.offsets[place] = name_of(number), len(self._log(number).data)
        self._log(number).statement(
            sql,
            facts.get("db", ""),
            thread_id=(threads or [1])[0],
            server_id=int(facts.get("server", 1)),
            flags=THREAD_SPECIFIC if "flag" in words else 0,
        )


def place_of(line: str) -> tuple[int, int]:
    """Return where a line counts; what has no place comes first."""
    words = line.split()
    place = words[1] if words[:1] == ["?"] else words[0] if words else ""
    number, _, offset = place.partition(":")
    return (int(number), int(offset)) if offset else (0, 0)


def name_of(number: int) -> str:
    return f"binlog.{number:06}"


@pytest.fixture(params=CASES, ids=lambda text: text.splitlines()[0])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return Case(request.param, tmp_path)


def in_batches(folder: Path) -> Iterator[str]:
    for batch in read_batches(str(folder)):
        yield from batch.column("row").to_pylist()


def in_splits(folder: Path) -> Iterator[str]:
    options = options_for(1, metadata_columns=())
    log_files = find_log_files(folder, options)
    request = plan_read(log_files, options)
    ranges = [(log, OffsetRange(4)) for log in log_files]
    for split in plan_splits(ranges, request):
        for batch in read_split(split, request):
            yield from batch.column("row").to_pylist()


def in_stream(folder: Path) -> Iterator[str]:
    stream = FollowedStream(folder)
    while stream.poll(BatchLimit(num_bytes=1)):
        pass
    for row in stream.rows:
        names = {"datetime": datetime, "zoneinfo": zoneinfo}
        yield eval(row, names)["row"]  # noqa: S307 - its own repr


@pytest.mark.parametrize("read", [in_batches, in_splits, in_stream])
def test_columns(case: Case, read: Callable[[Path], Iterator[str]]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert list(read(case.folder)) == case.rows
    messages = "\n".join(str(found.message) for found in caught)
    for reason in case.reasons:
        assert reason in messages


def test_tables_are_listed_with_the_columns_that_they_have_first(case: Case) -> None:
    first: dict[str, list[str]] = {}
    found: dict[str, tuple[str, ...]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows: list[dict[str, Any]] = [
            row
            for batch in read_batches(str(case.folder), metadata_columns="_table_name")
            for row in batch.to_pylist()
        ]
        found = {t.table.table_name: t.column_names for t in list_tables(str(case.folder))}
    for row in rows:
        first.setdefault(row["_table_name"], list(json.loads(row["row"])))
    assert {name: list(columns) for name, columns in found.items() if columns} == first


def test_other_questions(case: Case) -> None:
    for asked, expected in case.others:
        kind, table = asked.split()
        changes = [
            (row["_change_type"], EventSite(row["_log_file"], row["_start_pos"]))
            for batch in read_batches(
                str(case.folder),
                schema_changes=True,
                change_types="create,alter,drop,rename,truncate",
                tables=table,
                metadata_columns="_change_type,_log_file,_start_pos",
            )
            for row in batch.to_pylist()
        ]
        wanted = {"added": "alter", "truncated": "truncate"}[kind]
        sites = [site for name, site in changes if name == wanted]
        places = [] if expected == "none" else [expected.split()[1]]
        assert sites == [EventSite(*case.offsets[place]) for place in places]


@pytest.mark.parametrize(
    ("flags", "statement", "flavor", "expected"),
    [
        (THREAD_SPECIFIC, "ALTER TABLE t ADD b INT", "mysql", ["a", "b"]),
        (THREAD_SPECIFIC, "RENAME TABLE x TO t", "mariadb", ["col_1", "col_2"]),
        (0, "ALTER TABLE t ADD b INT", "mysql", ["col_1", "col_2"]),
    ],
)
def test_of_too_many_temporary_tables_none_is_taken_for_a_base_table(
    flags: int,
    statement: str,
    flavor: str,
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(temporary_tables, "_MAX_WEIGHT", 40 * (temporary_tables._TABLE_WEIGHT + 1))
    log = LogWriter(has_metadata=False, server_version=VERSIONS[flavor])
    log.statement("CREATE TABLE t (a INT)")
    for i in range(41):
        log.statement(f"CREATE TEMPORARY TABLE t{i} (b INT)", flags=flags)
    log.statement(statement)
    log.begin()
    log.table_map(9, "t", [LoggedColumn("", 3)] * 2)
    log.rows(9, Rows(WRITE_V1, [[b"abcd", b"abcd"]], [True] * 2))
    log.commit()
    (tmp_path / name_of(1)).write_bytes(log.data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        [row] = in_batches(tmp_path)
    assert list(json.loads(row)) == expected
