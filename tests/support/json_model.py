"""Partial updates of JSON on Python's own values: lists, and dicts by key.

Written from the manual of JSON_REPLACE, JSON_INSERT and JSON_REMOVE alone, and not from the decoder
that it tests. Paths are lists of keys and indexes here.
"""

import json
from typing import Any

Path = list[str | int]


def path_text(path: Path) -> str:
    """Return a path as JSON functions take it; every key is quoted."""
    legs = (f"[{leg}]" if isinstance(leg, int) else f".{json.dumps(leg)}" for leg in path)
    return "$" + "".join(legs)


def parse_path(text: str, document: Any) -> Path:
    """Return a path of quoted or plain keys and cells, read letter by letter.

    Args:
        text: the path.
        document: to which it leads; cells that are counted from the end need its arrays.
    """
    path: Path = []
    rest = text[1:]
    while rest:
        leg: str | int
        if rest.startswith('."'):
            leg, length = json.JSONDecoder().raw_decode(rest[1:])
            length += 1
        elif rest.startswith("."):
            length = min((i for i in range(1, len(rest)) if rest[i] in ".["), default=len(rest))
            leg = rest[1:length]
        else:
            length = rest.index("]") + 1
            cell = rest[1 : length - 1]
            leg = int(cell) if cell.isdecimal() else _from_end(cell, document)
        path.append(leg)
        rest = rest[length:]
        if rest:
            document = document[leg]
    return path


def _from_end(cell: str, array: list[Any]) -> int:
    """Return the index of `last` or `last-N`; 0 if it is before the first."""
    return max(len(array) - 1 - int(cell.removeprefix("last").removeprefix("-") or 0), 0)


def changed(document: Any, operation: str, path: Path, value: Any = None) -> Any:
    """Return a document with one change made to it; raises LookupError, TypeError."""
    if not path:
        if operation != "replace":
            raise LookupError(operation)
        return value
    leg, *rest = path
    if isinstance(leg, str) != isinstance(document, dict) or not isinstance(document, (dict, list)):
        raise TypeError(leg)
    copy = document.copy()
    if rest:
        copy[leg] = changed(copy[leg], operation, rest, value)  # type: ignore[index]
    elif operation == "insert" and isinstance(copy, list):
        copy.insert(leg, value)  # type: ignore[arg-type]
    elif operation == "insert":
        if leg in copy:
            raise LookupError(leg)
        copy[leg] = value  # type: ignore[index]
    elif operation == "remove":
        del copy[leg]  # type: ignore[arg-type]
    else:
        copy[leg]  # type: ignore[index]
        copy[leg] = value  # type: ignore[index]
    return copy


def places(document: Any, path: Path | None = None) -> list[tuple[Path, Any]]:
    """Return the paths of all values of a document, the whole of it among them."""
    path = path or []
    found: list[tuple[Path, Any]] = [(path, document)]
    if isinstance(document, dict):
        for key, value in document.items():
            found += places(value, [*path, key])
    elif isinstance(document, list):
        for index, value in enumerate(document):
            found += places(value, [*path, index])
    return found
