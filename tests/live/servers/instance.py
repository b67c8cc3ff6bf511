"""A server process with data of its own: start it, find it again, stop it."""

import contextlib
import dataclasses
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.live.servers.bootstrap import BINLOG_OPTIONS, argv, common_options, initialize
from tests.live.servers.catalog import ALIASES
from tests.live.servers.commands import ServerError, locked
from tests.live.servers.connection import connect
from tests.live.servers.installation import Installation
from tests.live.servers.state import ServerState, read_state

DEFAULT_TIMEOUT = 120.0
MAX_SOCKET_PATH = 100  # the system's limit is 108 bytes with the final NUL
SERVER_PORTS = (20_000, 32_000)
PORT_ATTEMPTS = 5
POLL_SECONDS = 0.05
MAX_LOG_SHOWN = 3000
# MariaDB 10 put this before its version in the greeting, for replicas that read one digit.
REPLICATION_PREFIX = "5.5.5-"
PORT_TAKEN = "Address already in use"


class PortTakenError(ServerError):
    """Somebody else took the chosen port before the server could."""


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that nobody has now.

    It is below those that systems give to clients, so that none takes it before the server does, or
    while the server is stopped: not even a client that tries to reach the server.
    """
    while True:
        port = random.randrange(*SERVER_PORTS)  # noqa: S311 - not for secrets
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def read_greeting(path: str) -> str | None:
    """Return the version in a server's greeting on its socket, None while nothing usable answers.

    The socket, not the port, is asked: the port may belong to somebody else by now.
    """
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            client.connect(path)
            data = client.recv(4096)
    except OSError:
        return None
    # 4 bytes of packet header, protocol version 10, the version text up to a NUL
    if len(data) < 6 or data[4] != 10:
        return None
    return data[5 : data.index(0, 5)].decode("ascii", "replace").removeprefix(REPLICATION_PREFIX)


class Instance:
    """A server with its own data below DIR/run/INSTANCE."""

    def __init__(self, work: Path, name: str) -> None:
        self.work = work.resolve()
        self.name = ALIASES.get(name, name)
        if not self.name or Path(self.name).name != self.name or self.name.startswith("."):
            raise ServerError(f"{name!r} cannot name an instance: give a plain file name")
        self.home = self.work / "run" / self.name
        self.data = self.home / "data"
        self.error_log = self.home / "error.log"
        self.state_file = self.home / "state.json"
        self.lock = self.work / "run" / f".{self.name}.lock"
        self._process: subprocess.Popen[bytes] | None = None  # if this object started it

    def state(self) -> ServerState | None:
        """Return what `start` recorded, None when there is nothing or the process is gone."""
        state = read_state(self.state_file)
        return state if state is not None and state.is_alive() else None

    def start(
        self,
        server: str,
        *,
        options: Mapping[str, str | None] | None = None,
        data_files: Mapping[str, str] | None = None,
        fresh: bool = False,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> ServerState:
        """Start the server, creating its data first, and return how to reach it.

        Args:
            server: Name of the server to run.
            options: Server options on top of the defaults; None is an option without a value.
            data_files: Text files to put into the data folder before the start.
            fresh: Discard the instance's old data. Without it a stopped instance continues with
                its data and appends new binary logs.
            timeout: Seconds the server may take until it answers.

        Raises:
            ServerError: The instance runs already, or the server ended or did not answer; the
                new part of its error log is in the text.
        """
        installation = Installation(self.work, server).install()
        extra = {key.replace("_", "-"): value for key, value in (options or {}).items()}
        with locked(self.lock):
            if (state := self.state()) is not None:
                raise ServerError(f"instance {self.name} runs as pid {state.pid}: stop it first")
            if fresh:
                shutil.rmtree(self.home, ignore_errors=True)
            for folder in ("binlog", "tmp"):
                (self.home / folder).mkdir(parents=True, exist_ok=True)
            initialize(installation, self.home)
            for name, text in (data_files or {}).items():
                (self.data / name).write_text(text)
            for _ in range(PORT_ATTEMPTS - 1):
                with contextlib.suppress(PortTakenError):
                    return self._launch(installation, extra, timeout)
            return self._launch(installation, extra, timeout)

    def _launch(
        self, installation: Installation, extra: Mapping[str, str | None], timeout: float
    ) -> ServerState:
        options: dict[str, str | None] = {
            **common_options(installation, self.home),
            "port": str(free_port()),
            "socket": self._socket_path(),
            "log-bin": str(self.home / "binlog" / "binlog"),
            **BINLOG_OPTIONS,
            **extra,
        }
        self._remove_stale_socket(str(options["socket"]))
        daemon = installation.program(installation.server.daemon)
        log_start = self.error_log.stat().st_size if self.error_log.exists() else 0
        with self.error_log.open("ab") as log:
            process = subprocess.Popen(
                [*daemon.command, *argv(options)],
                env=daemon.environment,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        log_bin = Path(options["log-bin"] or "binlog")
        state = ServerState(
            server=installation.server.name,
            instance=self.name,
            version="",
            pid=process.pid,
            host="127.0.0.1",
            port=int(options["port"] or 0),
            socket=str(options["socket"]),
            binlog_dir=str(log_bin.parent),
            binlog_base=log_bin.name,
            datadir=str(self.data),
            error_log=str(self.error_log),
            options=dict(extra),
        )
        try:
            # Known from here on, so that a run killed while it waits leaves no lost process.
            state.write(self.state_file)
            version = self._wait_for_answer(process, state, timeout, log_start)
        except BaseException:
            process.kill()
            process.wait()
            self.state_file.unlink(missing_ok=True)
            raise
        state = dataclasses.replace(state, version=version)
        state.write(self.state_file)
        self._process = process
        return state

    def _wait_for_answer(
        self, process: subprocess.Popen[bytes], state: ServerState, timeout: float, log_start: int
    ) -> str:
        deadline = time.monotonic() + timeout
        while (version := read_greeting(state.socket)) is None:
            if process.poll() is not None:
                text = self._log_since(log_start)
                kind = PortTakenError if PORT_TAKEN in text else ServerError
                raise kind(f"{state.server} ended with {process.returncode}:\n{text}")
            if time.monotonic() > deadline:
                text = self._log_since(log_start)
                raise ServerError(f"{state.server} gave no answer within {timeout} s:\n{text}")
            time.sleep(POLL_SECONDS)
        return version

    def _log_since(self, start: int) -> str:
        """Return the end of what this start added to the error log."""
        if not self.error_log.exists():
            return ""
        return self.error_log.read_bytes()[start:][-MAX_LOG_SHOWN:].decode(errors="replace")

    def _socket_path(self) -> str:
        path = str(self.home / "s.sock")
        if len(path) <= MAX_SOCKET_PATH:
            return path
        digest = hashlib.sha256(str(self.home).encode()).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"binlog-servers-{os.getuid()}-{digest}"
        folder.mkdir(mode=0o700, exist_ok=True)
        return str(folder / "s.sock")

    def _remove_stale_socket(self, path: str) -> None:
        """Remove what a killed server left; it refuses to start when the pid in it is taken."""
        if read_greeting(path) is not None:
            raise ServerError(f"a server that {self.name} does not know answers at {path}: stop it")
        for leftover in (path, f"{path}.lock"):
            Path(leftover).unlink(missing_ok=True)

    def stop(self, *, timeout: float = DEFAULT_TIMEOUT) -> bool:
        """Stop the server and wait for its end; return False when it was not running.

        Raises:
            ServerError: The server did not stop in time and was killed.
        """
        state = self.state()
        if state is not None:
            signal_process(state.pid, signal.SIGTERM)
            deadline = time.monotonic() + timeout
            while state.is_alive():
                if time.monotonic() > deadline:
                    signal_process(state.pid, signal.SIGKILL)
                    raise ServerError(f"pid {state.pid} did not stop in {timeout} s: killed it")
                time.sleep(POLL_SECONDS)
            # Only a process that this one started can and must be waited for.
            if self._process is not None:
                self._process.wait()
                self._process = None
            else:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(state.pid, 0)
        self.state_file.unlink(missing_ok=True)
        return state is not None

    def kill(self) -> None:
        """End the server as a crash does; only by the object that started it."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None
        self.state_file.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove the data and the logs of a server that is stopped; its error log stays."""
        for folder in ("data", "binlog", "tmp"):
            shutil.rmtree(self.home / folder, ignore_errors=True)


def signal_process(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may have ended on its own."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


@contextlib.contextmanager
def running_server(
    work: Path,
    server: str,
    instance: str,
    *,
    options: Mapping[str, str | None] | None = None,
    data_files: Mapping[str, str] | None = None,
    keep: bool = False,
) -> Iterator[ServerState]:
    """Run a fresh server for the length of a `with` block.

    Where the block ends without an error, the server is killed, since nobody reads what it would
    write as it stops, and its data and logs, up to 2 GB, are removed.

    Args:
        work, server, instance, options, data_files: as `Instance` and its `start` take them.
        keep: Stop the server as its administrator would, and leave the data and logs.
    """
    running = Instance(work, instance)
    state = running.start(server, options=options, data_files=data_files, fresh=True)
    try:
        yield state
    except BaseException:
        running.stop()
        raise
    if keep:
        running.stop()
    else:
        running.kill()
        running.discard()


@contextlib.contextmanager
def connected_server(
    work: Path, server: str, instance: str, options: Mapping[str, str | None] | None = None
) -> Iterator[tuple[ServerState, Any]]:
    """Run a fresh server as `running_server` does, with a connection of its administrator."""
    running = running_server(work, server, instance, options=options)
    with running as state, contextlib.closing(connect(state)) as connection:
        yield state, connection
