"""SQL statements about tables, parsed."""
