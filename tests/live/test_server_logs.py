"""Logs over the replication protocol are the files of the server, byte by byte and row by row."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest

from pyspark_adapter import list_tables, read_batches
from pyspark_adapter.sources.locations import read_up_to
from pyspark_adapter.sources.log_file import LogFile, open_log
from samples.catalog import KEYRING_FILES, MARIADB_KEY_FILE
from tests.live.replication import (
    DEADLINE,
    FOR_LARGE_ROWS,
    SERVERS,
    TABLE,
    Source,
    read_all,
    read_rest,
    source,
    wait_for,
)
from tests.live.servers import connect
from tests.support.encryption import mariadb_keyring, with_password

pytestmark = pytest.mark.live

MAX_PACKET = (1 << 24) - 1


@pytest.fixture(scope="module", params=SERVERS)
def running(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[Source]:
    name = request.param
    with source(servers_folder, name, f"repl-{name}", FOR_LARGE_ROWS) as found:
        found.write_rows(20, 100)
        found.ask(f"UPDATE {TABLE} SET note = 'changed' WHERE id > 15")  # noqa: S608
        found.rotate()
        found.ask(f"DELETE FROM {TABLE} WHERE id < 5")  # noqa: S608
        yield found


def rows_of(paths: Path | None, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for batch in read_batches(paths, **options):
        found += batch.to_pylist()
    for row in found:
        if row.get("event_type") == "FORMAT_DESCRIPTION_EVENT":
            row["flags"] &= ~1  # the file is open for writing: not sent over the network
    return found


@pytest.mark.parametrize("options", [{}, {"table": TABLE}, {"view": "events"}], ids=str)
def test_rows_are_those_of_the_files(running: Source, options: dict[str, Any]) -> None:
    expected = rows_of(Path(running.state.binlog_dir), **options)
    assert len(expected) > 20
    assert rows_of(None, **running.options, **options) == expected


def test_tables_are_those_of_the_files(running: Source) -> None:
    [of_files] = list_tables(running.state.binlog_dir)
    [found] = list_tables(**running.options)
    assert (found.table, found.num_inserts) == (of_files.table, of_files.num_inserts)
    assert f"mysql://{running.options['user']}@127.0.0.1:" in found.paths[0]


def test_bytes_are_those_of_the_files(running: Source) -> None:
    for log_file in running.server.log_files():
        on_disk = running.bytes_on_disk(log_file.name)
        assert log_file.num_bytes == len(on_disk)
        for piece in (7, 1 << 20):
            assert read_all(log_file, piece) == on_disk


# An event of so many bytes fills one packet of the protocol with its status, or needs an empty
# second one, or continues in it; and one of several.
@pytest.mark.parametrize("beyond", [-2, -1, 0, 1, MAX_PACKET - 1], ids=str)
def test_an_event_of_several_packets_is_whole(running: Source, beyond: int) -> None:
    name = running.write_log(1, 1000)
    around = max(len_events(running.bytes_on_disk(name))) - 1000
    name = running.write_log(1, MAX_PACKET - around + beyond)
    on_disk = running.bytes_on_disk(name)
    assert MAX_PACKET + beyond in len_events(on_disk)
    assert read_all(running.log_file(name)) == on_disk


def len_events(log: bytes) -> list[int]:
    lengths, place = [], 4
    while place < len(log):
        lengths.append(int.from_bytes(log[place + 9 : place + 13], "little"))
        place += lengths[-1]
    return lengths


def test_a_read_goes_on_from_where_events_begin(running: Source) -> None:
    name = running.write_log(5, 50)
    on_disk = running.bytes_on_disk(name)
    starts = [4]
    for length in len_events(on_disk):
        starts.append(starts[-1] + length)
    with closing(open_log(running.log_file(name))) as file:
        for start in [0, *starts, *reversed(starts)]:
            assert file.seek(start) == start == file.tell()
            assert read_up_to(file, 30) == on_disk[start : start + 30]
            assert file.tell() == min(start + 30, len(on_disk))


def test_a_log_ends_where_it_ended_when_it_was_listed(running: Source) -> None:
    running.rotate()
    running.write_rows(3, 100)
    log_file = running.server.log_files()[-1]
    before = running.bytes_on_disk(log_file.name)
    running.write_rows(3, 100)
    assert read_all(log_file) == before
    running.rotate()
    assert read_all(log_file) == before


@pytest.mark.parametrize("sync", [0, 1])
def test_a_log_is_read_while_it_is_written(running: Source, sync: int) -> None:
    running.ask(f"SET GLOBAL sync_binlog = {sync}")
    running.rotate()
    listed: list[tuple[LogFile, bytes]] = []
    is_over = Event()

    def write() -> None:
        with closing(connect(running.state)) as connection:
            writing = replace(running, connection=connection)
            while not is_over.is_set():
                writing.write_rows(20, 100)

    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(write) for _ in range(3)]
        try:
            end = monotonic() + DEADLINE
            # At least so often, and until something was written meanwhile.
            while len(listed) < 24 or listed[0][0].num_bytes == listed[-1][0].num_bytes:
                assert monotonic() < end, "nothing was written in time"
                position = running.server.position()
                log_file = running.server.log_files()[-1]
                assert log_file.num_bytes >= position.start_pos
                listed.append((log_file, read_all(log_file)))
                at_position = replace(log_file, num_bytes=position.start_pos)
                listed.append((at_position, read_all(at_position)))
        finally:
            is_over.set()
        for writer in writers:
            writer.result()
    running.write_rows(1, 100)
    on_disk = running.bytes_on_disk(listed[0][0].name)
    assert listed[0][0].num_bytes < listed[-1][0].num_bytes < len(on_disk)
    for log_file, found in listed:
        assert found == on_disk[: log_file.num_bytes]


def test_the_position_is_the_end_of_the_last_log(running: Source) -> None:
    running.write_rows(1, 10)
    last = running.server.log_files()[-1]
    position = running.server.position()
    assert (position.log_name, position.start_pos) == (last.name, last.num_bytes)


def test_several_read_at_once(running: Source) -> None:
    name = running.write_log(300, 20_000)
    log_file, on_disk = running.log_file(name), running.bytes_on_disk(name)
    with ThreadPoolExecutor(6) as pool:
        assert all(found == on_disk for found in pool.map(read_all, [log_file] * 6))


def test_a_reader_is_a_replica_while_it_reads_and_no_longer(running: Source) -> None:
    name = running.write_log(300, 100_000)  # more than is on its way between them
    wait_for(lambda: not running.dump_threads() and not running.replicas())
    file = open_log(running.log_file(name))
    assert running.dump_threads() == []  # nothing is asked before it is read
    assert read_up_to(file, 1000)
    [thread] = running.dump_threads()
    [replica] = running.replicas()
    assert 1 << 31 <= int(replica[0]) < 1 << 32
    file.close()
    wait_for(lambda: running.dump_threads() == [])
    wait_for(lambda: running.replicas() == [])
    assert thread > 0


def test_a_log_that_is_read_to_its_end_is_asked_for_no_more(running: Source) -> None:
    file = open_log(running.server.log_files()[-1])
    with closing(file):
        buffer = memoryview(bytearray(1 << 20))
        while file.readinto(buffer):
            pass
        wait_for(lambda: running.dump_threads() == [])
        assert file.readinto(buffer) == 0
        assert running.dump_threads() == []


@pytest.mark.parametrize("name", SERVERS)
def test_logs_without_checksums_are_those_of_the_files(name: str, servers_folder: Path) -> None:
    options: dict[str, str | None] = {"binlog-checksum": "NONE"}
    with source(servers_folder, name, f"repl-none-{name}", options) as running:
        running.write_rows(10, 100)
        running.rotate()
        running.ask("SET GLOBAL binlog_checksum = 'CRC32'")  # which rotates as well
        running.settle()
        running.write_rows(10, 100)
        for log_file in running.server.log_files():
            assert read_all(log_file) == running.bytes_on_disk(log_file.name)
        expected = rows_of(Path(running.state.binlog_dir))
        assert rows_of(None, **running.options) == expected


PASSWORD = "pass word"  # noqa: S105  # of a key file of this test


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Give a key file of MariaDB that is encrypted with a password."""
    path = tmp_path / "keys.enc"
    path.write_bytes(with_password(mariadb_keyring(), PASSWORD.encode()))
    return path


@pytest.mark.parametrize("name", ["mysql-latest", "mariadb-11.8", "mariadb-10.11"])
def test_a_log_that_is_encrypted_on_disk_is_read(
    name: str, servers_folder: Path, key_file: Path
) -> None:
    options: dict[str, str | None]
    options, files = {"encrypt-binlog": "ON", "plugin-load-add": "file_key_management"}, {}
    if name == "mysql-latest":
        options, files = {"binlog-encryption": "ON"}, KEYRING_FILES
    elif name == "mariadb-11.8":
        options["file-key-management-filename"] = "keys.txt"
        files = MARIADB_KEY_FILE
    else:
        options["file-key-management-filename"] = str(key_file)
        options["file-key-management-filekey"] = PASSWORD
        options["file-key-management-encryption-algorithm"] = "aes_ctr"
    instance = f"repl-encrypted-{name}"
    with source(servers_folder, name, instance, options, data_files=files) as running:
        running.write_rows(7, 100)
        running.rotate()
        running.write_rows(7, 100)
        if name == "mysql-latest":
            running.ask("ALTER INSTANCE ROTATE BINLOG MASTER KEY")
            running.write_rows(7, 100)
        keyring: dict[str, Any] = {"keyring": Path(running.state.datadir) / "keyring"}
        if name == "mariadb-11.8":
            keyring = {"keyring": Path(running.state.datadir) / "keys.txt"}
        elif name == "mariadb-10.11":
            keyring = {"keyring": key_file, "keyring_password": PASSWORD}
        found = rows_of(None, table=TABLE, **running.options)
        ids = [row[0] for row in running.ask(f"SELECT id FROM {TABLE} ORDER BY id")]  # noqa: S608
        assert [row["id"] for row in found] == [int(text) for text in ids]
        logs = Path(running.state.binlog_dir)
        assert rows_of(logs, table=TABLE, **keyring) == found
        events = rows_of(None, view="events", **running.options)
        assert rows_of(logs, view="events", **keyring) == events
        [log_file, *_] = running.server.log_files()
        data, place = read_all(log_file), 4
        starts = []
        for length in len_events(data):
            starts.append(place)
            place += length
        assert place == len(data) == log_file.num_bytes
        file = open_log(log_file)
        file.seek(starts[-3])
        assert read_rest(file) == data[starts[-3] :]
