"""The labels that the Web IDE writes, worked out from the compiled Python parser."""

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from tests.browser.tree import Node, Tree, enum_name, is_number

FORMATS = frozenset({"", "dec", "hex", "str", "uuid"})
SEPARATOR = "sep="
EXACT_INTEGERS = 2**53  # numbers of JavaScript are doubles
LONGEST_DECIMALS = 21


def label_of(node: Node) -> str:
    """Return the label of an object's node, empty if its type has none."""
    return re.sub(r"{(.*?)}", lambda match: _fill(node, match[1]), node.label)


def _fill(node: Node, inside: str) -> str:
    path, _, text_format = inside.partition(":")
    found: Node | None = node
    for part in path.split("."):
        if found is None or (fields := found.fields) is None:
            return ""
        if part == "_parent":
            found = found.parent
        elif part != "this":
            found = fields.get(part)
    return _render(found, text_format) if found else ""


def _render(node: Node, text_format: str) -> str:
    value = node.value
    if text_format not in FORMATS and not text_format.startswith(SEPARATOR):
        raise ValueError(
            f"a label asks for the format {text_format!r}: add it here and in the page"
        )
    if isinstance(value, list):
        is_separated = text_format.startswith(SEPARATOR)
        separator = text_format.removeprefix(SEPARATOR) if is_separated else ", "
        return separator.join(label_of(item) for item in node.items)
    if isinstance(value, bytes):
        return render_bytes(value, text_format)
    if value is None:
        return "<no value>"
    if isinstance(value, bool | int | float | str):
        return render_scalar(value, text_format)
    return label_of(node)


def render_bytes(data: bytes, text_format: str) -> str:
    """Return bytes in one of the formats, else the first eight as numbers.

    >>> [render_bytes(b"MySQL", form) for form in ("str", "hex", "")]
    ['"MySQL"', '0x4d7953514c', '[77, 121, 83, 81, 76]']
    """
    if text_format == "str":
        return f'"{data.decode("latin-1")}"'
    if text_format == "hex":
        return f"0x{data.hex()}"
    if text_format == "uuid" and len(data) == 16:
        cuts = (0, 4, 6, 8, 10, 16)
        return "-".join(data[start:end].hex() for start, end in itertools.pairwise(cuts))
    dots = ", ..." if len(data) > 8 else ""
    return f"[{', '.join(map(str, data[:8]))}{dots}]"


def render_scalar(value: bool | float | str, text_format: str) -> str:
    """Return a scalar; whole numbers are hexadecimal unless `dec` is asked for.

    >>> [render_scalar(value, "") for value in (255, -1.0, 1.5, True, "a")]
    ['0xFF', '-0x1', '1.5', 'true', 'a']
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if not is_number(value) or text_format == "dec":
        return decimal_text(value)
    return enum_name(value) or hex_text(value)


def decimal_text(value: float) -> str:
    """Return a number as JavaScript prints it.

    >>> [decimal_text(value) for value in (2**63, 1e-7, 1e21, 1e16, 0.1)]
    ['9223372036854776000', '1e-7', '1e+21', '10000000000000000', '0.1']
    """
    if isinstance(value, int) and abs(value) < EXACT_INTEGERS:
        return str(int(value))
    number = Decimal(repr(float(value)))
    if not number:
        return "0"
    exponent = number.adjusted()
    if -7 < exponent < LONGEST_DECIMALS:
        text = f"{number:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
    return f"{'-' if number < 0 else ''}{mantissa}e{exponent:+d}"


def hex_text(value: float) -> str:
    """Return a whole number as JavaScript prints it, which has no more of it than a double.

    >>> [hex_text(value) for value in (-255, 2**64 - 1, 1.5e3)]
    ['-0xFF', '0x10000000000000000', '0x5DC']
    """
    return f"{'-' if value < 0 else ''}0x{int(abs(float(value))):X}"


def event_labels(tree: Tree, root: Any) -> list[list[str]]:
    """Return for each event the labels of its nodes, in the order in which all are opened."""
    fields = tree.node(root).fields or {}
    return [list(_walk(tree, event)) for event in fields["events"].items]


def _walk(tree: Tree, node: Node) -> Iterator[str]:
    for item in node.items:
        yield from _walk(tree, item)
    if node.fields is None:
        return
    if node.label:
        yield f"{node.class_name}: {label_of(node)}"
    for field in node.fields.values():
        if field.items or field.fields is not None:
            yield from _walk(tree, field)
    for name in node.closed:
        yield from _walk(tree, tree.open(node, name))
