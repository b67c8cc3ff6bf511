"""What is left of logs that have been read: nothing that grows with their number."""

import gc
import re
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest

from pyspark_adapter import sources
from pyspark_adapter.errors import BinlogError
from pyspark_adapter.events.payload import PayloadReader
from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.operations.transactions import list_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.reader import list_tables, read_batches
from pyspark_adapter.sources.archives import ArchiveReader
from tests.inputs import sample_path
from tests.support.packing import in_one_frame, payload_body

pytestmark = pytest.mark.slow

SHOP = str(sample_path("mysql-9.7-shop"))
COUNT = 20
# Bytes of a log of 26 KB. Its parsed table maps and its arrays are some hundred KB. Python and
# NumPy keep freed objects for a while, together some 30 KB.
MOST_LEFT = 5000


def transactions() -> None:
    """List the transactions of the log."""
    for _ in list_transactions(find_log_files(SHOP), BinlogOptions()):
        pass


def rows() -> None:
    """Read all rows of the log, as JSON."""
    for _ in read_batches(SHOP):
        pass


def tables() -> None:
    """List the tables of the log, by the kernels."""
    list_tables(SHOP)


@pytest.mark.parametrize("read", [transactions, rows, tables])
def test_a_log_leaves_nothing(read: Callable[[], None]) -> None:
    """Parsed events refer to each other, so that it takes a garbage collection to free them."""
    read()
    gc.collect()
    tracemalloc.start()
    try:
        read()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(COUNT):
            read()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < MOST_LEFT * COUNT


FRAME = in_one_frame(bytes(range(256)) * 20)
CUT, DAMAGED = FRAME[:100], b"no frame" + FRAME


def unpack_payload(data: bytes) -> None:
    for _ in PayloadReader(1 << 20).pieces(memoryview(payload_body(data, size=None))):
        pass


def unpack_archive(data: bytes) -> None:
    archive = ArchiveReader(BytesIO(data), "zstd")
    while archive.readinto(memoryview(bytearray(1 << 16))):
        pass


@pytest.mark.parametrize("data", [FRAME, CUT, DAMAGED], ids=["whole", "cut", "damaged"])
@pytest.mark.parametrize("unpack", [unpack_payload, unpack_archive])
def test_zstd_that_ends_in_an_error_leaves_nothing(
    unpack: Callable[[bytes], None], data: bytes
) -> None:
    """`NativeFile.read(n)` of pyarrow never frees its n bytes then."""
    tracemalloc.start()
    try:
        for _ in range(COUNT):
            with suppress(BinlogError):
                unpack(data)
        gc.collect()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < MOST_LEFT * COUNT


def test_streams_of_pyarrow_are_read_into_buffers() -> None:
    """Where errors are usual: in archives and payloads."""
    package = Path(sources.__file__).parent.parent
    made = re.compile(r"(\w+) = [^\n]*\bpa\.(?:CompressedInputStream|PythonFile)\(")
    names = {
        (path, name) for path in package.rglob("*.py") for name in made.findall(path.read_text())
    }
    assert {path.name for path, _ in names} == {"payload.py", "archives.py"}
    assert not [name for path, name in names if f"{name}.read(" in path.read_text()]
