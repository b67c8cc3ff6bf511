"""Logs of a running server, over the replication protocol."""
