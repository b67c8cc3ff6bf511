"""Samples in a folder as the logs of one server, for streams."""

from pathlib import Path

from tests.support.logs import Event, read_sample

SHOP = "mysql-9.7-shop"
TYPES = "mysql-9.7-types"
MARIADB = "mariadb-11.8-transactions"
COMPRESSED = "mysql-9.7-compressed-transactions"
# Each has one log; in a folder they are the logs of one server.
SERIES = (SHOP, "mysql-9.7-transactions", "mysql-9.7-tagged-gtids")
GTIDS = {"GTID_EVENT", "ANONYMOUS_GTID_EVENT", "GTID_TAGGED_EVENT", "MARIADB_GTID_EVENT"}


def path_of(folder: Path, number: int) -> Path:
    return folder / f"binlog.{number:06}"


def write_series(folder: Path, *names: str, first: int = 1) -> list[Path]:
    """Write samples as consecutive logs."""
    paths = [path_of(folder, first + i) for i in range(len(names))]
    for path, name in zip(paths, names, strict=True):
        path.write_bytes(read_sample(name))
    return paths


def ends_of_transactions(events: list[Event]) -> list[int]:
    """Return where transactions end in a log with GTIDs: each, where the next event begins.

    Events behind the last transaction belong to none: each of their ends is one as well.
    """
    ends = {event.start_pos for event in events if event.type_name in GTIDS}
    ends |= {event.start_pos for event in events if event.type_name == "BINLOG_CHECKPOINT_EVENT"}
    first = min(ends)
    ends |= {event.end for event in events if event.end <= first}
    last_commit = max(
        i
        for i, event in enumerate(events)
        if event.type_name in ("XID_EVENT", "QUERY_EVENT", "TRANSACTION_PAYLOAD_EVENT")
    )
    return sorted(ends | {4} | {event.end for event in events[last_commit:]})
