"""Which logs paths name, and in which order they are read."""

import os
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogOptions,
    BinlogWarning,
    EventSite,
    LogFileError,
    NotABinlogError,
    OptionError,
    TruncatedEventError,
    list_tables,
    read_batches,
)
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.sources.globs import matches
from tests.support.logs import read_sample

LOG = read_sample("mysql-9.7-no-checksum")
NUM_ROWS = 7  # of its SELECT, and of its UPDATE and DELETE: see test_house


def names(*paths: Path | str, **options: Any) -> list[str]:
    """Return the names of the logs that are found."""
    return [log.name for log in find_log_files(paths, BinlogOptions(**options))]


def make(folder: Path, *files: str) -> Path:
    """Make logs in a folder, and in folders within it."""
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(LOG)
    return folder


# The numbers of a server have six digits and then more: MAX_LOG_UNIQUE_FN_EXT, sql/binlog.cc.
def test_numbers_and_not_texts_give_the_order(tmp_path: Path) -> None:
    make(tmp_path, "binlog.1000000", "binlog.999999", "binlog.000002", "a.000003")
    expected = ["a.000003", "binlog.000002", "binlog.999999", "binlog.1000000"]
    assert names(tmp_path) == expected
    assert [log.number for log in find_log_files(tmp_path)] == [3, 2, 999999, 1000000]


def test_side_files_are_left_out_by_their_content(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.old")
    (tmp_path / "binlog.000002").write_bytes(b"")
    (tmp_path / "binlog.000003.idx").write_bytes(b"\xfegtd")
    (tmp_path / "binlog.state").write_text("0-1-5\n")
    (tmp_path / "binlog.000009").mkdir()
    assert names(tmp_path) == ["binlog.000001", "binlog.old"]
    assert names(tmp_path / "*") == ["binlog.000001", "binlog.old"]


def test_a_tilde_is_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(make(tmp_path, "binlog.000001", "~/binlog.000002")))
    assert [log.path for log in find_log_files("~")] == [str(tmp_path / "binlog.000001")]
    assert names("~/binlog.*", "~/binlog.000001") == 2 * ["binlog.000001"]
    monkeypatch.chdir(tmp_path)
    assert names("./~") == ["binlog.000002"]
    with pytest.raises(LogFileError, match="~no-such-user: cannot be read"):
        names("~no-such-user")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("binlog.00000*", "binlog.000001 binlog.000002"),
        ("binlog.00000?", "binlog.000001 binlog.000002"),
        ("binlog.*[2-3]", "binlog.000002 binlog.000013"),
        ("binlog.*[!2]", "binlog.000001 binlog.000013"),
        ("{binlog,relay}.000001", "binlog.000001 relay.000001"),
        ("*", "binlog.000001 binlog.000002 binlog.000013 relay.000001"),
        (".*", ".hidden.000001"),
        ("_h*", "_hidden.000001"),
        (r"binlog.00000\1", "binlog.000001"),
    ],
)
def test_pattern(pattern: str, expected: str, tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002", "binlog.000013", "relay.000001")
    make(tmp_path, ".hidden.000001", "_hidden.000001", "binlog.000003._COPYING_")
    if "\\" in pattern:
        pattern = pattern.replace("binlog", "{binlog}")  # else no pattern
    assert names(tmp_path / pattern) == expected.split()


def test_patterns_of_directories(tmp_path: Path) -> None:
    make(tmp_path, "db1/binlog.000001", "db2/binlog.000001", "db2/binlog.000002", "x/binlog.000001")
    found = find_log_files(tmp_path / "db*" / "binlog.000001")
    assert [log.path for log in found] == [
        str(tmp_path / "db1/binlog.000001"),
        str(tmp_path / "db2/binlog.000001"),
    ]
    assert len(find_log_files(tmp_path / "db*")) == 3
    assert len(find_log_files(tmp_path / "{db1,x}" / "*")) == 2


def test_a_name_with_signs_is_that_file_where_there_is_one(tmp_path: Path) -> None:
    make(tmp_path, "log[1].000001", "log1.000001")
    assert names(tmp_path / "log[1].000001") == ["log[1].000001"]
    assert names(tmp_path / "log[1].*") == ["log1.000001"]
    assert names(tmp_path / r"log\[*") == ["log[1].000001"]


# As Hadoop's GlobPattern has them: https://hadoop.apache.org/docs/stable/api/ FileSystem.globStatus
@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("a*c", "abbc", True),
        ("a*c", "ab", False),
        ("a.c", "abc", False),
        ("[a-c]x", "bx", True),
        ("[^a-c]x", "bx", False),
        ("[!a-c]x", "dx", True),
        ("[]x", "[]x", True),
        ("[!]*", "[!]*", True),
        ("[!]*", "b", False),
        ("[^]a]x", "]x", False),
        ("[^]a]x", "bx", True),
        ("[a]b]", "ab]", True),
        ("{a,b{c,d}}e", "bde", True),
        ("{a,b{c,d}}e", "be", False),
        ("{a}", "a", True),
        ("{a", "{a", True),
        (r"\*", "*", True),
        (r"\*", "a", False),
        ("a\\", "a\\", True),
    ],
)
def test_signs_of_patterns(pattern: str, name: str, fits: bool) -> None:
    assert matches(pattern, name) is fits


@pytest.mark.parametrize("pattern", ["[z-a]", r"[a-\d]", "{x,[9-0]}"])
def test_a_set_that_cannot_be_is_refused(pattern: str, tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001")
    expected = r"expected a pattern of names, .* got .*\["
    with pytest.raises(OptionError, match=expected):
        names(tmp_path / f"{pattern}*")
    with pytest.raises(OptionError, match=expected):
        names(tmp_path, path_glob_filter=pattern)


def test_a_path_with_a_zero_byte_is_refused(tmp_path: Path) -> None:
    for path in (f"{tmp_path}/a\0b", f"{tmp_path}/a\0*", "file:///\0", "s3://logs/\0"):
        with pytest.raises(LogFileError, match="expected a path, found a zero byte in it"):
            names(path)


def test_an_index_gives_the_order_of_the_logs_that_it_lists(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002", "binlog.000003", "binlog.000004")
    index = tmp_path / "binlog.index"
    index.write_text("/var/log/mysql/binlog.000004\n./binlog.000002\nC:\\data\\binlog.000003\n")
    listed = ["binlog.000004", "binlog.000002", "binlog.000003"]
    assert names(index) == listed
    assert names(tmp_path) == ["binlog.000001", *listed]  # which was purged from the index
    assert names(tmp_path / "binlog.0*") == ["binlog.000001", *listed]
    index.write_text("./binlog.000007\n./binlog.000002\n./binlog.000001\n\n")
    assert names(tmp_path) == ["binlog.000002", "binlog.000001", "binlog.000003", "binlog.000004"]


def test_a_log_that_an_index_lists_and_is_not_there_is_named(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000002")
    index = tmp_path / "binlog.index"
    index.write_text("./binlog.000001\n./binlog.000002\n")
    with pytest.raises(LogFileError, match=r"lists the log binlog\.000001, which is not") as caught:
        names(index)
    assert caught.value.site == EventSite(str(index))
    with pytest.warns(BinlogWarning, match=r"binlog\.000001, which is not in .*: it is skipped"):
        assert names(index, ignore_missing_files=True) == ["binlog.000002"]


def test_an_index_is_a_list_of_names(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "log.index")
    other = tmp_path / "other.index"
    other.write_bytes(b"a\0b")
    with pytest.raises(LogFileError, match=r"expected an index.* found a zero byte"):
        names(other)
    assert names(tmp_path) == ["binlog.000001", "log.index"]
    assert names(tmp_path / "log.index") == ["log.index"]  # a log, by its content
    os.truncate(other, (16 << 20) + 1)
    with pytest.raises(LogFileError, match="expected an index"):
        names(other)


def test_what_an_index_lists_has_to_be_a_log(tmp_path: Path) -> None:
    (tmp_path / "binlog.000001").write_text("not a log")
    (tmp_path / "binlog.index").write_text("binlog.000001\n")
    with pytest.raises(NotABinlogError):
        list(read_batches(tmp_path / "binlog.index"))


def test_hidden_files_of_a_directory_are_left_out_as_spark_does(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", ".binlog.000002", "_binlog.000003", "x.000001._COPYING_")
    make(tmp_path, "_temporary/binlog.000004", ".trash/binlog.000005")
    assert names(tmp_path, recursive_file_lookup=True) == ["binlog.000001"]
    assert names(tmp_path / ".binlog.000002") == [".binlog.000002"]


def test_directories_within_a_directory_are_an_option(tmp_path: Path) -> None:
    make(tmp_path, "b/c/binlog.000001", "a/binlog.000002", "binlog.000003")
    assert names(tmp_path) == ["binlog.000003"]
    found = names(tmp_path, recursive_file_lookup="true")
    assert found == ["binlog.000003", "binlog.000002", "binlog.000001"]


def test_each_directory_is_read_once_whatever_links_lead_to_it(tmp_path: Path) -> None:
    """Two links to a parent are 2^40 paths."""
    make(tmp_path, "binlog.000001", "a/binlog.000002", "b/binlog.000003")
    for link in ("a/up", "a/back", "b/up", "b/back", "again"):
        (tmp_path / link).symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "b/side").symlink_to(tmp_path / "a", target_is_directory=True)
    found = names(tmp_path, recursive_file_lookup=True)
    assert found == ["binlog.000001", "binlog.000002", "binlog.000003"]


def test_entries_that_are_no_files_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001")
    os.mkfifo(tmp_path / "binlog.000002")  # to open it would wait for ever
    os.mkfifo(tmp_path / "binlog.index")
    for i, target in enumerate(["nothing", "binlog.000006", "/dev/zero", "/dev/full"], 5):
        (tmp_path / f"binlog.00000{i}").symlink_to(target)
    assert names(tmp_path) == ["binlog.000001"]


def test_filter_of_names(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002", "relay.000002")
    assert names(tmp_path, path_glob_filter="*2") == ["binlog.000002", "relay.000002"]
    first = tmp_path / "binlog.000001"
    assert names(first, path_glob_filter="*1") == ["binlog.000001"]
    assert names(first, tmp_path, path_glob_filter="*2") == ["binlog.000002", "relay.000002"]
    with pytest.raises(LogFileError, match=r"found no file .* \(option path_glob_filter x\*\)"):
        names(tmp_path, path_glob_filter="x*")
    with pytest.raises(LogFileError, match=r"got none \(option path_glob_filter x\*\)"):
        names(tmp_path / "binlog.000001", path_glob_filter="x*")


def test_filter_of_times_leaves_the_moment_itself_out(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002", "binlog.000003")
    for day in (1, 2, 3):
        moment = datetime(2026, 1, day, 12, tzinfo=UTC).timestamp()
        os.utime(tmp_path / f"binlog.00000{day}", (moment, moment))
    assert names(tmp_path, modified_after="2026-01-02T12:00:00") == ["binlog.000003"]
    assert names(tmp_path, modified_before="2026-01-02T12:00:00") == ["binlog.000001"]
    between = {"modified_after": "2026-01-01T13:00:00+01:00", "modified_before": "2026-01-03"}
    assert names(tmp_path, **between) == ["binlog.000002"]


# spark.read.text([path, path]) of Spark 4.3 gives each line twice; Hadoop's patterns, a file once.
def test_a_log_that_two_paths_name_is_read_twice(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002")
    found = names(tmp_path / "binlog.000002", f"file://{tmp_path}/{{binlog,b*}}.*")
    assert found == ["binlog.000002", "binlog.000001", "binlog.000002"]


def test_a_pattern_without_match_is_named(tmp_path: Path) -> None:
    for pattern in ("binlog.*", "no/such/*", "{a,b}"):
        with pytest.raises(LogFileError, match="expected a pattern of binary logs") as caught:
            names(tmp_path / pattern)
        assert caught.value.site == EventSite(str(tmp_path / pattern))


def test_a_directory_that_cannot_be_listed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(LogFileError, match="cannot be read: Permission denied") as caught:
        names(tmp_path)
    assert caught.value.site == EventSite(str(tmp_path))


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "binlog.000001"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(LOG,))
    writer.start()
    found = [batch.num_rows for batch in read_batches(pipe)]
    writer.join()
    assert sum(found) == NUM_ROWS


def test_missing_logs_are_ignored_on_demand(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002")
    batches = read_batches(tmp_path, ignore_missing_files=True, ddl=None)
    (tmp_path / "binlog.000001").unlink()
    with pytest.warns(BinlogWarning, match=r"000001: cannot be opened: No such .*: it is skipped"):
        assert sum(batch.num_rows for batch in batches) == NUM_ROWS
    with pytest.raises(LogFileError, match="No such file"):  # Spark too wants paths to be there
        read_batches(tmp_path / "binlog.000001", ignore_missing_files=True)


def test_damaged_logs_are_ignored_on_demand(tmp_path: Path) -> None:
    make(tmp_path, "binlog.000001", "binlog.000002")
    (tmp_path / "binlog.000001").write_bytes(LOG[:-5])
    with pytest.raises(TruncatedEventError):
        list(read_batches(tmp_path))
    with pytest.warns(BinlogWarning, match=r"binlog\.000001@.* the file ends inside"):
        found = list(read_batches(tmp_path, ignore_corrupt_files=True))
    assert sum(batch.num_rows for batch in found) == 2 * NUM_ROWS  # the last event is STOP
    with pytest.warns(BinlogWarning, match=r"binlog\.000001@"):
        tables = list_tables(tmp_path, ignore_corrupt_files=True)
    assert [len(table.paths) for table in tables] == [2] * len(tables)


def test_a_name_that_is_not_utf8_is_readable(tmp_path: Path) -> None:
    """No server writes one, but files have any name."""
    for number in (1, 2):
        path = os.fsencode(tmp_path) + b"/bin\xff.00000%d" % number
        Path(os.fsdecode(path)).write_bytes(LOG)
    (tmp_path / "bin.index").write_bytes(b"bin\xff.000002\nbin\xff.000001\n")
    readable = ["bin\\xff.000002", "bin\\xff.000001"]
    assert names(tmp_path) == names(tmp_path / "bin.index") == readable
    assert names(os.fsdecode(os.fsencode(tmp_path) + b"/bin\xff.*1")) == readable[1:]
    found = read_batches(tmp_path, metadata_columns="_log_file").to_table()
    assert set(found["_log_file"].to_pylist()) == {*readable}
    events = read_batches(tmp_path, view="events").to_table()
    assert set(events["log_file"].to_pylist()) == {*readable}
