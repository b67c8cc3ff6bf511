"""Binary JSON as a tree that can be changed, and back.

A scalar is its type code and its bytes, and is never looked into: whatever is not changed is
written back as it was. Containers lose the gaps between their values.

Source: `sql-common/json_binary.cc` of the server.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.kernels.layout import MAX_JSON_DEPTH, Json
from pyspark_adapter.values.binary_json import layout

Node = bytes | list["Node"] | dict[bytes, "Node"]

_MAX_SMALL: Final = (1 << 16) - 1
_MAX_LARGE: Final = (1 << 32) - 1


def parse_tree(document: bytes) -> Node:
    r"""Return a document as a tree; raises CorruptEventError if it is not valid.

    >>> parse_tree(bytes.fromhex("0202000a0005010004010000"))
    [b'\x05\x01\x00', b'\x04\x01']
    """
    return _Parser(len(document)).node(*layout.document_value(document), 0)


class _Parser:
    """Parses one document.

    Args:
        budget: bytes that its values can have in all, since values do not overlap.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def node(self, kind: int, data: memoryview, depth: int) -> Node:
        """Return a value; `data` begins with it and ends with its container."""
        if not layout.is_container(kind):
            return bytes([kind]) + layout.scalar_bytes(kind, data)
        elements = layout.iter_elements(kind, data, depth)
        if not layout.is_object(kind):
            return [self._element(element, depth) for element in elements]
        members: dict[bytes, Node] = {}
        for element in elements:
            assert element.key is not None
            if element.key in members:
                raise CorruptEventError("the JSON document is not valid: a key occurs twice")
            members[element.key] = self._element(element, depth)
        return members

    def _element(self, element: layout.Element, depth: int) -> Node:
        node = self.node(element.kind, element.data, depth + 1)
        self._budget -= len(element.key or b"") + (len(node) if isinstance(node, bytes) else 3)
        if self._budget < 0:
            raise CorruptEventError("the JSON document is not valid: its values overlap")
        return node


def encode_tree(node: Node) -> bytes:
    """Return a tree as a document; raises CorruptEventError."""
    kind, data = _encode(node, 0)
    return bytes([kind]) + data


def sorted_keys(keys: Iterable[bytes]) -> list[bytes]:
    """Return the keys of an object in the order of the server: the shortest first."""
    return sorted(keys, key=lambda key: (len(key), key))


def _encode(node: Node, depth: int) -> tuple[int, bytes]:
    """Return (type code, bytes) of a value."""
    if isinstance(node, bytes):
        return node[0], node[1:]
    if depth >= MAX_JSON_DEPTH:
        raise CorruptEventError(f"the JSON document is deeper than {MAX_JSON_DEPTH} levels")
    if isinstance(node, list):
        kind, keys = Json.ARRAY, None
        values = [_encode(element, depth + 1) for element in node]
    else:
        kind, keys = Json.OBJECT, sorted_keys(node)
        if keys and len(keys[-1]) > layout.MAX_KEY:
            raise CorruptEventError(f"a key of a JSON object has {len(keys[-1])} bytes")
        values = [_encode(node[key], depth + 1) for key in keys]
    data = _container(keys, values, 2)
    if len(data) <= _MAX_SMALL:
        return kind, data
    data = _container(keys, values, 4)
    if len(data) > _MAX_LARGE:
        raise CorruptEventError(f"a JSON document has {len(data)} bytes")
    return kind + 1, data


def _container(keys: list[bytes] | None, values: list[tuple[int, bytes]], width: int) -> bytes:
    """Return a container: its tables, then keys, then values; cut off where it is too large."""
    limit = 1 << 8 * width
    offset = 2 * width + len(values) * (width + 1) + len(keys or ()) * (width + 2)
    key_table, value_table, tail = bytearray(), bytearray(), bytearray()
    for key in keys or ():
        key_table += (offset % limit).to_bytes(width, "little") + len(key).to_bytes(2, "little")
        tail += key
        offset += len(key)
    for kind, data in values:
        value_table.append(kind)
        if layout.is_inline(kind, width):
            value_table += data.ljust(width, b"\0")
        else:
            value_table += (offset % limit).to_bytes(width, "little")
            tail += data
            offset += len(data)
    head = (len(values) % limit).to_bytes(width, "little")
    return head + (offset % limit).to_bytes(width, "little") + key_table + value_table + tail
