"""The library of kernels: when it is taken, how it is called, and that it does what numba does."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest

from hatch_build import all_kernels
from pyspark_adapter.kernels import entry_points, library
from pyspark_adapter.kernels.layout import LEN_GTID, NUM_TRANSACTION_FIELDS, GtidKind, Transaction
from pyspark_adapter.kernels.library import TARGETS, parameters_of
from tests.inputs import ROOT, SAMPLES, sample_path
from tests.support.programs import captured


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    library._find_library.cache_clear()
    yield
    library._find_library.cache_clear()


def test_this_machine_has_a_library() -> None:
    assert library.reason_against_library() == ""


def test_code_that_checks_each_access_is_compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert library.kernel_library() is None
    assert "NUMBA_BOUNDSCHECK" in library.reason_against_library()


@pytest.mark.parametrize("system", ["Darwin", "Linux"])
def test_other_machines_have_none(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert library.kernel_library() is None
    assert "riscv64" in library.reason_against_library()


def test_a_processor_gets_the_best_library_that_it_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []
    for target in (t for t in TARGETS if t.machine == "x86_64"):
        monkeypatch.setattr(library, "_features", lambda found=target.needs: found)
        found = library.kernel_library()
        assert found is not None
        chosen.append(Path(found._name).name)
        library._find_library.cache_clear()
    assert chosen == [f"linux-x86-64-v{level}.library" for level in (3, 2)]
    monkeypatch.setattr(library, "_features", lambda: frozenset({"ssse3"}))
    assert library.kernel_library() is None


def test_arm_has_one_library(monkeypatch: pytest.MonkeyPatch) -> None:
    (target,) = (t for t in TARGETS if t.machine == "aarch64")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    graviton = "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm"
    with_file = Path("there", target.file_name)
    monkeypatch.setattr(library, "source_folder", lambda: with_file.parent)
    monkeypatch.setattr(Path, "exists", lambda path: path == with_file)
    assert library._file_for(frozenset(graviton.split())) == with_file
    assert library._file_for(frozenset({"fp", "asimd", "crc32"})) is None


def test_a_library_of_other_sources_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "sources_digest", lambda: "0123456789abcdef")
    assert library.kernel_library() is None
    assert "is of other sources; `pip install` renews it" in library.reason_against_library()


def test_a_library_that_cannot_be_loaded_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for target in TARGETS:
        (tmp_path / target.file_name).write_bytes(b"no library")
    monkeypatch.setattr(library, "source_folder", lambda: tmp_path)
    assert library.kernel_library() is None
    assert "cannot be loaded" in library.reason_against_library()


def gtids(gtid_offsets: np.ndarray) -> bytes:
    out = np.zeros(LEN_GTID, dtype=np.uint8)
    transactions = np.zeros((NUM_TRANSACTION_FIELDS, 1), dtype=np.int64)
    transactions[Transaction.GTID_KIND] = GtidKind.MARIADB
    transactions[Transaction.GTID_C] = 42
    length = entry_points.fill_gtids(transactions, np.int64(1), gtid_offsets, out)
    return out.tobytes()[:length]


def test_a_function_of_the_library_is_called() -> None:
    assert gtids(np.zeros(2, dtype=np.int32)) == b"0-0-42"


@pytest.mark.parametrize(
    "offsets",
    [
        np.zeros(2, dtype=np.int64),
        np.zeros((2, 1), dtype=np.int32),
        np.zeros(4, dtype=np.int32)[::2],
    ],
    ids=["type", "axes", "gaps"],
)
def test_an_argument_of_another_type_is_refused(offsets: np.ndarray) -> None:
    with pytest.raises(
        TypeError, match=r"expected int64\(int64\[:, ::1\], int64, int32\[::1\], uint8\[::1\]\)"
    ):
        gtids(offsets)


def test_an_access_outside_of_an_array_is_an_error() -> None:
    with pytest.raises(IndexError, match="outside of its input or output"):
        gtids(np.zeros(1, dtype=np.int32))


def test_a_function_has_as_many_arguments_as_its_signature() -> None:
    from pyspark_adapter.kernels.jit import function_of

    assert len(all_kernels()) > 35
    for kernel in all_kernels():
        function = function_of(kernel.path)
        assert function.__code__.co_argcount == len(parameters_of(kernel.signature)), kernel.name


# Prints a digest of what each way to read a log gives.
_READS = """
import hashlib, json, sys
from pyspark_adapter import list_tables, read_batches, redo_statements
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.kernels import library

needs = {t.level: t.needs for t in library.TARGETS}.get(sys.argv[1], frozenset())
library._features = lambda: needs
done = {}
for path in sys.argv[2:]:
    digest = hashlib.sha256()
    def take(read):
        try:
            for part in read():
                digest.update(part if isinstance(part, bytes) else repr(part).encode())
        except BinlogError as error:
            digest.update(str(error).encode())
    rows = lambda **options: (str(b.to_pylist()).encode() for b in read_batches(path, **options))
    take(lambda: rows())
    take(lambda: rows(row="text"))
    take(lambda: redo_statements(path))
    try:
        tables = list_tables(path)
    except BinlogError:
        tables = []
    for found in tables:
        take(lambda: rows(table=str(found.table), json="variant"))
    done[path] = digest.hexdigest()
print(json.dumps([library.reason_against_library(), done]))
"""


def _rows_by(target: str, **settings: str) -> Any:
    """Return the rows of the samples, read by a library or by kernels that are compiled now."""
    command = [sys.executable, "-c", _READS, target, *(str(sample_path(name)) for name in SAMPLES)]
    env = {**os.environ, **settings}
    done = captured(command, cwd=ROOT, env=env)
    assert done.returncode == 0, done.stderr
    reason, found = json.loads(done.stdout.splitlines()[-1])
    assert bool(reason) == (target == "checked")
    assert len(found) == len(SAMPLES)
    return found


@pytest.mark.slow
def test_the_libraries_of_all_processors_give_the_same_rows() -> None:
    levels = [t.level for t in TARGETS if t.needs <= library._features()]
    assert len(levels) > 1
    first, *others = map(_rows_by, levels)
    assert all(found == first for found in others)


@pytest.mark.slow
def test_what_is_shipped_gives_the_rows_of_code_that_checks_each_access(
    pytestconfig: pytest.Config,
) -> None:
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir("checked-kernels")
    level = next(t.level for t in TARGETS if t.needs <= library._features())
    checked = _rows_by("checked", NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(folder))
    assert checked == _rows_by(level)


def test_the_library_names_nothing_but_memory_of_the_process(tmp_path: Path) -> None:
    """So it can be loaded whatever the C library is."""
    for target in (t for t in TARGETS if t.machine == "x86_64"):
        file = tmp_path / target.file_name
        copyfile(ROOT / "pyspark_adapter" / "kernels" / target.file_name, file)
        listed = subprocess.run(
            ["nm", "--dynamic", "--undefined-only", "--format=posix", file],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        )
        names = {line.split()[0] for line in listed.stdout.splitlines()}
        assert names <= {"memcpy", "memmove", "memset"}
