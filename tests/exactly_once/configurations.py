"""The servers whose logs are streamed, and how they are set."""

from __future__ import annotations

from types import MappingProxyType

from tests.replay.configurations import Configuration

# Short logs, so that many are begun.
OPTIONS = MappingProxyType({"max_binlog_size": "262144"})

SLOW = "mysql-slow-copy"
MIRRORED = "mysql-mirrored"

CONFIGURATIONS = (
    Configuration(
        "mysql", "mysql-latest", settings={"binlog_transaction_compression": ("ON", "OFF", "OFF")}
    ),
    Configuration(
        "mariadb",
        "mariadb-11.8",
        # Else logs are kept for replicas that never come.
        variables={"slave_connections_needed_for_purge": "0"},
    ),
    # Streams of copies of the server's logs: some bytes at a time, or by its own tool.
    Configuration(SLOW, "mysql-latest"),
    Configuration(MIRRORED, "mysql-latest"),
)
CONFIGURATION_BY_NAME = MappingProxyType({c.name: c for c in CONFIGURATIONS})
