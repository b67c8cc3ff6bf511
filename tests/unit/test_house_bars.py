"""Bars that the shape of the package is held to: the length of files, no circle of imports."""

import ast

from tests.unit.test_house import FOLDER, PACKAGE, TREES, module_name

MOST_LINES = 450
# Literal tables: a row for each thing of the format, or for each option.
TABLES = {"options.binlog_options", "values.column_types", "format.event_types"}


def imports_with_types() -> dict[str, set[str]]:
    """Return what each module imports anywhere: within functions and for types as well."""
    graph: dict[str, set[str]] = {}
    for module, tree in TREES.items():
        graph[module] = set()
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name.split(".")[0] != PACKAGE:
                    continue
                inner = name.removeprefix(PACKAGE).lstrip(".")
                while inner not in TREES:  # a name in a module
                    inner = inner.rpartition(".")[0]
                graph[module].add(inner)
        graph[module] -= {module, ""}
    return graph


def in_circles(graph: dict[str, set[str]]) -> set[str]:
    """Return the modules that lie in circles or between two of them."""
    left = {module: set(below) for module, below in graph.items()}
    for _ in range(2):
        while free := [module for module, below in left.items() if not below & left.keys()]:
            for module in free:
                del left[module]
        # What nobody of the rest imports is above all circles.
        left = {m: {above for above in left if m in left[above]} for m in left}
    return set(left)


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str]()}
    assert in_circles(graph) == {"b", "c"}


def test_imports_have_no_circle_even_for_types() -> None:
    assert in_circles(imports_with_types()) == set()


def test_no_file_is_long_except_tables() -> None:
    lengths = {
        module_name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in FOLDER.rglob("*.py")
    }
    long = {module: length for module, length in lengths.items() if length > MOST_LINES}
    assert {module: length for module, length in long.items() if module not in TABLES} == {}
