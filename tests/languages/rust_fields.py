"""Writes what `walkers/walk.rs` needs of each type: Rust cannot ask an object for its fields."""

from pathlib import Path

from tests.languages.core_schema import ID
from tests.languages.shape import Field, Shape, read_shapes, upper_camel
from tests.languages.typed_schema import CONDITION

ROOT_CLASS = upper_camel(ID)


def rust_fields(core: Path) -> str:
    """Return the code for the types of the core."""
    shapes = read_shapes(core)
    return "".join(_type_code(shape, is_root=index == 0) for index, shape in enumerate(shapes))


def _type_code(shape: Shape, *, is_root: bool) -> str:
    name = ROOT_CLASS if is_root else f"{ROOT_CLASS}_{upper_camel(shape.name)}"
    instances = {field.name for field in shape.fields if field.is_instance}
    lines = []
    switches = ""
    for field in shape.fields:
        if field.name.startswith(CONDITION):
            continue
        line = _field_code(field, is_root=is_root)
        if CONDITION + field.name in instances:
            line = f"if *self.{CONDITION}{field.name}()? {{ {line} }}"
        lines.append(f"        {line}\n")
        if field.kind == "any":
            switches += _switch_code(f"{name}_{upper_camel(field.name)}", field.types)
    return (
        f"\nimpl Fields for {name} {{\n"
        f'    const NAME: &\'static str = "{shape.name}";\n'
        "    #[allow(unused_variables)]\n"
        "    fn add_fields(&self, out: &mut String, indent: &str) -> KResult<()> {\n"
        f"{''.join(lines)}        Ok(())\n    }}\n}}\n{switches}"
    )


def _field_code(field: Field, *, is_root: bool) -> str:
    value = f"&*self.{field.name}(){'?' if field.is_instance else ''}"
    name = f'"{field.name}"'
    if is_root and field.name == "events":
        return f"events(out, {value});"
    if field.kind.startswith("array:"):
        return f"list(out, indent, {name}, {value})?;"
    if field.is_enum:
        # Without a label, in other languages: null.
        unknown = f'format!("{{:?}}", {value}).starts_with("Unknown(")'
        return f"if !{unknown} {{ line(out, indent, {name}, &i64::from({value}))?; }}"
    return f"line(out, indent, {name}, {value})?;"


def _switch_code(name: str, types: tuple[str, ...]) -> str:
    cases = [
        f"{name}::Bytes(value) => value.add(out, indent),"
        if inner == ""
        else f"{name}::{ROOT_CLASS}_{upper_camel(inner)}(value) => value.add(out, indent),"
        for inner in types
    ]
    return (
        f"\nimpl Text for {name} {{\n"
        "    fn add(&self, out: &mut String, indent: &str) -> KResult<()> {\n"
        f"        match self {{ {' '.join(cases)} }}\n    }}\n}}\n"
    )
