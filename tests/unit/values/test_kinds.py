"""The table of the kinds of values, and what the kernels have for each."""

import ast
import inspect
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa

from pyspark_adapter.decode import columns
from pyspark_adapter.kernels.layout import Op
from pyspark_adapter.values.column_types import Decoding
from pyspark_adapter.values.kinds import KINDS


def ops_in(source: str) -> set[Op]:
    """Return the members of Op that Python source names."""
    return {
        Op[node.attr]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Op"
    }


def test_each_op_has_one_kind() -> None:
    assert set(KINDS) == set(Op)
    assert all(kind.op == op for op, kind in KINDS.items())
    assert {kind.op for kind in KINDS.values() if kind.is_apart and kind.growth} == set()


def test_each_kind_is_filled_in_one_place() -> None:
    spec = find_spec("pyspark_adapter.kernels.fill")
    assert spec is not None
    assert spec.origin is not None
    in_kernel = ops_in(Path(spec.origin).read_text())
    made_apart = {kind.op for kind in KINDS.values() if kind.is_apart} | {Op.JSON}
    assert in_kernel | made_apart == set(Op)
    assert in_kernel & made_apart == set()
    assert made_apart <= ops_in(inspect.getsource(columns))


def test_nothing_depends_on_the_order_of_ops() -> None:
    package = Path(inspect.getfile(columns)).parents[1]
    ordered = [
        ast.unparse(node)
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Compare)
        and any(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops)
    ]
    assert ordered
    assert [found for found in ordered if ops_in(found)] == []


def test_numbers_that_json_lacks_are_in_quotes() -> None:
    """With the names that Spark takes for a FLOAT or DOUBLE in JSON."""
    numbers = [float("nan"), float("inf"), float("-inf"), 1.5]
    texts = ['"NaN"', '"Infinity"', '"-Infinity"', "1.5"]
    reals, vectors = pa.array([*numbers, None]), pa.array([numbers, None], pa.list_(pa.float32()))
    for op, column, expected in (
        (Op.INTEGER, reals, [*texts, None]),
        (Op.VECTOR, vectors, [f"[{', '.join(texts)}]", None]),
    ):
        found = KINDS[op].as_json(column, Decoding(column.type, op))
        assert (found.values.to_pylist(), found.quote) == (expected, "")
