"""Programs that a test starts, looks at and interrupts."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from tests.inputs import ROOT

# Far more than any needs on a machine that does much else, and less than a test may take.
SECONDS = 300.0


def captured(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, with what it prints as text."""
    return subprocess.run(
        command, cwd=cwd, env=env, timeout=timeout, check=check, capture_output=True, text=True
    )


@contextmanager
def started(
    command: Sequence[str | Path], *, cwd: Path = ROOT, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a program in a session of its own, with its output and errors as pipes.

    It is killed with its children at the end of the block, or after some minutes: then reads of its
    pipes return, and no test waits for ever for a program that hangs.
    """
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment,
        start_new_session=True,
    ) as process:

        def kill() -> None:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)

        watch = Timer(SECONDS, kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            kill()
