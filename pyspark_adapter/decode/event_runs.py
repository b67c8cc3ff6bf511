"""The events of a window, cut at statements and into runs of several plans, and merged again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from pyspark_adapter.decode.kernel_metadata import transaction_of
from pyspark_adapter.decode.output_batch import output_budget, output_size
from pyspark_adapter.decode.row_block import RowBlock
from pyspark_adapter.decode.statement_rows import StatementRows
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.statements import PlacedStatement
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan
from pyspark_adapter.scan.kernel_counts import FailedEventError, count_events
from pyspark_adapter.scan.scanned_events import ScannedEvents

# A plan and the events that it reads, as columns of `ScannedEvents.events`.
Group = tuple[RowPlan, Numbers]


def cut_at_statements(
    scanned: ScannedEvents, rows: StatementRows
) -> Iterator[tuple[ScannedEvents, RowBlock | None]]:
    """Yield the parts of a window between statements that give rows, and the rows after each.

    Raises:
        StatementEventError: at a statement that the options refuse, after the part before it.
    """
    latest: PlacedStatement | None = None
    for statement in scanned.statements:
        try:
            of_statement = rows.of(statement.statement)
        except BinlogError:
            yield scanned.between(latest, statement), None
            raise
        if of_statement:
            transaction = transaction_of(scanned, statement)
            block = rows.block(of_statement, statement.statement, transaction)
            yield scanned.between(latest, statement), block
            latest = statement
    yield scanned.between(latest, None), None


def cut_runs(
    scanned: ScannedEvents, groups: list[Group], request: ReadRequest
) -> Iterator[list[Group]]:
    """Cut the events of several plans into runs whose output fits a batch.

    Blocks of several plans are merged, so all of them have to be held at once.

    Yields:
        For each run the plans that have events in it, each with these.
    """
    lengths = scanned.events[lay.Event.END] - scanned.events[lay.Event.ROWS]
    costs = np.zeros(len(lengths), dtype=np.int64)
    group_of_event = np.full(len(lengths), -1, dtype=np.int64)
    for g, (plan, selection) in enumerate(groups):
        by_byte, by_row = output_size(plan.wanted, [], request)
        # Both images of an update; rows that cannot be counted end the read before their cost.
        num_images = 2 * np.maximum(count_events(scanned, selection), 1)
        costs[selection] = by_byte * lengths[selection] + by_row * num_images
        group_of_event[selection] = g
    events = np.flatnonzero(group_of_event >= 0)
    keys = np.cumsum(costs[events]) // output_budget(request) * len(groups)
    keys += group_of_event[events]
    order = np.argsort(keys, kind="stable")
    bounds = np.flatnonzero(np.diff(keys[order], prepend=-1))
    parts = zip(keys[order[bounds]].tolist(), np.split(events[order], bounds[1:]), strict=True)
    for _, run in groupby(parts, key=lambda part: part[0] // len(groups)):
        yield [(groups[key % len(groups)][0], selection) for key, selection in run]


def interleave(of_plans: list[Iterator[RowBlock]]) -> tuple[list[RowBlock], BinlogError | None]:
    """Return the blocks of several plans up to the first event of any that fails, and its error."""
    blocks: list[RowBlock] = []
    first: FailedEventError | None = None
    for decoded in of_plans:
        try:
            blocks.extend(decoded)
        except FailedEventError as failed:
            if first is None or failed.event < first.event:
                first = failed
    if first is None:
        return blocks, None
    lengths = [int(np.searchsorted(block.order, first.event, side="right")) for block in blocks]
    return [block.head(n) for block, n in zip(blocks, lengths, strict=True) if n], first.error
