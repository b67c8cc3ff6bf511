"""SQL connections to a started server."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pymysql

    from tests.live.servers.state import ServerState


def connect(
    state: ServerState, *, database: str | None = None, by_port: bool = False
) -> pymysql.Connection:
    """Return a connection as root in utf8mb4, with autocommit on, by the server's socket."""
    # Here, so that the command line works without PyMySQL.
    import pymysql

    return pymysql.connect(
        host=state.host,
        port=state.port,
        unix_socket=None if by_port else state.socket,
        user=state.user,
        password=state.password,
        database=database,
        charset="utf8mb4",
        autocommit=True,
        local_infile=True,
    )
