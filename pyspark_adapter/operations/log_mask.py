"""Copies of logs in which the values of some columns are replaced.

A value is replaced by one of as many bytes, so that all positions stay; only these bytes and the
checksums of their events change, and bytes after the version of the server, which nothing reads:
indexes and streams know the log by them. Statements that are no definitions of tables are blanked.
Logs that hold anything else are refused before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import product
from pathlib import Path
from typing import Any, Final

from pyspark_adapter.ddl.sql_definitions import (
    AlterTable,
    Definition,
    RenameTables,
    TruncateTable,
    UnknownChange,
)
from pyspark_adapter.errors import (
    EventSite,
    SchemaMismatchError,
    UnsupportedError,
    did_you_mean,
    listed,
    located,
)
from pyspark_adapter.events.frame import Frame, frame_site
from pyspark_adapter.events.frame_reader import FrameReader
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.events.windows import raw_events
from pyspark_adapter.format.event_types import (
    DECODED,
    NO_VALUES,
    QUERY_TEXT_EVENTS,
    ROWS_EVENTS,
    TRAITS,
)
from pyspark_adapter.format.header import IN_USE, LEN_CHECKSUM, LEN_HEADER, MAGIC, OFS_FLAGS, crc32
from pyspark_adapter.format.schema import EventParser, EventType, parse_format_description
from pyspark_adapter.kernels.layout import Event, FixedBinary, Pos
from pyspark_adapter.operations.masked_values import Masker, can_mask, is_text
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.survey import Surveyor
from pyspark_adapter.scan.event_digits import close_digits
from pyspark_adapter.scan.row_images import locate_event
from pyspark_adapter.scan.scanned_events import ScannedEvents, within_bounds
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.scanner import Scanner
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.sources.written_files import whole_file
from pyspark_adapter.sql_text.literals import quote_name
from pyspark_adapter.timeline.ddl import Ddl
from pyspark_adapter.timeline.followed_log import FollowedLog
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.timeline.timeline import Timeline
from pyspark_adapter.timeline.user_ddl import UserDdl
from pyspark_adapter.values.text_form import fixed_text

# Names of columns in lower case, by table; `*` stands for all.
Columns = Mapping[TableName, frozenset[str]]
ALL: Final = "*"

# Statements that stay, next to definitions of tables.
_KEPT: Final = re.compile(
    rb"(?:BEGIN|COMMIT|ROLLBACK|START TRANSACTION|XA (?:START|END|PREPARE|COMMIT|ROLLBACK) [^;]*"
    rb"|(?:SAVEPOINT|ROLLBACK TO|RELEASE SAVEPOINT) `?\w+`?"
    rb"|(?:CREATE|DROP) (?:DATABASE|SCHEMA) (?:IF (?:NOT )?EXISTS )?`?[\w$]+`?)\s*",
    re.IGNORECASE,
)
# The version of the server in a format description, which a zero byte ends.
_VERSION: Final = slice(LEN_HEADER + 2, LEN_HEADER + 52)
_LEN_IDENTITY: Final = 8
# Executed, it changes nothing.
_BLANK: Final = b"DO 0"
# What separates values in a definition; and the least bytes of a value that is looked for there.
_SEPARATORS: Final = re.compile(rb"[\s'\"`(),;=]+")
_LEAST: Final = 4


@dataclass
class Masked:
    """What was done.

    Attributes:
        num_values: values that were replaced.
        num_texts: statements that were blanked.
        columns: those that rows have, by table.
    """

    num_values: int = 0
    num_texts: int = 0
    columns: dict[TableName, set[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Edit:
    """The changes of an event: offsets in it, and the bytes there."""

    site: EventSite
    changes: list[tuple[int, bytes]]
    len_checksum: int = 0
    is_decompressed: bool = False


def mask_logs(
    log_files: Sequence[LogFile],
    options: BinlogOptions,
    columns: Columns,
    key: bytes,
    folder: Path,
    *,
    keeps_definitions: bool = False,
) -> Masked:
    """Write copies of logs in which values of columns are replaced.

    Args:
        log_files: the logs, in order.
        options: of the read; filters do not apply.
        columns: whose values are replaced.
        key: of the replacements.
        folder: of the copies, which have the names of the logs.
        keeps_definitions: whether a definition of a table may hold a value that is replaced.

    Raises:
        SchemaMismatchError: if rows lack one of the columns, or no rows have it.
        UnsupportedError: if something may hold a value and cannot be replaced.
        BinlogError: if a log is damaged.
        OSError: if a copy cannot be written.
    """
    # Rows of all tables stay undecoded but those.
    tables = ",".join(f"{quote_name(t.database_name)}.{quote_name(t.table_name)}" for t in columns)
    options = replace(BinlogOptions.from_python({"tables": tables}), **_options_of_reads(options))
    survey = _Pass(log_files, options, columns, None, keeps_definitions=keeps_definitions)
    for log_file in log_files:
        for _ in survey.edits(log_file):
            pass
    _check_found({t: n for t, n in columns.items() if t.lower() not in survey.renamed}, survey.done)
    masking = _Pass(log_files, options, columns, Masker(key), keeps_definitions=keeps_definitions)
    masking.words = survey.words
    written: list[Path] = []
    try:
        for log_file in log_files:
            path = folder / log_file.name
            with whole_file(path, replaces=False) as file:
                file.write(MAGIC)
                file.writelines(masking.events(log_file))
            written.append(path)
    except BaseException:
        for path in written:  # all of them or none
            path.unlink(missing_ok=True)
        raise
    return masking.done


def _options_of_reads(options: BinlogOptions) -> dict[str, Any]:
    """Return the options that hold for a copy: neither filters nor forms of values."""
    names = ("ddl", "verify_checksums", "max_event_bytes", "max_payload_bytes", "window_bytes")
    return {name: getattr(options, name) for name in names} | {"on_statement_events": "ignore"}


def _check_found(columns: Columns, done: Masked) -> None:
    """Check that rows have all of the columns."""
    for table, names in columns.items():
        if table not in done.columns:
            raise SchemaMismatchError(
                f"table {table}: expected rows of it, found none",
                advice="check the name; the command tables lists the tables, and counts statements,"
                " which log no rows",
            )
        for name in sorted(names - {ALL} - done.columns[table]):
            raise SchemaMismatchError(
                f"table {table}: expected a column {name}, found {listed(done.columns[table])}",
                advice="check the name" + did_you_mean(name, done.columns[table]),
            )


class _Pass:
    """One pass over logs: the first one looks for uncovered values, the second one replaces.

    Args:
        columns: whose values are replaced.
        masker: None for the first pass.
        keeps_definitions: see `mask_logs`.

    Attributes:
        done: what was found.
        words: parts of the definitions that stay, with the site of one that holds them.
        renamed: names of tables before and after a RENAME, in lower case.
    """

    def __init__(
        self,
        log_files: Sequence[LogFile],
        options: BinlogOptions,
        columns: Columns,
        masker: Masker | None,
        *,
        keeps_definitions: bool,
    ) -> None:
        self._options = options
        self._columns = columns
        self._masker = masker
        self._keeps_definitions = keeps_definitions
        self._user_ddl = UserDdl.of(options)
        self._timeline = Timeline(log_files, Surveyor(options), self._user_ddl)
        self._chosen: dict[TableMap, tuple[Column, ...]] = {}
        self.done = Masked()
        self.words: dict[bytes, EventSite] = {}
        self.renamed: set[TableName] = set()

    def events(self, log_file: LogFile) -> Iterator[bytes]:
        """Yield each event of a log as it is in the copy."""
        edits = self.edits(log_file)
        edit = next(edits, None)
        for start_pos, event in raw_events(log_file, self._options):
            changed = bytearray(event)
            while edit is not None and edit.site.start_pos == start_pos:
                for offset, data in edit.changes:
                    changed[offset : offset + len(data)] = data
                if edit.len_checksum:
                    body = memoryview(changed)[:-LEN_CHECKSUM]
                    changed[-LEN_CHECKSUM:] = crc32(body).to_bytes(LEN_CHECKSUM, "little")
                edit = next(edits, None)
            yield bytes(changed)

    def edits(self, log_file: LogFile) -> Iterator[_Edit]:
        """Yield what changes in the events of a log, in their order."""
        if log_file.cipher is not None:
            raise UnsupportedError(
                "encrypted logs cannot be masked", site=log_file.site, advice="decrypt it before"
            )
        edits = (self._edits_of_rows(log_file), self._edits_of_others(log_file))
        for edit in merge(*edits, key=lambda edit: edit.site.start_pos):
            if edit.is_decompressed:
                raise UnsupportedError(
                    "expected plain values to replace, found compressed ones",
                    site=edit.site,
                    advice="mask logs of a server that does not compress them",
                )
            yield edit

    def _edits_of_rows(self, log_file: LogFile) -> Iterator[_Edit]:
        """Yield what changes in rows events."""
        log = FollowedLog(self._timeline, log_file, is_whole=True)
        completer = TableMapCompleter(log, self._user_ddl)
        row_filter = ScannedFilter(self._options, log_file)
        for scanned in Scanner(log_file, self._options, completer):
            selected = row_filter.selected(scanned)
            close_digits(scanned, selected)
            for event in selected.tolist():
                site = scanned.site(event)
                with located(site), within_bounds(site):
                    changes = list(self._replaced(scanned, event))
                if changes:
                    assert scanned.format is not None
                    length = scanned.format.len_checksum
                    yield _Edit(site, changes, length, scanned.is_decompressed(event))
        log.finish()

    def _edits_of_others(self, log_file: LogFile) -> Iterator[_Edit]:
        """Yield what changes in all other events."""
        frames = FrameReader(log_file, self._options)
        for frame in frames:
            if frame.plain_type in ROWS_EVENTS:
                continue
            site = frame_site(log_file, frame)
            with located(site):
                changes = self._changes(frame, frames.parser, site)
            if frame.plain_type == EventType.format_description and self._masker is not None:
                yield _Edit(site, self._renamed(frame.event))
            elif changes:
                length = frames.parser.format_description.len_checksum
                yield _Edit(site, changes, length, frame.is_decompressed)

    def _renamed(self, event: bytes) -> list[tuple[int, bytes]]:
        """Return the changes of a format description that make its log another one."""
        assert self._masker is not None
        start = event.find(0, _VERSION.start, _VERSION.stop) + 1
        if not start:
            return []
        changed = bytearray(event)
        start = max(start, _VERSION.stop - _LEN_IDENTITY)
        changed[start : _VERSION.stop] = self._masker.stream(event, _VERSION.stop - start, b"log")
        changed[OFS_FLAGS] &= ~IN_USE  # the checksum is that of the event without the flag
        if parse_format_description(event, verify=False).has_own_checksum:
            changed[-LEN_CHECKSUM:] = crc32(memoryview(changed)[:-LEN_CHECKSUM]).to_bytes(
                LEN_CHECKSUM, "little"
            )
        return [(_VERSION.start, bytes(changed[_VERSION.start :]))]

    def _changes(
        self, frame: Frame, parser: EventParser, site: EventSite
    ) -> list[tuple[int, bytes]]:
        kind = frame.plain_type
        if kind == EventType.query:
            return self._blanked(frame, parser, site)
        if kind in QUERY_TEXT_EVENTS:
            text = bytes(parser.parse(frame.event).body.query)
            return self._blank(frame, text)
        if not TRAITS[kind] & NO_VALUES:
            raise UnsupportedError(
                "this event may hold values, and cannot be masked",
                advice="leave it out: mysql-binlog-spark slice",
            )
        return []

    def _replaced(self, scanned: ScannedEvents, event: int) -> Iterator[tuple[int, bytes]]:
        """Yield the replacements in the rows of an event."""
        table_map = scanned.tables.table_maps[int(scanned.events[Event.SLOT, event])]
        columns = self._columns_of(table_map)
        kind = int(scanned.events[Event.TYPE, event])
        if (
            self._masker is None
            and TRAITS[kind] & DECODED
            and kind != EventType.partial_update_rows
        ):
            return
        start = int(scanned.events[Event.OFFSET, event])
        for images in locate_event(scanned, event, self._options.batch_bytes):
            for column, k in product(columns, range(images.located.shape[1])):
                position = int(images.pos[column.index, k])
                if position <= Pos.DIFFERENCES:
                    raise UnsupportedError(
                        f"table {table_map.table}: column {column.label} is updated in parts",
                        advice="mask logs of a server with binlog_row_value_options=''",
                    )
                if self._masker is not None and position >= 0:
                    begin, value = images.bytes_at(column.index, position)
                    self._check_definitions(table_map.table, column, value)
                    self.done.num_values += 1
                    masked = self._masker.mask(column, value)
                    assert len(masked) == len(value)
                    yield begin - start, masked

    def _columns_of(self, table_map: TableMap) -> tuple[Column, ...]:
        """Return the columns of a table whose values are replaced.

        Raises:
            SchemaMismatchError: if the table lacks one of them here, or its columns have no names.
            UnsupportedError: if values of one cannot be replaced.
        """
        if table_map in self._chosen:
            return self._chosen[table_map]
        table, names = table_map.table, self._columns[table_map.table]
        if names != {ALL} and not table_map.has_names:
            raise SchemaMismatchError(
                f"table {table}: expected names of its columns, the log has none",
                advice="give the definition of the table in option ddl, or mask all of its columns,"
                f" {table}.{ALL}, in --columns",
            )
        of_table = {column.label.lower(): column for column in table_map.columns}
        lacking = sorted(names - {ALL} - set(of_table))
        if lacking:
            raise SchemaMismatchError(
                f"table {table}: expected a column {lacking[0]}, found {listed(of_table)}",
                advice="if it has another name here, or was added later, mask all of its columns,"
                f" {table}.{ALL}, in --columns{did_you_mean(lacking[0], of_table)}",
            )
        chosen = tuple(c for name, c in of_table.items() if ALL in names or name in names)
        for column in chosen:
            if reason := can_mask(column):
                raise UnsupportedError(
                    f"table {table}: column {column.label} of type {column.type_name} cannot be"
                    f" masked: {reason}",
                    advice="leave out its transactions: mysql-binlog-spark slice",
                )
        self.done.columns.setdefault(table, set()).update(of_table)
        self._chosen[table_map] = chosen
        return chosen

    def _check_definitions(self, table: TableName, column: Column, value: bytes) -> None:
        """Check that no definition of a table has a value that is replaced.

        Raises:
            UnsupportedError: if one has.
        """
        if self._keeps_definitions or len(value) < _LEAST or not is_text(column):
            return
        if column.fixed_type == "UUID":  # a definition has it as text
            value = fixed_text(value, FixedBinary.UUID).encode()
        words = [word for word in _SEPARATORS.split(value.lower()) if word]
        if words and all(word in self.words for word in words):
            raise UnsupportedError(
                f"table {table}: a value of column {column.label} is also in a definition of a"
                f" table ({self.words[words[0]]})",
                advice="if that is no secret, add --keep-definitions",
            )

    def _blanked(
        self, frame: Frame, parser: EventParser, site: EventSite
    ) -> list[tuple[int, bytes]]:
        """Return the replacement of a statement, unless it stays."""
        statement = Statement.from_event(parser.parse(frame.event), site)
        if _KEPT.fullmatch(statement.text):
            return []
        change = Ddl(statement).parsed.change
        defines = statement.kind == StatementKind.DEFINES and not isinstance(change, UnknownChange)
        if change is not None and (isinstance(change, TruncateTable) or defines):
            self._check_names(change)
            for word in _SEPARATORS.split(statement.text.lower()):
                self.words.setdefault(word, site)
            return []
        return self._blank(frame, statement.text)

    def _check_names(self, change: Definition) -> None:
        """Check that no table gets a name under which its values would stay.

        Raises:
            UnsupportedError: if one does.
        """
        names: Sequence[tuple[TableName, TableName]] = ()
        if isinstance(change, RenameTables):
            names = change.names
        elif isinstance(change, AlterTable) and change.new_name is not None:
            names = ((change.table, change.new_name),)
        for old, new in names:
            self.renamed.update((old.lower(), new.lower()))
            # However statements spell names: see `TableName.lower`.
            masked = {table.lower() for table in self._columns}
            if (old.lower() in masked) != (new.lower() in masked):
                raise UnsupportedError(
                    f"table {old} is renamed to {new}, and only one of both is masked",
                    advice="name the columns of both in --columns",
                )

    def _blank(self, frame: Frame, text: bytes) -> list[tuple[int, bytes]]:
        """Return the replacement of a text at the end of an event."""
        blank = _BLANK if len(text) >= len(_BLANK) else b""
        start = frame.body_end - len(text)
        if frame.event[start : frame.body_end] != text:
            raise UnsupportedError(
                "the text of this statement is not where one is expected",
                advice="leave it out: mysql-binlog-spark slice",
            )
        self.done.num_texts += 1
        return [(start, blank.ljust(len(text)))]
