"""Metrics of streams as a text file for Prometheus."""

import re
import shutil
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pyspark_adapter import BinlogError, OptionError, read_batches
from pyspark_adapter.cli.main import main
from pyspark_adapter.operations.follow import follow_rows
from pyspark_adapter.operations.row_changes import METADATA
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.spark.metrics_listener import MetricsListener
from pyspark_adapter.stream import stream_lag
from pyspark_adapter.stream.metrics import (
    PREFIX,
    STREAM_METRICS,
    Metric,
    MetricsFile,
    StreamMetrics,
)
from pyspark_adapter.warn import noting_warnings, warn
from tests.inputs import ROOT, sample_path

ERRORS = Metric("errors_total", "counter", "Errors.")
LAG = Metric("lag_seconds", "gauge", "Lag.")
SAMPLE = re.compile(r'(\w+)(\{(?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? (-?[0-9.e+-]+)')


def samples(path: Path) -> dict[str, float]:
    """Parse a file by the rules of the format; return values by name and labels."""
    text = path.read_text()
    assert text.endswith("\n")
    found: dict[str, float] = {}
    kinds: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds, "each metric has one group"
            kinds[name] = kind
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample is not None, line
        assert list(kinds)[-1] == sample[1], "samples follow the type of their metric"
        assert f"{sample[1]}{sample[2] or ''}" not in found
        found[f"{sample[1].removeprefix(PREFIX)}{sample[2] or ''}"] = float(sample[3])
    return found


def test_counters_continue_and_gauges_do_not(tmp_path: Path) -> None:
    path = tmp_path / "a.prom"
    file = MetricsFile(str(path), [ERRORS, LAG])
    file.add(ERRORS, 2, query='a "\\" \n')
    file.set(LAG, 1.5)
    file.write()
    assert samples(path) == {'errors_total{query="a \\"\\\\\\" \\n"}': 2, "lag_seconds": 1.5}
    again = MetricsFile(str(path), [ERRORS, LAG])
    again.add(ERRORS, query='a "\\" \n')
    again.write()
    assert samples(path) == {'errors_total{query="a \\"\\\\\\" \\n"}': 3}
    assert [found.name for found in tmp_path.iterdir()] == ["a.prom"]


def test_a_file_of_other_things_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "binlog.000001"
    shutil.copy(sample_path("mysql-9.7-shop"), path)
    before = path.read_bytes()
    with pytest.raises(OptionError, match="holds no metrics of this reader"):
        MetricsFile(str(path), [LAG])
    assert path.read_bytes() == before
    MetricsFile(str(tmp_path / "a.prom"), [LAG])
    for more in (
        "my_own_metric 1\n",
        "# of mine",
        "mysql_binlog_reader_a 1\n" * 50_000 + "of mine",
    ):
        path = Path(shutil.copy(tmp_path / "a.prom", tmp_path / "b.prom"))
        with path.open("a") as file:
            file.write(more)
        with pytest.raises(OptionError, match="holds no metrics of this reader alone"):
            MetricsFile(str(path), [LAG])
        assert path.read_text().endswith(more)
    with pytest.raises(OSError, match="no/such"):
        MetricsFile(str(tmp_path / "no/such/file"), [LAG])


def test_a_write_that_fails_later_is_one_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    file = MetricsFile(str(folder / "a.prom"), [LAG])
    shutil.rmtree(folder)
    file.write(at_once=True)
    file.write(at_once=True)
    assert [str(found.message) for found in recwarn] == [
        f"{folder}/a.prom: the metrics cannot be written: No such file or directory"
    ]
    folder.mkdir()
    file.write(at_once=True)
    assert (folder / "a.prom").exists()


def test_names_follow_the_conventions() -> None:
    for metric in STREAM_METRICS:
        assert metric.name.endswith("_total") == (metric.kind == "counter")
        assert re.search(r"_(total|bytes|seconds|info|number)$", metric.name)
        assert metric.help_text.endswith(".")


def test_warnings_are_counted_and_shown(recwarn: pytest.WarningsRecorder) -> None:
    count: list[None] = []
    with noting_warnings(lambda: count.append(None)):
        warn("a log is gone")
    warn("not counted")
    assert len(count) == 1
    assert len(recwarn) == 2


def follow(folder: Path, path: Path, **options: Any) -> Any:
    checked = BinlogOptions.from_python(
        {"metadata_columns": list(METADATA), "starting_offsets": "earliest", **options}
    )
    return follow_rows([str(folder)], checked, seconds=0.01, metrics=StreamMetrics(str(path)))


def test_a_followed_log_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_lag, "_LEAST_SECONDS", 0)
    log, path = tmp_path / "logs" / "binlog.000007", tmp_path / "a.prom"
    log.parent.mkdir()
    shutil.copy(sample_path("mysql-9.7-shop"), log)
    table = read_batches(str(log)).to_table()
    rows = follow(log.parent, path, batch_rows=5)
    batches = list(islice(rows, -(-table.num_rows // 5) - 1))
    shutil.copy(sample_path("mysql-9.7-transactions"), log.with_name("binlog.000008"))
    while not (batch := next(rows)).column("_log_file")[0].as_py().endswith("8"):
        batches.append(batch)
    rows.close()
    found = samples(path)
    read = sum(other.num_rows for other in batches)
    assert read == table.num_rows
    assert found["rows_total"] == read + batch.num_rows
    assert found["read_bytes_total"] >= log.stat().st_size - 4
    assert found["position_bytes"] == log.stat().st_size
    assert found["log_number"] == 7
    assert found['log_info{log_file="binlog.000007"}'] == 1
    assert (found["errors_total"], found["warnings_total"]) == (0, 1)  # TRUNCATE PARTITION
    assert found["lag_bytes"] == log.with_name("binlog.000008").stat().st_size - 4
    newest = max(
        *table.column("_commit_timestamp").to_pylist(),
        *batch.column("_commit_timestamp").to_pylist(),
    )
    assert found["last_commit_timestamp_seconds"] == newest.timestamp()
    assert found["updated_timestamp_seconds"] >= found["start_timestamp_seconds"]


def test_an_error_is_counted_before_the_end(tmp_path: Path) -> None:
    log, path = tmp_path / "logs" / "binlog.000001", tmp_path / "a.prom"
    log.parent.mkdir()
    data = bytearray(sample_path("mysql-9.7-shop").read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    for count in (1, 2):
        with pytest.raises(BinlogError):
            list(follow(log.parent, path))
        assert samples(path)["errors_total"] == count


def test_metrics_are_those_of_a_follower(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(sample_path("mysql-9.7-shop"))
    assert main(["rows", log, "--metrics", str(tmp_path / "a.prom")]) == 2
    assert "--metrics: expected --follow" in capsys.readouterr().err
    assert main(["rows", str(tmp_path), "--follow", "--metrics", log]) == 2
    assert "holds no metrics of this reader" in capsys.readouterr().err


def test_a_listener_keeps_queries_apart(tmp_path: Path) -> None:
    path = tmp_path / "spark.prom"
    listener = MetricsListener(str(path))
    begin = {"id": "i", "runId": "r", "name": "orders"}
    listener.onQueryStarted(SimpleNamespace(**begin))  # type: ignore[arg-type]
    end = '{"log_file": "binlog.000012", "pos": 4711, "log_id": "x"}'
    latest = (
        '{"log_file": "binlog.000013", "pos": 99, "bytes_behind": 70, "seconds_behind": 3,'
        ' "bytes_read": 500}'
    )
    ours = SimpleNamespace(endOffset=end, latestOffset=latest, numInputRows=10)
    others = [
        SimpleNamespace(endOffset=text, latestOffset=None, numInputRows=1)
        for text in ("None", "7", None, '{"0": 1}')
    ]
    progress = SimpleNamespace(id="i", name="orders", sources=[ours, *others])
    for _ in range(2):
        listener.onQueryProgress(SimpleNamespace(progress=progress))  # type: ignore[arg-type]
    listener.onQueryTerminated(
        SimpleNamespace(id="i", runId="r", exception="Py4JError")  # type: ignore[arg-type]
    )
    found = samples(path)
    label = '{query="orders"}'
    expected = {
        "rows_total": 20,
        "read_bytes_total": 1000,
        "errors_total": 1,
        "lag_seconds": 3,
        "lag_bytes": 70,
        "log_number": 12,
        "position_bytes": 4711,
    }
    assert {name: found[f"{name}{label}"] for name in expected} == expected


def test_the_guide_lists_all_metrics(tmp_path: Path) -> None:
    guide = (ROOT / "docs/guides/monitoring.md").read_text()
    rows = re.findall(r"(?m)^\| `(\w+)` \| (\w+) \| .* \| (yes|) ?\|$", guide)
    assert [row[:2] for row in rows] == [(metric.name, metric.kind) for metric in STREAM_METRICS]
    MetricsListener(str(tmp_path / "a.prom"))
    of_spark = re.findall(rf"(?m)^# TYPE {PREFIX}(\w+)", (tmp_path / "a.prom").read_text())
    assert [name for name, _, is_of_spark in rows if is_of_spark] == of_spark
