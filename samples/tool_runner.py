"""Runs the official tools; their output shows nothing of this machine."""

import os
import subprocess
import tempfile
from pathlib import Path

from tests.live.servers import ServerError, ServerState, client_path

# --force-if-open: a log that is still written, or was not closed, is read to its end.
TOOL_OPTIONS = ("--no-defaults", "-vv", "--base64-output=decode-rows", "--force-if-open")


def run_tool(
    tool: Path, arguments: tuple[str, ...], folder: Path, *, must_succeed: bool = True
) -> bytes:
    """Run a tool in a folder, in UTC, and return its output.

    Raises:
        ServerError: The tool failed unexpectedly, or did not fail as expected. Some tools print an
            error and exit with status 0.
    """
    done = subprocess.run(  # noqa: S603 - our own tool and arguments
        [tool, *TOOL_OPTIONS, *arguments],
        check=False,
        cwd=folder,
        capture_output=True,
        env=os.environ | {"TZ": "UTC"},
    )
    message = done.stderr.decode(errors="replace")
    succeeded = not done.returncode and "ERROR" not in message
    if succeeded != must_succeed:
        ending = f"ended with {done.returncode}, not as the sample says: {message or 'no message'}"
        raise ServerError(f"{tool.name} {ending}")
    return done.stdout


def run_tool_on_file(servers: Path, name: str, log: bytes, *, must_succeed: bool) -> bytes:
    """Return a tool's text of a log file, which it shows without a folder."""
    tool = client_path(servers, name)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "binlog.000001").write_bytes(log)
        arguments = ("--local-load=.", "binlog.000001")
        return run_tool(tool, arguments, Path(folder), must_succeed=must_succeed)


def run_tool_on_server(servers: Path, name: str, state: ServerState, log_file: str) -> bytes:
    """Return a tool's text of a log that the server decrypts and sends."""
    tool = client_path(servers, name)
    with tempfile.TemporaryDirectory() as folder:
        arguments = (
            "--read-from-remote-server",
            f"--socket={state.socket}",
            f"--user={state.user}",
            log_file,
        )
        return run_tool(tool, arguments, Path(folder))
