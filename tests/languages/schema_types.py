"""Infers the type of each field and expression of the schema.

A type is a text: `int`, `u8` (an integer of 64 bits without a sign), `float`, `bool`, `str`,
`bytes`, `io`, `enum:NAME`, `object:NAME`, `array:TYPE`, or `any` where a switch or a condition
gives different ones.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.languages.expressions import COMPARISONS, Tree, parse

NUMBER = re.compile(r"([us])([1248])(le|be)?|b(\d+)(le|be)?")
Declaration = dict[str, Any]


class SchemaTypes:
    """The types of a schema whose types all stand at its root."""

    def __init__(self, schema: Declaration) -> None:
        """Find the parents of each type; raises ValueError."""
        self.root = str(schema["meta"]["id"])
        self.declarations: dict[str, Declaration] = {self.root: schema, **schema["types"]}
        for name, declared in schema["types"].items():
            if "types" in declared or "enums" in declared:
                raise ValueError(f"{name} declares types or enums; only the root may")
        self._fields: dict[tuple[str, str], Declaration] = {}
        self._found: dict[tuple[str, str], str] = {}
        parents: dict[str, set[str]] = defaultdict(set)
        for owner in self.declarations:
            for name, field in self.fields(owner):
                self._fields[owner, name] = field
                for inner in type_names(field):
                    if inner in self.declarations:
                        parents[inner].add(owner)
            for param in self.declarations[owner].get("params", []):
                self._fields[owner, param["id"]] = param
        self._parents = dict(parents)

    def fields(self, owner: str) -> Iterator[tuple[str, Declaration]]:
        """Yield the fields of a type, then its instances."""
        declared = self.declarations[owner]
        for index, field in enumerate(declared.get("seq", [])):
            yield field.get("id", f"_unnamed{index}"), field
        yield from declared.get("instances", {}).items()

    def field_type(self, owner: str, name: str) -> str:
        """Return the type of a parameter, a field or an instance; raises LookupError."""
        key = owner, name
        if key not in self._found:
            if key not in self._fields:
                raise LookupError(f"{owner} has no {name}")
            # For types in a circle; an expression in a circle ends in a cast.
            self._found[key] = _cast_type(self._fields[key]) or "any"
            self._found[key] = self._declared_type(owner, self._fields[key])
        return self._found[key]

    def _declared_type(self, owner: str, field: Declaration) -> str:
        if field.get("enum"):
            found = f"enum:{field['enum']}"
        elif "value" in field:
            found = self.of_text(owner, field["value"])
        else:
            names = type_names(field)
            kinds = {self._named_type(name) for name in names}
            if isinstance(field.get("type"), dict) and "_" not in field["type"]["cases"]:
                kinds |= {"bytes"} if "size" in field or "size-eos" in field else set()
            found = _common_type(kinds)
        return f"array:{found}" if "repeat" in field else found

    def _named_type(self, name: str) -> str:
        if name in self.declarations:
            return f"object:{name}"
        if name in ("", "bytes"):
            return "bytes"
        if name in ("str", "strz"):
            return "str"
        if name in ("f4", "f8", "f4le", "f8le", "f4be", "f8be"):
            return "float"
        if name in ("bool", "b1", "b1le", "b1be"):
            return "bool"
        if found := NUMBER.fullmatch(name):
            return "u8" if found[1] == "u" and found[2] == "8" else "int"
        raise LookupError(f"no type {name}")

    def of_text(self, owner: str, text: Any, current: str = "any") -> str:
        """Return the type of an expression; of `_` in it, `current`."""
        return self.of_tree(
            owner, parse(str(text).lower() if isinstance(text, bool) else str(text)), current
        )

    def of_tree(self, owner: str, tree: Tree, current: str = "any") -> str:
        """Return the type of the tree of an expression."""
        kind = tree[0]
        if kind in ("int", "float", "str", "bool"):
            return str(kind)
        if kind == "label":
            return f"enum:{tree[1]}"
        if kind == "name":
            return self._of_name(owner, tree[1], current)
        if kind == "cast":
            return self._named_type(tree[2])
        if kind in ("not", "and", "or") or kind in COMPARISONS:
            return "bool"
        if kind == "?":
            return _common_type({self.of_tree(owner, it, current) for it in tree[2:]})
        inner = self.of_tree(owner, tree[1], current) if isinstance(tree[1], tuple) else ""
        if kind == "index":
            return _item_type(inner)
        if kind == "attr":
            return self._of_attribute(inner, tree[2])
        if kind == "call":
            return "str"
        if kind == "list":
            return f"array:{_common_type({self.of_tree(owner, it, current) for it in tree[1]})}"
        if len(tree) == 2:
            return inner
        return inner if inner in ("str", "float", "u8") else self.of_tree(owner, tree[2], current)

    def _of_name(self, owner: str, name: str, current: str) -> str:
        if name == "_":
            return current
        if name == "_root":
            return f"object:{self.root}"
        if name == "_parent":
            return self.parent_type(owner)
        if name in ("_index", "_sizeof"):
            return "int"
        if name == "_io":
            return "io"
        return self.field_type(owner, name)

    def parent_type(self, owner: str) -> str:
        """Return the type that a type is used by, if there is only one."""
        return _common_type({f"object:{name}" for name in self._parents.get(owner, set())})

    def _of_attribute(self, inner: str, name: str) -> str:
        if inner.startswith("object:"):
            return self._of_name(inner.removeprefix("object:"), name, "any")
        if name in ("size", "pos", "length", "to_i"):
            return "int"
        if name == "eof":
            return "bool"
        if name in ("to_s", "reverse"):
            return "str"
        if name in ("last", "first", "min", "max"):
            return _item_type(inner)
        raise LookupError(f"{inner} has no {name}")


def type_names(field: Declaration) -> list[str]:
    """Return the names of the types that a field may have, without arguments; "" for bytes."""
    if "value" in field:
        return []
    declared = field.get("type", "")
    names = list(declared["cases"].values()) if isinstance(declared, dict) else [declared]
    return [str(name).partition("(")[0].strip() for name in names]


def _cast_type(field: Declaration) -> str:
    found = re.search(r"\.as<(\w+)>\s*$", str(field.get("value", "")))
    names = {"bool": "bool", "str": "str", "u8": "u8", "f8": "float"}
    return names.get(found[1], "int" if NUMBER.fullmatch(found[1]) else "") if found else ""


def _common_type(kinds: set[str]) -> str:
    kinds = kinds or {"any"}
    if kinds == {"int", "u8"}:
        return "int"
    return kinds.pop() if len(kinds) == 1 else "any"


def _item_type(array: str) -> str:
    return (
        array.removeprefix("array:")
        if array.startswith("array:")
        else "int"
        if array == "bytes"
        else "any"
    )
