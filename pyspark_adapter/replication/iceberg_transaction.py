"""Transactions of Iceberg tables, as this package commits them."""

from __future__ import annotations

from typing import Any, Final

from pyiceberg.table import Table, Transaction
from pyiceberg.table.metadata import TableMetadata

# Of commits of this program, and not of the table: other programs may try again.
_OF_COMMITS: Final = {"commit.retry.num-retries": "0", "commit.manifest-merge.enabled": "true"}


class OneTry(Transaction):  # type: ignore[misc]  # pyiceberg is optional
    """A transaction that is tried once.

    pyiceberg would repeat it after a commit of another program, which may have written these rows.

    Args:
        table: as it was read.
    """

    def __init__(self, table: Table) -> None:
        properties = {**table.metadata.properties, **_OF_COMMITS}
        table.metadata = table.metadata.model_copy(update={"properties": properties})
        self._known: tuple[Any, Any, TableMetadata] = (None, None, table.metadata)
        super().__init__(table)

    @property
    def table_metadata(self) -> TableMetadata:
        """The table after the updates so far; pyiceberg makes it again each time that it asks."""
        before, updates, found = self._known
        if before is not self._table.metadata or updates is not self._updates:
            found = super().table_metadata
            self._known = (self._table.metadata, self._updates, found)
        return found
