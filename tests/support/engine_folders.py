"""Engine binlogs of random workloads, for tests that read them in many sizes."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from samples.event_headers import HEADER
from tests.support.engine_binlog import EngineBinlogWriter, EngineTransaction, Xid
from tests.support.engine_groups import format_description, gtid_event

_USER_EVENT = 30  # a type whose body may be any bytes, for those who look at headers alone


@dataclass(frozen=True)
class Sizes:
    """Sizes of an engine binlog, for `EngineBinlogWriter`."""

    page_size: int = 512
    pages_per_file: int = 6
    state_interval: int = 4
    cache_size: int = 300
    first_file_no: int = 0


SIZES: Sequence[Sizes] = (
    Sizes(),
    Sizes(pages_per_file=2),
    Sizes(pages_per_file=3, state_interval=1, cache_size=40),
    Sizes(pages_per_file=64, state_interval=0, cache_size=1000),
    Sizes(page_size=1024, pages_per_file=9, state_interval=2, cache_size=5),
    Sizes(page_size=4096, pages_per_file=4, cache_size=3000, first_file_no=7),
    Sizes(page_size=16384, pages_per_file=3, cache_size=20000, first_file_no=999_998),
    Sizes(page_size=65536, pages_per_file=2, cache_size=70000),
)


def event_of(num_bytes: int, rng: random.Random) -> bytes:
    """Return an event of a length, with a body of random bytes."""
    body = rng.randbytes(num_bytes)
    return HEADER.pack(1_700_000_000, _USER_EVENT, 1, HEADER.size + num_bytes, 0, 0) + body


def write_workload(writer: EngineBinlogWriter, seed: int, num_groups: int = 60) -> None:
    """Write groups of all kinds: small, large, with savepoints, XA, rolled back, in turns."""
    rng = random.Random(seed)  # noqa: S311 - the same each time
    sequence = 0
    waiting: list[EngineTransaction] = []
    most = writer.pages.page_size

    def next_gtid() -> bytes:
        nonlocal sequence
        sequence += 1
        return gtid_event(sequence, domain=sequence % 3, server_id=1 + sequence % 2)

    def some_event() -> bytes:
        return event_of(rng.choice((0, 1, 30, 200, rng.randrange(most))), rng)

    def fill(transaction: EngineTransaction, *, has_two_sets: bool) -> None:
        for _ in range(rng.randrange(1, 8)):
            transaction.write(some_event())
        if rng.random() < 0.3:
            savepoint = transaction.savepoint()
            transaction.write(*(some_event() for _ in range(rng.randrange(1, 5))))
            transaction.rollback_to(savepoint)
            transaction.write(some_event())
        if has_two_sets:
            transaction.write(some_event(), some_event(), is_transactional=False)

    while sequence < num_groups:
        choice = rng.random()
        if choice < 0.35:
            events = [next_gtid(), *(some_event() for _ in range(rng.randrange(3)))]
            writer.group(events, internal_xid=Xid(b"two") if rng.random() < 0.2 else None)
        elif choice < 0.6:
            transaction = writer.begin()
            fill(transaction, has_two_sets=rng.random() < 0.2)
            if rng.random() < 0.2:
                transaction.rollback()
            elif rng.random() < 0.3:
                waiting.append(transaction)
            else:
                transaction.commit(next_gtid())
        elif choice < 0.75:
            transaction = writer.begin()
            fill(transaction, has_two_sets=False)
            transaction.prepare(Xid(b"xa%d" % sequence, b"b"))
            waiting.append(transaction)
        elif choice < 0.92 and waiting:
            transaction = waiting.pop(rng.randrange(len(waiting)))
            if rng.random() < 0.8:
                transaction.commit(next_gtid())
            else:
                transaction.rollback()
        elif choice < 0.95:
            writer.group([format_description()])
        elif choice < 0.97:
            writer.flush_logs()
