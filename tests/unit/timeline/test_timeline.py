"""What tables were at places of logs: `cases/*.txt`, in logs made by hand, surveyed both ways.

A case begins with `== title`. Its lines, where LOG:OFFSET is a place in the log `log.00000LOG` and
only the order of the offsets counts:

    flavor mariadb|mysql|mysql57          of the server; mysql at first
    LOG:OFFSET [word...] | SQL            a statement; words: db=shop, done (logged with its
                                          dictionary change), ansi, phase (of ALTER in two
                                          phases), error=1051, client=latin1, default=latin1
    LOG:OFFSET rows db.t                  rows of a table, with one column
    ddl [LOG:OFFSET] | SQL                the option ddl, with a position or without
    ? LOG:OFFSET db.t -> a, b             its columns there; `a:latin1` with character sets;
                                          `unknown: why`
    ? key LOG:OFFSET db.t -> a            the columns that identify a row
    ? complete LOG:OFFSET db.t int varchar:400 bigint! -> a, b, c    of a table map; `!` is NOT NULL
    ? former db.t -> db.a ..1:100         its former names, and where they were its names
    ? added db.t -> a 1:100               where columns were added
    ? removed db.t -> 1:100               the last statement that removed rows

Each question about a place is asked of the timeline, and of the pickled part that a task gets.
"""

from __future__ import annotations

import pickle
import struct
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogWarning
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.format.schema import ColumnTypeCode as Code
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.removals import find_removals
from pyspark_adapter.timeline.table_changes import added_columns, searched_name
from pyspark_adapter.timeline.table_map_completer import CompletionWarnings, TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.timeline_part import TimelinePart
from pyspark_adapter.timeline.user_ddl import UserDdl, read_ddl_file
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows

VERSIONS = {"mysql": "8.0.36", "mysql57": "5.7.44", "mariadb": "11.8.9-MariaDB"}
COLLATIONS = {"utf8mb4": 255, "latin1": 8, "sjis": 13, "greek": 25}
CODES = {"int": Code.long, "bigint": Code.longlong, "varchar": Code.varchar}
CODES |= {"timestamp": Code.timestamp2}
ANSI_QUOTES = struct.pack("<BQ", 1, 4)
DONE = struct.pack("<BQ", 17, 1)
START_ALTER = struct.pack("<BB", 130, 2)
NO_NAMES = "no statement before defines it"


def cases() -> list[Any]:
    found = []
    for path in sorted(Path(__file__).parent.glob("cases/*.txt")):
        for text in path.read_text(encoding="utf-8").split("== ")[1:]:
            title, *lines = text.strip().splitlines()
            found.append(pytest.param(lines, id=f"{path.stem}: {title}"))
    return found


class Case:
    """The logs of a case, in a folder, and its questions."""

    def __init__(self, lines: list[str], folder: Path, options: BinlogOptions) -> None:
        self.questions: list[tuple[list[str], str]] = []
        self._flavor = "mysql"
        self._writers: dict[int, LogWriter] = {}
        self._offsets: dict[tuple[int, int], int] = {}  # of statements, in the files
        self._options = options
        self._folder = folder
        file = ""
        for line in sorted(lines, key=order_of):
            head, _, rest = line.partition(" ")
            if head == "flavor":
                self._flavor = rest.strip()
            elif head == "?":
                question, _, expected = rest.partition("->")
                self.questions.append((question.split(), expected.strip()))
            elif head == "ddl":
                file = rest
            elif " rows " in line:
                self._write_rows(*line.split(" rows "))
            elif "|" in line:
                words, _, sql = line.partition("|")
                self._write(words.split(), sql.strip())
        for number, writer in self._writers.items():
            (folder / f"log.{number:06}").write_bytes(writer.data)
        self._user_ddl = self._user(*map(str.strip, file.split("|"))) if file else UserDdl()
        self.log_files = find_log_files(folder / "log.*", options)
        self.timeline = self.timeline_for(options)

    def timeline_for(self, options: BinlogOptions) -> Timeline:
        """Return the timeline of the logs for a read."""
        surveyor = Surveyor(options, finds_removals=True)
        former = options.table if options.follow_renames else None
        return Timeline(self.log_files, surveyor, self._user_ddl, former)

    def _writer(self, number: int) -> LogWriter:
        if number not in self._writers:
            self._writers[number] = LogWriter(server_version=VERSIONS[self._flavor])
        return self._writers[number]

    def _write(self, words: list[str], sql: str) -> None:
        number, offset = map(int, words[0].split(":"))
        facts = dict(word.split("=") for word in words if "=" in word)
        writer = self._writer(number)
        self._offsets[number, offset] = len(writer.data)
        client = facts.get("client", "utf8mb4")
        writer.statement(
            sql.encode({"utf8mb4": "utf-8", "sjis": "cp932"}.get(client, client)),
            facts.get("db", ""),
            COLLATIONS[client],
            server_collation=COLLATIONS[facts.get("default", "utf8mb4")],
            error_code=int(facts.get("error", 0)),
            variables=b"".join(
                found
                for word, found in (("ansi", ANSI_QUOTES), ("done", DONE), ("phase", START_ALTER))
                if word in words
            ),
        )

    def _write_rows(self, place: str, name: str) -> None:
        number, offset = map(int, place.split(":"))
        writer, table = self._writer(number), TableName.parse(name)
        self._offsets[number, offset] = len(writer.data)
        column = LoggedColumn("a", Code.long.value)
        writer.table_map(9, table.table_name, [column], table.database_name)
        writer.rows(9, Rows(WRITE_V2, [[bytes(4)]], [True]))

    def _user(self, place: str, text: str) -> UserDdl:
        if place:
            site = self.site(place)
            position = f"MASTER_LOG_FILE='{site.log_file}', MASTER_LOG_POS={site.start_pos}"
            text += f"\n-- CHANGE MASTER TO {position};"
        path = self._folder / "tables.sql"
        path.write_text(text, encoding="utf-8")
        return read_ddl_file(str(path))

    def site(self, place: str) -> EventSite:
        """Return an event that is after the statements before a place."""
        number, offset = map(int, place.split(":"))
        later = [pos for (n, o), pos in self._offsets.items() if n == number and o > offset]
        return EventSite(f"log.{number:06}", min(later, default=1 << 40) - 1)

    def place(self, log: int, pos: int) -> str:
        """Return a place of a file as the case writes it."""
        found = {(n, at): o for (n, o), at in self._offsets.items()}
        number = self.log_files[log].number
        return f"{number}:{found[number, pos]}" if (number, pos) in found else ""

    def log_of(self, site: EventSite) -> int:
        """Return the index of the log of a place; the last one for a log that is not there."""
        names = [log.name for log in self.log_files]
        return names.index(site.log_file) if site.log_file in names else len(names) - 1

    def ask(self, words: list[str], log: TimelinePart, site: EventSite) -> Any:
        """Return the answer to a question about a place, as text, or as two texts."""
        table = TableName.parse(words[1 + (words[0] in ("key", "complete"))])
        if words[0] == "complete":
            columns = tuple(column(i, text) for i, text in enumerate(words[3:]) if text != "gipk")
            table_map = TableMap(table, columns, has_generated_key="gipk" in words)
            completer = TableMapCompleter(log, UserDdl(), warns=CompletionWarnings())
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", BinlogWarning)
                found = completer.complete(table_map, site)
            if not found.has_names:
                return f"unknown: {caught[0].message}"
            return ", ".join(c.label for c in found.columns)
        user = log.user_state(table)
        state = log.state_at(table, site)
        if user is not None and user.definition is not None:
            state = user
        if words[0] == "key":
            return ", ".join(state.definition.row_key) if state.definition is not None else ""
        if state.definition is None:
            reason = state.reason or (user.reason if user is not None else "")
            return f"unknown: {reason or NO_NAMES}"
        return both_forms(state.definition)

    def ask_of_logs(self, words: list[str]) -> str:
        """Return the answer to a question about all logs."""
        table = TableName.parse(words[1])
        options = BinlogOptions(table=table, follow_renames=words[0] == "former")
        timeline = self.timeline_for(options)
        if words[0] == "former":
            found: dict[TableName, list[str]] = {}
            for i, log_file in enumerate(self.log_files):
                for name, ranges in timeline.former_names_in(log_file).items():
                    for span in ranges:
                        start, stop = self.place(i, span.start), self.place(i, span.stop)
                        found.setdefault(name, []).append(f"{start}..{stop}")
            return ", ".join(f"{name} {' '.join(found[name])}" for name in sorted(found, key=str))
        if words[0] == "added":
            changes = timeline.changes(searched_name(table))
            log_names = [log.name for log in self.log_files]
            return ", ".join(
                f"{one.column.name} {self.place(self.log_of(one.site), one.site.start_pos)}"
                for one in added_columns(table, changes, log_names, timeline.is_about)
            )
        assert words[0] == "removed"
        last = find_removals(timeline, options, None).last_site
        return "none" if last is None else self.place(self.log_of(last), last.start_pos)


def order_of(line: str) -> tuple[int, int, int]:
    """Order the lines of a case: what it is about, its statements by place, and its questions."""
    head = line.partition(" ")[0]
    number, _, offset = head.partition(":")
    if number.isdigit():
        return 1, int(number), int(offset)
    return (2 if head in ("?", "ddl") else 0), 0, 0


def column(index: int, text: str) -> Column:
    name, _, length = text.rstrip("!").partition(":")
    nullable = not text.endswith("!")
    return Column(index, None, CODES[name], int(length or 0), nullable, None, None, None)


def both_forms(definition: TableDefinition) -> tuple[str, str]:
    return (
        ", ".join(c.name for c in definition.columns),
        ", ".join(f"{c.name}:{c.charset}" for c in definition.columns),
    )


def check(found: Any, expected: str) -> None:
    if isinstance(found, tuple):
        found = found[":" in expected]
    if expected.startswith("unknown") and found.startswith("unknown: "):
        assert expected.removeprefix("unknown").removeprefix(": ") in found
        return
    assert found == expected


@pytest.mark.parametrize("lines", cases())
def test_case(lines: list[str], tmp_path: Path) -> None:
    case = Case(lines, tmp_path, BinlogOptions())
    assert case.questions
    for words, expected in case.questions:
        if words[0] in ("former", "added", "removed"):
            check(case.ask_of_logs(words), expected)
            continue
        site = case.site(words[words[0] in ("key", "complete")])
        index = case.log_of(site)
        log_file = case.log_files[index]
        if log_file.name != site.log_file:  # after the last log
            site = EventSite(log_file.name, sys.maxsize - 1)
        check(case.ask(words, FollowedLog(case.timeline, log_file), site), expected)
        table = TableName.parse(words[1 + (words[0] in ("key", "complete"))])
        # As if the log had a table map of it.
        case.timeline._nameless.setdefault(index, {})[table] = 0
        for start, stop in ((0, None), (site.start_pos, site.start_pos + 1)):
            part = pickle.loads(  # noqa: S301 - of our own making
                pickle.dumps(case.timeline.part(log_file, start, stop))
            )
            check(case.ask(words, part, site), expected)
