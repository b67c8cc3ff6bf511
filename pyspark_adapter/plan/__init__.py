"""What a read returns, planned before its first byte: columns, types, and their sources."""
