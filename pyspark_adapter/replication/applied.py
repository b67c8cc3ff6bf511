"""What a round of `replicate` did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow.compute as pc

from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.replication.changes import Changes


@dataclass(frozen=True)
class Applied:
    """What a round did.

    Attributes:
        num_changes: row images that were read.
        copied: tables that were copied.
        lag_bytes: of log that was not read yet at its end.
        lag_seconds: how old the tables are: since the server was asked how far its log goes, or
            since the last change that was read if there is more.
        refused: tables that have files of others in their folder, and why.
    """

    num_changes: int = 0
    copied: Sequence[TableName] = ()
    lag_bytes: int = 0
    lag_seconds: float = 0.0
    refused: Mapping[TableName, Exception] = field(default_factory=dict)


def last_commit(found: Iterable[Changes]) -> float | None:
    """Return when the last of some changes was committed, in seconds since 1970."""
    last = [pc.max(c.parts[-1].rows["_commit_timestamp"]).as_py() for c in found if c.parts]
    return max(moment.timestamp() for moment in last) if last else None
