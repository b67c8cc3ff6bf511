"""The parts of the servers package that need no server."""

import dataclasses
import hashlib
import os
import re
import zipfile
from pathlib import Path

import pytest

from tests.inputs import ROOT, need_server
from tests.live.servers import (
    Feature,
    Instance,
    ServerError,
    ServerState,
    running_states,
    server_named,
)
from tests.live.servers.__main__ import build_parser
from tests.live.servers.bootstrap import argv
from tests.live.servers.catalog import SERVERS, MavenServer
from tests.live.servers.commands import locked, run, write_whole
from tests.live.servers.debian import find_archive
from tests.live.servers.maven import unpack_artifact

STATE = ServerState(
    server="mysql-latest",
    instance="one",
    version="9.7.4",
    pid=os.getpid(),
    host="127.0.0.1",
    port=1,
    socket="s.sock",
    binlog_dir="binlog",
    binlog_base="binlog",
    datadir="data",
    error_log="error.log",
    options={"skip-name-resolve": None},
)


def test_state_file_gives_the_state_back(tmp_path: Path) -> None:
    path = tmp_path / "run" / "one" / "state.json"
    STATE.write(path)
    assert Instance(tmp_path, "one").state_file == path
    assert dataclasses.replace(STATE).to_json() == path.read_text()


def test_another_process_with_the_number_is_not_the_server(tmp_path: Path) -> None:
    STATE.write(tmp_path / "run" / "one" / "state.json")
    assert Instance(tmp_path, "one").state() is None
    assert running_states(tmp_path) == []
    assert Instance(tmp_path, "one").stop() is False


def test_damaged_state_file_is_named(tmp_path: Path) -> None:
    write_whole(tmp_path / "run" / "one" / "state.json", "{}")
    with pytest.raises(ServerError, match=r"state\.json is no state of a server"):
        Instance(tmp_path, "one").state()


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden"])
def test_instance_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ServerError, match="cannot name an instance"):
        Instance(tmp_path, name)


def test_alias_is_the_server_itself() -> None:
    assert server_named("mysql-9.7") is server_named("mysql-latest")
    with pytest.raises(ServerError, match=r"no server is called 'mysql-1\.0'; use one of"):
        server_named("mysql-1.0")


def test_options_without_value_have_no_equals_sign() -> None:
    assert argv({"port": "1", "skip-log-bin": None}) == [
        "--no-defaults",
        "--port=1",
        "--skip-log-bin",
    ]


def test_archive_is_read_from_both_forms_of_apt_sources(tmp_path: Path) -> None:
    folder = tmp_path / "sources.list.d"
    folder.mkdir()
    (folder / "a.sources").write_text(
        "Types: deb\nURIs: http://one.invalid/\nSuites: trixie\nComponents: main\nEnabled: no\n\n"
        "Types: deb deb-src\nURIs: http://two.invalid/\nSuites: trixie trixie-updates\n"
        "Components: main\n contrib\nSigned-By: /keys/two.gpg\n"
    )
    (tmp_path / "sources.list").write_text(
        "# deb http://no.invalid sid main\n"
        "deb [arch=amd64 signed-by=/keys/s.gpg] http://security.invalid trixie-security main\n"
    )
    archive = find_archive(tmp_path)
    assert archive.main_uri == "http://two.invalid/"
    assert archive.security_uri == "http://security.invalid"
    assert archive.keyring == "/keys/two.gpg"


def test_missing_archive_says_what_to_add(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="add a source"):
        find_archive(tmp_path)


def test_failing_command_shows_its_output() -> None:
    with pytest.raises(ServerError, match=r"sh -c .* ended with 3: no luck"):
        run(["sh", "-c", "echo no luck >&2; exit 3"])
    with pytest.raises(ServerError, match="no-such-program was not found: install it"):
        run(["no-such-program"])


def test_lock_can_be_taken_again_after_use(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path / "deep" / ".lock"):
            assert (tmp_path / "deep" / ".lock").exists()


def test_stop_needs_a_name_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(["stop", "--dir", "w"])
    assert "is required" in capsys.readouterr().err


@pytest.mark.parametrize(("flavor", "name"), [("mysql", "MySQL"), ("mariadb", "MariaDB")])
def test_readme_names_the_servers_of_the_tests(flavor: str, name: str) -> None:
    [row] = re.findall(rf"^\| {name} \| ([^;|]+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    servers = sorted((s for s in SERVERS if s.flavor == flavor), key=lambda s: s.release)
    assert row.split(", ") == [server.version for server in servers]


def test_features_go_by_release() -> None:
    assert server_named("mysql-9.7").release == (9, 7)
    assert server_named("mysql-8.0").has(Feature.DETACHED_XA)
    assert not server_named("mysql-8.0.15").has(Feature.DETACHED_XA)
    assert server_named("mariadb-11.8").has(Feature.VECTOR)
    assert not server_named("mariadb-10.11").has(Feature.VECTOR)


def stand_in_for_maven(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put an `mvn` on the path that copies one jar, and return the jar."""
    jar = folder / "server.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("linux/bin/mysqld", "program")
        archive.writestr("windows/mysqld.exe", "other")
    mvn = folder / "bin" / "mvn"
    copy = f'for a; do case $a in -DoutputDirectory=*) cp {jar} "${{a#*=}}";; esac; done'
    write_whole(mvn, f"#!/bin/sh\n{copy}\n", mode=0o755)
    monkeypatch.setenv("PATH", f"{mvn.parent}:{os.environ['PATH']}")
    return jar


def test_artifact_is_checked_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = stand_in_for_maven(tmp_path, monkeypatch)
    root = tmp_path / "root"
    root.mkdir()
    parts = {"linux/": "usr"}
    with pytest.raises(ServerError, match=r"a:b:1 has the SHA-256 \w+, not 00: remove it"):
        unpack_artifact("a:b:1", "00", parts, root)
    assert list(root.iterdir()) == []
    unpack_artifact("a:b:1", hashlib.sha256(jar.read_bytes()).hexdigest(), parts, root)
    assert [path.relative_to(root) for path in root.rglob("*") if path.is_file()] == [
        Path("usr/bin/mysqld")
    ]


def test_without_maven_tests_say_so_and_fail_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first, *_] = [server.name for server in SERVERS if isinstance(server, MavenServer)]
    monkeypatch.setenv("PATH", str(tmp_path))
    need_server(tmp_path, "mysql-latest")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="install Maven"):
        need_server(tmp_path, first)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="has no mvn"):
        need_server(tmp_path, first)
