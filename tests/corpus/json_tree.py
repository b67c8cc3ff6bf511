"""Documents of MySQL as the schema parses them, against the text that the tool prints."""

from __future__ import annotations

import json
from base64 import b64encode
from decimal import Decimal
from typing import Any

BASE64_LINE = 57  # bytes; the server breaks lines after 76 characters
LITERALS = {"null_literal": None, "true_literal": True, "false_literal": False}


class Number(str):
    """A number of a JSON text, with the digits that are printed."""

    __slots__ = ()


def load_text(text: str) -> Any:
    """Return a JSON text as a tree whose numbers keep their digits."""
    return json.loads(text, parse_int=Number, parse_float=Number)


def value_of(node: Any) -> Any:
    """Return the tree of a document, or of an item of a container.

    Floats stay floats; other numbers are `Number`; what JSON has no type for is text.
    """
    value = node.value
    name = node.value_type.name
    if name.endswith("_object"):
        keys = (key.text for key in value.keys)
        return {key: value_of(item) for key, item in zip(keys, value.items, strict=True)}
    if name.endswith("_array"):
        return [value_of(item) for item in value.items]
    if name == "literal":
        return LITERALS[value.value.name]
    if name == "opaque":
        return opaque_value(value)
    if name in ("string", "double"):
        return value.value
    return Number(value.value)


def opaque_value(opaque: Any) -> Any:
    """Return a value of SQL as it stands in the text."""
    name = getattr(opaque.field_type, "name", "")
    if name == "newdecimal":
        return Number(opaque.value.value)
    if name == "date":
        return str(opaque.value.value).partition(" ")[0]
    if name in ("datetime", "timestamp", "time"):
        return opaque.value.value
    data = bytes(opaque._raw_value)
    lines = (data[start : start + BASE64_LINE] for start in range(0, len(data), BASE64_LINE))
    content = "\n".join(b64encode(line).decode() for line in lines)
    return f"base64:type{int(getattr(opaque.field_type, 'value', opaque.field_type))}:{content}"


def is_same(printed: Any, parsed: Any) -> bool:
    """Return whether a printed tree is that of the schema."""
    if isinstance(parsed, dict) and isinstance(printed, dict):
        return list(parsed) == list(printed) and all(
            is_same(printed[key], value) for key, value in parsed.items()
        )
    if isinstance(parsed, list) and isinstance(printed, list):
        return len(parsed) == len(printed) and all(map(is_same, printed, parsed))
    if isinstance(parsed, float):
        return isinstance(printed, Number) and float(printed) == parsed
    if isinstance(parsed, Number):
        return isinstance(printed, Number) and Decimal(printed) == Decimal(parsed)
    return type(printed) is type(parsed) and bool(printed == parsed)


def matches_text(text: str, document: Any) -> bool:
    """Return whether a printed document is that of the schema; a single string has no quotes."""
    parsed = value_of(document)
    if isinstance(parsed, str) and not isinstance(parsed, Number):
        return text in (parsed, json.dumps(parsed, ensure_ascii=False))
    try:
        return is_same(load_text(text), parsed)
    except json.JSONDecodeError:
        return False


def difference_text(column_number: int, differences: Any) -> str:
    """Return differences as the tool prints them, in one line and without the documents."""
    text = f"@{column_number}"
    for item in differences.items:
        has_document = item.operation.name != "remove"
        parts = [text, f"'{item.path.text}'", *(["?"] if has_document else [])]
        text = f"JSON_{item.operation.name.upper()}({', '.join(parts)})"
    return text


def difference_documents(differences: Any) -> list[Any]:
    return [value_of(i.document) for i in differences.items if i.operation.name != "remove"]
