"""From the bytes of a log to its events, one by one: framing, checksums, decompression."""
