"""From rows events to Arrow columns, by compiled kernels and by a plain reference."""
