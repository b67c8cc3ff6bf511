"""What the schema says of each type's label, by the name of the type's class."""

import json
from dataclasses import dataclass
from typing import Any

from tests.inputs import ROOT
from tests.support.programs import captured

# No YAML parser is among the Python packages of the tests; the compiler's own is Node's.
TO_JSON = """
import fs from 'node:fs';
import YAML from 'yaml';
process.stdout.write(JSON.stringify(YAML.parse(fs.readFileSync('mysql_binlog.ksy', 'utf8'))));
"""


@dataclass(frozen=True)
class SchemaType:
    """One type.

    Attributes:
        label: The text of `-webide-representation`, empty without it.
        instances: By name, whether the Web IDE reads the instance without a click.
    """

    label: str
    instances: dict[str, bool]


def class_name(name: str) -> str:
    """Return the name of a type's class.

    >>> class_name("query_u8")
    'QueryU8'
    """
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def read_schema() -> dict[str, Any]:
    """Return the schema as it stands in its file."""
    command = ["node", "--input-type=module", "--eval", TO_JSON]
    done = captured(command, cwd=ROOT, check=True)
    schema: dict[str, Any] = json.loads(done.stdout)
    return schema


def types_by_class(schema: dict[str, Any]) -> dict[str, SchemaType]:
    """Return all types of a schema, the root's included.

    >>> types_by_class({"meta": {"id": "a"}, "instances": {"b": {"value": 1}, "c": {"pos": 0}}})
    {'A': SchemaType(label='', instances={'b': True, 'c': False})}
    """
    types: dict[str, SchemaType] = {}
    pending = [(schema["meta"]["id"], schema)]
    while pending:
        name, stated = pending.pop()
        instances = stated.get("instances", {}).items()
        types[class_name(name)] = SchemaType(
            stated.get("-webide-representation", ""),
            {instance: _is_open(facts) for instance, facts in instances},
        )
        pending += stated.get("types", {}).items()
    return types


def _is_open(instance: dict[str, Any]) -> bool:
    mode = instance.get("-webide-parse-mode")
    return mode == "eager" or (mode != "lazy" and "value" in instance)
