"""Every field and every value of a parsed log that a reader or a viewer can ask for."""

from __future__ import annotations

from typing import Any

from kaitaistruct import KaitaiStruct


class Labels:
    """The names of the instances of each type, found once."""

    def __init__(self) -> None:
        self._by_type: dict[type, list[str]] = {}

    def of(self, kind: type) -> list[str]:
        """Return the names of the instances of a type."""
        if kind not in self._by_type:
            self._by_type[kind] = [
                name
                for name in dir(kind)
                if not name.startswith("_") and isinstance(getattr(kind, name), property)
            ]
        return self._by_type[kind]


def failures(root: KaitaiStruct) -> tuple[int, list[tuple[str, Exception]]]:
    """Return how many structures were read, and what failed by type and name."""
    labels = Labels()
    found: list[tuple[str, Exception]] = []
    num_structures = 0
    waiting: list[Any] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        if not isinstance(item, KaitaiStruct):
            continue
        num_structures += 1
        waiting.extend(value for name, value in vars(item).items() if not name.startswith("_"))
        for name in labels.of(type(item)):
            try:
                waiting.append(getattr(item, name))
            except Exception as error:  # noqa: BLE001 - whatever the schema lets through
                found.append((f"{type(item).__name__}.{name}", error))
    return num_structures, found
