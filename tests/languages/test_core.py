"""The core of the schema is current, and its events are those of the whole schema."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from mysql_binlog import MysqlBinlog

from tests.inputs import ROOT, SAMPLES, sample_path
from tests.languages.core import core_class, core_shapes, core_text
from tests.languages.core_schema import ID, RENAMED, TYPES_LEFT_OUT, core_of, list_instances
from tests.languages.left_out import need_toolchain
from tests.languages.shape import SCHEMA, Shape, upper_camel
from tests.languages.targets import CORE, GO_CORE, log_texts
from tests.languages.text import CanonicalText, first_difference, signed_text
from tests.support.programs import captured

# Their runtimes are in no registry, so `make languages` builds what the compiler makes.
TARGETS = ("nim", "rust")
NAMES = {(owner, renamed): name for (owner, name), renamed in RENAMED.items()}


@cache
def whole_schema() -> dict[str, Any]:
    schema: dict[str, Any] = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    return schema


def test_core_is_current() -> None:
    made = core_of(whole_schema())
    assert yaml.safe_load(CORE.read_text(encoding="utf-8")) == made, "make compile"


def test_core_has_no_cells_and_all_events() -> None:
    core = {shape.name: {it.name for it in shape.fields} for shape in core_shapes()}
    whole = whole_schema()["types"]
    events = [name for name in whole if name.endswith("_event")]
    assert len(events) > 30
    for name in events:
        fields = {RENAMED.get((name, it["id"]), it["id"]) for it in whole[name].get("seq", [])}
        assert fields <= core[name]
    assert not {"cell", "row", "column"} & set(core)


def test_core_compiles_for_the_targets_that_the_whole_is_of_no_use_in() -> None:
    command = ["node", "tests/languages/targets.mjs", "--schema", ID, *TARGETS]
    run = captured(command, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == dict.fromkeys(TARGETS, "")


def as_in_core(name: str, *, is_list: bool) -> Callable[[Any], Any]:
    """Return what gives a field of the whole schema as the core has it."""

    def get(owner: Any) -> Any:
        value = getattr(owner, name, None) if hasattr(type(owner), name) else vars(owner).get(name)
        return [value] if is_list and value is not None else value

    return get


class Comparable(CanonicalText):
    """The text with the fields of the core, of either schema; enums are numbers."""

    def __init__(self, root_class: Any, shapes: list[Shape], *, is_whole: bool) -> None:
        """Prepare the fields of each class."""
        lists = list_instances(whole_schema())
        super().__init__(root_class, [Shape(shape.name, []) for shape in shapes])
        for (_, getters), shape in zip(self._types.values(), shapes, strict=True):
            for field in shape.fields:
                name, is_list = field.name, False
                if is_whole:
                    name = NAMES.get((shape.name, field.name), field.name)
                    is_list = field.is_instance and name in lists.get(shape.name, ())
                getters.append((field.name, as_in_core(name, is_list=is_list)))

    def _add(self, lines: list[str], label: str, indent: str, value: Any) -> None:
        kind = type(value).__name__
        if kind not in map(upper_camel, TYPES_LEFT_OUT):
            super()._add(lines, label, indent, value)
            return
        data = f"<{value._io.to_byte_array().hex()}>"
        if kind == "UserVarDecimal":
            lines += [f"{label} raw_bytes", f"{indent} bytes {data}"]
        else:
            lines.append(f"{label} {data}")


@cache
def walkers() -> tuple[Comparable, Comparable]:
    """Return what writes the text of the whole schema, and of the core."""
    shapes = core_shapes()
    whole = Comparable(MysqlBinlog, [Shape(ID, shapes[0].fields), *shapes[1:]], is_whole=True)
    return whole, Comparable(core_class(), shapes, is_whole=False)


@pytest.mark.parametrize("name", SAMPLES)
def test_events_of_the_core_are_those_of_the_whole(name: str) -> None:
    whole, core = (walker.of_log(sample_path(name)) for walker in walkers())
    assert whole == core, first_difference(whole, core)
    assert (" !\n" in core) == (name == "mysql-9.7-encrypted")


@cache
def texts_in_go() -> dict[Path, str]:
    """Return what the core gives of all samples in Go."""
    return log_texts(GO_CORE, [sample_path(name) for name in SAMPLES])


@pytest.mark.parametrize("name", SAMPLES)
def test_core_reads_in_go_as_in_python(name: str) -> None:
    need_toolchain(GO_CORE)
    ours, theirs = signed_text(core_text(sample_path(name))), texts_in_go()[sample_path(name)]
    assert ours == theirs, first_difference(ours, theirs)


def test_types_left_out_are_in_the_whole() -> None:
    assert set(TYPES_LEFT_OUT) <= set(whole_schema()["types"])
