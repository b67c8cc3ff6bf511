"""What operators ask of logs: transactions, statistics, checks, slices, rows as text."""
