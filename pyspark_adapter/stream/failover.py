"""Offsets in the logs of one server, as offsets in the logs of another that takes its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pyspark_adapter.errors import DataLossError, EventSite
from pyspark_adapter.events.log_start import log_id_of, read_format_event, read_log_start
from pyspark_adapter.format.header import MAGIC
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.ignored_errors import warn_of
from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.stream.log_series import LogSeries

# Why a stream cannot continue at an offset.
WITHOUT_BEGINNING: Final = "has lost its beginning"
CUT: Final = "has been cut"
REPLACED: Final = "has been replaced by another log of the same name, as a reset of the server does"


class Failover:
    """Says whether the answering server has an offset in its logs, and where else to continue."""

    def __init__(self, series: LogSeries, options: BinlogOptions) -> None:
        self._series = series
        self._options = options

    def is_elsewhere(self, offset: StreamOffset) -> bool:
        """Return whether an offset is in the logs of another server than the one that answers."""
        if not offset.server or not offset.log_name:
            return False
        answers = self._series.identity()
        if answers == offset.server:
            return False
        log_file = self._series.find(offset.log_name)
        begins = None if log_file is None else read_log_start(log_file)
        if begins is not None and begins.log_id == offset.log_id:
            return False
        answers = self._series.server_of(begins)
        # A UUID says nothing about the id of a server.
        is_same_kind = answers.isdigit() == offset.server.isdigit()
        return bool(answers) and is_same_kind and answers != offset.server

    def resumed(self, offset: StreamOffset, *, may_lose: bool) -> StreamOffset | None:
        """Return where the logs of another server continue; None if there is nothing after it yet.

        Raises:
            DataLossError: if it is not known, or transactions are missing, with failOnDataLoss.
        """
        delivered = GtidPosition.parse(offset.gtids)
        try:
            if not delivered:
                raise DataLossError(
                    "is in the logs of another server, and the GTIDs before it are not known",
                    site=EventSite(offset.log_name, offset.pos),
                )
            position = self._series.resume_after(delivered)
        except DataLossError as error:
            if self._options.fail_on_data_loss or not may_lose:
                raise
            warn_of(error, self._options, "changes are lost")
            logs = self._series.all()
            position = (logs[0], len(MAGIC)) if logs else None
        if position is None:
            return None
        begins = self.start_of(position[0], replace(offset, skipped=offset.gtids))
        return replace(begins, pos=position[1])

    def start_of(self, log_file: LogFile, before: StreamOffset | None = None) -> StreamOffset:
        """Return the offset of the first event of a log.

        Args:
            before: where the stream comes from; None if it begins there.
        """
        begins = read_log_start(log_file)
        if begins is None:
            return StreamOffset(log_file.name, len(MAGIC))
        server = self._series.server_of(begins)
        gtids = begins.gtids
        skipped = GtidPosition.parse("" if before is None else before.skipped)
        if skipped and gtids is not None:
            skipped, gtids = skipped.minus(gtids), gtids.union(skipped)
        return StreamOffset(
            log_file.name,
            len(MAGIC),
            begins.log_id,
            gtids="" if gtids is None else gtids.text,
            server=server,
            skipped=skipped.text,
        )


def reason_against(log_file: LogFile | None, offset: StreamOffset) -> str | None:
    """Return why a stream cannot continue at an offset; None if it can."""
    if log_file is None:
        return "is gone, and was not read to its end"
    event = read_format_event(log_file)
    if event is None:
        return WITHOUT_BEGINNING
    if offset.log_id and log_id_of(event) != offset.log_id:
        return REPLACED
    if log_file.compression and offset.pos > len(MAGIC):
        return "has been packed into an archive, and was not read to its end"
    if not log_file.compression and log_file.num_bytes < offset.pos:
        return f"{CUT}: it has {log_file.num_bytes} bytes now"
    return None
