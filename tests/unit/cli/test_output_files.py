"""Commands that write a file replace none that is there, and never a log that they read."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock, patch

import pyarrow as pa
import pytest
from pyspark.errors import AnalysisException

from pyspark_adapter.cli import output_file
from pyspark_adapter.cli.main import main
from pyspark_adapter.cli.sample import NAMES
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources import written_files
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.spark import export
from pyspark_adapter.spark import session as spark_session
from pyspark_adapter.spark.export import ExportedTable
from tests.inputs import sample_path

SHOP = sample_path("mysql-9.7-shop")
COMMANDS = {
    "parquet": ["rows", "--format", "parquet", "--output"],
    "arrow": ["rows", "--format", "arrow", "--output"],
    "report": ["report", "--output"],
    "slice": ["slice", "--output"],
}
each = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
Output = pytest.CaptureFixture[str]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return Path(shutil.copy(SHOP, tmp_path / "logs" / "binlog.000001"))


@each
def test_a_file_that_is_there_is_kept(
    command: list[str], log: Path, tmp_path: Path, capsys: Output
) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("of the user")
    assert main([*command, str(out), str(log)]) == 2
    said = f"error: {command[-1]}: {out} exists; choose another file, or add --force\n"
    assert capsys.readouterr().err == said
    assert out.read_text() == "of the user"
    (tmp_path / "link").symlink_to(out)
    assert main([*command, str(tmp_path / "link"), str(log)]) == 2
    assert out.read_text() == "of the user"
    assert main([*command, str(out), str(log), "--force"]) == 0
    assert not out.read_bytes().startswith(b"of the")


@each
def test_a_file_that_comes_during_the_read_is_kept(
    command: list[str], log: Path, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    begin = written_files._new_part

    @contextmanager
    def late(target: Path) -> Iterator[object]:
        with begin(target) as file:
            out.write_text("of another")
            yield file

    monkeypatch.setattr(written_files, "_new_part", late)
    assert main([*command, str(out), str(log)]) == 1
    assert f"error: {out}: File exists\n" in capsys.readouterr().err
    assert out.read_text() == "of another"
    assert {path.name for path in tmp_path.iterdir()} == {"logs", "out"}


# Forms of a path to a file of keys.
KEYS = {"uri": ["--keyring", "file://localhost{}"], "home": ["--keyring", "~/out"]}


@pytest.mark.parametrize("form", ["FILE:{}", "FILE:~/out", "file:{}", "local:{}", "~/out", "{}"])
def test_forms_of_a_file_that_is_read(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    out.touch()
    assert output_file._is_same(out, form.format(out))
    assert not output_file._is_same(out, f"s3://bucket{out}")


@each
@pytest.mark.parametrize(
    "form", ["itself", "link", "hard link", "folder", "index", "archive", "ddl", *KEYS]
)
def test_no_file_that_is_read_is_replaced(
    command: list[str],
    form: str,
    log: Path,
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = out = log
    if form == "link":
        out = tmp_path / "out"
        out.symlink_to(log)
    elif form == "hard link":
        out = tmp_path / "out"
        os.link(log, out)
    elif form == "folder":
        given = log.parent
    elif form == "index":
        given = out = log.with_name("binlog.index")
        out.write_text("./binlog.000001\n")
    elif form == "archive":
        given = out = log.with_name("binlog.000001.zst")
        out.write_bytes(pa.Codec("zstd").compress(log.read_bytes(), asbytes=True))
    more = []
    if form == "ddl":
        out = tmp_path / "out"
        out.write_text("CREATE TABLE a.b (id INT);")
        more = ["--ddl", str(out)]
    elif form in KEYS:
        out = tmp_path / "out"
        out.write_text("1;" + "0" * 64)
        monkeypatch.setenv("HOME", str(tmp_path))
        more = [text.format(out) for text in KEYS[form]]
    before = out.read_bytes()
    assert main([*command, str(out), str(given), "--force", *more]) == 2
    assert f"error: {command[-1]}: {out} is one of the files" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert not [*tmp_path.rglob(".*")]


def test_a_baseline_is_not_replaced(log: Path, tmp_path: Path, capsys: Output) -> None:
    rows = tmp_path / "rows.parquet"
    words = ["as-of", str(log), "--table", "shop.orders", "--output", str(rows)]
    assert main(words) == 0
    before = rows.read_bytes()
    assert main([*words, "--from", str(rows), "--position", f"{log.name}:4", "--force"]) == 2
    assert f"{rows} is one of the files that are read" in capsys.readouterr().err
    assert rows.read_bytes() == before


@each
def test_a_file_next_to_the_logs_is_no_log(command: list[str], log: Path) -> None:
    assert main([*command, str(log.with_name("out")), str(log.parent)]) == 0
    assert log.read_bytes() == SHOP.read_bytes()


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, "con ", "out.", " ", "-", "%2e%2e", "a\nb"])
def test_odd_names(name: str, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "to" / name
    out.parent.mkdir()
    assert main([*COMMANDS["slice"], str(out), str(log), "-q"]) == 0
    assert [path.name for path in out.parent.iterdir()] == [name]


@pytest.mark.parametrize(
    "command", ["slice", "report", "rows", "undo", "redo", "as-of", "mask", "export", "sample"]
)
def test_a_uri_is_no_folder_of_that_name(
    command: str, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [command, "s3://a:hidden@lake/x.csv"]
    if command != "sample":
        words = [command, str(log), "--output", words[1]]
    with pytest.raises(SystemExit):
        main([*words, "--columns", "shop.orders.total"] if command == "mask" else words)
    assert capsys.readouterr().err.endswith(
        ": expected a path of this machine, got s3://lake/x.csv\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_uris_of_this_machine_are_paths(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    for form in ("file://{}", "FILE:{}", "file://localhost{}", "local://{}"):
        assert Location.parse(form.format(out)).path == str(out)
    monkeypatch.setenv("HOME", str(tmp_path))
    for form in ("FILE://{}", "local:{}", "~/out"):
        assert main([*COMMANDS["slice"], form.format(out), str(log), "-q"]) == 0
        out.unlink()


def test_sample_keeps_a_file_of_the_name_of_a_log(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / NAMES[-1]).write_text("of the user")
    assert main(["sample", str(tmp_path)]) == 2
    assert f"{NAMES[-1]}: expected no file, or the same log" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [NAMES[-1]]


def test_an_export_to_a_path_that_spark_cannot_read(
    log: Path, tmp_path: Path, capsys: Output
) -> None:
    session = Mock()
    session.read.parquet.side_effect = AnalysisException("[PATH_NOT_FOUND]")
    done = ExportedTable(TableName("shop", "orders"), tmp_path / "a[1]", 2)
    with (
        patch.multiple(
            export, start_quiet_session=lambda _: session, export_tables=lambda *_: [done]
        ),
        patch.object(spark_session, "check_java"),
    ):
        assert main(["export", str(log), "--output", str(tmp_path / "a[1]")]) == 0
    assert "its rows are not shown" in capsys.readouterr().err


@pytest.mark.parametrize("command", [COMMANDS["parquet"], COMMANDS["slice"]])
@pytest.mark.parametrize(
    "form", ["folder", "loop", "too long", "in a file", "no folder", "dangling in no folder"]
)
def test_places_that_cannot_be(
    command: list[str], form: str, log: Path, tmp_path: Path, capsys: Output
) -> None:
    out = tmp_path / "out"
    if form == "folder":
        out.mkdir()
        (out / "file").touch()
    elif form == "loop":
        out.symlink_to("out")
    elif form == "too long":
        out = tmp_path / ("x" * 256)
    elif form == "in a file":
        out.touch()
        out /= "file"
    elif form == "no folder":
        out = tmp_path / "none" / "file"
    elif form == "dangling in no folder":
        out.symlink_to("none/file")
    before = {path: path.lstat().st_size for path in tmp_path.rglob("*")}
    code = main([*command, str(out), str(log), "--force", "-q"])
    said = capsys.readouterr().err
    assert code == 1
    assert said.count("\n") == 1
    assert said.startswith(f"error: {out}: ")
    assert {path: path.lstat().st_size for path in tmp_path.rglob("*")} == before


def test_each_command_with_a_file_has_the_flag() -> None:
    folder = Path(output_file.__file__).parent
    writers = {path.stem for path in folder.glob("*.py") if "whole_file(" in path.read_text()}
    writers |= {path.stem for path in folder.glob("*.py") if "write_slice(" in path.read_text()}
    checkers = {path.stem for path in folder.glob("*.py") if "check_output(" in path.read_text()}
    # These never replace a file: the flag of undo and redo gives SQL in spite of reasons.
    new_only = {"sample", "undo"}
    assert (
        writers - new_only == checkers - {"output_file"} == {*("as_of", "report", "rows", "slice")}
    )
