"""Logs of a running server, read over the replication protocol."""
