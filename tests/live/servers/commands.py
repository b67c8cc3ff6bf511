"""What every other module here needs: the error, commands, locks and whole-file writes."""

import contextlib
import fcntl
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

MAX_OUTPUT_SHOWN = 2000


class ServerError(RuntimeError):
    """A problem its reader can act on; the command line prints it without a traceback."""


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
) -> str:
    """Return what a command printed; raises ServerError."""
    shown = shlex.join(command[:6]) + (" ..." if len(command) > 6 else "")
    try:
        done = subprocess.run(
            command,
            check=False,
            cwd=cwd,
            env=env,
            input=stdin,
            text=True,
            errors="replace",
            capture_output=True,
        )
    except FileNotFoundError as error:
        raise ServerError(f"{command[0]} was not found: install it, then try again") from error
    if done.returncode:
        output = (done.stderr or done.stdout).strip()[-MAX_OUTPUT_SHOWN:]
        raise ServerError(f"{shown} ended with {done.returncode}: {output}")
    return done.stdout


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; other processes that want it wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_whole(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a file so that others see the old text or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text)
    part.chmod(mode)
    part.replace(path)
