"""Plans of reads with an index: the same as without one, and no log is passed over for them."""

import shutil
import warnings
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, BinlogWarning
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.index import table_collector
from pyspark_adapter.index.build_index import build_index
from pyspark_adapter.index_store.index_folder import IndexFolder
from pyspark_adapter.index_store.index_schema import CONTENTS
from pyspark_adapter.index_store.log_index import LogIndex
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.reader import list_tables
from pyspark_adapter.splits.log_splits import plan_splits
from pyspark_adapter.splits.read_split import plan_read, read_split
from tests.inputs import CORPUS, SAMPLES, UNREADABLE, corpus_entries, need_corpus, sample_path
from tests.support.indexes import OPTIONS, as_rows, index_of, log_at, make_index, rows_at
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.opened_logs import OpenedLogs
from tests.support.splits import options_for

NAMES = sorted(set(SAMPLES) - UNREADABLE)
SHOP = sample_path("mysql-9.7-shop")
# Logs whose tables change.
ALTERED = [name for name in NAMES if str(SAMPLES[name]["file"]).startswith("evolution")]
KINDS: Sequence[dict[str, Any]] = (
    {},
    {"schema_at": "latest"},
    {"schema_at": "first"},
    {"follow_renames": True},
    {"merge_schema": False},
)


def plan(paths: Any, **options: Any) -> Any:
    """Return all that a plan says, and its warnings; or its error."""
    checked = BinlogOptions.from_python(options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BinlogWarning)
        try:
            request = plan_read(find_log_files(paths, checked), checked)
            timeline = request.timeline
            assert timeline is not None
            parts = [timeline.part(log, 4, None, request.wants) for log in timeline.log_files]
        except BinlogError as error:
            return str(error)
    told = sorted(str(warning.message) for warning in caught)
    return request.schema, request.row_key, request.removals, parts, told


def tables_of(path: Path) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        return [str(found.table) for found in list_tables(path)]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the indexes of the samples, in small blocks."""
    return make_index(tmp_path_factory.mktemp("indexes"), *map(sample_path, NAMES), step=600)


@pytest.mark.parametrize("name", NAMES)
def test_plans_are_those_without_an_index(name: str, indexes: Path) -> None:
    path = sample_path(name)
    for table in tables_of(path)[: 6 if name in ALTERED else 2]:
        for kind in KINDS if name in ALTERED else KINDS[:2]:
            options = {"table": table, **kind}
            assert plan(path, index=indexes, **options) == plan(path, **options), options


@pytest.mark.parametrize("name", ["mysql-9.7-shop", "mariadb-11.8-transactions", *ALTERED])
def test_rows_of_tables_are_those_without_an_index(name: str, indexes: Path) -> None:
    """Blocks with definitions alone are not read."""
    path = sample_path(name)
    for table in tables_of(path)[:3]:
        for more in ({}, {"change_types": "delete"}):
            options = {"table": table, **more}
            assert rows_at(path, index=indexes, **options) == rows_at(path, **options), options


FILTERS: Sequence[dict[str, Any]] = (
    {"starting_timestamp": "2026-11-20 18:21:35"},
    {"ending_timestamp": "2026-11-20 18:21:35.5"},
    {"starting_position": "mysql-9.7-shop.000001:8000"},
    {"include_gtids": "795c97f4-badf-559a-96b7-28fc16279c15:1-11"},
    {"exclude_gtids": "795c97f4-badf-559a-96b7-28fc16279c15:1-11"},
    {"server_ids": "2"},
)


def lists_of(paths: Any, **options: Any) -> list[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        return [asdict(found) for found in list_tables(paths, **options)]


@pytest.mark.parametrize("name", NAMES)
def test_lists_of_tables_are_those_without_an_index(name: str, indexes: Path) -> None:
    path = sample_path(name)
    for options in ({}, {"tables": "*.t*"}, {"change_types": "delete"}):
        assert lists_of(path, index=indexes, **options) == lists_of(path, **options), options


def test_names_of_tables_may_hold_any_byte(tmp_path: Path) -> None:
    """Damaged ones too: none of them may be taken for another, or end the list."""
    writer = LogWriter()
    names = (("a\0b", "d"), ("c", "d\0x"), ("b\0c", "a"), ("c", "a\0b"), ("t", "d"))
    for number, (name, database) in enumerate(names):
        writer.begin()
        writer.table_map(number, name, [LoggedColumn("id", 3)], database)
        writer.rows(number, Rows(WRITE_V2, [[b"\1\0\0\0"]], [True]))
        writer.commit()
    path = tmp_path / "l.000001"
    path.write_bytes(writer.data)
    folder = make_index(tmp_path / "indexes", path, step=500)
    found = lists_of(path, index=folder)
    assert found == lists_of(path)
    assert [table["num_inserts"] for table in found] == [1] * 5


def test_a_list_of_tables_reads_what_was_written_since(
    indexes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("mysql-9.7-shop", "mysql-9.7-transactions", "mysql-9.7-alter")
    paths = [sample_path(name) for name in names]
    expected = lists_of(paths)
    opened = OpenedLogs(monkeypatch)
    assert lists_of(paths, index=indexes) == expected
    assert opened.num_windows == 0
    for name in ALTERED:
        data = sample_path(name).read_bytes()
        path = tmp_path / f"{name}.000001"
        for share in (3, 2):
            path.write_bytes(data[: len(data) * (share - 1) // share])
            folder = make_index(tmp_path / name / str(share), path, step=500)
            path.write_bytes(data)
            assert lists_of(path, index=folder) == lists_of(path), name


@pytest.mark.parametrize("options", FILTERS, ids=str)
def test_filters_choose_the_same_statements(options: dict[str, Any], indexes: Path) -> None:
    for table in tables_of(SHOP):
        expected = plan(SHOP, table=table, **options)
        assert plan(SHOP, table=table, index=indexes, **options) == expected


def test_logs_that_grew_and_logs_of_before_are_followed(tmp_path: Path) -> None:
    """Each log is a part of a sample, indexed up to a place of chance."""
    rng = np.random.default_rng(20261125)
    for name in ALTERED:
        data = sample_path(name).read_bytes()
        path = tmp_path / f"{name}.000001"
        folder = tmp_path / f"{name}.indexes"
        for _ in range(3):
            path.write_bytes(data[: int(rng.integers(len(data) // 4, len(data)))])
            make_index(folder, path, step=500)
            path.write_bytes(data)
            for table in tables_of(path)[:2]:
                for kind in KINDS[:2]:
                    options = {"table": table, **kind}
                    assert plan(path, index=folder, **options) == plan(path, **options), name


def test_a_plan_reads_no_log(indexes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = options_for(2000, table=TableName("shop", "orders"), index=str(indexes))
    logs = find_log_files(SHOP, options)
    opened = OpenedLogs(monkeypatch)
    request = plan_read(logs, options)
    assert (len(opened.sizes), opened.num_bytes, opened.num_windows) == (0, 0, 0)
    assert len(plan_splits([(log, None) for log in logs], request)) > 3
    assert (opened.num_bytes, opened.num_windows) == (512, 0)  # the log may have been replaced
    plan_splits(
        [(log, None) for log in logs], plan_read(logs, options_for(2000, index=str(indexes)))
    )
    assert opened.num_windows == 0


def test_splits_of_an_indexed_log_have_its_rows(indexes: Path) -> None:

    for name in ("mysql-9.7-shop", "mariadb-11.8-transactions", "mysql-9.7-alter"):
        path = sample_path(name)
        options = options_for(3000, index=str(indexes))
        logs = find_log_files(path, options)
        request = plan_read(logs, options)
        splits = plan_splits([(log, None) for log in logs], request)
        assert len(splits) > 1
        rows = [row for split in splits for row in as_rows(read_split(split, request))]
        assert rows == rows_at(path, metadata_columns=",".join(METADATA_BY_NAME))


def with_contents(index: LogIndex, contents: list[bytes]) -> LogIndex:
    """Return an index whose table maps have other contents."""
    columns = [*index.contents.columns[:3], pa.array(contents, pa.binary())]
    return replace(index, contents=pa.RecordBatch.from_arrays(columns, schema=CONTENTS))


def test_table_maps_that_cannot_be_of_the_log_are_not_believed(tmp_path: Path) -> None:
    path = Path(shutil.copy(SHOP, tmp_path / "binlog.000001"))
    expected = plan(path, table="shop.orders")
    index = index_of(path, 600)
    contents = index.contents.column("content").to_pylist()
    folder = IndexFolder(tmp_path / "index", may_be_missing=True)
    for made in ([b""] * len(contents), [c[:20] for c in contents], contents[1:] + contents[:1]):
        folder.write(with_contents(index, made))
        with pytest.warns(BinlogWarning, match="does not say what its tables are"):
            plan_read(
                find_log_files(path, BinlogOptions()),
                BinlogOptions.from_python({"table": "shop.orders", "index": folder.path}),
            )
        assert plan(path, table="shop.orders", index=folder.path)[:4] == expected[:4]
        assert lists_of(path, index=folder.path) == lists_of(path)


def test_more_than_an_index_keeps_is_read_from_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_collector, "_MAX_SHAPES", 2)
    index = index_of(SHOP, 600)
    assert not index.knows_tables
    assert index.shapes.num_rows == index.contents.num_rows == index.statements.num_rows == 0
    folder = IndexFolder(tmp_path / "index", may_be_missing=True)
    folder.write(index)
    expected = plan(SHOP, table="shop.orders")
    assert plan(SHOP, table="shop.orders", index=folder.path) == expected
    assert rows_at(SHOP, table="shop.orders", index=folder.path) == rows_at(
        SHOP, table="shop.orders"
    )


@pytest.mark.slow
def test_plans_of_the_corpus(tmp_path: Path) -> None:

    need_corpus()
    num_plans = 0
    for entry in corpus_entries():
        path = CORPUS / entry["file"]
        if path.stat().st_size > 1 << 18:
            continue
        try:
            index = build_index(log_at(path), OPTIONS, step=4000)
        except BinlogError:
            continue
        if index is None:
            continue
        folder = IndexFolder(tmp_path / path.name, may_be_missing=True)
        folder.write(index)
        for table in [str(index.tables[k]) for k in np.unique(index.count("table")).tolist()][:2]:
            for kind in KINDS[:2]:
                options = {"table": table, **kind}
                assert plan(path, index=folder.path, **options) == plan(path, **options), path
                num_plans += 1
    assert num_plans > 40
