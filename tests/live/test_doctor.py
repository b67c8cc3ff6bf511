"""The command `doctor` names bad settings of real servers, and its statements mend them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.server import connection
from tests.live.replication import Source, source

pytestmark = pytest.mark.live

SERVERS = ["mysql-latest", "mariadb-11.8"]
# By server: settings at run time that a reader has to know of, and whether rows are wrong then.
BAD = {
    "mysql-latest": {
        "binlog_format=MIXED": True,
        "binlog_row_image=MINIMAL": True,
        "binlog_row_metadata=MINIMAL": False,
        "binlog_row_value_options=PARTIAL_JSON": False,
        "binlog_checksum=NONE": False,
        "binlog_expire_logs_seconds=3600": False,
        "binlog_transaction_compression=ON": False,
    },
    "mariadb-11.8": {
        "binlog_format=STATEMENT": True,
        "binlog_row_image=NOBLOB": True,
        "binlog_row_metadata=NO_LOG": False,
        "binlog_checksum=NONE": False,
        "binlog_expire_logs_seconds=3600": False,
        "log_bin_compress=ON": False,
    },
}
TABLES = (
    "CREATE TABLE parent (id INT PRIMARY KEY)",
    "CREATE TABLE child (id INT PRIMARY KEY, parent INT, opened TIME,"
    " FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE CASCADE)",
    "CREATE TABLE keyless (a INT)",
)


@pytest.fixture(scope="module", params=SERVERS)
def running(request: pytest.FixtureRequest, servers_folder: Path) -> Iterator[Source]:
    with source(servers_folder, request.param, f"doctor-{request.param}", {}) as found:
        yield found


def diagnose(
    running: Source, capsys: pytest.CaptureFixture[str], **options: str
) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the exit code, and the findings by their setting."""
    connection._session_of.cache_clear()  # privileges are those of the login
    given = {**running.options, **options}
    flags = [f"--{name}={value}" for name, value in given.items()]
    code = main(["doctor", *flags, "--format", "jsonl"])
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert code == 0 or lines, shown.err
    return code, {found["setting"]: found for found in map(json.loads, lines)}


def test_a_filter_is_not_used_and_named(
    running: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [f"--{name}={value}" for name, value in running.options.items()]
    assert main(["doctor", *flags, "--table", "shop.oders"]) == 0
    text = "warning: --table shop.oders: not used; doctor looks at the whole server"
    assert text in capsys.readouterr().err


def test_bad_settings_are_named_and_mended(
    running: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    _, by_default = diagnose(running, capsys)
    assert not any(found["is_wrong"] for found in by_default.values())
    bad = BAD[running.state.server]
    for setting in bad:
        name, _, value = setting.partition("=")
        running.ask(f"SET GLOBAL {name} = {value if value.isdigit() else repr(value)}")
    code, found = diagnose(running, capsys)
    assert code == 1
    assert {name: one["is_wrong"] for name, one in found.items() if name in bad} == bad
    for name in bad:
        remedy = found[name]["remedy"]
        if statement := re.match(r"SET (GLOBAL|PERSIST) \w+ = [^,]+", remedy):
            running.ask(statement[0])
        else:
            assert not remedy
            running.ask(f"SET GLOBAL {name.partition('=')[0]} = OFF")
    code, found = diagnose(running, capsys)
    assert not set(found) & set(bad)
    assert code == 0, found


def test_tables_and_privileges_are_looked_at(
    running: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    running.ask("CREATE DATABASE doctor")
    running.ask("USE doctor")
    for statement in TABLES:
        running.ask(statement)
    running.ask("CREATE USER 'nobody'@'%' IDENTIFIED BY 'secret'")
    _, found = diagnose(running, capsys, user="nobody", password="secret")  # noqa: S106
    assert "may see no tables" in found["no tables"]["meaning"]
    running.ask("GRANT SELECT, REFERENCES ON doctor.* TO 'nobody'@'%'")
    _, found = diagnose(running, capsys, user="nobody", password="secret")  # noqa: S106
    tables = {name: one["is_wrong"] for name, one in found.items() if "doctor." in name}
    expected = {
        "tables without a primary key: doctor.keyless": False,
        "columns of type TIME: doctor.child.opened": False,
    }
    if not running.is_mysql:
        expected["foreign keys with CASCADE or SET: doctor.child"] = True
    assert tables == expected
    assert found["SHOW BINARY LOGS"]["is_wrong"]
    may_list = "REPLICATION CLIENT" if running.is_mysql else "BINLOG MONITOR"
    assert found["SHOW BINARY LOGS"]["remedy"] == f"GRANT {may_list} ON *.* TO 'nobody'@'%'"
    running.ask(found["SHOW BINARY LOGS"]["remedy"])
    code, found = diagnose(running, capsys, user="nobody", password="secret")  # noqa: S106
    assert code == 1
    assert "REPLICATION SLAVE" in found["the replication protocol"]["remedy"]
    may_read = "REPLICATION SLAVE" if running.is_mysql else "REPLICATION SLAVE, REPLICA MONITOR"
    running.ask(f"GRANT {may_read} ON *.* TO 'nobody'@'%'")
    _, found = diagnose(running, capsys, user="nobody", password="secret")  # noqa: S106
    assert not {"SHOW BINARY LOGS", "the replication protocol"} & set(found)
