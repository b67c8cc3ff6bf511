"""The compiled schema on a log file: one event at a time, as a job would use it, and as a whole.

As a program, it prints one line of JSON:
`python -m bench.schema_reader LOG --megabytes 10 --repeats 3`.
"""

import argparse
import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from kaitaistruct import KaitaiStream
from mysql_binlog import MysqlBinlog

from bench.timing import MEGABYTE, best_of

LEN_MAGIC = 4
LEN_HEADER = 19


def parse_events(data: bytes, *, with_bodies: bool = False) -> int:
    """Parse all whole events of the first bytes of a log, headers alone or bodies too.

    Returns:
        How many.
    """
    len_format = int.from_bytes(data[LEN_MAGIC + 9 : LEN_MAGIC + 13], "little")
    start = LEN_MAGIC + len_format
    root = MysqlBinlog.from_bytes(data[:start])
    stream = KaitaiStream(BytesIO(data))
    stream.seek(start)
    num_events = 0
    while len(data) - stream.pos() >= LEN_HEADER:
        event = MysqlBinlog.Event(stream.pos(), 0, -1, stream, root, root)
        if len(event.data) < event.len_event - LEN_HEADER:
            break
        if with_bodies:
            _ = event.body
        num_events += 1
    return num_events


def main(arguments: Sequence[str] | None = None) -> None:
    """Time the parser and report to the parent process."""
    parser = argparse.ArgumentParser(prog="python -m bench.schema_reader", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--megabytes", type=float, default=10, help="of the log, from its start")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    with options.log.open("rb") as file:
        data = file.read(int(options.megabytes * MEGABYTE))
    seconds, num_events = best_of(options.repeats, lambda: parse_events(data))
    seconds_of_bodies, _ = best_of(options.repeats, lambda: parse_events(data, with_bodies=True))
    seconds_of_file, num_in_file = best_of(
        options.repeats, lambda: len(MysqlBinlog.from_bytes(data).events)
    )
    rates = {
        "events_per_second": num_events / seconds,
        "bodies_per_second": num_events / seconds_of_bodies,
        "events_of_file_per_second": num_in_file / seconds_of_file,
        "bytes_per_event": len(data) / num_events,
    }
    print(json.dumps(rates))


if __name__ == "__main__":
    main()
