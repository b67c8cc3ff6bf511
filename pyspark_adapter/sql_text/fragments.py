"""Row changes as fragments of SQL, with the transactions that comments name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import EventSite, one_line
from pyspark_adapter.kernels.layout import Numbers
from pyspark_adapter.kernels.sql_layout import Form, Head, SqlFragment
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sql_text.target_table import TargetTable

_SECOND_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class LoggedTransaction:
    """A transaction.

    Attributes:
        name: as a comment names it: position, GTID, commit time.
        xid: its name, if it is the prepared part of a distributed transaction; else None.
    """

    site: EventSite
    name: str
    xid: str | None


@dataclass(frozen=True, slots=True)
class LoggedTransactions:
    """Transactions of a log, in its order.

    Attributes:
        positions: (n,) int64 of their first events.
        gtids: (n,) their GTIDs, null where they have none.
        micros: (n,) int64 commit times, microseconds since 1970-01-01 UTC.
        xids: names of distributed transactions, by index.
    """

    path: str
    log_name: str
    positions: Numbers
    gtids: pa.Array
    micros: Numbers
    xids: dict[int, str]

    def key(self, k: int) -> tuple[str, int]:
        """Return what tells one from all others."""
        return self.path, int(self.positions[k])

    def one(self, k: int, names: pa.Array) -> LoggedTransaction:
        """Return one of them."""
        site = EventSite(self.log_name, int(self.positions[k]))
        return LoggedTransaction(site, names[k].as_py(), self.xids.get(k))

    def names(self) -> pa.Array:
        """Return (n,) strings, as comments have them."""
        days = pa.array(self.micros, pa.timestamp("us"))
        whole = pc.cast(days, pa.timestamp("s"), safe=False)
        is_whole = pa.array(self.micros % _SECOND_MICROS == 0)
        times = pc.if_else(is_whole, pc.cast(whole, pa.string()), pc.cast(days, pa.string()))
        gtids = pc.fill_null(pc.binary_join_element_wise(" ", self.gtids, ""), "")
        positions = pc.cast(pa.array(self.positions), pa.string())
        return pc.binary_join_element_wise(
            f"{one_line(self.log_name)}:", positions, gtids, " ", times, "+00:00", ""
        )


# A statement of several rows stays below this, as the default max_allowed_packet of old servers is
# four times as much.
MAX_STATEMENT: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Refused:
    """Row changes that cannot be written.

    Attributes:
        what: insert, update or delete; rows if none of them can.
        site: of the first one's rows event.
        index: of the fragment before which the first one is.
    """

    what: str
    table: TableName
    reason: str
    site: EventSite
    count: int = 1
    index: int = 0


class NumberedTables:
    """Tables that fragments are about, by number, and the texts before their rows.

    Attributes:
        names: by number; a table of several shapes has several.
    """

    def __init__(self) -> None:
        self.names: list[TableName] = []
        self._numbers: dict[int, int] = {}
        self._targets: list[TargetTable] = []  # which have to live as long as their ids are in use
        self._text = bytearray()
        self._ends: list[list[int]] = []
        self._arrays: tuple[Numbers, Numbers] | None = None

    def number_of(self, target: TargetTable) -> int:
        """Return the number of a table."""
        number = self._numbers.setdefault(id(target), len(self.names))
        if number == len(self.names):
            self.names.append(target.table)
            self._targets.append(target)
            texts = [f"{target.insert_head}(", f"DELETE FROM {target.name} WHERE "]
            assert len(texts) == Head.END
            ends = [len(self._text)]
            for text in texts:
                self._text += text.encode()
                ends.append(len(self._text))
            self._ends.append(ends)
            self._arrays = None
        return number

    def of(self, number: int, form: int) -> bytes:
        """Return the text before rows."""
        ends = self._ends[number]
        which = Head.INSERT if form == Form.VALUES else Head.DELETE
        return bytes(self._text[ends[which] : ends[which + 1]])

    def arrays(self) -> tuple[Numbers, Numbers]:
        """Return the texts and where they begin, as `join_statements` takes them."""
        if self._arrays is None:
            text = np.frombuffer(self._text + bytes(64), dtype=np.uint8)
            self._arrays = text, np.array(self._ends, dtype=np.int64)
        return self._arrays

    def most_bytes(self, tables: Numbers) -> int:
        """Return the bytes of the texts around fragments, if each is a statement."""
        ends = self.arrays()[1]
        return int((ends[:, Head.END] - ends[:, 0])[tables].sum()) + 64 * len(tables)


@dataclass(slots=True)
class SqlFragments:
    """Row changes, in the order of the log.

    Attributes:
        text: of all, uint8, and LEN_COPY bytes more.
        table: (len(SqlFragment), n) int64; only those that are statements or rows of them.
        tables: (n,) int64, the number of each one's table in `NumberedTables`.
        changes: (n,) int64, the Change of each; of an update that before it.
        transactions: (n,) int64, the index of each one's transaction.
        site: returns the site of the rows event of a fragment, before fragments are cut.
        refused: row changes that are no fragments.
    """

    text: Numbers
    table: Numbers
    tables: Numbers
    changes: Numbers
    transactions: Numbers
    logged: LoggedTransactions
    site: Callable[[int], EventSite]
    refused: list[Refused]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.tables)

    def cut(self, begin: int, end: int) -> SqlFragments:
        """Return some of them, over the same text."""
        return replace(
            self,
            table=np.ascontiguousarray(self.table[:, begin:end]),
            tables=self.tables[begin:end],
            changes=self.changes[begin:end],
            transactions=self.transactions[begin:end],
        )

    def kept(self) -> SqlFragments:
        """Return them with a text of their own."""
        return self._over(self._texts())

    def joined(self, later: SqlFragments) -> SqlFragments:
        """Return few of them, and others after them, with a text of their own."""
        both = replace(
            self,
            table=np.concatenate([self.table, later.table], axis=1),
            tables=np.concatenate([self.tables, later.tables]),
            changes=np.concatenate([self.changes, later.changes]),
            transactions=np.concatenate([self.transactions, later.transactions]),
        )
        return both._over([*self._texts(), *later._texts()])

    def _texts(self) -> list[bytes]:
        spans = self.table[: SqlFragment.END + 1].T.tolist()
        return [self.text[begin:end].tobytes() for begin, end in spans]

    def _over(self, texts: Sequence[bytes]) -> SqlFragments:
        ends = np.cumsum([0, *map(len, texts)])
        table = self.table.copy()
        table[SqlFragment.BEGIN], table[SqlFragment.END] = ends[:-1], ends[1:]
        text = np.frombuffer(bytearray(b"".join([*texts, bytes(64)])), dtype=np.uint8)
        return replace(self, text=text, table=table)


@dataclass(frozen=True, slots=True)
class Marks:
    """Lines between statements: comments, and where transactions begin and end.

    Attributes:
        stops: (n,) int64, the fragment before which each one is, in order.
        texts: (n,) whole lines. Of one fragment, they are in the order of the log.
    """

    stops: Numbers
    texts: pa.Array

    @classmethod
    def none(cls) -> Marks:
        """Return no marks."""
        return cls(np.zeros(0, dtype=np.int64), pa.array([], pa.string()))

    def merged(self, later: Marks) -> Marks:
        """Return these and others; at one fragment these come first."""
        if not len(later.stops):
            return self
        stops = np.concatenate([self.stops, later.stops])
        order = np.argsort(stops, kind="stable")
        return Marks(stops[order], pa.concat_arrays([self.texts, later.texts]).take(order))

    def between(self, begin: int, end: int) -> Marks:
        """Return those of some fragments, counted from the first of these."""
        first, last = np.searchsorted(self.stops, [begin, end]).tolist()
        return Marks(self.stops[first:last] - begin, self.texts.slice(first, last - first))

    def arrays(self) -> tuple[Numbers, Numbers]:
        """Return the text of all, and where each begins and ends, as the kernels take them."""
        texts = self.texts
        ends = np.zeros(1, dtype=np.int64)
        data = bytearray(64)
        if len(texts):
            _, offsets, values = texts.buffers()
            ends = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset)
            data = bytearray(values[int(ends[0]) : int(ends[-1])]) + data
            ends = (ends - ends[0]).astype(np.int64)
        return np.frombuffer(data, dtype=np.uint8), ends
