"""What is known of a started server, as the file `state.json` keeps it."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

from tests.live.servers.commands import ServerError, write_whole


@dataclass(frozen=True)
class ServerState:
    """How to reach a started server, and where its files lie.

    Attributes:
        server: Name of the installed server, `mysql-latest`.
        instance: Name of this instance.
        version: Version text of the server's greeting; empty while it starts.
        binlog_base: First part of the names of its binary logs, `binlog` in `binlog.000001`.
        options: The options given on top of the defaults.
    """

    server: str
    instance: str
    version: str
    pid: int
    host: str
    port: int
    socket: str
    binlog_dir: str
    binlog_base: str
    datadir: str
    error_log: str
    user: str = "root"
    password: str = ""
    options: dict[str, str | None] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the state as JSON text, the form of `state.json` and of the command line."""
        return json.dumps(dataclasses.asdict(self), indent=1)

    def write(self, path: Path) -> None:
        """Store the state."""
        write_whole(path, self.to_json())

    def is_alive(self) -> bool:
        """Return whether the process still is this server, not another one with its number."""
        process = Path(f"/proc/{self.pid}")
        try:
            if (process / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return False
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return f"--datadir={self.datadir}".encode() in arguments


def read_state(path: Path) -> ServerState | None:
    """Return the stored state, None without the file; raises ServerError."""
    try:
        return ServerState(**json.loads(path.read_text()))
    except FileNotFoundError:
        return None
    except (TypeError, ValueError) as error:
        raise ServerError(f"{path} is no state of a server: remove it") from error


def running_states(work: Path) -> list[ServerState]:
    """Return the states of all running instances of a work folder, sorted by name."""
    states = [read_state(path) for path in sorted(work.glob("run/*/state.json"))]
    return [state for state in states if state is not None and state.is_alive()]
