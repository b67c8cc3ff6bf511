"""Readers in other languages: builds their programs and runs them on a log."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.timing import Measurement, on_cores, warm_page_cache

_FOLDER: Final = Path(__file__).parent / "peer_programs"
_BUILD: Final = _FOLDER / "build"


@dataclass(frozen=True)
class PeerProgram:
    """A program of `peer_programs`.

    Attributes:
        reader: the library, a row of the table.
        folder: of its source, below `peer_programs`.
        tools: programs that have to be on the path.
        build: command that builds it, run in its folder.
        run: command that runs it; the log and the number of runs follow.
    """

    reader: str
    folder: str
    tools: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]


_MAVEN: Final = ("mvn", "--batch-mode", "--quiet", "compile", "dependency:copy-dependencies")
_DEBEZIUM: Final = ("-Dparser.group=io.debezium", "-Dparser.version=0.41.0")

PROGRAMS: Final = (
    PeerProgram(
        "mysql-binlog-connector-java",
        "java",
        ("java", "mvn"),
        _MAVEN,
        ("java", "-cp", f"{_BUILD}/java/classes:{_BUILD}/java/dependency/*", "Peer"),
    ),
    PeerProgram(
        "  of Debezium",
        "java",
        ("java", "mvn"),
        (*_MAVEN, *_DEBEZIUM, "-Dbuild.folder=debezium-parser"),
        (
            *("java", "-cp"),
            f"{_BUILD}/debezium-parser/classes:{_BUILD}/debezium-parser/dependency/*",
            "Peer",
        ),
    ),
    PeerProgram(
        "go-mysql",
        "go",
        ("go",),
        ("go", "build", "-o", f"{_BUILD}/go/peer", "."),
        (f"{_BUILD}/go/peer",),
    ),
    PeerProgram(
        "mysql_common (Rust)",
        "rust",
        ("cargo",),
        ("cargo", "build", "--release", "--quiet", "--target-dir", f"{_BUILD}/rust"),
        (f"{_BUILD}/rust/release/peer",),
    ),
)


def build_programs() -> tuple[list[PeerProgram], list[str]]:
    """Build the programs whose tools are here.

    Returns:
        Those that were built, and a line for each that was left out.

    Raises:
        subprocess.CalledProcessError: a build failed.
    """
    built, left_out = [], []
    for program in PROGRAMS:
        missing = [tool for tool in program.tools if shutil.which(tool) is None]
        if missing:
            left_out.append(f"{program.reader} is left out: no {missing[0]} on the path")
            continue
        subprocess.run(program.build, cwd=_FOLDER / program.folder, check=True)
        built.append(program)
    return built, left_out


def measure_programs(
    programs: Sequence[PeerProgram], name: str, path: Path, repeats: int
) -> Iterator[Measurement]:
    """Yield a measurement of each program on a log, on one core.

    Args:
        programs: that were built.
        name: of the workload.
        path: of the log.
        repeats: runs in one process; the best counts.

    Raises:
        subprocess.CalledProcessError: a program failed.
    """
    warm_page_cache(path)
    for program in programs:
        command = [*program.run, str(path.resolve()), str(repeats)]
        with on_cores(1):
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        yield Measurement(program.reader, name, **json.loads(done.stdout.splitlines()[-1]))
