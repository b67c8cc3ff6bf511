"""Functions that also run as plain Python, compiled: positions, transactions, old fractions."""

from __future__ import annotations

from pyspark_adapter.kernels import fractions, transaction_bounds, transaction_state
from pyspark_adapter.kernels.jit import shared

next_state = shared(transaction_state.next_state)
mark_of_statement = shared(transaction_state.mark_of_statement)
big_endian = shared(fractions.big_endian)
fitting_digits = shared(fractions.fitting_digits)

# What `entry_points` takes from here, so that the functions that these call are known.
find_displaced = transaction_bounds.find_displaced
find_bounds = transaction_bounds.find_bounds
find_digits = fractions.find_digits
