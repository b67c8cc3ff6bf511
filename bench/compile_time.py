"""Processor time to compile the kernels, each time into an empty cache."""

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.processor_time import command_seconds
from bench.workloads import DATABASE_NAME

PLAIN_BAR, ALL_BAR = 10, 20  # seconds

# Integers, decimals, times and text of the workload bulk, without its JSON.
_PLAIN_READ = """
import sys
import pyarrow as pa
from pyspark_adapter import read_batches, read_schema

log, table = sys.argv[1:]
fields = [f for f in read_schema(log, table=table) if f.name != "attributes"]
for batch in read_batches(log, table=table, schema=pa.schema(fields)):
    break
"""
_WARM = "from pyspark_adapter.kernels.warm import warm_kernels; warm_kernels()"


def cold_seconds(program: str, *arguments: str) -> float:
    """Return the processor time of a Python program and its children, without compiled kernels."""
    command = [sys.executable, "-c", program, *arguments]
    with tempfile.TemporaryDirectory() as folder:
        return command_seconds(command, {"NUMBA_CACHE_DIR": folder}, subprocess.DEVNULL)


def describe_compile_time(bulk: Path) -> str:
    """Return lines: the first read of plain columns, and all kernels.

    Args:
        bulk: log of the workload.
    """
    plain = cold_seconds(_PLAIN_READ, str(bulk), f"{DATABASE_NAME}.bulk")
    everything = cold_seconds(_WARM)
    return (
        "Processor time without compiled kernels\n"
        f"  first read of plain columns: {plain:.1f} s (bar {PLAIN_BAR})\n"
        f"  all kernels: {everything:.1f} s (bar {ALL_BAR})"
    )
