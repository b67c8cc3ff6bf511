"""Writes the core of the schema, `mysql_binlog_core.ksy`: events and table maps, without cells.

The core compiles for Rust, Go and Nim as well, for which the whole schema does not. It is the typed
form of `tests/languages/typed_schema.py`, less

- what `LEFT_OUT` names: the rows of a rows event, the columns of a table map (their names, signs
  and members are in `optional_fields`), times as text, digits of DECIMAL;
- the types and enums that nothing needs then.

Everything else is a field of the schema, with its documentation and, but for `RENAMED`, its name.
Instances of one object are lists of one, and labels that stand in two enums begin with the enum's.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from tests.languages.schema_types import Declaration, type_names
from tests.languages.typed_schema import TypedSchema

ID = "mysql_binlog_core"
# Instances, by type. Of a field whose type is left out, the bytes stay.
LEFT_OUT = {
    "encrypted_event": ("start", "ofs_event", "len_event"),
    "event_frame": ("time",),
    "rows_event": ("rows", "columns", "column_layouts", "title"),
    "rows_layout": ("num_json_columns", "is_row_sized", "num_rows"),
    "table_map_event": ("columns", "column_layouts"),
}
TYPES_LEFT_OUT = ("compressed_record", "user_var_decimal")
# Code in Rust asks by the name of a field alone, in whatever type has it, whether it is a switch.
RENAMED = {
    ("heartbeat_field", "value"): "field_value",
    ("optional_metadata_field", "data"): "field_data",
    ("user_var_event", "value"): "variable_value",
}
NIM_TYPES = frozenset({"float", "int", "string"})
LABEL = re.compile(r"\b(\w+)::(\w+)")
# Writes paragraphs as they are; see `_write_text`.
_Dumper = type("_Dumper", (yaml.SafeDumper,), {})
# Keys whose text is no expression.
TEXTS = frozenset({"doc", "doc-ref", "-orig-id"})
TITLE = "MySQL and MariaDB binary log, events and table maps"
DOC = """\
The events of a binary log of MySQL or MariaDB, without the cells of rows: for languages in which
the whole schema does not compile. Made from `mysql_binlog.ksy`, which says more.
"""


def write_core_schema(schema: Path, out: Path) -> None:
    yaml.add_representer(str, _write_text, Dumper=_Dumper)
    core = core_of(yaml.safe_load(schema.read_text(encoding="utf-8")))
    text = yaml.dump(core, Dumper=_Dumper, sort_keys=False, width=100, allow_unicode=True)
    out.write_text("# Made by: make compile. Change mysql_binlog.ksy.\n" + text, encoding="utf-8")


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def core_of(schema: Declaration) -> Declaration:
    types = {name: _reduced(name, it) for name, it in schema["types"].items()}
    reduced = schema | {"types": types}
    reduced["types"] = {name: types[name] for name in types if name in _needed(reduced)}
    typed = TypedSchema(_in_all_languages(reduced)).make()
    typed["meta"] = typed["meta"] | {"id": ID, "title": TITLE}
    typed["doc"] = DOC
    enums = set(_values_of(typed, "enum")) | _labels_in(typed)
    typed["enums"] = {name: it for name, it in typed["enums"].items() if name in enums}
    return typed


def list_instances(schema: Declaration) -> dict[str, list[str]]:
    """Return the instances that are lists of one item in the core, by type.

    Rust's code reads an instance of one object again each time, and panics if the one before is
    still in use. It keeps lists.
    """
    return {
        owner: [
            name
            for name, it in declared.get("instances", {}).items()
            if isinstance(it.get("type"), str)
            and it["type"].partition("(")[0] in schema["types"]
            and "repeat" not in it
        ]
        for owner, declared in schema["types"].items()
    }


def _in_all_languages(schema: Declaration) -> Declaration:
    """Return a schema whose instances of one object are lists, and whose labels are unlike."""
    lists = list_instances(schema)
    fields = {it["id"] for declared in schema["types"].values() for it in declared.get("seq", [])}
    names = sorted({name for found in lists.values() for name in found} - fields)
    use = re.compile(rf"(?<!:)\b({'|'.join(names)})\.")
    labels = _renamed_labels(schema["enums"])

    def plain_text(text: str) -> str:
        text = LABEL.sub(lambda found: f"{found[1]}::{labels.get(found.groups(), found[2])}", text)
        return use.sub(r"\1[0].", text)

    def plain(declared: Any) -> Any:
        if isinstance(declared, dict):
            return {plain(at): it if at in TEXTS else plain(it) for at, it in declared.items()}
        if isinstance(declared, list):
            return [plain(it) for it in declared]
        return plain_text(declared) if isinstance(declared, str) else declared

    types = {owner: plain(declared) for owner, declared in schema["types"].items()}
    for owner, found in lists.items():
        for name in found:
            types[owner]["instances"][name] |= {"repeat": "expr", "repeat-expr": 1}
    enums = {
        name: {
            number: it | {"id": labels.get((name, it["id"]), it["id"])}
            for number, it in members.items()
        }
        for name, members in schema["enums"].items()
    }
    root = {key: plain(schema[key]) for key in ("seq", "instances")}
    return schema | root | {"types": types, "enums": enums}


def _renamed_labels(enums: Declaration) -> dict[tuple[str, ...], str]:
    """Return the labels of the core that differ, by enum and label.

    In Nim, a label belongs to no enum: two of a name clash, and one can hide a type.
    """
    labels = [(name, it["id"]) for name, members in enums.items() for it in members.values()]
    counts = Counter(label for _, label in labels)
    return {
        (name, label): f"{name}_{label}"
        for name, label in labels
        if counts[label] > 1 or label in NIM_TYPES
    }


def _reduced(name: str, declared: Declaration) -> Declaration:
    left_out = LEFT_OUT.get(name, ())
    declared = {key: it for key, it in declared.items() if key != "-webide-representation"}
    if "instances" in declared:
        declared["instances"] = {
            key: _plain_switch(it)
            for key, it in declared["instances"].items()
            if key not in left_out
        }
    if "seq" in declared:
        declared["seq"] = [
            _plain_switch(it) | {"id": RENAMED.get((name, it["id"]), it["id"])}
            for it in declared["seq"]
        ]
    return declared


def _plain_switch(field: Declaration) -> Declaration:
    declared = field.get("type")
    if declared in TYPES_LEFT_OUT:
        return {key: it for key, it in field.items() if key != "type"}
    if not isinstance(declared, dict):
        return field
    cases = {key: it for key, it in declared["cases"].items() if it not in TYPES_LEFT_OUT}
    if "size" in field:
        # A field is an object or bytes in Nim, not now one and now the other.
        cases.setdefault("_", "raw_bytes")
    return field | {"type": declared | {"cases": cases}}


def _needed(schema: Declaration) -> set[str]:
    """Return the names of the types that the root needs."""
    types = schema["types"]
    needed: set[str] = set()
    waiting = [schema]
    while waiting:
        declared = waiting.pop()
        fields = [*declared.get("seq", []), *declared.get("instances", {}).values()]
        for name in {name for field in fields for name in type_names(field)}:
            if name in types and name not in needed:
                needed.add(name)
                waiting.append(types[name])
    return needed


def _values_of(declared: Any, key: str) -> list[str]:
    """Return all values of a key, at any depth."""
    if isinstance(declared, list):
        return [found for it in declared for found in _values_of(it, key)]
    if not isinstance(declared, dict):
        return []
    found = [it for at, it in declared.items() if at == key and isinstance(it, str)]
    return found + [it for inner in declared.values() for it in _values_of(inner, key)]


def _labels_in(schema: Declaration) -> set[str]:
    """Return the names of the enums whose labels expressions have."""
    text = yaml.safe_dump({key: it for key, it in schema.items() if key != "enums"}, width=10**6)
    return {name for name in schema["enums"] if f"{name}::" in text}
