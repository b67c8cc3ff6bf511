"""The decoder of a read: kernels or the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.events.read_range import ReadRange
from pyspark_adapter.options.engine import has_kernels
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter


class ChangeReader(Protocol):
    """A decoder, which iterates over blocks: `KernelReader` or `ReferenceReader`.

    Attributes:
        position: byte offset up to which the log has been read.
    """

    position: int

    def __iter__(self) -> Iterator[list[RowBlock]]: ...


def change_reader(
    log_file: LogFile,
    request: ReadRequest,
    completer: TableMapCompleter,
    part: ReadRange | None = None,
) -> ChangeReader:
    """Return the decoder that the options select, at the start of a log or of a part of it.

    Args:
        log_file: the log.
        request: what to return.
        completer: completes table maps; takes the statements.
        part: the part of the log to read; None for all.
    """
    if has_kernels(request.options):
        from pyspark_adapter.decode.kernel_reader import KernelReader

        return KernelReader(log_file, request, completer, part)
    from pyspark_adapter.decode.reference.reader import ReferenceReader

    return ReferenceReader(log_file, request, completer, part)
