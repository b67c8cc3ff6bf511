"""Rewrites the schema for Go, in which the compiler does not convert integers.

What the schema reads stays the same. In the typed form

- each integer of an expression, and what an operation or a condition gives, is cast to 64 bits;
- `and` and `or` are conditions, since Go evaluates the instances of both sides first;
- each `if` is an instance `if_FIELD`: an absent field is 0 in Go, and only the instance tells;
- instances have no enum, and are compared with numbers: an error cannot return a label;
- a switch of integers of several widths is a field for each width, and an instance;
- the index of `repeat: until`, which counts from 1 in Go, is the size of the list so far.
"""

from pathlib import Path
from typing import Any

import yaml

from tests.languages.expressions import COMPARISONS, Tree, parse, render
from tests.languages.schema_types import NUMBER, Declaration, SchemaTypes

# Labels that the compiler makes a second time, or that are keywords.
TAKEN_LABELS = {"unknown", "enum"}
CONDITION = "if_"


def write_typed_schema(schema: Path, out: Path) -> None:
    typed = TypedSchema(yaml.safe_load(schema.read_text(encoding="utf-8"))).make()
    text = yaml.safe_dump(typed, sort_keys=False, width=1000, allow_unicode=True)
    out.write_text(text, encoding="utf-8")


class TypedSchema:
    """Makes the typed form of a schema."""

    def __init__(self, schema: Declaration) -> None:
        self._schema = schema
        self._types = SchemaTypes(schema)

    def make(self) -> Declaration:
        """Return the typed schema."""
        typed = self._type(self._types.root)
        typed["types"] = {name: self._type(name) for name in self._schema["types"]}
        typed["enums"] = {
            name: {number: _plain_label(label) for number, label in labels.items()}
            for name, labels in self._schema["enums"].items()
        }
        return typed

    def _type(self, owner: str) -> Declaration:
        declared = dict(self._types.declarations[owner])
        instances: Declaration = {}
        if "params" in declared:
            declared["params"] = [self._param(it) for it in declared["params"]]
        fields = []
        for field in declared.get("seq", []):
            if _integer_types(field):
                fields += self._split(owner, field, instances)
            else:
                fields.append(self._field(owner, field.get("id", ""), field, instances))
        for name, field in declared.get("instances", {}).items():
            instances[name] = self._field(owner, name, field, instances)
        if fields:
            declared["seq"] = fields
        if instances:
            declared["instances"] = instances
        return declared

    def _param(self, param: Declaration) -> Declaration:
        wide = "u8" if param["type"] == "u8" else "s8"
        return param | {"type": wide} if NUMBER.fullmatch(param["type"]) else param

    def _field(
        self, owner: str, name: str, field: Declaration, instances: Declaration
    ) -> Declaration:
        typed = dict(field)
        if "if" in typed:
            instances[CONDITION + name] = {"value": self._text(owner, typed["if"])}
            typed["if"] = CONDITION + name
        if "value" in typed:
            typed.pop("enum", None)
            typed["value"] = self._text(owner, typed["value"])
        current = self._types.field_type(owner, name).removeprefix("array:") if name else ""
        for key in ("size", "pos", "repeat-expr", "repeat-until"):
            if key in typed:
                typed[key] = self._text(owner, typed[key], name, current)
        if "type" in typed:
            typed["type"] = self._typed_type(owner, name, typed["type"])
        if "valid" in typed:
            typed["valid"] = self._valid(owner, typed["valid"], typed)
        return typed

    def _split(self, owner: str, field: Declaration, instances: Declaration) -> list[Declaration]:
        """Return a field for each width of a switch of integers; an instance gives the one."""
        name, switch = field["id"], field["type"]
        condition = self._text(owner, field["if"])
        instances[CONDITION + name] = {"value": condition}
        fields = []
        value = "0.as<s8>"
        for width in _integer_types(field):
            cases = [case for case, it in switch["cases"].items() if it == width]
            tests = " or ".join(f"({switch['switch-on']}) == {case}" for case in cases)
            part = f"{name}_{width}"
            is_part = self._text(owner, tests)
            instances[CONDITION + part] = {"value": f"({CONDITION}{name} and {is_part}).as<bool>"}
            fields.append({"id": part, "type": width, "if": CONDITION + part})
            value = f"({CONDITION}{part} ? {part}.as<s8> : {value}).as<s8>"
        instances[name] = {"value": value, "if": CONDITION + name}
        return fields

    def _typed_type(self, owner: str, name: str, declared: Any) -> Any:
        if isinstance(declared, str):
            return self._call(owner, name, declared)
        switch, kind = self._convert(owner, parse(declared["switch-on"]), name)
        cases = {}
        for case, target in declared["cases"].items():
            key = case
            if isinstance(case, str) and case != "_" and kind in ("int", "u8"):
                key = self._number(parse(case))
            cases[key] = self._call(owner, name, target)
        return {"switch-on": render(switch), "cases": cases}

    def _call(self, owner: str, name: str, target: str) -> str:
        called, bracket, arguments = target.partition("(")
        if not bracket:
            return target
        tree = parse(f"[{arguments.rstrip()[:-1]}]")
        converted = [self._convert(owner, it, name)[0] for it in tree[1]]
        return f"{called.strip()}({', '.join(map(render, converted))})"

    def _valid(self, owner: str, valid: Any, field: Declaration) -> Any:
        def cast(value: Any) -> Any:
            if isinstance(value, bool) or not isinstance(value, str):
                return value
            tree, _ = self._convert(owner, parse(value), "")
            if "enum" in field:
                return render(tree)
            return (
                render(("cast", tree, field["type"]))
                if isinstance(field.get("type"), str)
                else value
            )

        if isinstance(valid, dict):
            return {
                key: [cast(it) for it in value] if isinstance(value, list) else cast(value)
                for key, value in valid.items()
            }
        return cast(valid)

    def _text(self, owner: str, value: Any, field: str = "", current: str = "any") -> Any:
        if not isinstance(value, str):
            return value
        tree, kind = self._convert(owner, parse(value), field, current)
        return render(("cast", tree, "bool") if kind == "bool" else _cast(tree, kind))

    def _number(self, label: Tree) -> int:
        labels: dict[int, Any] = self._schema["enums"][label[1]]
        return next(
            number
            for number, it in labels.items()
            if (it["id"] if isinstance(it, dict) else it) == label[2]
        )

    def _leaf(self, tree: Tree, kind: str, owner: str, name: str) -> tuple[Tree, str]:
        """Return the tree of a field, cast if it is an integer, and its type."""
        if kind.startswith("enum:") and "value" in self._types.declarations[owner].get(
            "instances", {}
        ).get(name, {}):
            kind = "int"
        return (_cast(tree, kind), kind) if kind in ("int", "u8") else (tree, kind)

    def _convert(
        self, owner: str, tree: Tree, field: str, current: str = "any"
    ) -> tuple[Tree, str]:
        kind = tree[0]
        if kind == "int":
            wide = "u8" if tree[1] >= 2**63 else "int"
            return _cast(tree, wide), wide
        if kind in ("float", "str", "bool"):
            return tree, kind
        if kind == "label":
            return ("label", tree[1], _plain_label(tree[2])), f"enum:{tree[1]}"
        if kind == "name":
            if tree[1] == "_index":
                # In Go, the index of `repeat: until` counts from 1.
                return _cast(("attr", ("name", field), "size"), "int"), "int"
            return self._leaf(tree, self._types.of_tree(owner, tree, current), owner, tree[1])
        if kind == "cast":
            if NUMBER.fullmatch(tree[2]):
                inner, inner_kind = self._convert(owner, tree[1], field, current)
                wide = "u8" if tree[2].startswith("u8") else "int"
                return (inner if inner_kind == wide else _cast(inner, wide)), wide
            inner, _ = self._convert(owner, tree[1], field, current)
            return ("cast", inner, tree[2]), self._types.of_tree(owner, tree, current)
        if kind in ("attr", "index", "call"):
            return self._access(owner, tree, field, current)
        if kind == "list":
            return ("list", [self._convert(owner, it, field, current)[0] for it in tree[1]]), "any"
        if kind == "?":
            condition, _ = self._convert(owner, tree[1], field, current)
            yes, no, found = self._alike(owner, tree[2], tree[3], field, current, "int")
            # Go declares what a condition gives by its first branch; an operation is an `int`.
            return _cast(("?", condition, yes, no), found), found
        if kind in ("and", "or"):
            # Go evaluates the instances of both sides before it looks at either.
            left, right = (self._convert(owner, it, field, current)[0] for it in tree[1:])
            yes, no = (right, ("bool", False)) if kind == "and" else (("bool", True), right)
            return ("cast", ("?", left, yes, no), "bool"), "bool"
        if len(tree) == 2:
            inner, found = self._convert(owner, tree[1], field, current)
            return _cast((kind, inner), found), found
        left, right, found = self._alike(owner, tree[1], tree[2], field, current, "u8")
        if kind in COMPARISONS:
            return (kind, left, right), "bool"
        return _cast((kind, left, right), found), found

    def _alike(
        self, owner: str, left: Tree, right: Tree, field: str, current: str, mixed: str
    ) -> tuple[Tree, Tree, str]:
        """Return two trees of one type; `mixed` if one is a `u8` and the other an `int`."""
        one, kind = self._convert(owner, left, field, current)
        other, other_kind = self._convert(owner, right, field, current)
        if {kind, other_kind} == {"int", "u8"}:
            return _cast(one, mixed), _cast(other, mixed), mixed
        if kind == "int" and right[0] == "label":
            return one, _cast(("int", self._number(right)), "int"), "int"
        return one, other, kind

    def _access(self, owner: str, tree: Tree, field: str, current: str) -> tuple[Tree, str]:
        base = tree[1]
        found = self._types.of_tree(owner, tree, current)
        if tree[0] == "attr":
            inner_kind = self._types.of_tree(owner, base, current)
            inner = self._object(owner, base, field, current)
            holder = (
                inner_kind.removeprefix("object:") if inner_kind.startswith("object:") else owner
            )
            name = tree[2] if inner_kind.startswith("object:") else ""
            return self._leaf(("attr", inner, tree[2]), found, holder, name)
        if tree[0] == "index":
            inner = self._object(owner, base, field, current)
            at, _ = self._convert(owner, tree[2], field, current)
            return self._leaf(("index", inner, at), found, owner, "")
        inner, _ = self._convert(owner, base, field, current)
        arguments = [self._convert(owner, it, field, current)[0] for it in tree[3]]
        return ("call", inner, tree[2], arguments), found

    def _object(self, owner: str, tree: Tree, field: str, current: str) -> Tree:
        """Return the tree before a dot or a bracket; numbers are cast."""
        return self._convert(owner, tree, field, current)[0]


def _integer_types(field: Declaration) -> list[str]:
    """Return the types of a switch of integers of several widths; none for any other field."""
    declared = field.get("type")
    if not isinstance(declared, dict):
        return []
    names = list(dict.fromkeys(declared["cases"].values()))
    return names if len(names) > 1 and all(NUMBER.fullmatch(it) for it in names) else []


def _cast(tree: Tree, kind: str) -> Tree:
    name = {"int": "s8", "u8": "u8"}.get(kind)
    if name is None or (tree[0] == "cast" and tree[2] == name):
        return tree
    return ("cast", tree, name)


def _plain_label(label: Any) -> Any:
    if isinstance(label, dict):
        return label | {"id": _plain_label(label["id"])}
    return f"{label}_label" if label in TAKEN_LABELS else label
