"""How the distributed transactions of logs end: their rows are logged before that is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import pyarrow as pa

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.plan.output_schema import commit_version_base
from pyspark_adapter.sources.log_file import log_number
from pyspark_adapter.sql_text.findings import xa_of

_ENDS: Final = ("XA COMMIT", "XA ROLLBACK")


class XaEnds:
    """The ends of distributed transactions up to a moment.

    What one of them changes stays locked until it ends. So its rows can be taken where they are
    logged if it commits before the moment, and left out otherwise.

    Args:
        read: passes over the logs from the baseline up to the moment, and yields the statements
            that are noted.
        has_baseline: whether there are rows of before: then none of a transaction may be unknown,
            so the ends are read in any case.

    Raises:
        UnsupportedError: if a transaction commits that was prepared before the baseline.
        BinlogError: if the logs cannot be read.
    """

    def __init__(self, read: Callable[[], Iterable[Statement]], *, has_baseline: bool) -> None:
        self._read: Callable[[], Iterable[Statement]] | None = read
        self._has_baseline = has_baseline
        # By name: of each end its version, and whether it is a COMMIT before the moment.
        self._ends: dict[str, list[tuple[int, bool]]] = {}
        self._prepared: set[str] = set()
        if has_baseline:
            self._read_once()

    def _read_once(self) -> None:
        if self._read is not None:
            read, self._read = self._read, None
            for statement in read():
                self._note(statement)

    def _note(self, statement: Statement) -> None:
        """Note what a statement does to a distributed transaction."""
        verb, xid = xa_of(statement)
        if verb == "XA PREPARE" and statement.is_selected:
            self._prepared.add(xid)
        if verb not in _ENDS:
            return
        site = statement.site
        commits = statement.is_selected and verb == "XA COMMIT"
        is_known = xid in self._prepared or statement.text.endswith(b"PHASE")
        if commits and self._has_baseline and not is_known:
            raise UnsupportedError(
                f"{verb} {xid} of a distributed transaction that was prepared before the baseline:"
                " its rows are not known",
                site=site,
                advice="choose a baseline after this transaction, or a moment before it",
            )
        self._prepared.discard(xid)  # the name may be used again
        version = commit_version_base(log_number(site.log_file or "")) + site.start_pos
        self._ends.setdefault(xid, []).append((version, commits))

    def committed(self, images: pa.Table) -> pa.Table:
        """Return row images without those of transactions that are not committed at the moment.

        Raises:
            BinlogError: if the logs cannot be read.
        """
        names = images["_xa"]
        if names.null_count == len(images):
            return images
        self._read_once()
        pairs = zip(names.to_pylist(), images["_commit_version"].to_pylist(), strict=True)
        keeps = np.array([xid is None or self._commits(xid, version) for xid, version in pairs])
        return images.filter(pa.array(keeps, pa.bool_()))

    def _commits(self, xid: str, version: int) -> bool:
        """Return whether the transaction of a name that begins at a version commits in time."""
        ends = self._ends.get(xid, ())
        return next((commits for end, commits in ends if end > version), False)
