"""Transactions of a log as the comments of a script name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyspark_adapter.errors import EventSite, one_line
from pyspark_adapter.kernels.layout import Numbers

_SECOND_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class LoggedTransaction:
    """A transaction.

    Attributes:
        site: of its first event.
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
        path: of the log.
        log_name: name of the log.
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

    @classmethod
    def of(
        cls, path: str, log_name: str, rows: Sequence[tuple[int, str | None, int, str | None]]
    ) -> LoggedTransactions:
        """Return some, each as position, GTID, commit time and name."""
        positions, gtids, micros, xids = zip(*rows, strict=True) if rows else ((),) * 4
        return cls(
            path,
            log_name,
            np.array(positions, dtype=np.int64),
            pa.array(gtids, pa.string()),
            np.array(micros, dtype=np.int64),
            {k: xid for k, xid in enumerate(xids) if xid is not None},
        )

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
