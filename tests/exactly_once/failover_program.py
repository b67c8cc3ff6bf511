"""A stream of several servers as a program that may be killed, with the checkpoint of Spark.

`offsets/N` says where batch N ends, before it is read; `commits/N`, that its rows are stored. A
batch that is read again replaces its rows.
"""

from __future__ import annotations

import faulthandler
import json
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from pyspark_adapter.options.log_position import StreamOffset
from pyspark_adapter.stream.log_stream import BatchLimit
from tests.support.streams import FollowedStream

PAUSE_SECONDS = 0.03
COLUMNS = ("_gtid", "_start_pos", "_row_number", "_change_type")
LIMITS = (BatchLimit(), BatchLimit(), BatchLimit(3_000), BatchLimit(None, 1))


def store(path: Path, text: str) -> None:
    """Write a file at once."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.rename(path)


class Checkpoint:
    """The files of a stream's batches."""

    def __init__(self, folder: Path) -> None:
        self.offsets, self.commits, self.rows = (
            folder / name for name in ("offsets", "commits", "rows")
        )
        for path in (self.offsets, self.commits, self.rows):
            path.mkdir(parents=True, exist_ok=True)

    def offset(self, number: int) -> StreamOffset | None:
        """Return where a batch ends; None if it was not planned."""
        path = self.offsets / f"{number}.json"
        return StreamOffset.from_json(json.loads(path.read_text())) if path.exists() else None

    @property
    def num_done(self) -> int:
        """How many batches are done."""
        return len([*self.commits.glob("*.json")])


def follow(folder: Path, hosts: str, until: str) -> None:
    """Run batches; forever, or until one ends with a set of GTIDs."""
    checkpoint = Checkpoint(folder)
    source = random.SystemRandom()
    options: dict[str, Any] = {"host": hosts, "user": "repl", "password": "p"}
    options["reconnect_seconds"] = 3  # a task that has lost its server ends so soon
    stream = FollowedStream(None, metadata_columns=COLUMNS, starting_offsets="latest", **options)
    if checkpoint.offset(0) is None:
        store(checkpoint.offsets / "0.json", json.dumps(stream.offset.to_json()))
        store(checkpoint.commits / "0.json", "{}")
    while True:
        number = checkpoint.num_done
        start, end = checkpoint.offset(number - 1), checkpoint.offset(number)
        assert start is not None
        if end is None:
            end = stream.source.latest_offset(start, source.choice(LIMITS))
            if end == start:
                if until and start.gtids == until:
                    return
                time.sleep(PAUSE_SECONDS)
                continue
            store(checkpoint.offsets / f"{number}.json", json.dumps(end.to_json()))
        # For a look at a failed run.
        store(checkpoint.rows / f"{number}.ranges", repr(stream.source.ranges(start, end)))
        rows = stream.read(start, end, in_tasks=True)
        store(checkpoint.rows / f"{number}.json", json.dumps(rows))
        store(checkpoint.commits / f"{number}.json", "{}")


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR1)
    follow(Path(sys.argv[1]), *sys.argv[2:])
