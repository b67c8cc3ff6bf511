"""JSON documents as the schema has them, as values of Python."""

from __future__ import annotations

import base64
import json
from decimal import Decimal
from typing import Any, NamedTuple

from mysql_binlog import MysqlBinlog

from tests.support import json_model

LITERALS = {
    MysqlBinlog.JsonLiteralValue.null_literal: None,
    MysqlBinlog.JsonLiteralValue.true_literal: True,
    MysqlBinlog.JsonLiteralValue.false_literal: False,
}


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
        case MysqlBinlog.JsonDatetime() if value.field_type == MysqlBinlog.ColumnType.date:
            return value.value.value[:10]
        case MysqlBinlog.JsonDatetime() | MysqlBinlog.JsonTime():
            return value.value.value
        case content:
            code = int(value.field_type)
            lines = base64.encodebytes(content.bytes).decode().rstrip("\n")
            return f"base64:type{code}:{lines}"


class Document(NamedTuple):
    """A document."""

    tree: Any


def changed(document: Document, differences: Any) -> Document:
    """Return a document after the differences that an update has logged."""
    tree = document.tree
    for difference in differences.items:
        operation = difference.operation.name
        value = None if operation == "remove" else tree_of(difference.document.value)
        path = json_model.parse_path(difference.path.text, tree)
        tree = json_model.changed(tree, operation, path, value)
    return Document(_ordered(tree))


def _ordered(tree: Any) -> Any:
    """Return a document with its keys as the server keeps them, shorter ones first."""
    if isinstance(tree, dict):
        items = ((key, _ordered(value)) for key, value in tree.items())
        return dict(sorted(items, key=lambda item: (len(item[0].encode()), item[0].encode())))
    return list(map(_ordered, tree)) if isinstance(tree, list) else tree


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
        case Decimal():
            return isinstance(found, Number) and found == f"{tree:f}"
        case int():
            return isinstance(found, Number) and found == str(tree)
        case _:
            return not isinstance(found, Number) and tree == found
