"""No field of the schema has a name that is a keyword of a language it compiles to.

The compiler writes names as they are: Ruby and Lua that hold a field called `end` do not load.
"""

import json
import keyword
import re
import subprocess
from collections.abc import Iterator
from typing import Any

from tests.inputs import ROOT

# Lua, Ruby, and what C++ and Java have in common; C# and Go name fields with a capital letter.
OTHERS = """
    alias and auto begin bool boolean break byte case catch char class const continue def default
    delete do double else elseif end ensure enum explicit export extends extern false final float
    for friend function goto if import in inline int interface local long module mutable namespace
    native new next nil not operator or package private protected public redo register repeat
    rescue retry return self short signed sizeof static struct super switch template then this
    throw true try typedef typename undef union unless unsigned until using virtual void volatile
    when while yield
"""
# Other languages write labels of enums in capitals, or after the name of the enum.
LUA = """
    and break do else elseif end false for function goto if in local nil not or repeat return then
    true until while
"""
RESERVED = {*OTHERS.split(), *keyword.kwlist}


def field_names(name: str, shape: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of a type and of the types within it, as `type.field`."""
    for field in shape["seq"] + shape["instances"]:
        yield f"{name}.{field}"
    for inner, inner_shape in shape["types"].items():
        yield from field_names(inner, inner_shape)


def test_no_field_is_named_by_a_keyword() -> None:
    command = ["node", "tests/languages/tree.mjs"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    header = json.loads(run.stdout)
    names = list(field_names(header["schema"], header["shape"]))
    assert [name for name in names if name.rpartition(".")[2] in RESERVED] == []


def test_no_label_of_an_enum_is_a_keyword_of_lua() -> None:
    enums = (ROOT / "mysql_binlog.ksy").read_text(encoding="utf-8").split("\nenums:\n")[1]
    labels = re.findall(r"^ +(?:id|\d+): (\w+)$", enums, re.MULTILINE)
    assert len(labels) > 100
    assert set(LUA.split()) & set(labels) == set()
