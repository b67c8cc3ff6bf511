"""The output of a read, planned before its first row: tables, columns, types, their sources."""
