"""The table of event types: complete, and the only list of type codes."""

import ast
from collections.abc import Iterator

import pytest

from pyspark_adapter.format import event_types
from pyspark_adapter.format.event_types import EVENT_TYPES, PLAIN_TYPES, TRAITS
from pyspark_adapter.format.schema import EventType
from tests.unit.test_house import TREES

TABLE = "format.event_types"
# Names of variables that hold a type code; in modules that do not know the enum, the first three.
CODES = {"type_code", "event_type", "plain_type"}
MORE_CODES = {"kind", "code"}
# Modules whose type codes are those of JSON values.
OF_JSON = {"values.binary_json.layout"}


def last_name(node: ast.AST) -> str:
    """Return the last part of a name such as `frame.type_code`; empty for other expressions."""
    if isinstance(node, ast.Call):
        return last_name(node.func).removesuffix("_at")
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_member(node: ast.AST, constants: set[str]) -> bool:
    """Tell whether an expression is a member of the enum, its value, or a constant of one."""
    if isinstance(node, ast.Attribute) and node.attr == "value":
        node = node.value
    if isinstance(node, ast.Attribute):
        return last_name(node.value) in ("EventType", "Type")
    return isinstance(node, ast.Name) and node.id in constants


def assignments(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield (name, value) of assignments, those to several names one by one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
        else:
            continue
        for target, value in pairs:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs += zip(target.elts, value.elts, strict=False)
            elif isinstance(target, ast.Name):
                yield target.id, value


def is_number(node: ast.AST, numbers: set[str]) -> bool:
    """Tell whether an expression is an integer, or the name of one."""
    is_int = isinstance(node, ast.Constant) and type(node.value) is int
    return is_int or (isinstance(node, ast.Name) and node.id in numbers)


def lists_in(tree: ast.AST) -> Iterator[int]:
    """Yield the lines in which a module lists type codes, or compares one with numbers."""
    named = list(assignments(tree))
    members = {name for name, value in named if is_member(value, set())}
    numbers = {name for name, value in named if is_number(value, set())}
    unpacked = [
        (target, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Tuple)
    ]
    pairs = {id(node) for pair in unpacked for node in pair}
    knows_enum = any(last_name(node) in ("EventType", "TRAITS") for node in ast.walk(tree))
    codes = CODES | MORE_CODES if knows_enum else CODES
    for node in ast.walk(tree):
        listed: list[ast.AST] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and id(node) not in pairs:
            listed += node.elts
        elif isinstance(node, ast.Dict):
            listed += [key for key in node.keys if key is not None]
        elif isinstance(node, ast.BoolOp):
            compared = [value for value in node.values if isinstance(value, ast.Compare)]
            listed += [side for value in compared for side in value.comparators]
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(last_name(side) in codes for side in sides) and any(
                is_number(part, numbers) for side in sides for part in ast.walk(side)
            ):
                yield node.lineno
        if sum(is_member(item, members) for item in listed) > 1:
            assert isinstance(node, ast.expr)
            yield node.lineno


def test_each_code_of_the_schema_has_one_row() -> None:
    assert [facts.type for facts in EVENT_TYPES] == sorted(EventType)


def test_arrays_are_those_of_the_table() -> None:
    by_code = {int(facts.type): facts for facts in EVENT_TYPES}
    for code in range(256):
        facts = by_code.get(code)
        own = 0 if facts is None else facts.traits
        is_of_mariadb = code >= event_types.FIRST_OF_MARIADB
        assert TRAITS[code] == own | (event_types.NEVER_IN_PAYLOAD if is_of_mariadb else 0)
        plain = None if facts is None else facts.plain
        assert PLAIN_TYPES[code] == (code if plain is None else plain)


def test_traits_have_a_bit_each() -> None:
    bits = [
        value
        for name, value in vars(event_types).items()
        if name.isupper() and isinstance(value, int) and not name.startswith("_")
    ]
    single = [bit for bit in bits if bit.bit_count() == 1]
    assert len(single) == len(set(single)) == 24


@pytest.mark.parametrize("facts", EVENT_TYPES, ids=lambda facts: facts.type.name)
def test_a_row_agrees_with_the_name_of_its_type(facts: event_types.EventFacts) -> None:
    name = EventType(facts.type).name
    has_rows = "_rows" in name and name != "annotate_rows"
    assert bool(facts.traits & event_types.ROWS) == has_rows
    for word, trait in (
        ("write_rows", event_types.INSERT),
        ("update_rows", event_types.UPDATE),
        ("delete_rows", event_types.DELETE),
    ):
        assert bool(facts.traits & trait) == (word in name)
    if facts.plain is not None:
        assert EventType(facts.plain).name == name.replace("_compressed", "")
        # All that is said of the layout is that of the type without compression.
        layout = event_types.EXTRA_INFO | event_types.TWO_BITMAPS | event_types.ROWS
        assert facts.traits & layout == TRAITS[facts.plain] & layout


@pytest.mark.parametrize("module", sorted(TREES.keys() - {TABLE, "format.schema"} - OF_JSON))
def test_no_other_module_lists_type_codes(module: str) -> None:
    assert list(lists_in(TREES[module])) == []


@pytest.mark.parametrize(
    "source",
    [
        "X = frozenset({EventType.query, EventType.xid})",
        "X = (EventType.query.value, EventType.xid.value)",
        "X = {Type.query: 1, Type.xid: 2}",
        "A, B = EventType.query.value, EventType.xid.value\nif kind == A or kind == B: pass",
        "if type_code in (24, 31): pass",
        "if 20 <= type_code <= 25: pass",
        "_QUERY, _XID = 2, 16\nif type_code == _QUERY: pass",
        "EventType\nif code == 2: pass",
        "if event.type_code == 2: pass",
        "if type_code_at(event) in (2, 3): pass",
    ],
)
def test_lists_are_seen(source: str) -> None:
    assert list(lists_in(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "if type_code == EventType.query: pass",
        "_QUERY, _XID = EventType.query.value, EventType.xid.value\nif code == _QUERY: pass",
        "if traits & ROWS != 0: pass",
    ],
)
def test_single_types_are_no_list(source: str) -> None:
    assert not list(lists_in(ast.parse(source)))
