"""The changes of a log, decoded by the kernels, from window to window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.decode.columns import ColumnSet, FillError
from pyspark_adapter.decode.kernel_metadata import LocatedRows, build_metadata, transaction_of
from pyspark_adapter.decode.output_batch import cut_inflated, output_budget, output_size
from pyspark_adapter.decode.partial_documents import complete_documents
from pyspark_adapter.decode.row_block import RowBlock, spread
from pyspark_adapter.decode.statement_rows import StatementRows
from pyspark_adapter.errors import BinlogError, located
from pyspark_adapter.events.statements import PlacedStatement
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.events.windows import ReadRange
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import Change, Cursor, Numbers, Pos, RowStatus, Total, ZeroDates
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.conversion import ConversionError, convert_all
from pyspark_adapter.plan.read_request import ReadRequest
from pyspark_adapter.plan.row_plan import RowPlan, located_columns
from pyspark_adapter.scan.event_digits import close_digits
from pyspark_adapter.scan.kernel_counts import FailedEventError, RowNumbers, count_events
from pyspark_adapter.scan.row_images import RowLayout, layout_of, locate_rows, new_cursor
from pyspark_adapter.scan.scanned_events import ScannedEvents, outside_error, within_bounds
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.scan.scanner import Scan, Scanner
from pyspark_adapter.sources.log_file import LogFile
from pyspark_adapter.timeline.table_map_completer import TableMapCompleter
from pyspark_adapter.values.arrow_arrays import number_array

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


# Limits of caches: sets of columns; plans by table map, without the table's name if it is shared.
_MAX_COLUMN_SETS: Final = 256
_MAX_PLANS: Final = 1 << 14
_ANY_TABLE: Final = TableName("", "")

# In place of the slot of an event that is left out; the last of a table by slot.
_NO_SLOT: Final = -1


class KernelReader:
    """Reads the changes of one log.

    Args:
        request: what to give.
        completer: completes table maps; follows the statements. None if they lack nothing.
        part: what of the log to read; None for all.
    """

    def __init__(
        self,
        log_file: LogFile,
        request: ReadRequest,
        completer: TableMapCompleter | None,
        part: ReadRange | None = None,
    ) -> None:
        self._log_file = log_file
        self._part = part
        self._completer = completer
        self._request = request
        self._scanned: ScannedEvents | None = None
        self._filter = ScannedFilter(request.options, log_file, part.allowed if part else None)
        self._numbers = RowNumbers() if "_row_number" in request.metadata else None
        self._zero_dates = ZeroDates[request.options.zero_date_time_behavior]
        self._shares_plans = request.options.table is None and request.row_form != "arrow"
        self._plans: dict[TableMap, RowPlan | None] = {}
        self._of_slots: tuple[list[TableMap], dict[int, RowPlan | None]] = [], {}
        self._column_sets: dict[tuple[int, bytes], tuple[RowPlan, ColumnSet, RowLayout]] = {}
        self._cursor = new_cursor(0)

    @property
    def position(self) -> int:
        """How far the log has been read, in bytes."""
        return 0 if self._scanned is None else self._scanned.position

    def __iter__(self) -> Iterator[list[RowBlock]]:
        """Yield blocks, in the order of the log; raises BinlogError, with its site.

        Rows of several blocks in one list are interleaved: they are merged by `RowBlock.order`.
        """
        statements = StatementRows(self._log_file, self._request, self._completer)
        scanner = Scanner(
            self._log_file,
            self._request.options,
            self._completer,
            statements.kinds,
            self._part,
            Scan.QUERIES if "_query" in self._request.metadata else Scan.ROWS,
        )
        for scanned in scanner:
            parts: Iterable[tuple[ScannedEvents, RowBlock | None]] = [(scanned, None)]
            if scanned.statements:
                parts = cut_at_statements(scanned, statements)
            for part, block in parts:
                if part.events.shape[1]:
                    self._scanned = part
                    with within_bounds(part.site(0), len(part.data)):
                        yield from self._read(part)
                if block is not None:
                    yield [block]
            scanner.kinds = statements.kinds

    def _read(self, scanned: ScannedEvents) -> Iterator[list[RowBlock]]:
        groups, error = self._group(scanned)
        try:
            first_numbers = self._first_numbers(scanned, groups, scanned.events.shape[1])
        except FailedEventError as failed:
            error = failed.error
            groups = [(plan, selection[selection < failed.event]) for plan, selection in groups]
            first_numbers = self._first_numbers(scanned, groups, failed.event)
        for run in [groups] if len(groups) < 2 else cut_runs(scanned, groups, self._request):
            if len(run) == 1:
                try:
                    for block in self._decode(scanned, *run[0], first_numbers):
                        yield [block]
                except FailedEventError as failed:
                    raise failed.error from None
                continue
            blocks, failed_error = interleave(
                [self._decode(scanned, *group, first_numbers) for group in run]
            )
            if blocks:
                yield blocks
            if failed_error is not None:
                raise failed_error
        if error is not None:
            raise error
        if self._numbers is not None:
            self._numbers.carry(scanned, self._cursor)

    def _first_numbers(
        self, scanned: ScannedEvents, groups: list[Group], num_events: int
    ) -> Numbers:
        """Return the number of the first row change of each event; nothing if not wanted."""
        if self._numbers is None:
            return np.empty(0, dtype=np.int64)
        selections = [selection for _, selection in groups]
        is_wanted = self._filter.transactions(scanned.transactions[:, -1:], scanned.tagged_gtids)
        return self._numbers.of_events(
            scanned, selections, num_events, may_go_on=bool(is_wanted[0])
        )

    def _group(self, scanned: ScannedEvents) -> tuple[list[Group], BinlogError | None]:
        """Return the plans that are wanted, each with its columns of `scanned.events`.

        If rows of some table cannot be read, only the events before the first of them are returned,
        and the error.
        """
        keeps = self._filter.events(scanned)
        kept = np.arange(scanned.events.shape[1]) if keeps is None else np.flatnonzero(keeps)
        if scanned.tables.open_slots:
            close_digits(scanned, kept, self._request.options.table)
        slots = scanned.events[lay.Event.SLOT]
        if keeps is not None:
            slots = np.where(keeps, slots, _NO_SLOT)
        plans: dict[int, tuple[RowPlan, int]] = {}  # by id
        # One more, for events that are left out.
        group_of_slot = np.full(len(scanned.tables.table_maps) + 1, -1, dtype=np.int64)
        first_events = np.unique(slots, return_index=True)[1]
        failure: BinlogError | None = None
        for event in np.sort(first_events).tolist():
            slot = int(slots[event])
            if slot == _NO_SLOT:
                continue
            try:
                plan = self._plan(scanned, slot, event)
            except BinlogError as error:
                failure, slots = error, slots[:event]
                break
            if plan is not None:
                _, group_of_slot[slot] = plans.setdefault(id(plan), (plan, len(plans)))
        groups = group_of_slot[slots]
        if len(plans) <= 1 and (groups >= 0).all():
            return [(plan, np.arange(len(slots))) for plan, _ in plans.values()], failure
        order = np.argsort(groups, kind="stable")
        bounds = np.searchsorted(groups[order], np.arange(len(plans) + 1))
        return [
            (plan, np.ascontiguousarray(order[bounds[g] : bounds[g + 1]]))
            for plan, g in plans.values()
        ], failure

    def _plan(self, scanned: ScannedEvents, slot: int, event: int) -> RowPlan | None:
        """Return how the rows of a table map are read; None if they are not asked for.

        Tables that differ in their names alone share a plan where names do not matter, because a
        block costs more than the few rows that each table may have.
        """
        table_maps = scanned.tables.table_maps
        if table_maps is not self._of_slots[0]:
            self._of_slots = table_maps, {}
        row_plans = self._of_slots[1]
        if slot not in row_plans:
            table_map = table_maps[slot]
            shape = replace(table_map, table=_ANY_TABLE) if self._shares_plans else table_map
            if shape not in self._plans:
                if len(self._plans) >= _MAX_PLANS:
                    self._plans.clear()
                with located(scanned.site(event)):
                    self._plans[shape] = self._request.plan(table_map)
            row_plans[slot] = self._plans[shape]
        return row_plans[slot]

    def _decode(
        self, scanned: ScannedEvents, plan: RowPlan, selection: Numbers, first_numbers: Numbers
    ) -> Iterator[RowBlock]:
        """Yield the rows of one plan; raises FailedEventError."""
        options = self._request.options
        if len(first_numbers):
            first_numbers = first_numbers.take(selection)
        is_held = scanned.held_columns(selection, len(plan.widths))
        columns, layout = self._columns_of(plan, is_held)
        wanted = columns.wanted
        lacking = [c.label for c in plan.table_map.columns if not is_held[c.index]]
        budget = output_budget(self._request)
        by_row = output_size(wanted, lacking, self._request).by_row
        row_number = 0 if self._numbers is None else self._numbers.carried
        self._cursor = new_cursor(options.batch_bytes, row_number)
        for images in locate_rows(
            scanned,
            layout,
            selection,
            self._cursor,
            max_images=min(options.batch_rows, budget // by_row),
            first_numbers=first_numbers,
        ):
            pos, totals, num_rows = images.pos, images.totals, images.located.shape[1]
            partial = None
            if self._cursor[Cursor.HAS_DIFFERENCES]:
                partial = complete_documents(
                    scanned.data,
                    pos[:, :num_rows],
                    layout.located,
                    len(wanted),
                    gives_differences="_json_diff" in self._request.metadata,
                    table=plan.table_map.table,
                )
                totals[Total.NULLS] = np.count_nonzero(pos[:, :num_rows] < 0, axis=1)
                for c, num_bytes in partial.num_bytes.items():
                    totals[Total.BYTES, c] = num_bytes
            rows = LocatedRows(plan.table_map.columns, scanned, images.located, partial)
            ends = [num_rows]
            if columns.has_inflated and partial is None:
                ends = cut_inflated(scanned.data, pos, rows.change, wanted, budget)
            for begin, end in zip([0, *ends], ends, strict=False):
                piece = pos if begin == 0 else np.ascontiguousarray(pos[:, begin:end])
                if len(ends) > 1:
                    totals[Total.NULLS] = np.count_nonzero(piece[:, : end - begin] < 0, axis=1)
                part = rows.slice(begin, end)
                yield from self._pieces(part, plan, columns, layout.located, piece, totals)

    def _pieces(
        self,
        rows: LocatedRows,
        plan: RowPlan,
        columns: ColumnSet,
        located: Sequence[Column],
        pos: Numbers,
        totals: Numbers,
    ) -> Iterator[RowBlock]:
        """Yield located rows as a block, or those before the first one that is not valid.

        Raises:
            FailedEventError: at that row.
        """
        failed: FillError | None = None
        num_rows = rows.num_rows
        while num_rows:
            try:
                yield self._build(rows.slice(0, num_rows), plan, columns, pos, totals)
                break
            except FillError as error:
                # The rows before the bad one are good, except those that are bad in a later
                # column; an update is returned whole or not at all.
                failed = error
            except IndexError as error:
                row = self._first_outside(rows.slice(0, num_rows), plan, columns, pos, totals)
                failed = FillError(RowStatus.BAD_VALUE_LENGTH, row, -1, outside_error(error))
            num_rows = failed.row - int(rows.change[failed.row] == Change.UPDATE_POSTIMAGE)
            totals[Total.NULLS] = np.count_nonzero(pos[:, :num_rows] < 0, axis=1)
        if failed is not None:
            failure = rows.failure(located, pos, failed)
            raise FailedEventError(int(rows.event[failed.row]), failure)

    def _first_outside(
        self, rows: LocatedRows, plan: RowPlan, columns: ColumnSet, pos: Numbers, totals: Numbers
    ) -> int:
        """Return the first row image at which a kernel leaves its input, or finds an error."""
        good, bad = 0, rows.num_rows
        while bad - good > 1:
            middle = (good + bad) // 2
            try:
                self._build(rows.slice(0, middle), plan, columns, pos, totals)
                good = middle
            except (IndexError, FillError):
                bad = middle
        return good

    def _columns_of(self, plan: RowPlan, is_held: Numbers) -> tuple[ColumnSet, RowLayout]:
        """Return the columns of a plan as the kernels take them; they are made once."""
        key = id(plan), is_held.tobytes()
        if key not in self._column_sets:
            if len(self._column_sets) >= _MAX_COLUMN_SETS:
                self._column_sets.clear()
            columns = ColumnSet([w for w in plan.wanted if is_held[w.column.index]])
            located = [c for c in located_columns(plan, self._request.metadata) if is_held[c.index]]
            # With the plan, which has to live as long as its id is in use.
            self._column_sets[key] = plan, columns, layout_of(plan.table_map, located)
        return self._column_sets[key][1:]

    def _build(
        self, rows: LocatedRows, plan: RowPlan, columns: ColumnSet, pos: Numbers, totals: Numbers
    ) -> RowBlock:
        """Decode located rows; raises FillError."""
        num_rows, wanted = rows.num_rows, columns.wanted
        partial = rows.partial
        if partial is not None and partial.error is not None and partial.error.row < num_rows:
            raise partial.error
        sums, nulls = totals[:, : len(wanted)].tolist()  # of the columns that are decoded
        arena = columns.allocate(num_rows, sums, nulls)
        arena.fill(rows.scanned.data, pos, self._zero_dates, partial.sources if partial else {})
        try:
            arrays = arena.arrays()
            if columns.has_conversions:
                arrays = convert_all([column.conversion for column in wanted], arrays)
        except ConversionError as error:
            raise FillError(RowStatus.BAD_JSON, error.row, error.column, error.error) from error
        flags: list[pa.Array | None] = [None] * len(wanted)
        if self._request.omits_absent and self._cursor[Cursor.HAS_ABSENT]:
            for c in range(len(wanted)):
                is_absent = pos[c, :num_rows] == Pos.ABSENT
                flags[c] = number_array(is_absent) if is_absent.any() else None
        if len(wanted) < len(plan.wanted):
            arrays, flags = spread(plan, wanted, arrays, flags, num_rows)
        absent = {c: flag for c, flag in enumerate(flags) if flag is not None}
        block = RowBlock(
            plan,
            num_rows,
            arrays,
            build_metadata(rows, self._request.metadata),
            rows.event.copy(),
            absent,
            rows.table_of_event if self._shares_plans else None,
        )
        dropped = self._filter.dropped_image
        return block if dropped is None else block.where(rows.change != dropped)
