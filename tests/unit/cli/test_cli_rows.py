"""`rows` and `events`: what they print is what the reader gives."""

import csv
import io
import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyspark_adapter import BinlogWarning
from pyspark_adapter.cli.main import main
from pyspark_adapter.operations.follow import follow_rows
from pyspark_adapter.operations.row_changes import METADATA, pair_changes
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.plan.output_schema import metadata_fields
from pyspark_adapter.reader import read_batches
from pyspark_adapter.sql_text.script import sql_rows
from pyspark_adapter.sql_text.session import begin_session, end_session
from pyspark_adapter.stream import stream_timeline
from tests.inputs import ROOT, SAMPLES, UNREADABLE, sample_path
from tests.support.log_writer import LogWriter
from tests.support.logs import read_sample

# It reads all samples and starts processes.
pytestmark = pytest.mark.slow

Output = pytest.CaptureFixture[str]
SHOP = str(sample_path("mysql-9.7-shop"))
OLD_TEMPORALS = {"mariadb-10.11-old-temporals", "mariadb-10.11-old-fractions"}
READABLE = sorted(set(SAMPLES) - UNREADABLE - OLD_TEMPORALS)


def printed_json(capsys: Output, *arguments: str) -> list[dict[str, Any]]:
    assert main(["rows", *arguments, "--format", "jsonl"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.split("\n")[:-1]]


def images_of(changes: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    """Return the images of changes as the reader gives them."""
    found = []
    for change in changes:
        if change["change"] != "update":
            kinds = {"before" if change["change"] == "delete" else "after": change["change"]}
        else:
            kinds = {"before": "update_preimage", "after": "update_postimage"}
        assert set(kinds) >= {"before", "after"} & set(change)
        found += [(kinds[side], change[side]) for side in ("before", "after") if side in change]
    return found


@pytest.mark.parametrize("name", READABLE)
def test_json_lines_are_the_rows_of_the_reader(name: str, capsys: Output) -> None:
    path = str(sample_path(name))
    changes = printed_json(capsys, path, "--batch-rows", "3", "--on-statement-events", "ignore")
    columns = [name for name in METADATA if name != "_thread_id"]
    rows = read_batches(path, on_statement_events="ignore", metadata_columns=columns)
    read = rows.to_table().to_pylist()
    assert images_of(changes) == [(r["_change_type"], json.loads(r["row"])) for r in read]
    firsts = [row for row in read if row["_change_type"] != "update_postimage"]
    for change, row in zip(changes, firsts, strict=True):
        assert (change["database"], change["table"]) == (row["_database_name"], row["_table_name"])
        assert (change.get("gtid"), change["start_pos"]) == (row["_gtid"], row["_start_pos"])
        time = row["_commit_timestamp"].isoformat(timespec="microseconds")
        assert change["time"] == time.replace("+00:00", "Z")


@pytest.mark.parametrize("kind", ["update_preimage", "update_postimage"])
def test_one_image_of_an_update_is_its_one_side(kind: str, capsys: Output) -> None:
    changes = printed_json(capsys, SHOP, "--change", kind)
    side = "before" if kind == "update_preimage" else "after"
    assert len(changes) == 61 + 9 + 12 + 4
    assert all({"before", "after"} & set(change) == {side} for change in changes)


@pytest.mark.parametrize("command", ["rows", "tables"])
@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("shop.oders", "did you mean shop.orders"),
        ("SHOP.orders", "Only the case differs"),
        ("a.b", "they have rows of shop.customers, "),
    ],
)
def test_a_table_that_is_in_no_log_is_named(
    command: str, table: str, said: str, capsys: Output
) -> None:
    assert main([command, SHOP, "--table", table, "--schema-at", "latest"]) == 0
    assert said in capsys.readouterr().err


def test_pairs_hold_across_batches() -> None:
    images = read_batches(SHOP, metadata_columns=list(METADATA)).to_table()
    whole = pa.Table.from_batches(c.table() for c in pair_changes(images.to_batches()))
    single = (images.slice(k, 1).combine_chunks().to_batches()[0] for k in range(images.num_rows))
    assert pa.Table.from_batches(c.table() for c in pair_changes(single)) == whole


def test_text_shows_what_an_update_changed(capsys: Output) -> None:
    assert main(["rows", SHOP, "--table", "shop.products"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 17
    assert lines[0].startswith("2026-11-20 18:21:35  shop.products  insert  product_id=1, sku=")
    update = 'update  price: "13.20" -> "11.88", tags: "sale" -> "new,sale"  (product_id=4, '
    assert any(update in line for line in lines)


def test_csv_has_the_columns_of_a_table(capsys: Output) -> None:
    assert main(["rows", SHOP, "--table", "shop.orders", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    read = read_batches(SHOP, table="shop.orders").to_table().to_pylist()
    assert [row["order_id"] for row in rows] == [str(row["order_id"]) for row in read]
    assert [row["note"] or None for row in rows] == [row["note"] or None for row in read]


def test_csv_takes_every_type(capsys: Output) -> None:
    for name in ("mysql-9.7-types", "mariadb-11.8-types-full"):
        path = str(sample_path(name))
        for table in (None, *sorted(SAMPLES[name]["row_changes"])):
            flags = [] if table is None else ["--table", table.replace("`", "")]
            assert main(["rows", path, *flags, "--format", "csv"]) == 0
            assert capsys.readouterr().out.count("\n") > 1


def test_sql_is_the_statements_in_their_session(capsys: Output) -> None:
    flags = ["--table", "shop.orders", "--change", "update"]
    assert main(["rows", SHOP, *flags, "--format", "sql"]) == 0
    statements = [*sql_rows(SHOP, tables="shop.orders", change_types="update")]
    whole = ["START TRANSACTION;", *statements, "COMMIT;"]
    assert capsys.readouterr().out.splitlines() == [*begin_session(), *whole, *end_session()]
    assert len(statements) == 61


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_files_hold_the_rows_of_the_reader(form: str, tmp_path: Path, capsys: Output) -> None:
    path = str(tmp_path / "rows")
    flags = ["--table", "shop.orders", "--format", form, "--output", path]
    assert main(["rows", SHOP, *flags]) == 0
    assert capsys.readouterr().out == ""
    defaults = metadata_fields(BinlogOptions.from_python({"table": "shop.orders"}))
    columns = (*(field.name for field in defaults), "_absent_columns", "_json_diff")
    read = read_batches(SHOP, table="shop.orders", metadata_columns=columns).to_table()
    if form == "parquet":
        assert pq.read_table(path).to_pylist() == read.to_pylist()
    else:
        assert pa.ipc.open_file(path).read_all() == read


def test_a_file_needs_a_format_that_has_one(capsys: Output) -> None:
    assert main(["rows", SHOP, "--format", "parquet"]) == 2
    assert main(["rows", SHOP, "--output", "x"]) == 2
    assert main(["rows", SHOP, "--follow", "--format", "csv"]) == 2
    assert capsys.readouterr().err.count("error: --") == 3


@pytest.mark.parametrize("form", ["text", "jsonl", "sql"])
@pytest.mark.parametrize("row", ["variant", "arrow"])
def test_lines_are_of_json_rows(form: str, row: str, capsys: Output) -> None:
    assert main(["rows", SHOP, "--format", form, "--row", row]) == 2
    expected = f"error: --row: expected json with --format {form}, got {row}\n"
    assert capsys.readouterr().err == expected


def test_head_ends_it_silently() -> None:
    command = f"{sys.executable} -m pyspark_adapter rows {SHOP} --batch-rows 2 | head -n 1"
    done = subprocess.run(  # noqa: S602
        command, shell=True, capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_following_gives_what_is_added(tmp_path: Path) -> None:
    options = BinlogOptions.from_python(
        {"metadata_columns": list(METADATA), "starting_offsets": "earliest"}
    )
    log = tmp_path / "binlog.000001"
    shutil.copy(sample_path("mysql-9.7-transactions"), log)
    rows = follow_rows([str(tmp_path)], options, seconds=0.01)
    expected = read_batches(str(log)).to_table().num_rows
    found = 0
    while found < expected:
        found += next(rows).num_rows
    shutil.copy(sample_path("mysql-9.7-shop"), tmp_path / "binlog.000002")
    assert next(rows).column("_log_file")[0].as_py() == "binlog.000002"


def log_with_temporary_tables() -> bytes:
    """Return a log of which a statement depends on those before it."""
    log = LogWriter()
    log.statement("CREATE TABLE t (id INT)")
    log.statement("CREATE TEMPORARY TABLE t (id INT)", flags=4)
    log.statement("ALTER TABLE t ADD hidden INT", flags=4)
    log.statement("ALTER TABLE t ADD seen INT", thread_id=8)
    log.statement("DROP DATABASE d", thread_id=8)
    return bytes(log.data)


@pytest.mark.parametrize("sample", ["mysql-9.7-alter", "mariadb-11.8-statement", ""])
def test_following_with_statements_reads_a_batch_once(
    sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not surveyed before; what a statement means is asked where it is met."""
    monkeypatch.setattr(stream_timeline, "Surveyor", None)
    names = ["_log_file", "_start_pos", "_change_type", "_statement"]
    given: dict[str, Any] = {"metadata_columns": names, "schema_changes": True}
    log = tmp_path / "binlog.000001"
    log.write_bytes(read_sample(sample) if sample else log_with_temporary_tables())
    options = BinlogOptions.from_python({**given, "starting_offsets": "earliest"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        expected = [row for batch in read_batches(log, **given) for row in batch.to_pylist()]
        assert any(row["_statement"] for row in expected)
        rows = follow_rows([str(tmp_path)], options, seconds=0.01)
        found: list[Any] = []
        while len(found) < len(expected):
            found += next(rows).to_pylist()
    assert found == expected


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_events_are_those_of_the_view(form: str, capsys: Output) -> None:
    assert main(["events", SHOP, "--format", form]) == 0
    lines = capsys.readouterr().out.splitlines()
    read = read_batches(SHOP, view="events").to_table().to_pylist()
    assert len(lines) == len(read)
    for line, event in zip(lines, read, strict=True):
        if form == "jsonl":
            shown = json.loads(line)
            assert shown["body"] == json.loads(event["body"])
            assert shown["start_pos"] == event["start_pos"]
        else:
            assert f"{event['log_file']}@{event['start_pos']}  {event['event_type']}  " in line


def test_csv_without_rows_has_its_titles(capsys: Output) -> None:
    words = ["rows", SHOP, "--table", "shop.orders", "--format", "csv"]
    assert main(words) == 0
    titles = capsys.readouterr().out.splitlines()[0]
    assert main([*words, "--since", "2100-01-01"]) == 0
    assert capsys.readouterr().out.splitlines() == [titles]
