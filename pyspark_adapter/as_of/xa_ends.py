"""How the distributed transactions of logs end: their rows are logged before that is decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.statements import Statement, StatementKind
from pyspark_adapter.plan.output_schema import commit_version_base
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.sql_text.findings import xa_of

_ENDS: Final = ("XA COMMIT", "XA ROLLBACK")


class XaEnds:
    """The ends of distributed transactions up to a moment; a `StatementSink`.

    What one of them changes stays locked until it ends. So its rows can be taken where they are
    logged if it commits before the moment, and left out otherwise.

    Args:
        read: passes over the logs with this sink, unless that was done.
        first_version: commit versions from there on are not in the baseline; 0 without one.

    Attributes:
        last_version: of the moment; None if the statements that are selected are before it.
    """

    kinds = StatementKind.NOTED

    def __init__(self, read: Callable[[XaEnds], None], first_version: int) -> None:
        self._read: Callable[[XaEnds], None] | None = read
        self._first = first_version
        self.last_version: int | None = None
        # By name: of each end its version, whether it is a COMMIT, and whether it is selected.
        self._ends: dict[str, list[tuple[int, bool, bool]]] = {}
        self._prepared: set[str] = set()

    def take(self, statement: Statement, *, is_selected: bool) -> None:
        """Take the next statement.

        Raises:
            UnsupportedError: if it commits what was prepared before the baseline.
        """
        site = statement.site
        version = commit_version_base(log_number(site.log_file or "")) + site.start_pos
        verb, xid = xa_of(statement)
        if verb == "XA PREPARE" and version >= self._first:
            self._prepared.add(xid)
        if verb not in _ENDS:
            return
        is_one_phase = statement.text.endswith(b"PHASE")
        is_known = is_one_phase or xid in self._prepared or not self._first
        if is_selected and verb == "XA COMMIT" and version >= self._first and not is_known:
            raise UnsupportedError(
                f"{verb} {xid} of a distributed transaction that was prepared before the baseline:"
                " its rows are not known",
                site=site,
                advice="choose a baseline after this transaction, or a moment before it",
            )
        self._ends.setdefault(xid, []).append((version, verb == "XA COMMIT", is_selected))

    def skip_pass(self) -> None:
        """Note that the statements of all logs up to the moment were taken."""
        self._read = None

    def committed(self, images: pa.Table) -> pa.Table:
        """Return row images without those of transactions that are not committed at the moment.

        Raises:
            BinlogError: if the logs cannot be read.
        """
        names = images["_xa"]
        if names.null_count == len(images):
            return images
        if self._read is not None:
            self._read(self)
            self._read = None
        pairs = zip(names.to_pylist(), images["_commit_version"].to_pylist(), strict=True)
        keeps = np.array([xid is None or self._commits(xid, version) for xid, version in pairs])
        return images.filter(pa.array(keeps, pa.bool_()))

    def _commits(self, xid: str, version: int) -> bool:
        """Return whether the transaction of a name that begins at a version commits in time."""
        for end, commits, is_selected in self._ends.get(xid, ()):
            if end > version:  # a name may be used again
                is_before = is_selected if self.last_version is None else end < self.last_version
                return commits and is_before
        return False
