"""The types of the schema with their fields, as the programs in `walkers/` need them."""

from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from tests.inputs import ROOT
from tests.languages.schema_types import Declaration, SchemaTypes, type_names
from tests.languages.typed_schema import CONDITION

SCHEMA = ROOT / "mysql_binlog.ksy"


@dataclass(frozen=True)
class Field:
    """A field of a type of the schema.

    Attributes:
        kind: type of its value, as in `schema_types`.
        types: names of the types of a switch, "" for bytes; none for other fields.
    """

    name: str
    is_instance: bool
    kind: str
    types: tuple[str, ...] = ()

    @property
    def is_enum(self) -> bool:
        """Whether the value is a label of an enum."""
        return self.kind.startswith("enum:")


@dataclass(frozen=True)
class Shape:
    """A type of the schema: `seq` fields first, then instances, in the order of the schema."""

    name: str
    fields: list[Field]


def read_shapes(path: Path = SCHEMA) -> list[Shape]:
    """Return the types of a schema, the root first."""
    types = SchemaTypes(yaml.safe_load(path.read_text(encoding="utf-8")))
    shapes = []
    for owner, declared in types.declarations.items():
        instances = declared.get("instances", {})
        fields = [
            Field(name, name in instances, types.field_type(owner, name), _switch_types(field))
            for name, field in types.fields(owner)
        ]
        shapes.append(Shape(owner, fields))
    return shapes


def _switch_types(field: Declaration) -> tuple[str, ...]:
    """Return the names of the types of a switch, "" for the bytes of a type without a case."""
    declared = field.get("type")
    if not isinstance(declared, dict):
        return ()
    has_bytes = "_" not in declared["cases"] and "size" in field
    return tuple(dict.fromkeys([*type_names(field), *([""] if has_bytes else [])]))


def shape_lines(shapes: list[Shape]) -> str:
    r"""Return the shapes as lines of text: `type NAME`, then `seq|instance NAME KIND` each.

    >>> shape_lines([Shape("event", [Field("code", False, "enum:event_type")])])
    'type event\nseq code enum:event_type\n'
    """
    lines = []
    for shape in shapes:
        fields = [("instance" if it.is_instance else "seq", it) for it in shape.fields]
        lines.append(f"type {shape.name}\n")
        lines += [f"{place} {field.name} {field.kind}\n" for place, field in fields]
    return "".join(lines)


def without_fields(shapes: list[Shape], names: frozenset[str]) -> list[Shape]:
    """Return shapes without some fields, each of which is named as `type.field`."""
    return [
        Shape(shape.name, [it for it in shape.fields if f"{shape.name}.{it.name}" not in names])
        for shape in shapes
    ]


def without_conditions(shapes: list[Shape]) -> list[Shape]:
    """Return shapes of the typed form without the conditions of fields."""
    return [
        Shape(shape.name, [it for it in shape.fields if not it.name.startswith(CONDITION)])
        for shape in shapes
    ]


def with_numbers(shapes: list[Shape], path: Path) -> list[Shape]:
    """Return shapes in which an enum is named by its numbers, as `enum:0,1`."""
    enums = yaml.safe_load(path.read_text(encoding="utf-8"))["enums"]

    def numbered(field: Field) -> Field:
        if not field.is_enum:
            return field
        numbers = ",".join(map(str, enums[field.kind.removeprefix("enum:")]))
        return replace(field, kind=f"enum:{numbers}")

    return [Shape(shape.name, [numbered(it) for it in shape.fields]) for shape in shapes]


def upper_camel(name: str) -> str:
    """Return a name as the compiler writes it for classes.

    >>> upper_camel("datetime2_value")
    'Datetime2Value'
    """
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))
