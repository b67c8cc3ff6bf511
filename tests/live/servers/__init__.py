"""Real MySQL and MariaDB servers for tests and samples, private to a work folder.

Command line: `python -m tests.live.servers --help`, from the root of the checkout.
"""

from tests.live.servers.catalog import SERVER_NAMES, AnyServer, server_named
from tests.live.servers.commands import ServerError
from tests.live.servers.connection import connect
from tests.live.servers.features import Feature
from tests.live.servers.installation import Installation, client_path
from tests.live.servers.instance import Instance, connected_server, running_server
from tests.live.servers.state import ServerState, running_states

__all__ = [
    "SERVER_NAMES",
    "AnyServer",
    "Feature",
    "Installation",
    "Instance",
    "ServerError",
    "ServerState",
    "client_path",
    "connect",
    "connected_server",
    "running_server",
    "running_states",
    "server_named",
]
