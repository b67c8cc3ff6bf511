"""The walk over transactions, compiled."""

from __future__ import annotations

from pyspark_adapter.kernels import walk as plain
from pyspark_adapter.kernels.jit import kernel

walk = kernel(f"int64(uint8[::1], {'int64, ' * 6}int64[::1], int64[::1])")(plain.walk)
