"""Where a log is split, so that several tasks can read it."""
