"""From the bytes of a log to its events, and which are wanted: frames, checksums, filters."""
