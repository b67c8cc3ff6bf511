"""The format of binary logs: event types, headers, numbers."""
