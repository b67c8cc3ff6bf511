"""Functions that also run as plain Python, compiled: positions, transactions, old fractions."""

from __future__ import annotations

from pyspark_adapter.kernels import fractions, positions, transaction_bounds, transaction_state
from pyspark_adapter.kernels.jit import kernel, shared

find_displaced = kernel("int64(uint8[::1], int64, int64, int64, int64)")(positions.find_displaced)

next_state = shared(transaction_state.next_state)
mark_of_statement = shared(transaction_state.mark_of_statement)
find_bounds = kernel(f"int64(uint8[::1], {'int64, ' * 6}int64[::1], int64[::1])")(
    transaction_bounds.find_bounds
)

big_endian = shared(fractions.big_endian)
fitting_digits = shared(fractions.fitting_digits)
find_digits = kernel(
    "int64(uint8[::1], int64, int64, int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1],"
    " int64[:, ::1], int64[:, ::1], int64)"
)(fractions.find_digits)
