"""The end of a MySQL log that a stream may read, and the transactions before it, agree.

A transaction is written, then synced, then executed. The position that the server tells is that of
what is written; it sends what is synced; its set of GTIDs has what is executed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyspark_adapter.options.gtid_position import GtidPosition
from pyspark_adapter.options.log_position import LogPosition
from pyspark_adapter.server.committed import WrittenEnd, committed_before
from tests.support.fake_server import (
    ARTIFICIAL,
    EOF,
    HEARTBEAT,
    OK,
    ROTATE,
    event,
    events_in,
    fake_server,
    packets,
    rotate,
    rows_of,
)
from tests.support.gtid_logs import GTID, UUIDS, write_log

LOG, NEXT = "b.999999", "b.1000000"  # as text, the second comes first
NUMBERS = range(1, 7)


class Sender:
    """A server that sends as `Binlog_sender` of MySQL does.

    Args:
        path: for its log, which has the transactions `NUMBERS`.
        num_synced: how many of them are synced.
        is_rotated: whether another log has begun.
        is_old: whether it sends as MySQL 5.6: all that is written, and no heartbeat in the end.
        tells_end: whether it tells in the end how far it has left out transactions.
    """

    def __init__(
        self,
        path: Path,
        num_synced: int,
        *,
        is_rotated: bool = False,
        is_old: bool = False,
        tells_end: bool = True,
    ) -> None:
        write_log(path, [], [(0, number) for number in NUMBERS])
        self.events = [*events_in(path.read_bytes())]
        self.ends = [4]
        for one in self.events:
            self.ends.append(self.ends[-1] + len(one))
        firsts = [k for k, one in enumerate(self.events) if one[4] == GTID]
        self.begins = [self.ends[k] for k in firsts] + [self.ends[-1]]
        self._synced = self.begins[num_synced]
        self._is_rotated = is_rotated
        self._is_old = is_old
        self._tells_end = tells_end and not is_old
        self.num_dumps = 0

    def dump(self, start: int, known: bytes) -> bytes:
        """Return what it sends."""
        self.num_dumps += 1
        return packets([b"\0" + one for one in self._sent(start, known)] + [EOF])

    def _sent(self, start: int, known: bytes) -> Iterator[bytes]:
        yield rotate(LOG)
        yield self.events[0]
        has = numbers_in(known)
        if self._is_old and start > 4:
            return  # it says more, and nothing true
        synced = self.ends[-1] if self._is_old else self._synced
        is_skipped, skipped_to = False, 0
        for one, begin, end in zip(self.events, self.ends, self.ends[1:], strict=False):
            if not max(start, self.ends[1]) <= begin < synced:
                continue
            if one[4] == GTID:
                (number,) = struct.unpack_from("<q", one, 19 + 17)
                is_skipped = number in has
            if is_skipped:
                skipped_to = end
                continue
            if skipped_to:
                yield heartbeat(skipped_to)
                skipped_to = 0
            yield one
        if skipped_to and self._tells_end:
            yield heartbeat(skipped_to)
        if self._is_rotated:
            if synced == self.ends[-1]:  # a crash leaves a log without this event
                yield event(ROTATE, (4).to_bytes(8, "little") + NEXT.encode(), end=synced + 40)
            yield rotate(NEXT)
            yield self.events[0]


def heartbeat(end: int) -> bytes:
    return event(HEARTBEAT, LOG.encode(), end=end, flags=ARTIFICIAL)


def numbers_in(known: bytes) -> set[int]:
    """Return the numbers of a set in the encoding of a dump, of at most one source."""
    if not int.from_bytes(known[:8], "little"):
        return set()
    found: set[int] = set()
    for first, after in struct.iter_unpack("<qq", known[32:]):
        found |= {*range(first, after)}
    return found


def end_of(
    sender: Sender, executed: str, *, start: int = 0, version: str = "9.7.0"
) -> tuple[int, str]:
    """Return how many transactions are before the committed end, and the numbers of its set."""
    known = GtidPosition.parse(f"{UUIDS[0]}:{executed}" if executed else "")
    written = LogPosition(LOG, sender.begins[-1])
    answers = {"SELECT @@GLOBAL.server_uuid": rows_of((UUIDS[1], "ON")), "SET": packets([OK])}
    with fake_server(
        lambda *_: b"", gtid_dump=sender.dump, answers=answers, version=version
    ) as running:
        found = committed_before(
            running.server, WrittenEnd(written, known), sender.begins[start] if start else 4
        )
    pos, gtids = found
    assert gtids is not None
    return sender.begins.index(pos) if pos > 4 else 0, gtids.text.partition(":")[2]


@pytest.mark.parametrize(
    ("num_synced", "executed", "start", "expected"),
    [
        (6, "1-6", 0, (6, "1-6")),
        (6, "1-6", 6, (6, "1-6")),
        (4, "1-4", 0, (4, "1-4")),  # 5 and 6 are written, and not sent
        (4, "1-4", 2, (4, "1-4")),
        (4, "1-4", 4, (4, "1-4")),
        (5, "1-4", 2, (4, "1-4")),  # 5 is sent: it waits for a replica
        (6, "1-4", 4, (4, "1-4")),
        (6, "1-3:5", 1, (3, "1-3")),  # 5 was committed before 4
        (6, "1:3:5-6", 1, (1, "1")),
        (5, "1-3:5", 1, (3, "1-3")),
    ],
)
def test_an_end_has_the_transactions_of_its_set(
    tmp_path: Path, num_synced: int, executed: str, start: int, expected: tuple[int, str]
) -> None:
    for is_rotated in (False, True):
        sender = Sender(tmp_path / LOG, num_synced, is_rotated=is_rotated)
        assert end_of(sender, executed, start=start) == expected
        assert bool(sender.num_dumps) == (start < NUMBERS[-1])  # nothing is written: not asked


def test_a_server_that_does_not_tell_where_it_stops(tmp_path: Path) -> None:
    """A stream of it continues; it asks twice."""
    for num_synced, executed in ((6, "1-6"), (4, "1-4"), (5, "1-4")):
        sender = Sender(tmp_path / LOG, num_synced, tells_end=False)
        last = int(executed[-1])
        assert end_of(sender, executed, start=2) == (last, executed)
        assert end_of(sender, executed, start=last) == (last, executed)


def test_the_end_of_mysql_5_6(tmp_path: Path) -> None:
    """It sends from the beginning of a log only, and does not tell how far it skips."""
    sender = Sender(tmp_path / LOG, 6, is_old=True)
    for executed, expected in (("1-6", (6, "1-6")), ("1-4", (4, "1-4")), ("1-3:5", (3, "1-3"))):
        assert end_of(sender, executed, start=2, version="5.6.51") == expected
