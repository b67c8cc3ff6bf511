"""Commits of Delta tables that say up to which transaction of the log their rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import pyarrow as pa

from pyspark_adapter.sources.delta_storage import delta_address, delta_errors
from pyspark_adapter.sources.locations import Location

if TYPE_CHECKING:
    from deltalake import CommitProperties, DeltaTable

# The transaction of Delta whose version is a `_commit_version`.
_APPLIED: Final = "applied"


def applied_in(delta: DeltaTable, place: Location) -> int:
    """Return the last transaction of the log that the rows of a table include; 0 for none."""
    with delta_errors(place):
        return delta.transaction_version(_APPLIED) or 0


def applied_to(version: int) -> CommitProperties:
    """Return what a commit says about its rows."""
    from deltalake import CommitProperties, Transaction

    return CommitProperties(app_transactions=[Transaction(_APPLIED, version)])


def write_rows(
    place: Location,
    delta: DeltaTable | None,
    rows: pa.RecordBatchReader,
    mode: Literal["append", "overwrite"],
    version: int,
) -> None:
    """Write rows to a Delta table in one commit, with up to which transaction they are.

    Args:
        place: of the table.
        delta: the table as it was read: the commit fails if another program has changed it since.
            None for one that is made.
        rows: with the columns of the table, or more.
        mode: whether they replace those that are there, columns included.
        version: the `_commit_version`.

    Raises:
        BinlogError: if they cannot be written.
    """
    from deltalake import write_deltalake

    address, options = delta_address(place)
    with delta_errors(place):
        write_deltalake(
            address if delta is None else delta,
            rows,
            mode=mode if delta is not None else "error",
            schema_mode=None if delta is None else "merge" if mode == "append" else "overwrite",
            storage_options=(options or None) if delta is None else None,
            commit_properties=applied_to(version),
        )
