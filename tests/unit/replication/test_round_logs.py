"""The logs of a round: the server is asked once for each byte, and gives the same as before."""

from __future__ import annotations

import random

from pyspark_adapter.replication.round_logs import RoundLogs
from pyspark_adapter.sources.locations import StoredBytes
from pyspark_adapter.sources.log_file import LogFile

CONTENT = random.Random(3).randbytes(100_000)  # noqa: S311 - to do the same again


class Log:
    """A log that a server sends in pieces, and counts."""

    def __init__(self, server: Server, end: int) -> None:
        self._server, self._end, self._position = server, end, 0

    def tell(self) -> int:
        return self._position

    def seek(self, position: int, /) -> int:
        self._server.seeks.append(position)
        self._position = position
        return position

    def readinto(self, buffer: memoryview, /) -> int:
        piece = CONTENT[self._position : self._end][: min(len(buffer), 777)]
        buffer[: len(piece)] = piece
        self._position += len(piece)
        self._server.num_sent += len(piece)
        return len(piece)

    def close(self) -> None:
        """End nothing: the log continues."""


class Server:
    """Has one log."""

    def __init__(self) -> None:
        self.seeks: list[int] = []
        self.num_sent = 0

    def open(self, log_file: LogFile, /) -> StoredBytes:
        return Log(self, log_file.num_bytes)


def read(log: StoredBytes, start: int, count: int) -> bytes:
    """Read as windows do: until there is enough, or nothing more."""
    log.seek(start)
    found = bytearray()
    while len(found) < count:
        buffer = bytearray(count - len(found))
        got = log.readinto(memoryview(buffer))
        if not got:
            break
        found += buffer[:got]
    assert log.tell() == start + len(found)
    return bytes(found)


def test_bytes_are_sent_once() -> None:
    """Also if a reader ends in the middle, where no event begins."""
    server = Server()
    kept = RoundLogs(server)
    log_file = kept.up_to(LogFile("db1/binlog.000001", "binlog.000001", 1, len(CONTENT)), 90_000)
    assert log_file.num_bytes == 90_000
    for reads in (
        [(0, 512), (50_000, 10_001)],
        [(0, 512), (50_000, 20_000)],
        [(50_000, 100_000), (0, 100)],
    ):
        log = kept.open(log_file)
        for start, count in reads:
            assert read(log, start, count) == CONTENT[start : min(start + count, 90_000)]
        log.close()
    assert server.seeks == [0, 50_000]
    assert server.num_sent == 40_512
    kept.close()
    assert read(kept.open(log_file), 4, 10) == CONTENT[4:14]
    assert server.seeks == [0, 50_000, 4]
    kept.close()
