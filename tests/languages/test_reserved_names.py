"""No field of the schema has a name that is a keyword of a language it compiles to.

The compiler writes names as they are: Ruby and Lua that hold a field called `end` do not load.
"""

import keyword
import re

from tests.inputs import ROOT
from tests.languages.shape import read_shapes

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


def test_no_field_is_named_by_a_keyword() -> None:
    names = [(shape.name, field.name) for shape in read_shapes() for field in shape.fields]
    assert [name for name in names if name[1] in RESERVED] == []


def test_no_label_of_an_enum_is_a_keyword_of_lua() -> None:
    enums = (ROOT / "mysql_binlog.ksy").read_text(encoding="utf-8").split("\nenums:\n")[1]
    labels = re.findall(r"^ +(?:id|\d+): (\w+)$", enums, re.MULTILINE)
    assert len(labels) > 100
    assert set(LUA.split()) & set(labels) == set()
