"""The tree of a log parsed by the compiled Python, node by node as the Web IDE would show it."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from kaitaistruct import KaitaiStruct, KaitaiStructError

from tests.browser.schema_types import SchemaType

# What an expression of the schema can raise on bytes that are not as it expects.
INSTANCE_ERRORS = (
    KaitaiStructError,
    EOFError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


@dataclass(slots=True)
class Node:
    """A value of the log as it was when its node was made.

    Attributes:
        value: The parsed value, None where there is none.
        parent: The node of the object that holds it, of an array's item too.
        items: Nodes of an array.
        fields: Of an object, what is read by now; None of anything else.
        closed: Of an object, the instances that are not read yet.
        label: Of an object, the text of its type's label.
    """

    value: Any
    parent: Node | None = None
    items: Sequence[Node] = ()
    fields: dict[str, Node] | None = None
    closed: Sequence[str] = ()
    label: str = ""

    @property
    def class_name(self) -> str:
        """Return the name of the object's class."""
        return type(self.value).__name__


class Tree:
    """Makes nodes.

    Attributes:
        counts: Number of objects by class, of all nodes made so far.
        errors: Instances that could not be read.
    """

    def __init__(self, types: Mapping[str, SchemaType]) -> None:
        self.types = types
        self.counts: collections.Counter[str] = collections.Counter()
        self.errors: list[str] = []

    def node(self, value: Any, parent: Node | None = None) -> Node:
        if isinstance(value, list):
            return Node(value, parent, items=[self.node(item, parent) for item in value])
        if isinstance(value, KaitaiStruct):
            return self._object_node(value, parent)
        return Node(value, parent)

    def _object_node(self, value: KaitaiStruct, parent: Node | None) -> Node:
        name = type(value).__name__
        schema_type = self.types[name]
        self.counts[name] += 1
        fields: dict[str, Node] = {}
        closed: list[str] = []
        node = Node(value, parent, fields=fields, closed=closed, label=schema_type.label)
        for key, item in list(vars(value).items()):
            if not key.startswith("_"):
                fields[key] = self.node(item, node)
        # In the order of the compiled class, as in the Web IDE: reading one can read others.
        for key in filter(schema_type.instances.__contains__, vars(type(value))):
            if schema_type.instances[key] or hasattr(value, f"_m_{key}"):
                fields[key] = self.open(node, key)
            else:
                closed.append(key)
        return node

    def open(self, node: Node, name: str) -> Node:
        """Return the node of an instance, which is read now."""
        value = None
        try:
            value = getattr(node.value, name)
        except INSTANCE_ERRORS as error:
            self.errors.append(f"{node.class_name}.{name}: {type(error).__name__}: {error}")
        return self.node(value, node)


def is_number(value: object) -> bool:
    """Return whether JavaScript would take the value for a whole number.

    >>> [is_number(value) for value in (1, 1.0, 1.5, True, "1")]
    [True, True, False, False, False]
    """
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def enum_name(value: object) -> str:
    """Return the name of an enum's member, empty for anything else."""
    return value.name.upper() if isinstance(value, IntEnum) else ""
