"""A temporary MySQL server for the benchmark."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymysql

from bench.timing import PROJECT_FOLDER

SERVERS_COMMAND = (sys.executable, "-m", "tests.live.servers")
INSTANCE = "bench-make-logs"


@dataclass(frozen=True)
class Server:
    """Where a running server listens and writes its binary logs."""

    version: str
    socket: str
    port: int
    user: str
    password: str
    binlog_folder: Path
    binlog_base: str

    def connect(self, database_name: str | None = None) -> Any:
        """Return a new autocommit connection whose wall times are UTC."""
        return pymysql.connect(
            unix_socket=self.socket,
            user=self.user,
            password=self.password,
            database=database_name,
            charset="utf8mb4",
            autocommit=True,
            init_command="SET time_zone = '+00:00'",
        )

    def log_file(self, number: int) -> Path:
        """Return the path of the binary log with this numeric suffix."""
        return self.binlog_folder / f"{self.binlog_base}.{number:06}"


def run_servers(*arguments: str) -> str:
    """Return the output of a command of the server tool.

    Raises:
        RuntimeError: if the command failed, with its standard error.
    """
    command = [*SERVERS_COMMAND, *arguments]
    done = subprocess.run(command, cwd=PROJECT_FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments[:2])} failed: {done.stderr.strip()}")
    return done.stdout


def client_program(name: str, servers_folder: Path) -> Path:
    """Return the path of a runnable client program of the newest MySQL."""
    return Path(run_servers("client-path", name, "--dir", str(servers_folder.resolve())).strip())


@contextmanager
def running_server(
    servers_folder: Path, options: Mapping[str, str], name: str = "mysql-latest"
) -> Iterator[Server]:
    """Start a server with empty data, yield it, and stop it at the end of the block."""
    folder = ("--dir", str(servers_folder.resolve()))
    flags = _option_flags(options)
    text = run_servers("start", name, *folder, "--instance", INSTANCE, "--fresh", *flags)
    try:
        state = json.loads(text)
        yield Server(
            version=state["version"],
            socket=state["socket"],
            port=state["port"],
            user=state["user"],
            password=state["password"],
            binlog_folder=Path(state["binlog_dir"]),
            binlog_base=state["binlog_base"],
        )
    finally:
        run_servers("stop", INSTANCE, *folder)


def _option_flags(options: Mapping[str, str]) -> Sequence[str]:
    return [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
