"""The pass over a log by the kernels: where its events, transactions and table maps are."""
