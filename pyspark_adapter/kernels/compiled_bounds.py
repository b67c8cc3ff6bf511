"""`transaction_state` and `transaction_bounds`, compiled."""

from __future__ import annotations

from pyspark_adapter.kernels import transaction_bounds as bounds
from pyspark_adapter.kernels import transaction_state as machine
from pyspark_adapter.kernels.jit import kernel, shared

next_state = shared(machine.next_state)
mark_of_statement = shared(machine.mark_of_statement)
find_bounds = kernel(f"int64(uint8[::1], {'int64, ' * 6}int64[::1], int64[::1])")(
    bounds.find_bounds
)
