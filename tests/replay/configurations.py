"""Servers and how they are set: what a replay is made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tests.live.servers import Feature, server_named

IMAGES = ("FULL", "MINIMAL", "NOBLOB")


@dataclass(frozen=True)
class Configuration:
    """A server with its settings.

    Attributes:
        name: on the command line.
        server: one of `tests.live.servers`.
        metadata: what the log says about columns: all (`FULL`), signs and character sets
            (`MINIMAL`), `NONE`.
        options: of the server, for all of its life.
        variables: set for all before the workload begins.
        settings: values of variables of the session to choose from between transactions.
        favoured: SQL of the column types that half of all columns have, if there are some.
        has_opaque_documents: whether JSON holds values that its text does not tell from others;
            differences that the server applies to the text would lose them.
    """

    name: str
    server: str
    metadata: str = "FULL"
    options: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    favoured: tuple[str, ...] = ()
    has_opaque_documents: bool = True

    def has(self, feature: Feature) -> bool:
        """Return whether the server has something that not all have."""
        return server_named(self.server).has(feature)

    @property
    def has_gtids(self) -> bool:
        """Whether MySQL's GTIDs are on."""
        return self.options.get("gtid_mode") == "ON"


GTIDS = {"gtid_mode": "ON", "enforce_gtid_consistency": "ON", "binlog_row_event_max_size": "256"}
ALL_IMAGES = {"binlog_row_image": IMAGES}

COMPRESSED = {"log_bin_compress": "ON", "log_bin_compress_min_len": "10"}
WITH_NODUP = {"binlog_row_image": (*IMAGES, "FULL_NODUP")}
COMPRESSED_TYPES = (
    "VARCHAR(300) COMPRESSED CHARACTER SET utf8mb4",
    "TEXT COMPRESSED CHARACTER SET latin1",
    "BLOB COMPRESSED",
)

CONFIGURATIONS = (
    Configuration("mysql-full", "mysql-latest"),
    Configuration("mysql-images", "mysql-latest", settings=ALL_IMAGES),
    Configuration(
        "mysql-compressed",
        "mysql-latest",
        settings={**ALL_IMAGES, "binlog_transaction_compression": ("ON", "ON", "OFF")},
    ),
    Configuration("mysql-minimal-metadata", "mysql-latest", "MINIMAL", settings=ALL_IMAGES),
    Configuration(
        "mysql-tagged-gtids",
        "mysql-latest",
        options=GTIDS,
        settings={
            **ALL_IMAGES,
            "gtid_next": ("'AUTOMATIC'", "'AUTOMATIC:tag'", "'AUTOMATIC:another_tag'"),
        },
    ),
    Configuration(
        "mysql-partial-json",
        "mysql-latest",
        settings={
            "binlog_row_image": ("FULL", "NOBLOB"),
            "binlog_row_value_options": ("'PARTIAL_JSON'", "'PARTIAL_JSON'", "''"),
        },
        favoured=("JSON",),
    ),
    Configuration(
        "mysql-partial-json-minimal",
        "mysql-latest",
        settings={
            "binlog_row_image": ("MINIMAL", "MINIMAL", "FULL"),
            "binlog_row_value_options": ("'PARTIAL_JSON'", "'PARTIAL_JSON'", "''"),
        },
        favoured=("JSON",),
        has_opaque_documents=False,
    ),
    Configuration("mysql-5.6-v2", "mysql-5.6", "NONE", settings=ALL_IMAGES),
    Configuration(
        "mysql-5.6-v1",
        "mysql-5.6",
        "NONE",
        options={"log_bin_use_v1_row_events": "1"},
        settings=ALL_IMAGES,
    ),
    Configuration("mysql-8.0-full", "mysql-8.0", settings=ALL_IMAGES),
    Configuration(
        "mysql-8.0-compressed-gtids",
        "mysql-8.0",
        "MINIMAL",
        options=GTIDS,
        settings={**ALL_IMAGES, "binlog_transaction_compression": ("ON", "ON", "OFF")},
    ),
    Configuration(
        "mysql-8.0-partial-json",
        "mysql-8.0",
        settings={
            "binlog_row_image": ("FULL", "NOBLOB"),
            "binlog_row_value_options": ("'PARTIAL_JSON'", "'PARTIAL_JSON'", "''"),
        },
        favoured=("JSON",),
    ),
    Configuration("mysql-8.0-default", "mysql-8.0", "MINIMAL"),
    Configuration("mysql-8.0.15-full", "mysql-8.0.15", settings=ALL_IMAGES),
    Configuration("mysql-8.0.15-default", "mysql-8.0.15", "MINIMAL"),
    Configuration("mysql-5.7-images", "mysql-5.7", "NONE", settings=ALL_IMAGES, favoured=("JSON",)),
    Configuration("mysql-5.7-gtids", "mysql-5.7", "NONE", options=GTIDS, settings=ALL_IMAGES),
    Configuration("mysql-5.7-default", "mysql-5.7", "NONE"),
    Configuration("mysql-5.5-default", "mysql-5.5", "NONE"),
    Configuration("mariadb-10.1-images", "mariadb-10.1", "NONE", settings=ALL_IMAGES),
    Configuration("mariadb-10.1-default", "mariadb-10.1", "NONE"),
    Configuration("mariadb-10.2-images", "mariadb-10.2", "NONE", settings=ALL_IMAGES),
    Configuration(
        "mariadb-10.2-compressed", "mariadb-10.2", "NONE", variables=COMPRESSED, settings=ALL_IMAGES
    ),
    Configuration("mariadb-10.2-default", "mariadb-10.2", "NONE"),
    Configuration("mariadb-10.4-images", "mariadb-10.4", "NONE", settings=ALL_IMAGES),
    Configuration(
        "mariadb-10.4-compressed", "mariadb-10.4", "NONE", variables=COMPRESSED, settings=ALL_IMAGES
    ),
    Configuration("mariadb-10.4-default", "mariadb-10.4", "NONE"),
    Configuration("mariadb-10.5-full", "mariadb-10.5", settings=ALL_IMAGES),
    Configuration("mariadb-10.5-default", "mariadb-10.5", "NONE"),
    Configuration("mariadb-11.4-full", "mariadb-11.4", settings=ALL_IMAGES),
    Configuration("mariadb-11.4-minimal", "mariadb-11.4", "MINIMAL", settings=WITH_NODUP),
    Configuration("mariadb-11.4-default", "mariadb-11.4", "NONE"),
    Configuration("mariadb-10.11-full", "mariadb-10.11", settings=ALL_IMAGES),
    Configuration("mariadb-10.11-default", "mariadb-10.11", "NONE", settings=ALL_IMAGES),
    Configuration("mariadb-11.8-full", "mariadb-11.8", settings=ALL_IMAGES),
    Configuration("mariadb-11.8-minimal", "mariadb-11.8", "MINIMAL", settings=WITH_NODUP),
    Configuration(
        "mariadb-11.8-compressed",
        "mariadb-11.8",
        variables=COMPRESSED,
        settings=ALL_IMAGES,
        favoured=COMPRESSED_TYPES,
    ),
    Configuration(
        "mariadb-10.11-compressed-default",
        "mariadb-10.11",
        "NONE",
        variables=COMPRESSED,
        settings=ALL_IMAGES,
        favoured=COMPRESSED_TYPES,
    ),
    Configuration("mariadb-11.8-default", "mariadb-11.8", "NONE", settings=ALL_IMAGES),
)
CONFIGURATION_BY_NAME = MappingProxyType({c.name: c for c in CONFIGURATIONS})
