"""How the package is built: who imports what, what is public, what importing it costs."""

import ast
import json
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import pyspark_adapter
from tests.conftest import nightly_tests
from tests.inputs import ROOT, sample_path
from tests.support.compiled import callable_from_python
from tests.support.programs import captured
from tests.support.way import Way

PACKAGE = "pyspark_adapter"
FOLDER = Path(pyspark_adapter.__file__).parent
# Folders and modules of the package; each imports those of lower lines only.
LAYERS = (
    ("__main__",),
    ("cli",),
    ("as_of",),
    ("replication",),
    ("reader", "spark"),
    ("operations",),
    ("sql_text",),
    ("stream",),
    ("index",),
    ("splits",),
    ("counting",),
    ("decode",),
    ("find_logs", "plan"),
    ("scan", "timeline"),
    ("ddl", "index_store", "server", "values"),
    ("events",),
    ("options",),
    ("charsets", "sources"),
    ("kernels",),
    ("format",),
    ("warn",),
    ("errors",),
    ("", "spelling"),
)
MOST_LINES = 450
# The way of one small read; see `tests/support/way.py`. These numbers may only fall.
MOST_ON_THE_WAY = Way(43, 236, 30)
MOST_FLOORS = 14
# Literal tables: a row for each thing of the format.
TABLES = {"values.column_types", "format.event_types"}
WITHOUT_PYARROW = (
    "errors",
    "options.binlog_options",
    "sources.log_file",
    "find_logs",
    "events.windows",
    "format.schema",
    "events.transactions",
    "format.gtid",
    "events.table_map",
    "charsets.charset",
)


def module_name(path: Path) -> str:
    """Return the name of a module within the package, such as `kernels.scan`; "" for itself."""
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_name(path): ast.parse(path.read_text()) for path in FOLDER.rglob("*.py")}


def imports_in(node: ast.AST, *, within_functions: bool, for_types: bool = False) -> Iterator[str]:
    """Yield the full names that imports below a node name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and not within_functions:
            continue
        if not for_types and isinstance(child, ast.If) and "TYPE_" in ast.unparse(child.test):
            for other in child.orelse:
                yield from imports_in(other, within_functions=within_functions)
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are absolute"
            assert child.module is not None
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        else:
            yield from imports_in(child, within_functions=within_functions, for_types=for_types)


@cache
def importers_of(library: str, *, inner: bool = True) -> set[str]:
    """Return the modules that import a library inner, or when they are loaded."""
    return {
        module
        for module, tree in TREES.items()
        if any(name.split(".")[0] == library for name in imports_in(tree, within_functions=inner))
    }


@cache
def edges(*, all_imports: bool = False) -> dict[str, set[str]]:
    """Return, for each module of the package, those that it imports when it is loaded.

    With `all_imports` also those that its functions and types need.
    """
    graph: dict[str, set[str]] = {}
    for module, tree in TREES.items():
        graph[module] = set()
        for name in imports_in(tree, within_functions=all_imports, for_types=all_imports):
            if name.split(".")[0] != PACKAGE:
                continue
            inner = name.removeprefix(PACKAGE).lstrip(".")
            while inner not in TREES:  # a name in a module
                inner = inner.rpartition(".")[0]
            graph[module].add(inner)
    return graph


def test_the_walk_sees_imports() -> None:
    assert {"spark.source", "cli.main", "kernels.scan", ""} <= set(TREES)
    assert {"errors", "format.header"} <= edges()["format.schema"]
    assert "decode.kernel_reader" not in edges()["splits.read_split"]  # within a function


def test_only_spark_modules_import_pyspark() -> None:
    assert {name.partition(".")[0] for name in importers_of("pyspark")} == {"spark"}


def test_one_module_knows_what_older_releases_of_spark_lack() -> None:
    """What PySpark 3.5 has no name for is taken from there, and nobody else asks for a release."""
    versions = FOLDER / "spark/versions.py"
    late = ["sql.datasource", "sql.streaming.datasource", "VariantType", "GeometryType"]
    late += ["VariantVal", "arrow_udtf", "pyspark.__version__", "toArrow("]
    for path in FOLDER.rglob("*.py"):
        found = [name for name in late if name in path.read_text(encoding="utf-8")]
        assert path == versions or not found, f"{path.relative_to(FOLDER)} names {found}"


def test_only_kernels_import_numba() -> None:
    importers = importers_of("numba")
    assert importers
    assert {name for name in importers if not name.startswith("kernels.")} == set()


def test_only_one_module_imports_pymysql() -> None:
    assert importers_of("pymysql") == {"server.pymysql_client"}


def test_modules_outside_of_server_load_without_pymysql() -> None:
    """It comes with an extra that reads of files need not have."""
    graph = edges()
    needing, found = {"server.pymysql_client"}, set[str]()
    while needing:
        found |= needing
        needing = {module for module, used in graph.items() if used & needing} - found
    assert "server.connection" in found
    assert {module for module in found if not module.startswith("server.")} == set()


def test_accesses_without_a_check_are_within_kernels_that_check_first() -> None:
    load = "pyspark_adapter.kernels.load."
    names = {load + name for name in ("get", "put", "raw_u8", "raw_be8", "raw_copy_json")}
    users = {m for m, t in TREES.items() if names & {*imports_in(t, within_functions=True)}}
    checking = (
        *("joined_text", "json_text", "numerics", "row_images", "rows"),
        *("sql_changes", "temporals", "texts"),
    )
    assert users == {f"kernels.{name}" for name in checking}


@pytest.mark.parametrize("decorator", ["helper", "inlined"])
def test_an_access_out_of_bounds_is_an_error(decorator: str) -> None:
    jit = import_module("pyspark_adapter.kernels.jit")
    read = callable_from_python(getattr(jit, decorator)(lambda data, place: data[place]))
    assert read(np.arange(4), 3) == 3
    with pytest.raises(IndexError):
        read(np.arange(4), 4)


def test_only_schema_imports_the_generated_parser() -> None:
    assert importers_of("mysql_binlog") == {"format.schema"}


@pytest.mark.parametrize("module", WITHOUT_PYARROW)
def test_lower_layers_do_without_pyarrow(module: str) -> None:
    graph, reached, pending = edges(), set[str](), {module}
    while pending:
        reached |= pending
        pending = set().union(*(graph[name] for name in pending)) - reached
    assert importers_of("pyarrow", inner=False) & reached == set()
    assert importers_of("pyarrow") & reached <= {"sources.archives"}  # for zstd


def test_the_sql_parser_has_one_caller() -> None:
    parser = "ddl.sql_definitions"
    calls = [
        (module, function.name)
        for module, tree in TREES.items()
        if module != parser
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] in ("parse_definition", "parse_tokens")
    ]
    assert calls == [("timeline.ddl", "change_of")] * 2
    names = {f"{PACKAGE}.{parser}.{name}" for name in ("parse_definition", "parse_tokens")}
    users = {m for m, t in TREES.items() if names & {*imports_in(t, within_functions=True)}}
    assert users == {"timeline.ddl"}


def test_few_classes_take_statements_in_their_place() -> None:
    """Others ask the timeline, or read the statements of a window."""
    takers = {
        found.name
        for tree in TREES.values()
        for found in ast.walk(tree)
        if isinstance(found, ast.ClassDef) and "Protocol" not in map(ast.unparse, found.bases)
        for method in found.body
        if isinstance(method, ast.FunctionDef)
        and method.name == "take"
        and any(ast.unparse(arg.annotation or arg) == "Statement" for arg in method.args.args)
    }
    known = {"LogSurvey", "TableCollector", "TableMapCompleter"}
    assert takers == known, "the list may only get shorter"
    # They are given to a scan as one parameter, for names of table maps.
    sinks = {
        module
        for module, tree in TREES.items()
        for name in imports_in(tree, within_functions=True, for_types=True)
        if name.endswith(".TableMapSink")
    }
    assert sinks == {"counting.transaction_counter", "scan.kernel_counts", "scan.scanner"}


def test_imports_have_no_cycle() -> None:
    graph = dict(edges(all_imports=True))
    del graph[""]  # loads its names when they are used
    left = {module: set(below) - {module} for module, below in graph.items()}
    while free := [module for module, below in left.items() if not below & set(left)]:
        for module in free:
            del left[module]
    assert left == {}


def test_imports_go_down() -> None:
    level = {name: k for k, names in enumerate(LAYERS) for name in names}
    upward: list[tuple[str, str]] = []
    for module, below in edges().items():
        folder = module.partition(".")[0]
        others = {name.partition(".")[0] for name in below} - {folder}
        upward += [(module, other) for other in others if level[other] <= level[folder]]
    assert upward == []


def test_a_read_stands_on_few_floors_of_imports() -> None:
    """A folder, or a module next to the folders, is a floor above the highest one it imports."""
    folders: dict[str, set[str]] = {}
    for module, below in edges(all_imports=True).items():
        folder = module.partition(".")[0]
        others = {name.partition(".")[0] for name in below} - {folder, ""}
        folders.setdefault(folder, set()).update(others)

    @cache
    def floor(folder: str) -> int:
        return 1 + max(map(floor, folders[folder]), default=0)

    assert floor("reader") <= MOST_FLOORS


def test_no_file_is_long_except_tables() -> None:
    paths = {module_name(path): path for path in FOLDER.rglob("*.py")}
    long = {name for name, path in paths.items() if path.read_text().count("\n") > MOST_LINES}
    assert long <= TABLES


def test_unit_tests_mirror_the_folders_of_the_package() -> None:
    folders = {path.parent.name for path in (ROOT / "tests" / "unit").glob("*/__init__.py")}
    ours = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
    assert folders
    assert folders <= ours
    names = {path.stem for path in (ROOT / "tests" / "unit").glob("test_*.py")}
    modules = {f"test_{path.stem}" for path in FOLDER.glob("*/*.py")}
    assert names & modules == set(), "move it to the folder of its module"


def test_what_is_left_to_the_night_is_there() -> None:
    for name in nightly_tests():
        path, _, test = name.partition("::")
        assert f"def {test.partition('[')[0]}" in (ROOT / path).read_text(encoding="utf-8"), name


def test_no_module_imports_the_faces_of_the_package() -> None:
    faces = {"cli", "__main__"}
    assert {module for module, below in edges().items() if below & faces} <= {"__main__"}


def test_public_names_are_sorted_and_there() -> None:
    names = pyspark_adapter.__all__
    assert names == sorted(names)
    assert len(names) == len(set(names))
    assert dir(pyspark_adapter) == names


@pytest.mark.parametrize("name", pyspark_adapter.__all__)
def test_public_name_is_one_of_the_package(name: str) -> None:
    value = getattr(pyspark_adapter, name)
    assert value.__module__.split(".")[0] == PACKAGE
    assert value.__doc__


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Scanner'"):
        _ = pyspark_adapter.Scanner


def test_all_errors_are_public() -> None:
    errors = import_module(f"{PACKAGE}.errors")
    named = {name for name, value in vars(errors).items() if isinstance(value, type)}
    named = {name for name in named if name.endswith(("Error", "Site", "Warning"))}
    assert named <= set(pyspark_adapter.__all__)


def loaded_by(code: str) -> set[str]:
    """Return the modules that a new process has loaded after some code."""
    command = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = captured([sys.executable, "-c", command], cwd=FOLDER.parent, check=True)
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing_else() -> None:
    loaded = loaded_by("import pyspark_adapter")
    assert {name for name in loaded if name.startswith(PACKAGE)} == {PACKAGE}
    assert loaded.isdisjoint({"numba", "pyspark", "pyarrow", "numpy", "mysql_binlog"})


def test_names_of_a_read_load_neither_numba_nor_spark() -> None:
    loaded = loaded_by(
        "import pyspark_adapter\npyspark_adapter.read_batches\npyspark_adapter.BinlogOptions"
    )
    assert {f"{PACKAGE}.reader", f"{PACKAGE}.options.binlog_options"} <= loaded
    assert loaded.isdisjoint({"numba", "pyspark"})
    own = [name.split(".")[1] for name in loaded if name.startswith(f"{PACKAGE}.")]
    assert len(own) < 146
    assert {"server", "index_store"}.isdisjoint(own)


WITHOUT_PANDAS = """
class Guard:
    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            raise AssertionError("pandas is imported")

sys.meta_path.insert(0, Guard())
from pyspark_adapter import list_tables, read_batches
log = "samples/mysql-9.7-shop.000001"
metadata = "_change_type,_gtid,_query,_xa,_absent_columns,_commit_timestamp,_table_name"
list_tables(log)
for name in ("batch", "stream", "source", "latest_rows", "written_tables"):
    __import__(f"pyspark_adapter.spark.{name}")
for options in ({}, {"table": "shop.orders"}, {"metadata_columns": metadata}):
    assert sum(batch.num_rows for batch in read_batches(log, **options)) > 100
try:
    __import__("pyarrow").array([1])
except AssertionError:
    pass  # pyarrow does by itself
else:
    raise SystemExit("the guard sees nothing")
"""


def test_reads_do_not_import_pandas() -> None:
    """Pyarrow imports it for its first array of Python values, which takes a third of the start."""
    assert "pandas" not in loaded_by(WITHOUT_PANDAS)


def test_a_small_read_goes_a_short_way() -> None:
    log = sample_path("mysql-9.7-shop")
    arguments = ["-m", "tests.support.way", str(log), "shop.orders"]
    done = captured([sys.executable, *arguments], cwd=ROOT, check=True)
    found = Way(**json.loads(done.stdout))
    most = MOST_ON_THE_WAY
    assert all(count <= limit for count, limit in zip(found, most, strict=True)), found
    # Keep what was won: a limit that is no longer reached is lowered with the change.
    assert found.functions > most.functions - 10, f"lower the limit to {found}"


def test_the_faults_made_by_hand_are_in_the_code() -> None:
    for mutant in tomllib.loads((ROOT / "tests/mutants.toml").read_text())["mutant"]:
        assert (FOLDER / mutant["file"]).read_text().count(mutant["old"]) == 1, mutant["old"]
        for path in mutant["tests"].split():
            assert (ROOT / path.partition("::")[0]).exists(), path
