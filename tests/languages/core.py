"""The core of the schema in Python, and the text of logs that it gives."""

import importlib.util
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests.inputs import ROOT
from tests.languages.core_schema import ID
from tests.languages.shape import Shape, read_shapes, without_conditions
from tests.languages.targets import CORE, run
from tests.languages.text import CanonicalText


@cache
def core_class() -> Any:
    """Return the class of the core's root."""
    with tempfile.TemporaryDirectory() as folder:
        run(["node", "tools/compile_schema.mjs", "--schema", str(CORE), "--out", folder], ROOT)
        spec = importlib.util.spec_from_file_location(ID, Path(folder) / f"{ID}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module.MysqlBinlogCore


def core_shapes() -> list[Shape]:
    """Return the types of the core, without the conditions of its fields."""
    return without_conditions(read_shapes(CORE))


@cache
def _walker() -> CanonicalText:
    return CanonicalText(core_class(), core_shapes())


def core_text(path: Path) -> str:
    """Return the text that the core gives of a log; integers have all their digits."""
    return _walker().of_log(path)
