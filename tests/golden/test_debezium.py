"""Messages compared with those of Debezium's engine, field by field."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any, Final

import numpy as np
import pytest

from bench.debezium_messages import CONNECTORS, MODES, record
from pyspark_adapter import read_batches
from pyspark_adapter.operations.debezium_messages import DebeziumMessages
from pyspark_adapter.plan.output_schema import DEBEZIUM_METADATA

_RECORDED: Final = Path(__file__).parent / "debezium"
# Our options for the settings of the engine.
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "default": {},
    "connect": {
        "debezium_schemas": True,
        "decimal_handling_mode": "string",
        "time_precision_mode": "connect",
        "binary_handling_mode": "base64",
        "metadata_columns": (*DEBEZIUM_METADATA, "_query"),
    },
    "isostring": {
        "decimal_handling_mode": "double",
        "time_precision_mode": "isostring",
        "bigint_unsigned_handling_mode": "precise",
        "binary_handling_mode": "hex",
    },
}
_EPOCH: Final = "1970-01-01T00:00:00"
_NOW: Final = ("ts_ms", "ts_us", "ts_ns")


def _loaded(path: Path) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def _ours(folder: Path, mode: str) -> Iterator[dict[str, Any]]:
    """Yield our messages as the engine's are recorded, apart from their headers."""
    logs = list(folder.glob("*.000001.gz"))
    images = read_batches(logs, row="debezium", databases="d", batch_rows=64, **_OPTIONS[mode])
    for batch in DebeziumMessages("server", tombstones=mode != "isostring").of(images):
        for message in batch.to_pylist():
            if not message["topic"].endswith(".marks"):
                found = {name: json.loads(message[name] or "null") for name in ("key", "value")}
                headers = {h["key"]: h["value"].decode() for h in message["headers"]}
                yield {"topic": message["topic"], "headers": headers, **found}


def _is_meant(kind: str, mode: str, theirs: Any, ours: Any) -> bool:
    """Return whether the values of a column may differ; the guide lists why."""
    if kind == "YEAR":
        return (theirs, ours) == (1900, 0)
    if kind.startswith("TIMESTAMP"):  # 0000-00-00 in a column that may be NULL
        return ours is None and str(theirs).startswith(_EPOCH)
    if kind.startswith("TIME") and theirs is None and mode != "default":
        hours = int(ours.split(":")[0]) if mode == "isostring" else ours / 3_600_000
        return not 0 <= hours < 24 or str(ours)[:1] == "-"
    if kind.startswith(("VECTOR", "FLOAT")):  # other digits of the same numbers
        left, right = np.float32(theirs), np.float32(ours)
        return bool((left == right).all())
    if kind == "JSON":  # as text, without what the server prints of SQL's own types
        ours = re.sub(r"base64:type\d+:", "", re.sub(r'\.0{6}"', '"', ours))
        is_wrong = re.search(r"\d:\d*-\d", theirs) is not None  # a time below zero
        return is_wrong or bool(json.loads(theirs) == json.loads(ours.replace("\\n", "")))
    return False


def _check_rows(kinds: dict[str, str], mode: str, theirs: Any, ours: Any) -> None:
    assert (theirs is None) == (ours is None)
    if theirs is not None:
        assert list(theirs) == list(ours)
        for name, value in theirs.items():
            kind = kinds.get(name, "INT")
            assert value == ours[name] or _is_meant(kind, mode, value, ours[name]), kind


def _check_source(server: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert list(theirs) == list(ours)
    assert ours["version"].startswith("mysql-binlog-spark ")
    meant = {"version"}
    if "mariadb" in server:  # of the event before, and never
        meant |= {"pos", "thread"}
    if (query := ours["query"]) and "bytes)" in query[-30:]:  # a long one
        meant |= {"query"}
    assert {k: v for k, v in theirs.items() if k not in meant} == {
        k: v for k, v in ours.items() if k not in meant
    }


def _check(folder: Path, server: str, mode: str) -> int:
    """Compare all messages; return how many."""
    (tables,) = _loaded(folder / "columns.json.gz")
    of_table = {
        f"server.d.{table}": {f"c{n}": kind for n, kind in enumerate(kinds)}
        for table, kinds in tables.items()
    } | {"server.d.zeros": {"y": "YEAR"}}
    theirs, ours = _loaded(folder / f"{mode}.jsonl.gz"), list(_ours(folder, mode))
    assert [message["topic"] for message in theirs] == [message["topic"] for message in ours]
    for their, our in zip(theirs, ours, strict=True):
        of_keys = [{k: v for k, v in m["headers"].items() if "key" in k} for m in (their, our)]
        assert of_keys[0] == {k: json.loads(v) for k, v in of_keys[1].items()}
        left, right = their["value"], our["value"]
        if mode == "connect":
            assert their["key"] == our["key"]
            if left is not None:
                assert left["schema"] == right["schema"]
                left, right = left["payload"], right["payload"]
        assert their["key"] == our["key"]
        assert (left is None) == (right is None)
        if left is not None:
            assert list(left) == list(right)
            kinds = of_table.get(their["topic"], {})
            for name in ("before", "after"):
                _check_rows(kinds, mode, left[name], right[name])
            _check_source(server, left["source"], right["source"])
            for name in left.keys() - {"before", "after", "source", *_NOW}:
                assert left[name] == right[name]
            assert all(type(left[name]) is type(right[name]) for name in _NOW)
    return len(ours)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("server", CONNECTORS)
def test_messages_are_those_of_debezium(server: str, mode: str) -> None:
    assert _check(_RECORDED / server, server, mode) > 130


@pytest.mark.live
@pytest.mark.skipif(which("mvn") is None, reason="the engine comes through Maven")
@pytest.mark.parametrize("server", CONNECTORS)
def test_messages_are_those_of_the_engine_now(
    server: str, servers_folder: Path, tmp_path: Path
) -> None:
    record(servers_folder, server, tmp_path / server)
    assert all(_check(tmp_path / server, server, mode) > 130 for mode in MODES)
