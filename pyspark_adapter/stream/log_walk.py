"""The ends of transactions in one log of a stream, found as the log grows."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.framing import parse_format_description
from pyspark_adapter.events.log_identity import log_id_of
from pyspark_adapter.inputs.log_files import LogFile
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.stream_offset import StreamOffset
from pyspark_adapter.splits.log_span import LogSpan
from pyspark_adapter.splits.part_finder import PartFinder
from pyspark_adapter.splits.transaction_walk import TransactionWalk

# With more than this to walk over, a place near the end of the log is sought, this far from it.
_LONG_WALK: Final = 64 << 20
_LEN_SEARCH: Final = 8 << 20


class LogWalk:
    """Finds ends of transactions in a log; what it has walked over is not looked at again.

    Args:
        log_file: the log.
        format_event: its first event.
        start: offset before which no transaction is open.
        options: of the read.

    Attributes:
        damage: what is wrong with the log behind the last place found, if anything.
    """

    def __init__(
        self, log_file: LogFile, format_event: bytes, start: int, options: BinlogOptions
    ) -> None:
        self._log = (log_file.name, log_id_of(format_event))
        self._options = options
        verify = options.verify_checksums
        self._description = parse_format_description(format_event, verify=verify)
        self._walk = TransactionWalk(self._description, start, options)
        self._places = [start]  # found and not yet left behind, in order
        self._num_bytes = -1  # size of the log when its end was reached last

    @property
    def damage(self) -> BinlogError | None:
        """What is wrong with the next event."""
        return self._walk.damage

    def covers(self, place: StreamOffset) -> bool:
        """Tell whether what is behind a place can be had from it."""
        is_same = self._log == (place.log_name, place.log_id)
        return is_same and self._places[0] <= place.pos <= self._walk.position

    def last_place(self, log_file: LogFile) -> int:
        """Return the end of the last whole transaction; of a long log, not all is read for it.

        Args:
            log_file: the log, with the size that it has now.

        Raises:
            BinlogError: if the log cannot be read.
        """
        if log_file.num_bytes - self._walk.position > _LONG_WALK and not self._walk.damage:
            self._skip_to_end(log_file)
        self._go_on(log_file, None)
        del self._places[:-1]
        return self._places[-1]

    def place_within(self, log_file: LogFile, start: int, limit: int, *, or_next: bool) -> int:
        """Return the last end of a transaction that is not behind an offset.

        Args:
            log_file: the log, with the size that it has now.
            start: offset from which on it is asked; returned if there is none behind it.
            limit: offset up to which it is asked.
            or_next: whether to return the first behind the limit, if there is none within it.

        Raises:
            BinlogError: if the log cannot be read.
        """
        self._go_on(log_file, max(limit, start + 1))
        del self._places[: bisect_right(self._places, start) - 1]
        place = bisect_right(self._places, limit) - 1
        if place <= 0 and or_next and len(self._places) > 1:
            place = 1
        return self._places[max(place, 0)]

    def _go_on(self, log_file: LogFile, limit: int | None) -> None:
        """Walk on to the end of the log, or until a place behind a limit is found."""
        if log_file.num_bytes == self._num_bytes or self._is_behind(limit):
            return
        for found in self._walk.go_on(log_file):
            self._places += found[found[:1] == self._places[-1:] :]
            if limit is None:
                del self._places[:-1]
            elif self._is_behind(limit):
                return
        self._num_bytes = log_file.num_bytes

    def _is_behind(self, limit: int | None) -> bool:
        return limit is not None and self._places[-1] > limit

    def _skip_to_end(self, log_file: LogFile) -> None:
        """Begin anew near the end of the log, if a place for that is found for sure."""
        span = LogSpan(self._places[-1], log_file.num_bytes)
        finder = PartFinder(log_file, _LEN_SEARCH, self._options, span=span)
        try:
            for number in (finder.num_splits - 2, finder.num_splits - 8):
                part = finder.part(number)
                if part is not None:
                    self._walk = TransactionWalk(self._description, part.start, self._options)
                    self._places = [part.start]
                    return
        finally:
            finder.close()
