"""The check of the positions of events, compiled."""

from __future__ import annotations

from pyspark_adapter.kernels import positions as plain
from pyspark_adapter.kernels.jit import kernel

find_displaced = kernel("int64(uint8[::1], int64, int64, int64, int64)")(plain.find_displaced)
