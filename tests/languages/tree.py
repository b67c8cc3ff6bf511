"""What the compiled schema reads in a log, as a tree of JSON that every language can make.

An object is its type, its `seq` fields and its instances, in the order of the schema; what is
absent is left out. Bytes are hexadecimal, enums their integers. An integer beyond 2^53, of which
JavaScript's runtime keeps the nearest double, goes as the bits of that double here as well: its
last bits are all that the comparison cannot see.
"""

import hashlib
import json
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kaitaistruct import KaitaiStruct, KaitaiStructError

Json = Any
NAN = "7ff8000000000000"
ERROR = {"$error": True}
LARGEST_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True)
class Shape:
    """Names of the fields of a type of the schema, and the types within it."""

    name: str
    seq: list[str]
    instances: list[str]
    types: list["Shape"] = field(default_factory=list)

    @classmethod
    def from_json(cls, name: str, json_shape: Json) -> "Shape":
        """Return the shape that `tree.mjs` has read from the schema."""
        types = [cls.from_json(f"{name}.{key}", it) for key, it in json_shape["types"].items()]
        return cls(name, json_shape["seq"], json_shape["instances"], types)


def class_shapes(owner: type, shape: Shape) -> dict[type, Shape]:
    """Return the shape of each generated class.

    Raises:
        LookupError: A class lacks an instance of the schema.
    """
    for name in shape.instances:
        if not hasattr(owner, name):
            raise LookupError(f"Python has no instance {name} in {shape.name}")
    shapes = {owner: shape}
    for inner in shape.types:
        name = "".join(word.capitalize() for word in inner.name.rpartition(".")[2].split("_"))
        shapes |= class_shapes(getattr(owner, name), inner)
    return shapes


def number_tree(value: float) -> Json:
    """Return a number as it stands in the tree.

    >>> number_tree(2**53 - 1), number_tree(2.0), number_tree(2**53 + 1)
    (9007199254740991, 2, {'$double': '4340000000000000'})
    """
    if abs(value) <= LARGEST_SAFE_INTEGER and value == int(value) and not is_negative_zero(value):
        return int(value)
    return {"$double": NAN if math.isnan(value) else struct.pack(">d", value).hex()}


def is_negative_zero(value: float) -> bool:
    """Return whether a number is the zero that only doubles have."""
    return value == 0 and math.copysign(1, value) < 0


class Trees:
    """Makes the trees of logs."""

    def __init__(self, root_class: type, shape: Shape) -> None:
        self._root_class = root_class
        self._shapes = class_shapes(root_class, shape)

    def of_log(self, path: Path) -> Iterator[tuple[str, Json]]:
        """Yield a name and a tree for the root without its events, then for each event."""
        try:
            root = self._root_class.from_bytes(path.read_bytes())  # type: ignore[attr-defined]
        except KaitaiStructError:
            yield "root", ERROR
            return
        yield "root", self._of_object(root, left_out="events")
        for index, event in enumerate(getattr(root, "events", [])):
            yield str(index), self._of_object(event)

    def _of_object(self, value: KaitaiStruct, left_out: str = "") -> Json:
        shape = self._shapes[type(value)]
        tree: Json = {"$type": shape.name}
        fields = vars(value)
        for name in shape.seq:
            # A field whose `if` is false is not set, or None.
            if name != left_out and fields.get(name) is not None:
                tree[name] = self._of_value(fields[name])
        for name in shape.instances:
            try:
                instance = getattr(value, name)
            except KaitaiStructError:
                tree[name] = ERROR
                continue
            except Exception as error:
                error.add_note(f"while {shape.name}.{name} was evaluated")
                raise
            if instance is not None:
                tree[name] = self._of_value(instance)
        return tree

    def _of_value(self, value: Any) -> Json:
        if isinstance(value, (bool, str)):
            return value
        if isinstance(value, (int, float)):
            return number_tree(value)
        if isinstance(value, bytes):
            return {"$bytes": value.hex()}
        if isinstance(value, list):
            return [self._of_value(item) for item in value]
        return self._of_object(value)


def digest(tree: Json) -> str:
    """Return the type code of an event, if it has one, and the SHA-256 of its tree."""
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    type_code = tree.get("header", {}).get("type_code", "")
    return f"{type_code} {hashlib.sha256(text.encode()).hexdigest()}"


def first_difference(ours: Json, theirs: Json, path: str = "") -> str | None:
    """Return where two trees first differ and what stands there, or None if they are equal.

    >>> first_difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]})
    '.a[1].b: 2, not 3'
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            found = first_difference(ours.get(key), theirs.get(key), f"{path}.{key}")
            if found:
                return found
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, pair in enumerate(zip(ours, theirs, strict=True)):
            found = first_difference(*pair, f"{path}[{index}]")
            if found:
                return found
    elif ours != theirs or type(ours) is not type(theirs):
        return f"{path}: {str(ours)[:200]}, not {str(theirs)[:200]}"
    return None


def error_paths(tree: Json, path: str = "") -> Iterator[str]:
    """Yield where the evaluation of a field raised an error of the runtime."""
    if tree == ERROR:
        yield path
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield from error_paths(value, f"{path}.{key}")
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from error_paths(value, f"{path}[{index}]")
