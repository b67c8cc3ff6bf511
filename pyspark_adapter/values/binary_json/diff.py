"""Partial updates of JSON documents: what they change, and documents with it applied.

Source: `sql-common/json_diff.cc` of the server (`Json_diff::write_binary`, `apply_json_diff`), and
of paths `sql-common/json_path.cc` (`Json_path_leg::to_string`): `$`, `.key`, `."quoted key"`,
`[3]`, `[last-1]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from pyspark_adapter.errors import CorruptEventError, UnsupportedError
from pyspark_adapter.format.packed_int import read_packed_int
from pyspark_adapter.kernels.layout import MAX_JSON_DEPTH
from pyspark_adapter.values.binary_json.text import decode_json, quote_json
from pyspark_adapter.values.binary_json.tree import Node, encode_tree, parse_tree, sorted_keys

_LEG: Final = r"""\.(?P<quoted>"(?:[^"\\]|\\.)*")
    |\.(?P<key>[^\s.\[*"]+)
    |\[(?:(?P<cell>\d{1,10})|last(?:-(?P<before_last>\d{1,10}))?)\]"""
_LEGS: Final = re.compile(_LEG, re.VERBOSE | re.DOTALL)
_PATH: Final = re.compile(rf"\$(?:{_LEG})*", re.VERBOSE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cell:
    """An element of an array.

    Attributes:
        index: from 0.
        is_from_end: whether it counts back from the last element.
    """

    index: int
    is_from_end: bool = False

    def position(self, length: int) -> int:
        """Return its index in an array of a length; the length or more if beyond.

        One before the first element is at the first, as the server takes it.
        """
        return max(length - 1 - self.index, 0) if self.is_from_end else self.index

    def is_within(self, length: int) -> bool:
        """Return whether an array of a length has this element."""
        return self.index < length


Leg = bytes | Cell


def parse_path(path: bytes) -> tuple[Leg, ...]:
    """Return the legs of a path: keys as UTF-8, and cells of arrays; raises CorruptEventError.

    >>> parse_path(b'$.a[1]."b c"[last]')
    (b'a', Cell(index=1, is_from_end=False), b'b c', Cell(index=0, is_from_end=True))
    """
    try:
        text = path.decode()
        if _PATH.fullmatch(text):
            legs = tuple(map(_leg, islice(_LEGS.finditer(text, 1), MAX_JSON_DEPTH + 1)))
            if len(legs) <= MAX_JSON_DEPTH:
                return legs
    except ValueError:  # not UTF-8, or not a JSON string
        pass
    raise CorruptEventError(f"expected a path of JSON, found {path[:32]!r}")


def _leg(match: re.Match[str]) -> Leg:
    if match["key"] is not None:
        return match["key"].encode()
    if match["quoted"] is not None:
        return str(json.loads(match["quoted"])).encode()
    if match["cell"] is not None:
        return Cell(int(match["cell"]))
    return Cell(int(match["before_last"] or 0), is_from_end=True)


OPERATIONS: Final = ("replace", "insert", "remove")
_REPLACE, _INSERT, _REMOVE = range(3)

# So that the time is in proportion to the input. The server's own updates are far below: an array
# of a million elements may be changed some thousand times at its beginning.
_MOVES_PER_BYTE: Final = 1000


@dataclass(frozen=True, slots=True)
class JsonDifference:
    """One change of a document.

    Attributes:
        operation: index into OPERATIONS.
        path: of the changed value, as logged.
        document: the new value, a document; None of a removal.
    """

    operation: int
    path: bytes
    document: bytes | None


def parse_differences(data: bytes) -> Iterator[JsonDifference]:
    """Yield the changes of a document, in their order; raises CorruptEventError."""
    offset = 0
    while offset < len(data):
        operation = data[offset]
        if operation >= len(OPERATIONS):
            raise CorruptEventError(
                f"expected the operation of a JSON difference, 0 to 2, found {operation}"
            )
        path, offset = _take(data, offset + 1)
        document = None
        if operation != _REMOVE:
            document, offset = _take(data, offset)
            if not document:
                raise CorruptEventError("a JSON difference has an empty value")
        yield JsonDifference(operation, path, document)


def _take(data: bytes, offset: int) -> tuple[bytes, int]:
    """Return (bytes after their length, position after them)."""
    if data[offset : offset + 1] in (b"\xfb", b"\xff"):
        raise CorruptEventError(
            f"a JSON difference has a length that begins with {data[offset]:#04x}"
        )
    length, start = read_packed_int(data, offset) or (0, len(data) + 1)
    if start + length > len(data):
        raise CorruptEventError("a JSON difference reaches beyond the end of its value")
    return data[start : start + length], start + length


def apply_differences(document: bytes, differences: bytes) -> bytes:
    """Return a document after a partial update; raises CorruptEventError, UnsupportedError.

    Args:
        document: before it.
        differences: as logged, without the length before them; none leave it as it is.
    """
    if not differences:
        return document
    changes = (
        (
            difference.operation,
            difference.path,
            b"" if difference.document is None else parse_tree(difference.document),
        )
        for difference in parse_differences(differences)
    )
    root = changed_tree(parse_tree(document), changes, len(document) + len(differences))
    return encode_tree(root)


def changed_tree(root: Node, changes: Iterable[tuple[int, bytes, Node]], num_bytes: int) -> Node:
    """Return a tree with changes made to it, which may change it in place.

    Args:
        root: the tree; what its scalars are does not matter.
        changes: of each the operation, the path and the new value.
        num_bytes: of the tree and the changes, which limit the work.

    Raises:
        CorruptEventError: if a change is not valid, or not of this tree.
        UnsupportedError: if they move elements of large arrays again and again.
    """
    budget = _MOVES_PER_BYTE * num_bytes
    for operation, path, node in changes:
        legs = parse_path(path)
        if not legs and operation == _REPLACE:
            root = node
            continue
        parent = _find(root, legs)
        if isinstance(parent, list) and operation != _REPLACE:
            budget -= len(parent)
            if budget < 0:
                raise UnsupportedError(
                    "a partial update moves the elements of an array of"
                    f" {len(parent)} more often than is read"
                )
        if not legs or not _change(parent, legs[-1], operation, node):
            raise CorruptEventError(
                "a partial update does not fit the document before it: cannot"
                f" {OPERATIONS[operation]} {path[:32]!r}"
            )
    return root


def difference_of_null() -> CorruptEventError:
    """Return the error for a partial update of a document that is NULL."""
    return CorruptEventError("a partial update does not fit the document before it, which is NULL")


def _find(node: Node, legs: tuple[Leg, ...]) -> Node | None:
    """Return the container of what some legs lead to; None if there is none."""
    for leg in legs[:-1]:
        if isinstance(leg, Cell) and isinstance(node, list) and leg.is_within(len(node)):
            node = node[leg.position(len(node))]
        elif isinstance(leg, bytes) and isinstance(node, dict) and leg in node:
            node = node[leg]
        else:
            return None
    return node


def _change(parent: Node | None, leg: Leg, operation: int, node: Node) -> bool:
    """Change an element of a container; False if that cannot be done."""
    if isinstance(leg, Cell) and isinstance(parent, list):
        index, is_there = leg.position(len(parent)), leg.is_within(len(parent))
        if operation == _INSERT:
            parent.insert(index, node)
        elif is_there:
            parent[index : index + 1] = [node] if operation == _REPLACE else []
        return is_there or operation == _INSERT
    if isinstance(leg, bytes) and isinstance(parent, dict):
        is_there = leg in parent
        if operation == _REMOVE:
            parent.pop(leg, None)
        else:
            parent[leg] = node
        return is_there != (operation == _INSERT)
    return False


def render_differences(columns: Mapping[str, bytes]) -> str:
    """Return the changes of documents as JSON: by column a list with `op`, `path` and `value`.

    Args:
        columns: differences as logged, by name of the column.

    >>> render_differences({"doc": bytes.fromhex("0003242e78030502000206242e795b315d")})
    '{"doc": [{"op": "replace", "path": "$.x", "value": 2}, {"op": "remove", "path": "$.y[1]"}]}'

    Raises:
        CorruptEventError: if they are not valid.
    """
    members = [
        f"{quote_json(name.encode())}: [{', '.join(map(_render, parse_differences(data)))}]"
        for name, data in columns.items()
    ]
    return f"{{{', '.join(members)}}}"


def _render(difference: JsonDifference) -> str:
    parse_path(difference.path)  # is it one?
    text = f'{{"op": "{OPERATIONS[difference.operation]}", "path": {quote_json(difference.path)}'
    if difference.document is not None:
        text += f', "value": {decode_json(difference.document)}'
    return text + "}"


def _members(pairs: list[tuple[str, Any]]) -> dict[bytes, Any]:
    return {key.encode(): value for key, value in pairs}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=str.encode, parse_float=str.encode, parse_constant=_refuse
)


def parse_text(text: str) -> Any:
    """Return JSON as lists, members by key, and scalars; numbers as bytes of their text.

    >>> parse_text('{"a": [1.50, "x", null]}')
    {b'a': [b'1.50', 'x', None]}

    Raises:
        CorruptEventError: if it is not JSON.
    """
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        reason = f"{text[:32]!r}: {error}"
        raise CorruptEventError(f"expected a JSON document, found {reason}") from error


def text_of(node: Any) -> str:
    """Return a tree as text, as the server writes it.

    >>> text_of({b"bb": [b"1.50"], b"a": "x"})
    '{"a": "x", "bb": [1.50]}'
    """
    if isinstance(node, dict):
        members = (f"{quote_json(key)}: {text_of(node[key])}" for key in sorted_keys(node))
        return f"{{{', '.join(members)}}}"
    if isinstance(node, list):
        return f"[{', '.join(map(text_of, node))}]"
    if isinstance(node, str):
        return quote_json(node.encode())
    return node.decode() if isinstance(node, bytes) else json.dumps(node)


def changed_text(document: str | None, changes: Any) -> str:
    """Return a document after a partial update; raises CorruptEventError, UnsupportedError.

    Args:
        document: before it; None if it is NULL.
        changes: of its column, as `parse_text` gives them of `render_differences`.
    """
    if document is None:
        raise difference_of_null()
    steps = (
        (OPERATIONS.index(change[b"op"]), change[b"path"].encode(), change.get(b"value"))
        for change in changes
    )
    try:
        return text_of(changed_tree(parse_text(document), steps, len(document)))
    except RecursionError as error:
        raise CorruptEventError("the JSON document has too many levels") from error
