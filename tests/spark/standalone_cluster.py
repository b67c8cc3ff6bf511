"""A standalone Spark cluster on this machine: a master and two workers of one core each."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyspark

from tests.conftest import QUICK_JAVA
from tests.spark.wheels import bare_environment

NUM_WORKERS = 2
# Far more than is needed, and less than a test may take.
START_SECONDS = 240
STOP_SECONDS = 20
POLL_SECONDS = 0.1

SPARK_HOME = Path(pyspark.__file__).parent

_PACKAGE = "org.apache.spark.deploy"
# Of this machine alone, and any that are free.
_PORTS = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs.

    Attributes:
        address: of its master, as `HOST:PORT`.
        work_folders: of its workers; each has a folder for each application in it.
    """

    address: str
    work_folders: list[Path]


def spark_environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of Spark's own programs, which keeps them to a folder."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    return bare_environment(
        HOME=str(folder),
        SPARK_HOME=str(SPARK_HOME),
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_LOCAL_DIRS=str(temporary),
        SPARK_DAEMON_MEMORY="256m",
        TMPDIR=str(temporary),
        JAVA_TOOL_OPTIONS=f"-Djava.io.tmpdir={temporary} {QUICK_JAVA}",
        **more,
    )


@contextmanager
def running_cluster(folder: Path, **environment: str) -> Iterator[Cluster]:
    """Run a cluster for the length of the block.

    Args:
        folder: for all of its files.
        environment: further variables of its workers, and so of executors.
    """
    given = spark_environment(folder, **environment)
    log = folder / "master.log"
    with ExitStack() as stack:
        stack.enter_context(_running(["master.Master", *_PORTS], log, given))
        [address] = _wait_for(log, r"Starting Spark master at spark://(\S+)", 1)
        work_folders = []
        for number in range(NUM_WORKERS):
            work = folder / f"worker-{number}"
            options = (
                f"--host 127.0.0.1 --port 0 --webui-port 0 --cores 1 --memory 1g --work-dir {work}"
            )
            worker = ["worker.Worker", *options.split(), f"spark://{address}"]
            stack.enter_context(_running(worker, folder / f"worker-{number}.log", given))
            work_folders.append(work)
        _wait_for(log, "Registering worker", NUM_WORKERS)
        yield Cluster(address, work_folders)


@contextmanager
def _running(command: list[str], log: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run one of Spark's programs, and what it starts, for the length of the block."""
    name, *options = command
    with log.open("wb") as file:
        process = subprocess.Popen(
            [str(SPARK_HOME / "bin" / "spark-class"), f"{_PACKAGE}.{name}", *options],
            cwd=log.parent,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        _kill_group(process.pid)
        process.wait()


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _wait_for(log: Path, pattern: str, count: int) -> list[str]:
    """Return what a pattern finds in a log as soon as it finds it so many times."""
    deadline = time.monotonic() + START_SECONDS
    while len(found := re.findall(pattern, text := log.read_text(errors="replace"))) < count:
        assert time.monotonic() < deadline, text
        time.sleep(POLL_SECONDS)
    return found
