"""The canonical text of what the compiled schema reads; see `docs/format/conformance.md`."""

import math
import re
import struct
from collections.abc import Callable, Iterator
from enum import Enum
from operator import attrgetter
from pathlib import Path
from typing import Any

from kaitaistruct import KaitaiStruct

from tests.languages.shape import Field, Shape, upper_camel

NAN = "~7ff8000000000000"
LARGEST_SAFE_INTEGER = 2**53 - 1
ESCAPED = re.compile("[\\x00-\\x1f\\x7f\\\\]")
LARGE_INTEGER = re.compile(r"(?m)^( *\S+ )(-?\d{16,})$")
# Gives None for a field that is absent, or whose number is not in its enum.
Getter = Callable[[Any], Any]


class CanonicalText:
    """Writes the text of logs from the Python classes of the schema."""

    def __init__(self, root_class: type[KaitaiStruct], shapes: list[Shape]) -> None:
        """Prepare the fields of each class; raises LookupError."""
        self._root_class = root_class
        self._types: dict[type, tuple[str, list[tuple[str, Getter]]]] = {}
        for index, shape in enumerate(shapes):
            owner = root_class if index == 0 else getattr(root_class, upper_camel(shape.name))
            for field in shape.fields:
                if field.is_instance and not hasattr(owner, field.name):
                    raise LookupError(f"Python has no instance {field.name} in {shape.name}")
            getters = [(field.name, _getter(field)) for field in shape.fields]
            self._types[owner] = (shape.name, getters)

    def of_log(self, path: Path) -> str:
        """Return the text of a log; integers have all their digits."""
        lines: list[str] = []
        try:
            root = self._root_class.from_bytes(path.read_bytes())
        except Exception:  # noqa: BLE001 -- whatever a damaged log leads to
            return f"{self._types[self._root_class][0]} !\n"
        name, getters = self._types[self._root_class]
        lines.append(f"{name} {name}")
        for field, getter in getters:
            if field == "events":
                events = getattr(root, "events", None)
                if events is not None:
                    lines.append(f" events [{len(events)}]")
                    for index, event in enumerate(events):
                        lines.extend(self.of_event(str(index), event))
            else:
                self._add(lines, " " + field, " ", getter(root))
        return "\n".join(lines) + "\n"

    def of_event(self, name: str, event: KaitaiStruct) -> list[str]:
        """Return the lines of an event; one line if a field of it cannot be read."""
        lines: list[str] = []
        try:
            self._add(lines, f"  {name}", "  ", event)
        except Exception:  # noqa: BLE001 -- see above
            return [f"  {name} !"]
        return lines

    def _add(self, lines: list[str], label: str, indent: str, value: Any) -> None:
        if value is None:
            return
        found = self._types.get(type(value))
        if found is not None:
            lines.append(f"{label} {found[0]}")
            indent += " "
            for name, getter in found[1]:
                self._add(lines, indent + name, indent, getter(value))
        elif isinstance(value, list):
            lines.append(f"{label} [{len(value)}]")
            indent += " "
            for index, item in enumerate(value):
                self._add(lines, f"{indent}{index}", indent, item)
        else:
            lines.append(f"{label} {scalar_text(value)}")


def _getter(field: Field) -> Getter:
    """Return what gives the value of a field; None for an absent one."""
    name = field.name

    def get_seq(owner: Any) -> Any:
        # The compiled class does not set a field whose `if` is false.
        return vars(owner).get(name)

    get = attrgetter(name) if field.is_instance else get_seq

    def get_enum(owner: Any) -> Any:
        value = get(owner)
        return value.value if isinstance(value, Enum) else None

    return get_enum if field.is_enum else get


def scalar_text(value: bool | str | bytes | float) -> str:
    r"""Return the text of a value that is no list and no object.

    >>> scalar_text(True), scalar_text(7), scalar_text(2.0), scalar_text(b"\xfe"), scalar_text("a")
    ('true', '7', '2', '<fe>', '"a"')
    >>> scalar_text(0.5), scalar_text(-0.0), scalar_text(2**64 - 1)
    ('~3fe0000000000000', '~8000000000000000', '18446744073709551615')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + ESCAPED.sub(lambda found: f"\\{ord(found[0]):02x}", value) + '"'
    if isinstance(value, bytes):
        return f"<{value.hex()}>"
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return NAN
    if abs(value) <= LARGEST_SAFE_INTEGER and value == int(value) and not is_negative_zero(value):
        return str(int(value))
    return f"~{struct.pack('>d', value).hex()}"


def is_negative_zero(value: float) -> bool:
    """Return whether a number is the zero that only doubles have."""
    return value == 0 and math.copysign(1, value) < 0


def signed_text(text: str) -> str:
    r"""Return a text with each integer as the signed one of the same 64 bits.

    >>> signed_text("a 18446744073709551615\nb -2\n")
    'a -1\nb -2\n'
    """

    def signed(found: re.Match[str]) -> str:
        value = int(found[2])
        return f"{found[1]}{value - 2**64 if value >= 2**63 else value}"

    return LARGE_INTEGER.sub(signed, text)


def rounded_text(text: str) -> str:
    r"""Return a text with each integer beyond 2^53 - 1 as the bits of the nearest double.

    >>> rounded_text("a 18446744073709551615\nb 9007199254740991\n")
    'a ~43f0000000000000\nb 9007199254740991\n'
    """

    def rounded(found: re.Match[str]) -> str:
        value = int(found[2])
        if abs(value) <= LARGEST_SAFE_INTEGER:
            return found[0]
        return f"{found[1]}~{struct.pack('>d', value).hex()}"

    return LARGE_INTEGER.sub(rounded, text)


def first_difference(ours: str, theirs: str) -> str:
    r"""Return where two texts first differ: the path of the line, and both lines.

    >>> first_difference("log log\n a [1]\n  0 7\n", "log log\n a [1]\n  0 8\n")
    "log/a/0: '0 7', not '0 8'"
    """
    path: list[str] = []
    for line, other in _pairs(ours.split("\n"), theirs.split("\n")):
        text = line if line is not None else other or ""
        stripped = text.lstrip(" ")
        depth = len(text) - len(stripped)
        path[depth:] = [stripped.partition(" ")[0]]
        if line != other:
            shown = [None if it is None else it.strip()[:200] for it in (line, other)]
            return f"{'/'.join(path)}: {shown[0]!r}, not {shown[1]!r}"
    return "no difference"


def _pairs(ours: list[str], theirs: list[str]) -> Iterator[tuple[str | None, str | None]]:
    for index in range(max(len(ours), len(theirs))):
        yield (
            ours[index] if index < len(ours) else None,
            theirs[index] if index < len(theirs) else None,
        )
