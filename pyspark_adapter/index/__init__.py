"""Indexes of logs: later queries read only the blocks that may contain the answer."""
