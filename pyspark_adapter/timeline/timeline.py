"""What tables were at each position in the logs of a read or a stream."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from operator import itemgetter
from typing import Final

from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.base_tables import BaseTables
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.log_survey import LogSurvey
from pyspark_adapter.timeline.name_case import NameCase
from pyspark_adapter.timeline.table_changes import BaseChange, SchemaChange
from pyspark_adapter.timeline.table_states import (
    BEGIN,
    Position,
    Spans,
    TableState,
    former_names,
    names_in,
)
from pyspark_adapter.timeline.temporary_tables import TemporaryTables
from pyspark_adapter.timeline.timeline_part import TimelinePart
from pyspark_adapter.timeline.user_ddl import UserDdl

# Bytes of statements that wait unparsed until a table is asked for.
_MAX_WAITING: Final = 4 << 20
# A logged statement takes more memory than a short text does.
_EVENT_COST: Final = 1000
_DATABASE: Final = re.compile(rb"\b(?:DATABASE|SCHEMA)\b", re.IGNORECASE)

# Of whole logs, by path and length in bytes.
Surveys = dict[tuple[str, int], LogSurvey]
# Surveys a log from an offset to another; None for its end.
Survey = Callable[[LogFile, int, int | None], LogSurvey]


class Timeline:
    """What tables were at each position in logs.

    A log is surveyed at most once, when the first question needs it: one about a position in it or
    in a later log. Statements are parsed when the first table is asked for, so logs that name their
    columns never pay for it.

    Args:
        log_files: in order; of two with the same path the first counts.
        survey: surveys one of them.
        user_ddl: the tables of the option ddl.
        table: the only table whose rows matter, and those of its former names; None for all.

    Attributes:
        case: says whether names of other case are of other tables, as far as it is known.
    """

    def __init__(
        self,
        log_files: Iterable[LogFile],
        survey: Survey,
        user_ddl: UserDdl | None = None,
        table: TableName | None = None,
    ) -> None:
        self._survey = survey
        self.user_ddl = user_ddl or UserDdl()
        self._table = table
        self.log_files = list({log.path: log for log in log_files}.values())
        self._indices = {log.path: i for i, log in enumerate(self.log_files)}
        self._user_states: dict[TableName, TableState] = {}
        self.case = NameCase()
        self.begin()

    def begin(self) -> None:
        """Forget all that was learnt."""
        self._ends = [0] * len(self.log_files)  # up to where their statements are known
        self._last: dict[int, Position] = {}  # the last known statement of each log
        self._nameless: dict[int, dict[TableName, int]] = {}
        self._surveys: dict[int, LogSurvey] = {}  # of whole logs
        self._untaken: list[tuple[int, LogSurvey]] = []  # whose statements nobody has asked for
        self._waiting: list[tuple[Position, Ddl | None]] = []  # None at a damage
        self._waiting_bytes = 0
        self._errors: dict[int, BinlogError] = {}
        self._settled: BaseTables | None = None
        self._is_placed = self.user_ddl.position is None
        self._forgotten = BEGIN
        self.__dict__.pop("_spans", None)

    # The logs.

    def index_of(self, log_file: LogFile) -> int:
        """Return the index of a log; one that has come since the logs were listed is the last."""
        return (
            self._indices[log_file.path] if log_file.path in self._indices else self.add(log_file)
        )

    def add(self, log_file: LogFile) -> int:
        """Add a log after the others, or take the size that one has now; return its index."""
        index = self._indices.setdefault(log_file.path, len(self.log_files))
        if index == len(self.log_files):
            self.log_files.append(log_file)
            self._ends.append(0)
        self.log_files[index] = log_file
        return index

    def begin_at(self, log_file: LogFile, start: int) -> None:
        """Leave out all statements before an offset of a log."""
        index = self.index_of(log_file)
        self._ends = [log.num_bytes for log in self.log_files[:index]] + self._ends[index:]
        self._ends[index] = max(self._ends[index], start)

    def forget_before(self, log_file: LogFile, start: int) -> None:
        """Forget the tables before a position; a question about them surveys all logs again."""
        self._forgotten = self.index_of(log_file), start, -1
        self.settled(self._forgotten[0]).forget_before(self._forgotten)

    # Queries.

    def is_known(self, log_file: LogFile, end: int | None = None) -> bool:
        """Return whether all statements of a log are known, up to an offset; None for its end."""
        index = self._indices.get(log_file.path)
        needed = log_file.num_bytes if end is None else end
        return index is not None and self._ends[index] >= needed

    def names_all(self, log_file: LogFile) -> bool:
        """Return whether a log that is known describes the columns of all tables."""
        return self.is_known(log_file) and not self._nameless.get(self._indices[log_file.path])

    def lacks_end_of(self, log_file: LogFile) -> bool:
        """Return whether a log lacks names, and is known only up to a damage."""
        index = self._indices.get(log_file.path, -1)
        return index in self._errors and bool(self._nameless.get(index))

    def gives_nothing_of(self, index: int) -> bool:
        """Return whether no statement of a log is known, and none of the logs after it matters."""
        return not self._ends[index] and not self.user_ddl.tables

    def read_to(self, index: int, end: int | None = None, *, live: int = -1) -> None:
        """Survey the parts of the logs that are not known yet, up to an offset in one of them.

        Args:
            end: the offset; None for the end of the log.
            live: index of a log that is being read, and gives its statements itself; -1 for none.
        """
        if not self._is_placed:
            # The file holds back to the last statement before its position.
            position, last = self._user_position, len(self.log_files) - 1
            if end is not None:
                index, end = max((index, end), (min(position[0], last), position[1]))
            index = max(index, min(position[0], last))
        for i in range(index + 1):
            log_file = self.log_files[i]
            stop = end if i == index and end is not None else None
            needed = log_file.num_bytes if stop is None else stop
            if i != live and self._ends[i] < needed:
                self.add_survey(i, self._survey(log_file, self._ends[i], stop), needed)

    def add_survey(self, index: int, survey: LogSurvey, end: int) -> None:
        """Take what a pass over a log, or a range of it, has learnt, up to an offset.

        A log that cannot be read leaves no definitions: no names are better than wrong ones.
        """
        self.case.tells |= survey.has_capitals
        nameless = self._nameless.setdefault(index, {})
        for table, pos in survey.nameless.items():
            nameless.setdefault(table, pos)
        self._untaken.append((index, survey))
        if not self._ends[index] and end == self.log_files[index].num_bytes:
            self._surveys[index] = survey
        self._ends[index] = max(self._ends[index], end)
        if survey.error is not None:
            self._errors[index] = survey.error
            self._waiting.append(((index, sys.maxsize, 0), None))

    def surveys(self) -> Surveys:
        """Return the surveys of whole logs, for another process; none if all describe columns."""
        by_log = {(self.log_files[i].path, self._ends[i]): s for i, s in self._surveys.items()}
        return by_log if any(map(bool, self._nameless.values())) else {}

    def take_surveys(self, surveys: Surveys) -> None:
        """Take what another process has found in logs that are as long as they were."""
        for index, log_file in enumerate(self.log_files):
            survey = surveys.get((log_file.path, log_file.num_bytes))
            if survey is not None:
                self.add_survey(index, survey, log_file.num_bytes)

    def _take_surveyed(self) -> None:
        """Take the statements that surveys have found."""
        surveys, self._untaken = self._untaken, []
        for index, survey in surveys:
            for ddl in survey.ddls:
                self.take(index, ddl)

    def take(self, index: int, ddl: Ddl) -> None:
        """Take the next statement of a log, unless it is known."""
        self._take_surveyed()
        position = index, ddl.site.start_pos, ddl.site.inner_pos
        if position > self._last.get(index, BEGIN):
            self._last[index] = position
            self._waiting.append((position, ddl))
            self._waiting_bytes += ddl.num_bytes + _EVENT_COST

    @property
    def has_many_waiting(self) -> bool:
        """Whether so many statements wait that they should be parsed."""
        return self._waiting_bytes > _MAX_WAITING

    def end_log(self, index: int) -> None:
        """Note that all statements of a log were taken."""
        self._ends[index] = self.log_files[index].num_bytes

    # What statements do.

    def settled(self, index: int) -> BaseTables:
        """Return the tables after the statements of the logs up to one; these have to be known."""
        if self.case.tells and self.case.has_folded:
            self.case.has_folded = False
            self.begin()
            self.read_to(index)
        self._take_surveyed()
        tables = self._settled = self._settled or BaseTables(self.case)
        if not self._waiting and self._is_placed:
            return tables
        position, last = self._user_position, len(self.log_files) - 1
        if not self._is_placed:
            index = max(index, min(position[0], last))
        self._waiting.sort(key=itemgetter(0))
        count = bisect_right(self._waiting, index, key=lambda waiting: waiting[0][0])
        waiting, self._waiting = self._waiting[:count], self._waiting[count:]
        self._waiting_bytes = 0
        for changed_at, ddl in waiting:
            if not self._is_placed and changed_at >= position:
                self._place_user_tables(tables, position)
            if ddl is None:
                tables.forget_all(changed_at, str(self._errors[changed_at[0]]))
            else:
                tables.apply(changed_at, ddl)
        if not self._is_placed:
            self._place_user_tables(tables, position)
        return tables

    def changes(self, name: bytes | None = None, *, reads: bool = True) -> Iterator[BaseChange]:
        """Yield what the statements of all logs do to base tables, in order.

        Args:
            name: bytes in the text of each statement that matters, in lower case, if it is not
                about a database; None if all matter. Others may be left out.
            reads: whether unknown logs are surveyed; else only known ones count.
        """
        last = len(self.log_files) - 1
        if reads:
            self.read_to(last)
        if name is None or self._settled is not None:
            yield from self.settled(last).changes
            return
        self._take_surveyed()
        temporary = TemporaryTables()
        self._waiting.sort(key=itemgetter(0))
        for position, ddl in self._waiting:
            if ddl is None:
                continue
            if ddl.statement is not None:
                text = ddl.statement.text
                if name not in text.lower() and _DATABASE.search(text) is None:
                    continue
            for change in temporary.base_changes(ddl):
                yield BaseChange(position, ddl, change)

    @cached_property
    def _spans(self) -> Spans:
        assert self._table is not None
        changes = ((change.position, change.effect) for change in self.changes())
        spans, case = former_names(changes, self._table, self.learn_case()), self.case
        for name in {*spans, self._table}.intersection(case.spelled):
            case.doubt(self._table, case.spelled[name])
        return spans

    def former_names_in(self, log_file: LogFile) -> dict[TableName, list[range]]:
        """Return the former names of the table in a log; see `names_in`."""
        return {} if self._table is None else names_in(self._spans, self.index_of(log_file))

    def learn_case(self) -> NameCase:
        """Return what all logs say of names that differ in case."""
        last = len(self.log_files) - 1
        if not self.case.tells:
            self.read_to(last)
        if not self.case.tells:
            self.settled(last)
        self.case.proof = None
        return self.case

    def is_about(self, change: SchemaChange, table: TableName, ddl: Ddl) -> bool:
        """Return whether what a statement does is about a table as rows name it."""
        if table in change.names or table not in map(TableName.lower, change.names):
            return table in change.names
        case = self.learn_case()
        case.doubt(table, str(ddl))
        return change.is_of(table, case)

    def is_former(self, change: SchemaChange, of: BaseChange) -> bool:
        """Return whether a change is about a former name of the table, at its position."""
        log, pos, _ = of.position
        names = self.former_names_in(self.log_files[log])
        spellings = (spelling for name in change.names for spelling in self.case.spellings(name))
        return any(pos in offsets for name in spellings for offsets in names.get(name, ()))

    # The option ddl.

    @property
    def _user_position(self) -> Position:
        """The position that the file of option ddl describes; the start of the logs for none."""
        if self.user_ddl.position is None:
            return BEGIN
        number, offset = self.user_ddl.position
        index = bisect_left(self.log_files, number, key=lambda log: log.number)
        is_there = index < len(self.log_files) and self.log_files[index].number == number
        return index, offset if is_there else 0, -1

    def place_user_ddl(self, start: Position) -> None:
        """Take the file of the option ddl, which has no position, as of the end of the logs.

        It does not hold for tables that a statement since a position is about.
        """
        last = len(self.log_files) - 1
        log_file, end = self.log_files[last], self._ends[last]
        self.read_to(last)
        # The server may be writing to the last log: the rest is surveyed from where a batch starts.
        self._ends[last] = end
        if self._errors.pop(last, None) is not None:
            self._waiting = [(position, ddl) for position, ddl in self._waiting if ddl is not None]
        settled = self.settled(last)
        tables = self._named_user_tables()
        for table in list(tables):
            later = (change for change in settled.about(table) if change.position >= start)
            if (change := next(later, None)) is not None:
                self._user_states[table] = _in_the_way(change)
                del tables[table]
        others = {t: known for t, known in self.user_ddl.tables.items() if not t.database_name}
        self.user_ddl = UserDdl({**others, **tables}, (log_file.number, log_file.num_bytes))
        self._place_user_tables(settled, (last, log_file.num_bytes, -1))

    def _place_user_tables(self, settled: BaseTables, position: Position) -> None:
        """Take the tables of a file of this position, each since the last statement about it."""
        self._is_placed = True
        tables = self._named_user_tables()
        self.user_ddl = UserDdl({**self.user_ddl.tables, **tables}, self.user_ddl.position)
        for table, definition in tables.items():
            settled.define(table, definition, position)

    def _named_user_tables(self) -> dict[TableName, TableDefinition]:
        """Return the tables of the file; those of any database in each that has rows of them."""
        seen = dict.fromkeys(table for known in self._nameless.values() for table in known)
        names = [*(table for table in self.user_ddl.tables if table.database_name), *seen]
        known = {table: self.user_ddl.find(table) for table in names}
        return {table: definition for table, definition in known.items() if definition is not None}

    def user_state(self, table: TableName) -> TableState | None:
        """Return what the option ddl says of a table everywhere; None if it says nothing.

        Without a position, or for any database, a file holds if no statement of the logs is about
        the table: then it is of any position.
        """
        if table in self._user_states:
            return self._user_states[table]
        definition = self.user_ddl.find(table)
        has_position = self.user_ddl.position is not None
        if definition is None or (has_position and table in self.user_ddl.tables):
            return None
        last = len(self.log_files) - 1
        self.read_to(last)
        change = next(self.settled(last).about(table), None)
        state = TableState(definition, is_there=True) if change is None else _in_the_way(change)
        if not has_position:
            self._user_states[table] = state
        return state

    def part(
        self,
        log_file: LogFile,
        start: int,
        stop: int | None,
        wants: Callable[[TableName], bool] = lambda _: True,
    ) -> TimelinePart:
        """Return the known tables of a range of a log that lack names.

        Args:
            start, stop: the range in bytes; None for the end of the log.
            wants: whether the columns of a table matter.
        """
        index = self.index_of(log_file)
        first = index, start, -1
        last = (index, sys.maxsize, 0) if stop is None else (index, stop, -1)
        if first < self._forgotten:
            self.begin()
        self.read_to(index, stop)
        former = self.former_names_in(log_file)
        nameless = self._nameless.get(index, {})
        tables = [t for t, pos in nameless.items() if pos < last[1] and (wants(t) or t in former)]
        user = {table: self.user_state(table) for table in tables if self.user_ddl.find(table)}
        part = self.settled(index).part(tables, first, last)
        part.user, part.former_names, part.case = user, former, self.case.of(tables, wants)
        return part


def _in_the_way(change: BaseChange) -> TableState:
    return TableState(None, f"{change.ddl}: the option ddl may be from before it or after it")
