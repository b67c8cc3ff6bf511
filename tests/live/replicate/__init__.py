"""The command `replicate` on a real server."""
