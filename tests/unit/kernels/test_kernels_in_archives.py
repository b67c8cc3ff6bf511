"""Kernels of processes that start together, and of a package in an archive."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import pyspark_adapter

pytestmark = pytest.mark.slow

PACKAGE = Path(pyspark_adapter.__file__).parent

LOAD = """
import sys
import numpy as np
from pyspark_adapter.kernels import entry_points, layout
from pyspark_adapter.kernels.library import kernel_library

offsets, out = np.zeros(2, dtype=np.int32), np.zeros(layout.LEN_GTID, dtype=np.uint8)
transactions = np.zeros((layout.NUM_TRANSACTION_FIELDS, 1), dtype=np.int64)
row = layout.Transaction
transactions[row.GTID_KIND] = layout.GtidKind.MARIADB
transactions[[row.GTID_A, row.GTID_B, row.GTID_C]] = [[0], [1], [42]]
entry_points.fill_gtids(transactions, 1, offsets, out)
library = kernel_library()
print(library and library._name, "numba" in sys.modules, out.tobytes()[: offsets[1]].decode())
"""


def start(package: Path, cache: Path) -> subprocess.Popen[str]:
    """Start the program with the package from a folder or an archive."""
    environment = os.environ | {"PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", LOAD]
    # Where the process starts comes before all other places of modules.
    return subprocess.Popen(
        command,
        env=environment,
        cwd=package.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: subprocess.Popen[str]) -> tuple[str, int]:
    """Return what it printed, and whether it said that it compiles."""
    text, errors = process.communicate()
    assert process.returncode == 0, errors
    return text, errors.count("compiling the decoder")


def archive(path: Path, *, with_libraries: bool) -> Path:
    """Write the package as an archive."""
    path.parent.mkdir()
    with ZipFile(path, "w") as file:
        for source in PACKAGE.rglob("*"):
            if source.suffix == ".py" or (with_libraries and source.suffix == ".library"):
                file.write(source, source.relative_to(PACKAGE.parent))
    return path


def kept_files(cache: Path) -> dict[str, int]:
    """Return what is kept, each file with the time when it was written."""
    return {str(p): p.stat().st_mtime_ns for p in cache.rglob("*") if p.suffix != ".lock"}


def test_the_library_of_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for job in ("job-1", "job-2"):
        package = archive(tmp_path / job / "package.zip", with_libraries=True)
        (text, num_compiled) = printed(start(package, cache))
        file, imports_numba, name = text.split()
        assert (imports_numba, name, num_compiled) == ("False", "0-1-42", 0)
        assert Path(file).is_relative_to(cache)
        kept = kept_files(cache)
        if job == "job-1":
            before = kept
    assert kept == before
    assert (PACKAGE / "kernels" / Path(file).name).read_bytes() == Path(file).read_bytes()


def test_without_a_library_one_process_compiles_for_all(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, second = (
        archive(tmp_path / job / "package.zip", with_libraries=False) for job in ("job-1", "job-2")
    )
    done = [printed(process) for process in [start(first, cache) for _ in range(3)]]
    assert {text for text, _ in done} == {"None True 0-1-42\n"}
    assert sum(count for _, count in done) == 1
    assert len(list(cache.rglob("*.nb?"))) == 2  # the index and the code
    before = kept_files(cache)
    assert printed(start(second, cache)) == ("None True 0-1-42\n", 0)
    assert kept_files(cache) == before
