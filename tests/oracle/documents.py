"""JSON documents as the schema has them, as values of Python."""

from __future__ import annotations

import base64
import copy
import json
from decimal import Decimal
from typing import Any, NamedTuple

from mysql_binlog import MysqlBinlog

LITERALS = {
    MysqlBinlog.JsonLiteralValue.null_literal: None,
    MysqlBinlog.JsonLiteralValue.true_literal: True,
    MysqlBinlog.JsonLiteralValue.false_literal: False,
}
INSERT, REMOVE = 1, 2
DATE = MysqlBinlog.ColumnType.date


def tree_of(value: Any) -> Any:
    """Return a value of a document: dict, list, str, int, float, Decimal, bool or None."""
    match value:
        case MysqlBinlog.JsonContainer(is_object=True):
            items = map(tree_of, (item.value for item in value.items))
            return dict(zip((key.text for key in value.keys), items, strict=True))
        case MysqlBinlog.JsonContainer():
            return [tree_of(item.value) for item in value.items]
        case MysqlBinlog.JsonLiteral():
            return LITERALS[value.value]
        case MysqlBinlog.JsonOpaque():
            return _opaque(value)
        case _:
            return value.value


def _opaque(value: MysqlBinlog.JsonOpaque) -> Any:
    """Return a value of another type as the server shows it."""
    match value.value:
        case MysqlBinlog.JsonDecimal():
            return Decimal(value.value.value)
        case MysqlBinlog.JsonDatetime() if value.field_type == DATE:
            return value.value.value[:10]
        case MysqlBinlog.JsonDatetime() | MysqlBinlog.JsonTime():
            return value.value.value
        case content:
            code = int(value.field_type)
            lines = base64.encodebytes(content.bytes).decode().rstrip("\n")
            return f"base64:type{code}:{lines}"


class Document(NamedTuple):
    """A document.

    Attributes:
        tree: its value.
    """

    tree: Any


def changed(document: Document, differences: Any) -> Document:
    """Return a document after the differences that an update has logged."""
    tree = copy.deepcopy(document.tree)
    for difference in differences.items:
        operation = int(difference.operation)
        value = None if operation == REMOVE else tree_of(difference.document.value)
        steps = _steps(difference.path.text)
        if not steps:
            tree = value
            continue
        parent: Any = tree
        for step in steps[:-1]:
            parent = parent[step]
        last = steps[-1]
        if operation == REMOVE:
            del parent[last]
        elif operation == INSERT and isinstance(parent, list):
            parent.insert(int(last), value)
        else:
            parent[last] = value
            _sort(parent)
    return Document(tree)


def _sort(parent: Any) -> None:
    """Bring the keys of an object in the order in which the server keeps them."""
    if isinstance(parent, dict):
        items = sorted(parent.items(), key=lambda item: (len(item[0].encode()), item[0].encode()))
        parent.clear()
        parent.update(items)


def _steps(path: str) -> list[str | int]:
    """Return the steps of a path, `$.name."quoted name"[3]`."""
    steps: list[str | int] = []
    rest = path.removeprefix("$")
    while rest:
        if rest.startswith("["):
            index, _, rest = rest[1:].partition("]")
            steps.append(int(index))
        elif rest.startswith('."'):
            name, end = json.JSONDecoder().raw_decode(rest, 1)
            steps.append(name)
            rest = rest[end:]
        else:
            end = min((k for k in (rest.find(".", 1), rest.find("[")) if k > 0), default=len(rest))
            steps.append(rest[1:end])
            rest = rest[end:]
    return steps


class Number(str):
    """A number as the text of a document has it."""

    __slots__ = ()


def parsed(text: str) -> Any:
    """Return a document of text, with numbers as they are written."""
    return json.loads(text, parse_float=Number, parse_int=Number)


def is_same(tree: Any, found: Any) -> bool:
    """Return whether a document is what `parsed` has found; keys are in the same order."""
    match tree:
        case dict():
            return (
                isinstance(found, dict)
                and list(tree) == list(found)
                and all(is_same(tree[key], found[key]) for key in tree)
            )
        case list():
            return (
                isinstance(found, list)
                and len(tree) == len(found)
                and all(map(is_same, tree, found))
            )
        case bool() | None:
            return tree is found
        case float():
            return isinstance(found, Number) and float(found).hex() == tree.hex()
        case int() | Decimal():
            return isinstance(found, Number) and found == (f"{tree:f}" if isinstance(tree, Decimal) else str(tree))
        case _:
            return not isinstance(found, Number) and tree == found
