"""The options every server needs, and the making of an empty data folder."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests.live.servers.catalog import DebianServer
from tests.live.servers.commands import ServerError, locked, run, write_whole
from tests.live.servers.installation import Installation

MYSQL_56 = "mysql-5.6"
BINLOG_OPTIONS: Mapping[str, str | None] = MappingProxyType(
    {"binlog-format": "ROW", "server-id": "1", "max-binlog-size": "1G", "sync-binlog": "0"}
)


def argv(options: Mapping[str, str | None]) -> list[str]:
    """Return the command line of server options."""
    pairs = (f"--{key}" if value is None else f"--{key}={value}" for key, value in options.items())
    return ["--no-defaults", *pairs]


def common_options(installation: Installation, home: Path) -> dict[str, str | None]:
    """Return the options of every run of a server; None is an option without a value."""
    share, server = installation.share, installation.server
    options: dict[str, str | None] = {
        "basedir": str(installation.prefix),
        "datadir": str(home / "data"),
        # A MariaDB that starts removes the temporary tables that it finds, of others as well.
        "tmpdir": str(home / "tmp"),
        "lc-messages-dir": str(share),
        "character-sets-dir": str(share / "charsets"),
        "pid-file": str(home / "server.pid"),
        "bind-address": "127.0.0.1",
        "secure-file-priv": "",
        # No test cuts the power: what a killed server has written is in the system's memory.
        "innodb-flush-log-at-trx-commit": "0",
        "innodb-flush-method": "nosync",
        "performance-schema": "OFF",
        "local-infile": "1",
        "max-allowed-packet": "256M",
    }
    if os.geteuid() == 0:
        options["user"] = "root"
    if isinstance(server, DebianServer):
        options["plugin-dir"] = str(installation.prefix / "lib/mysql/plugin")
    if (server.flavor, server.release >= (8,)) == ("mysql", True):
        options["mysqlx"] = "OFF"
    if server.name == MYSQL_56:
        # Its package has no usable grant tables.
        options["skip-grant-tables"] = None
        del options["secure-file-priv"]
    return options


def initialize(installation: Installation, home: Path) -> None:
    """Create the data folder unless a whole one is there; raises ServerError.

    MySQL takes seconds to create its system tables, so that is done once for each installation;
    instances start from copies.
    """
    data = home / "data"
    mark = home / "data-of"
    name = installation.server.name
    if mark.exists():
        owner = mark.read_text().strip()
        if owner != name:
            raise ServerError(
                f"instance {home.name} holds data of {owner}: start it fresh or name another one"
            )
        return
    # Data without the mark is a part that an interrupted run left.
    shutil.rmtree(data, ignore_errors=True)
    copy_folder(new_data(installation), data)
    write_whole(mark, name + "\n")


def new_data(installation: Installation) -> Path:
    """Return the data folder of a new server, created when the installation is first used."""
    # Part of the root, so that an update of the server removes it.
    home = installation.root / ".new"
    data, mark = home / "data", home / "complete"
    with locked(home / ".lock"):
        if not mark.exists():
            shutil.rmtree(data, ignore_errors=True)
            (home / "tmp").mkdir(exist_ok=True)
            create_data(installation, home)
            mark.touch()
    return data


def create_data(installation: Installation, home: Path) -> None:
    """Create a data folder below a home, without traces of the server that made it."""
    server = installation.server
    if server.name == MYSQL_56:
        shutil.copytree(installation.prefix / "data", home / "data")
    elif server.flavor == "mysql" and server.release >= (5, 7):
        initialize_by_itself(installation, home)
    else:
        initialize_by_scripts(installation, home)
    # A server without auto.cnf gives itself a UUID, so that no two have the same.
    patterns = ["*.pid", "auto.cnf", "*.err"]
    if installation.server.name == MYSQL_56:
        patterns.append("ib_logfile*")
    for pattern in patterns:
        for leftover in (home / "data").glob(pattern):
            leftover.unlink()


def copy_folder(source: Path, target: Path) -> None:
    """Copy a folder; zeros in its files take no room."""
    run(["cp", "--archive", "--reflink=auto", "--sparse=always", str(source), str(target)])


def initialize_by_itself(installation: Installation, home: Path) -> None:
    """Let MySQL make its data folder, with a root account without password."""
    (home / "data").mkdir()
    options = common_options(installation, home) | {"disable-log-bin": None}
    daemon = installation.program(installation.server.daemon)
    run([*daemon.command, *argv(options), "--initialize-insecure"], env=daemon.environment)


def initialize_by_scripts(installation: Installation, home: Path) -> None:
    """Let MariaDB, or an old MySQL, make its system tables from its own SQL files."""
    (home / "data" / "mysql").mkdir(parents=True)
    sql = "use mysql;\nset @auth_root_socket=NULL;\n"  # root@localhost without a password
    for stem in ("system_tables", "performance_tables", "system_tables_data"):
        paths = [installation.share / f"{brand}_{stem}.sql" for brand in ("mariadb", "mysql")]
        # MySQL 5.5 has the performance tables in the first file.
        sql += next((path.read_text() for path in paths if path.exists()), "") + "\n"
    if installation.server.flavor == "mysql" or installation.server.release < (10, 4):
        sql += "DELETE FROM user WHERE user = '';\n"  # anybody, who would come before all others
    options = common_options(installation, home) | {
        "lc-messages": "en_US",
        "log-warnings": "0",
        "loose-enforce-storage-engine": "",
        "skip-log-bin": None,
    }
    daemon = installation.program(installation.server.daemon)
    run([*daemon.command, *argv(options), "--bootstrap"], env=daemon.environment, stdin=sql)
