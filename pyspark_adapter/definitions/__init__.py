"""SQL about tables, parsed and applied to a catalog of definitions."""
