"""Compiled kernels are shared by processes: those that start together, and those of an archive."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import pyspark_adapter

pytestmark = pytest.mark.slow

PACKAGE = Path(pyspark_adapter.__file__).parent

# One small module stands for all of them.
WARM = """
from pyspark_adapter.kernels import warm

warm._KERNEL_MODULES = (("gtid_text",),)
compiled = warm._compile
warm._compile = lambda names: print("compiles", flush=True) or compiled(names)
warm.warm_kernels()
warm.warm_kernels()  # does nothing
"""

LOAD = """
import numpy as np
from pyspark_adapter.kernels import gtid_text, layout

offsets, out = np.zeros(2, dtype=np.int32), np.zeros(gtid_text.MAX_LENGTH, dtype=np.uint8)
transactions = np.zeros((layout.NUM_TRANSACTION_FIELDS, 1), dtype=np.int64)
row = layout.Transaction
transactions[row.GTID_KIND] = layout.GtidKind.MARIADB
transactions[[row.GTID_A, row.GTID_B, row.GTID_C]] = [[0], [1], [42]]
gtid_text.fill_gtids(transactions, 1, offsets, out)
print(gtid_text.__file__, out.tobytes()[: offsets[1]].decode())
"""


def start(program: str, package: Path, cache: Path) -> subprocess.Popen[str]:
    """Start a program with the package from a folder or an archive."""
    environment = os.environ | {"PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", program]
    # Where the process starts comes before all other places of modules.
    folder = package.parent
    return subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True)


def printed(process: subprocess.Popen[str]) -> str:
    text, _ = process.communicate()
    assert process.returncode == 0
    return text


def archive(path: Path) -> Path:
    """Write the package as an archive."""
    path.parent.mkdir()
    with ZipFile(path, "w") as file:
        for source in PACKAGE.rglob("*.py"):
            file.write(source, source.relative_to(PACKAGE.parent))
    return path


def compiled_files(cache: Path) -> dict[str, int]:
    """Return the files of compiled code, each with the time when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}


def test_of_processes_that_start_together_one_compiles(tmp_path: Path) -> None:
    processes = [start(WARM, PACKAGE.parent, tmp_path) for _ in range(3)]
    texts = [printed(process) for process in processes]
    assert sorted(texts) == ["", "", "compiles\n"]
    assert compiled_files(tmp_path)
    assert printed(start(WARM, PACKAGE.parent, tmp_path)) == ""


def test_archives_of_the_same_sources_share_compiled_code_wherever_they_lie(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, second = (archive(tmp_path / job / "package.zip") for job in ("job-1", "job-2"))
    source = "pyspark_adapter/kernels/gtid_text.py"
    assert printed(start(LOAD, first, cache)) == f"{first}/{source} 0-1-42\n"
    compiled = compiled_files(cache)
    assert len(compiled) == 2  # the index and the code
    assert printed(start(LOAD, second, cache)) == f"{second}/{source} 0-1-42\n"
    assert compiled_files(cache) == compiled


def test_an_archive_is_warmed_by_processes_that_do_not_find_it_by_themselves(
    tmp_path: Path,
) -> None:
    path = archive(tmp_path / "job" / "package.zip")
    program = f"import sys\nsys.path.insert(1, {str(path)!r})\n{WARM}"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "compiles\n"), done.stderr
    [copied] = (tmp_path / "cache").rglob("sources/gtid_text.py")
    assert copied.read_bytes() == (PACKAGE / "kernels" / "gtid_text.py").read_bytes()
