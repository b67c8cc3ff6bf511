"""The logs of a directory, to which a server or `mysqlbinlog --raw --stop-never` adds."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from pyspark_adapter.errors import (
    DataLossError,
    EventSite,
    LogFileError,
    OptionError,
    TruncatedEventError,
    UnsupportedError,
    as_log_file_error,
    listed,
    located,
)
from pyspark_adapter.events.log_start import LogStart, read_log_start
from pyspark_adapter.events.logged_gtids import LoggedGtids
from pyspark_adapter.find_logs import keyring_of
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.format.schema import parse_format_description
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.sources.archives import log_name
from pyspark_adapter.sources.encrypted_log import LEN_ENCRYPTION_HEADER
from pyspark_adapter.sources.globs import has_wildcards, is_hidden, matches
from pyspark_adapter.sources.locations import Location, StoredFile
from pyspark_adapter.sources.log_file import (
    ENGINE_SUFFIX,
    LEN_START,
    LogFile,
    describe_if_log,
    log_number,
)
from pyspark_adapter.sources.log_lists import INDEX_SUFFIX, read_index
from pyspark_adapter.sources.open_storage import storage_of
from pyspark_adapter.splits.transaction_bounds import TransactionBounds
from pyspark_adapter.stream.log_series import base_of


def transactions_of(logs: Sequence[LogFile], options: BinlogOptions) -> GtidPosition | None:
    """Return the transactions in some logs and before them; None if they have no GTIDs.

    Args:
        logs: in order; the last one is read to its end.

    Raises:
        BinlogError: if a log cannot be read.
    """
    for log_file in reversed(logs):
        start = read_log_start(log_file)
        if start is not None:
            gtids, bounds = _followed(start, options)
            for _ in bounds.find(log_file):
                gtids.move(bounds.position)
            return gtids.before(bounds.position)
    return None


def log_after(
    logs: Sequence[LogFile], delivered: GtidPosition, options: BinlogOptions, site: EventSite
) -> LogFile | None:
    """Return the newest log that all transactions missing from a set are in or after.

    Returns:
        None if there is no log yet.

    Raises:
        DataLossError: if the logs lack some of the set, or do not reach back to it.
        BinlogError: if a log cannot be read.
    """
    there = [log for log in logs if log.num_bytes > len(MAGIC)]
    if not there:
        return None
    theirs = transactions_of(there, options)
    if theirs is None:
        raise DataLossError(
            "the logs of another server have no GTIDs, so that it is not known where they continue",
            site=site,
        )
    lacking = delivered.minus(theirs)

    def begins_later(log_file: LogFile) -> bool:
        before = _before(log_file)
        return before is None or bool(before.minus(delivered))

    # A set holds those of all logs before.
    index = bisect_right(there, False, key=begins_later) - 1
    if index < 0 and not lacking:
        before = _before(there[0])
        raise DataLossError(
            "the logs of another server begin after transactions that were not delivered:"
            f" {before.minus(delivered).text if before else 'their names are not known'}",
            site=there[0].site,
        )
    if not lacking:
        lacking = _absent(there[index], delivered, options)
    if lacking:
        raise DataLossError(
            f"the logs of another server lack transactions that the stream has delivered:"
            f" {lacking.text}",
            site=site,
            advice="let the server replicate them, and copy its logs; with option"
            " failOnDataLoss=false the stream continues with what they have",
        )
    return there[index]


def _before(log_file: LogFile) -> GtidPosition | None:
    start = read_log_start(log_file)
    return None if start is None else start.gtids


def _followed(start: LogStart, options: BinlogOptions) -> tuple[LoggedGtids, TransactionBounds]:
    event = start.format_event
    description = parse_format_description(event, verify=options.verify_checksums)
    gtids = LoggedGtids(description, start.gtids)
    return gtids, TransactionBounds(description, len(MAGIC), options, gtids=gtids)


def _absent(log_file: LogFile, delivered: GtidPosition, options: BinlogOptions) -> GtidPosition:
    """Return the last ones of a set's domains that are neither in a log of MariaDB nor before it.

    The log may continue with another transaction of the same number.
    """
    start = read_log_start(log_file)
    before = start.gtids.last if start is not None and start.gtids is not None else {}
    left = {domain: last for domain, last in delivered.last.items() if before.get(domain) != last}
    if start is not None and left:
        gtids, bounds = _followed(start, options)
        for _ in bounds.find(log_file):
            left = {domain: last for domain, last in left.items() if not gtids.names(domain, *last)}
            gtids.move(bounds.position)
    return GtidPosition(last=left)


class LogDirectory:
    """The logs of one server in a directory.

    Finding one log takes one request to the storage, however many exist: the directory is listed
    once, and again only when a log is gone. A log is opened when it is listed first.

    Args:
        paths: one path: a directory, the index file in it, a log, or a pattern of its logs' names.

    Raises:
        OptionError: if it is another path, or there are several; for an option that selects files
            by their time or in subdirectories.
    """

    def __init__(self, paths: Sequence[str], options: BinlogOptions) -> None:
        if len(paths) != 1:
            raise OptionError(
                f"expected one directory of logs for a stream, got {len(paths)} paths",
                option="path",
            )
        not_followed = {
            "recursiveFileLookup": options.recursive_file_lookup or None,
            "modifiedAfter": options.modified_after,
            "modifiedBefore": options.modified_before,
        }
        for name, value in not_followed.items():
            if value is not None:
                raise refuse(name, value, "no value for a stream, which reads all logs of a folder")
        self._location = Location.parse(paths[0])
        self._options = options
        self._keyring = keyring_of(options)
        self._directory: Location | None = None
        self._pattern: str | None = None
        self._base = ""
        self._known: dict[str, LogFile] = {}  # by name, in order
        self._names: list[str] = []
        self._numbers: list[int] = []

    @property
    def num_servers(self) -> int:
        """The number of servers that may answer."""
        return 1

    @property
    def num_changes(self) -> int:
        """How often another server has answered: never."""
        return 0

    def turn(self) -> None:
        """Do nothing: there is one directory."""

    def all(self) -> list[LogFile]:
        """Return all logs, in order; raises LogFileError."""
        directory = self._find_directory()
        with as_log_file_error(directory.site):
            files = [file for file in storage_of(directory).list(directory) if self._takes(file)]
        logs = [log for file in files if (log := self._known_as(file) or self._describe(file))]
        logs.sort(key=lambda log: (log.number, log.name))
        self._known = {log.name: log for log in logs}
        self._names = [log.name for log in logs]
        self._numbers = [log.number for log in logs]
        if len(self._known) < len(logs):
            raise LogFileError(
                "expected one file for each log, found a log and an archive of it",
                site=EventSite(directory.shown),
                advice="select one of them by a pattern as the path",
            )
        bases = sorted({base_of(name) for name in self._known})
        if len(bases) > 1:
            raise LogFileError(
                f"expected the logs of one server for a stream, found {listed(bases)}",
                site=EventSite(directory.shown),
                advice=f"select some by a pattern as the path: {directory.shown}/{bases[0]}*",
            )
        return list(self._known.values())

    def find(self, log_name: str) -> LogFile | None:
        """Return a log with the size that it has now; None if it is not there."""
        if log_name not in self._known:
            self.all()
        if log_name not in self._known:
            return None
        log = self._look_up(Location.parse(self._known[log_name].path))
        if log is None:  # purged, or packed into an archive
            self.all()
            return self._known.get(log_name)
        return log

    def after(self, log_name: str) -> LogFile | None:
        """Return the log that follows a log; None if that is the last one."""
        if log_name not in self._known:
            self.all()
        number = log_number(log_name)
        while (index := bisect_right(self._numbers, number)) < len(self._numbers):
            name = self._names[index]
            if (log := self.find(name)) is not None or name in self._known:
                return log
        if log_name not in self._known:
            return None
        base = base_of(log_name)
        name = f"{base}{number + 1:0{len(log_name) - len(base)}}"
        log = self._look_up(self._find_directory().child(name)) if self._fits(name) else None
        if log is not None:
            self._known[log.name] = log
            self._names.append(log.name)
            self._numbers.append(log.number)
        return log

    def log_after(self, _gtids: str) -> LogFile | None:
        """Return None: which log has which transactions is known only after reading."""
        return None

    def committed_end(self, _log_file: LogFile, _start_pos: int) -> None:
        """Return None: the headers of the log have to be followed."""
        return

    def identity(self) -> str:
        """Return nothing: logs say who has written them."""
        return ""

    def server_of(self, log_start: LogStart | None) -> str:
        """Return the id of the server that has written a log, or the last one; empty for none."""
        if log_start is None:
            starts = (read_log_start(log) for log in reversed(self.all()))
            log_start = next((start for start in starts if start is not None), None)
        return "" if log_start is None else log_start.server_id

    def resume_after(self, delivered: GtidPosition) -> tuple[LogFile, int] | None:
        """Return the newest log that all transactions missing from a set are in or after.

        Raises:
            DataLossError: if the logs lack some of the set, or do not reach back to it.
        """
        site = self._find_directory().site
        place = log_after(self.all(), delivered, self._options, site)
        return None if place is None else (place, len(MAGIC))

    def gtids(self) -> GtidPosition | None:
        """Return the transactions of all logs, and of those before."""
        return transactions_of(self.all(), self._options)

    def _look_up(self, location: Location) -> LogFile | None:
        """Return the log at a location; None if there is none, or it is still empty."""
        known = self._known.get(log_name(location.name))
        with as_log_file_error(location.site):
            try:
                file = storage_of(location).look_up(location)
            except FileNotFoundError:
                return None
        # How a log is encrypted is only certain once its first events are written.
        is_certain = known is not None and (self._keyring is None or known.num_bytes >= LEN_START)
        return known.with_size(file.num_bytes) if known and is_certain else self._describe(file)

    def _known_as(self, file: StoredFile) -> LogFile | None:
        """Return a listed file as the log that it was; None if it may be another one now."""
        known = self._known.get(log_name(file.name))
        # A reset of the server changes how logs of the same names are encrypted.
        is_same = known is not None and known.path == str(file.location) and self._keyring is None
        return known.with_size(file.num_bytes) if known and is_same and file.num_bytes else None

    def _describe(self, file: StoredFile) -> LogFile | None:
        """Return a file as a log; None if it is no log, or has been removed."""
        with as_log_file_error(file.location.site), located(file.location.site):
            try:
                return describe_if_log(file, self._keyring) if file.num_bytes else None
            except FileNotFoundError:
                return None
            except TruncatedEventError:
                if file.num_bytes >= LEN_ENCRYPTION_HEADER:
                    raise
                return None  # the server has not written the header yet

    def _find_directory(self) -> Location:
        """Return the directory of the path; sets the pattern of the files that are meant."""
        if self._directory is not None:
            return self._directory
        location = self._location
        with as_log_file_error(location.site), located(location.site):
            try:
                file = storage_of(location).look_up(location)
            except FileNotFoundError:
                if not has_wildcards(location.name):
                    raise
                self._pattern, self._directory = location.name, location.parent
                return self._directory
            is_directory = file.is_directory
            has_suffix = file.name.endswith(INDEX_SUFFIX) and not is_directory
            is_list = has_suffix and describe_if_log(file) is None
            bases = {base_of(name) for name in read_index(file)} if is_list else set()
        if not (is_directory or is_list):
            if not log_number(log_name(location.name)):
                raise OptionError(
                    "expected a directory of logs, or a log whose name ends in its number, for a"
                    f" stream, got the file {location.shown}",
                    option="path",
                )
            self._pattern = _escaped(location.name)
        if len(bases) == 1:
            self._pattern = _escaped(bases.pop()) + "*"
        self._directory = location if is_directory else location.parent
        return self._directory

    def _takes(self, file: StoredFile) -> bool:
        if file.name.endswith(ENGINE_SUFFIX) and self._fits(file.name):
            raise UnsupportedError(
                "expected logs that a server appends to, found an engine binlog of MariaDB",
                site=file.location.site,
                advice="read its folder as a batch: a stream cannot follow it",
            )
        if file.is_directory or is_hidden(file.name) or not log_number(log_name(file.name)):
            return False
        return self._fits(file.name)

    def _fits(self, name: str) -> bool:
        """Return whether the name of a file fits the patterns of the options."""
        patterns = [self._pattern, self._options.path_glob_filter]
        return all(pattern is None or matches(pattern, name) for pattern in patterns)


def _escaped(text: str) -> str:
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", text)
