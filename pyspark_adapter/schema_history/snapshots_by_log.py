"""Catalogs along all logs of a read, for tasks that read one of them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.packed import Packed

# Logs whose snapshots a task unpacks to get those of one. Their catalogs have most tables in
# common, and these are pickled once for all of them.
_LEN_GROUP: Final = 64


class SnapshotsByLog:
    """The snapshots of each log, by its path.

    Args:
        snapshots: of some logs, or none.
    """

    def __init__(self, snapshots: Mapping[str, CatalogSnapshots]) -> None:
        groups: list[dict[str, CatalogSnapshots]] = [
            {} for _ in range(0, len(snapshots), _LEN_GROUP)
        ]
        for path, along in snapshots.items():
            groups[_place(path, len(groups))][path] = along
        self._groups = [Packed(group) for group in groups]

    def along(self, path: str) -> CatalogSnapshots | None:
        """Return the snapshots of a log; None if there are none."""
        if not self._groups:
            return None
        return self._groups[_place(path, len(self._groups))].value.get(path)


def _place(path: str, num_groups: int) -> int:
    """Return the group of a path, the same in all processes."""
    return zlib.crc32(path.encode(errors="surrogateescape")) % num_groups
