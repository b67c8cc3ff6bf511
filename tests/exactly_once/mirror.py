"""A directory into which `mysqlbinlog --raw --stop-never` writes the logs of a server."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.exactly_once.kept_logs import logs_of
from tests.live.servers import ServerState, client_path

SERVER_ID = 4242  # as which the tool registers


class Mirror:
    """The tool, which can be killed and begun again.

    When started again, it rewrites the last log from its start.
    """

    def __init__(self, state: ServerState, servers: Path, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self._state = state
        self._tool = client_path(servers, "mysqlbinlog")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin with the last log that is there, or with the first one of the server."""
        there = sorted(path.name for path in self.folder.iterdir())
        state = self._state
        command = [
            *(str(self._tool), "--read-from-remote-server", "--raw", "--stop-never"),
            *(f"--socket={state.socket}", f"--user={state.user}", f"--password={state.password}"),
            *(f"--connection-server-id={SERVER_ID}", f"--result-file={self.folder}/"),
            there[-1] if there else logs_of(state)[0].name,
        ]
        with (self.folder.parent / "mirror.err").open("ab") as err:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=err)

    def stop(self) -> None:
        """Kill it, wherever it is."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def check(self) -> None:
        """Check that it has not ended by itself."""
        assert self._process is None or self._process.poll() is None, "the mirror has ended"
