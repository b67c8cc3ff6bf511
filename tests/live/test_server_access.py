"""Who is let in and how, what a server refuses, and where a reader continues by GTIDs."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pyspark_adapter import (
    BinlogError,
    BinlogWarning,
    DataLossError,
    LogFileError,
    OptionError,
    ServerError,
    UnsupportedError,
    read_batches,
)
from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.server import LiveServer
from pyspark_adapter.sources.log_file import LogFile
from tests.live.replication import PASSWORD, SERVERS, Source, can_connect, read_all, source
from tests.support.streams import FollowedStream
from tests.unit.fake_login import public_pem

pytestmark = pytest.mark.live


def on(*names: str) -> pytest.MarkDecorator:
    """Run a test on these servers only."""
    return pytest.mark.parametrize("running", names, indirect=True)


on_all_with_users = on("mysql-latest", "mariadb-10.11", "mariadb-11.8")


@pytest.fixture(scope="module", params=SERVERS)
def running(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[Source]:
    name = request.param
    options: dict[str, str | None] = {}
    if name.startswith("mysql"):
        options = {
            "gtid-mode": "ON",
            "enforce-gtid-consistency": "ON",
            "log-slave-updates" if name == "mysql-5.6" else "log-replica-updates": None,
        }
    with source(servers_folder, name, f"access-{name}", options) as found:
        yield found


def message(caught: pytest.ExceptionInfo[BaseException]) -> str:
    """Return all that an error shows of itself and of what it came from."""
    texts, error = [], caught.value
    while error is not None:
        texts += [str(error), repr(error)]
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return "\n".join(texts)


@on_all_with_users
def test_a_wrong_password_is_an_error_at_once_and_not_shown(running: Source) -> None:
    server = replace(running.server, password="falsch-" + PASSWORD)
    with pytest.raises(ServerError, match=r"(?i)access denied for user 'reader'") as caught:
        server.log_files()
    assert "falsch" not in message(caught)
    assert f"mysql://reader@127.0.0.1:{running.state.port}: " in str(caught.value)
    log_file = LogFile("mysql://x/binlog.000001", "binlog.000001", 1, 1000, server=server)
    with pytest.raises(ServerError, match=r"(?i)access denied for user 'reader'") as caught:
        read_all(log_file)
    assert "falsch" not in message(caught)
    assert "falsch" not in repr(log_file) + repr(server) + str(server.site)


@on_all_with_users
@pytest.mark.parametrize(
    ("missing", "left"), [("REPLICATION SLAVE", "REPLICATION CLIENT"), ("both", "USAGE")]
)
def test_a_missing_privilege_is_named(running: Source, missing: str, left: str) -> None:
    user = "half" if left != "USAGE" else "none"
    running.ask(f"CREATE USER {user}@'%' IDENTIFIED BY 'x'")
    running.ask(f"GRANT {left} ON *.* TO {user}@'%'")
    options = running.options | {"user": user, "password": "x"}
    with pytest.raises(ServerError, match=r"(?i)access denied.*privilege") as caught:
        list(read_batches(**options))
    assert missing == "both" or "REPLICATION SLAVE" in str(caught.value)


def test_nobody_listens(running: Source) -> None:
    server = replace(running.server, port=1)
    with pytest.raises(ServerError, match="Connection refused") as caught:
        server.log_files()  # within a second, and not after `reconnect_seconds`
    assert "reconnectSeconds" not in str(caught.value)


def test_an_unknown_host_is_an_error_at_once(running: Source) -> None:
    log_file = running.server.log_files()[0]
    server = replace(running.server, host="no-such-host.invalid")
    with pytest.raises(ServerError, match=r"no-such-host\.invalid"):
        server.log_files()
    with pytest.raises(ServerError, match=r"no-such-host\.invalid"):
        read_all(replace(log_file, server=server))


def test_a_purged_log_is_an_error(running: Source) -> None:
    first = running.server.log_files()[0]
    running.purge_before(running.write_log(1, 10))
    with pytest.raises(LogFileError, match="the server no longer has it") as caught:
        read_all(first)
    assert f"@127.0.0.1:{running.state.port}/{first.name}: " in str(caught.value)
    assert first.name not in [log.name for log in running.server.log_files()]


def test_a_log_that_is_purged_while_others_are_read_may_be_ignored(
    running: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = running.server.log_files()
    last = running.write_log(2, 10)
    running.purge_before(last)
    log_files = [listed[-1], running.log_file(last)]
    monkeypatch.setattr("pyspark_adapter.reader.find_log_files", lambda *_: log_files)
    options = running.options | {"ignore_missing_files": True, "metadata_columns": "_log_file"}
    with pytest.warns(BinlogWarning, match="the server no longer has it"):
        batches = list(read_batches(**options))
    assert {row["_log_file"] for batch in batches for row in batch.to_pylist()} == {last}


def tls_server(running: Source, **settings: Any) -> LiveServer:
    return replace(running.server, **settings)


def ca_of(running: Source) -> str:
    return str(Path(running.state.datadir) / "ca.pem")


@on("mysql-latest", "mariadb-11.8")  # the others make no certificates of their own
def test_tls_is_used_where_the_server_has_it(running: Source) -> None:
    running.ask(f"CREATE USER tls@'%' IDENTIFIED BY '{PASSWORD}' REQUIRE SSL")
    running.ask("GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO tls@'%'")
    server = tls_server(running, user="tls")
    for mode in ("PREFERRED", "REQUIRED"):
        [log_file, *_] = replace(server, ssl_mode=mode).log_files()
        assert read_all(log_file) == running.bytes_on_disk(log_file.name)
    with pytest.raises(ServerError, match=r"(?i)access denied"):
        replace(server, ssl_mode="DISABLED").log_files()


# FLUSH PRIVILEGES empties the cache of caching_sha2_password: the password itself is needed then.
@on("mysql-latest")
def test_a_password_is_not_encrypted_for_any_key(running: Source, tmp_path: Path) -> None:
    plain = tls_server(running, ssl_mode="DISABLED")
    running.ask("FLUSH PRIVILEGES")
    with pytest.raises(ServerError, match="server_rsa_public_key_file"):
        plain.log_files()
    other = tmp_path / "other.pem"
    other.write_bytes(public_pem("user"))
    with pytest.raises(ServerError, match=r"(?i)access denied for user 'reader'"):
        replace(plain, server_rsa_public_key_file=str(other)).log_files()
    key_file = str(Path(running.state.datadir) / "public_key.pem")
    for settings in (
        {"server_rsa_public_key_file": key_file},
        {"allow_public_key_retrieval": True},
        {"ssl_mode": "PREFERRED"},
        {"ssl_mode": "REQUIRED"},
        {"ssl_mode": "VERIFY_CA", "ssl_ca": ca_of(running)},
    ):
        running.ask("FLUSH PRIVILEGES")
        [log_file, *_] = replace(plain, **settings).log_files()
        assert read_all(log_file) == running.bytes_on_disk(log_file.name)
    # The server knows the hash now.
    assert replace(plain, connect_timeout=9).log_files()


@on("mariadb-11.8")
@pytest.mark.parametrize(
    ("plugin", "error", "words"),
    [("ed25519", UnsupportedError, "pynacl"), ("parsec", ServerError, "parsec")],
)
def test_a_plugin_that_is_not_supported_is_named(
    running: Source, plugin: str, error: type[BinlogError], words: str
) -> None:
    running.ask(f"INSTALL SONAME 'auth_{plugin}'")
    running.ask(f"CREATE USER {plugin}@'%' IDENTIFIED VIA {plugin} USING PASSWORD('{PASSWORD}')")
    with pytest.raises(error, match=words):
        tls_server(running, user=plugin).log_files()


@on("mysql-5.6", "mariadb-10.11")
def test_tls_that_is_required_and_not_offered_is_an_error(running: Source) -> None:
    assert tls_server(running, ssl_mode="PREFERRED").log_files()
    with pytest.raises(ServerError, match="SSL is required"):
        tls_server(running, ssl_mode="REQUIRED").log_files()


@on("mysql-latest")
def test_certificates_are_verified(running: Source, tmp_path: Path) -> None:
    trusting = tls_server(running, ssl_mode="VERIFY_CA", ssl_ca=ca_of(running))
    [log_file, *_] = trusting.log_files()
    assert read_all(log_file) == running.bytes_on_disk(log_file.name)
    with pytest.raises(ServerError, match=r"(?i)certificate verify failed.*mismatch|IP address"):
        replace(trusting, ssl_mode="VERIFY_IDENTITY").log_files()
    with pytest.raises(ServerError, match=r"(?i)certificate verify failed.*self.signed"):
        replace(trusting, ssl_ca=None).log_files()
    no_file = str(tmp_path / "none.pem")
    with pytest.raises(OptionError, match="ssl_ca"):
        replace(trusting, ssl_ca=no_file).log_files()
    no_pem = tmp_path / "text.pem"
    no_pem.write_text("no certificate")
    with pytest.raises(OptionError, match="ssl_ca"):
        replace(trusting, ssl_ca=str(no_pem)).log_files()


@on("mysql-latest")
def test_a_certificate_of_the_client_is_shown(running: Source) -> None:
    running.ask("CREATE USER certified@'%' REQUIRE X509")
    running.ask("GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO certified@'%'")
    folder = Path(running.state.datadir)
    server = tls_server(running, user="certified", password="", ssl_mode="REQUIRED")
    with pytest.raises(ServerError, match=r"(?i)access denied"):
        server.log_files()
    certified = replace(
        server, ssl_cert=str(folder / "client-cert.pem"), ssl_key=str(folder / "client-key.pem")
    )
    assert certified.log_files()
    with pytest.raises(OptionError, match="ssl_cert"):
        replace(certified, ssl_key=str(folder / "ca-key.pem")).log_files()


def test_a_server_without_logs_is_an_error(servers_folder: Path) -> None:
    options: dict[str, str | None] = {"skip-log-bin": None}
    with source(servers_folder, "mariadb-11.8", "access-none", options) as running:
        for ask in (running.server.log_files, running.server.position):
            with pytest.raises(ServerError, match=r"(?i)binary log|log_bin is off"):
                ask()


def gtids_so_far(running: Source) -> str:
    name = "gtid_executed" if running.is_mysql else "gtid_binlog_pos"
    [(text,)] = running.ask(f"SELECT @@GLOBAL.{name}")
    return str(text).replace("\n", "")


def test_a_reader_goes_on_by_gtids(running: Source) -> None:
    found: list[tuple[str, str]] = []
    for _ in range(3):
        running.write_log(2, 10)
        running.write_rows(1, 10)
        found.append((gtids_so_far(running), running.log_names[-1]))
        running.write_rows(1, 10)
    for gtids, log_name in found:
        assert running.server.position_after(gtids) == LogPosition(log_name, 4)
    running.rotate()
    # All of the set is in the logs before.
    assert running.server.position_after(gtids_so_far(running)) == LogPosition(
        running.log_names[-1], 4
    )


@on("mysql-latest")
def test_an_end_and_its_gtids_agree_while_transactions_wait_to_be_synced(running: Source) -> None:
    """The server tells a position behind them, and sends them later."""
    stream = FollowedStream(None, starting_offsets="latest", **running.options)
    running.ask("SET GLOBAL sync_binlog = 1")
    running.ask("SET GLOBAL binlog_group_commit_sync_delay = 1000000")  # microseconds, the most
    ends: set[tuple[int, str]] = set()  # a transaction may be seen while it waits, and later

    def look() -> int:
        end = stream.source.end()
        ends.add((end.pos, end.gtids))
        return end.pos

    num_waiting = 0
    try:
        with ThreadPoolExecutor(1) as client:
            written = client.submit(running.write_elsewhere)
            while not written.done():
                num_waiting += look() < running.server.position().start_pos
                sleep(0.02)
            written.result()
    finally:
        running.ask("SET GLOBAL binlog_group_commit_sync_delay = 0")
        running.ask("SET GLOBAL sync_binlog = 0")
    look()
    assert num_waiting
    assert len(ends) == 2
    logged = running.ask(f"SHOW BINLOG EVENTS IN '{stream.offset.log_name}'")
    for pos, gtids in ends:
        names = [row[5] for row in logged if row[2] == "Previous_gtids" and row[5]]
        names += [row[5].split("'")[1] for row in logged if row[2] == "Gtid" and row[1] < pos]
        assert GtidPosition.parse(gtids) == GtidPosition.parse(",".join(names))
    end = stream.source.end()
    assert len(stream.read(stream.offset, end)) == 1
    with pytest.raises(ServerError, match="by the positions of its offsets, and not by"):
        stream.read(stream.offset, replace(end, gtids=stream.offset.gtids))


def test_a_reader_that_lacks_purged_transactions_is_an_error(running: Source) -> None:
    running.write_log(2, 10)
    before = gtids_so_far(running)
    running.write_log(2, 10)
    kept = gtids_so_far(running)
    last = running.write_log(2, 10)
    assert running.server.position_after(before)
    running.purge_before(last)
    assert running.server.position_after(kept) == LogPosition(last, 4)
    with pytest.raises(DataLossError, match="have been removed with their logs"):
        running.server.position_after(before)
    with pytest.raises(DataLossError, match="have been removed with their logs"):
        running.server.position_after("")


def test_text_that_is_not_a_set_is_an_error(running: Source) -> None:
    with pytest.raises(ServerError, match=r"(?i)malformed|expected GTIDs"):
        running.server.position_after("yesterday")


def test_without_gtids_there_is_no_place_after_some(servers_folder: Path) -> None:
    with source(servers_folder, "mysql-5.6", "access-off", {}) as running:
        assert running.server.position().log_name == running.log_names[-1]
        with pytest.raises(ServerError, match="gtid_mode is OFF"):
            running.server.position_after("")


@on_all_with_users
def test_the_user_of_the_tests_needs_its_password(running: Source) -> None:
    assert can_connect(running.state, user="reader", password=PASSWORD.encode())
    assert not can_connect(running.state, user="reader", password="")
