"""What is left of logs that have been read: nothing that grows with their number."""

import gc
import tracemalloc
from collections.abc import Callable

import pytest

from pyspark_adapter.find_logs import find_log_files
from pyspark_adapter.operations.transactions import list_transactions
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.reader import list_tables, read_batches
from tests.inputs import sample_path

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
    list_tables(SHOP, engine="kernels")


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
