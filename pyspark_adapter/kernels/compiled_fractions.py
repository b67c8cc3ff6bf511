"""`fractions`, compiled."""

from __future__ import annotations

from pyspark_adapter.kernels import fractions as plain
from pyspark_adapter.kernels.jit import kernel, shared

big_endian = shared(plain.big_endian)
fitting_digits = shared(plain.fitting_digits)
find_digits = kernel(
    "int64(uint8[::1], int64, int64, int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1],"
    " int64[:, ::1], int64[:, ::1], int64)"
)(plain.find_digits)
