"""Catalogs along all logs of a read, for tasks that read one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pyspark_adapter.schema_history.catalog_snapshots import CatalogSnapshots
from pyspark_adapter.schema_history.packed import Packed

# What a task unpacks at most to get the snapshots of one log: those of so many logs, with so many
# catalogs. Most definitions are in all of the catalogs, and are packed once for each group of logs.
_MAX_LOGS: Final = 1024
_MAX_CATALOGS: Final = 64


class SnapshotsByLog:
    """The snapshots of each log, by its path.

    Args:
        snapshots: of logs in order, or none.
    """

    def __init__(self, snapshots: Mapping[str, CatalogSnapshots]) -> None:
        groups = list(_groups(snapshots))
        places = {path: place for place, group in enumerate(groups) for path in group}
        self._groups = [Packed(group) for group in groups]
        self._places = Packed(places)

    def along(self, path: str) -> CatalogSnapshots | None:
        """Return the snapshots of a log; None if there are none."""
        place = self._places.value.get(path)
        return None if place is None else self._groups[place].value[path]


def _groups(snapshots: Mapping[str, CatalogSnapshots]) -> Iterator[dict[str, CatalogSnapshots]]:
    """Yield snapshots in groups."""
    group: dict[str, CatalogSnapshots] = {}
    catalogs: set[int] = set()
    for path, along in snapshots.items():
        added = {id(along.before), *(id(catalog) for _, catalog in along.marks)}
        if len(group) == _MAX_LOGS or (group and len(catalogs | added) > _MAX_CATALOGS):
            yield group
            group, catalogs = {}, set()
        group[path] = along
        catalogs |= added
    if group:
        yield group
