"""Writes a folder of MariaDB's engine binlogs (`.ibb`) from transactions, as MariaDB 12.3 does.

Written from the published format alone; `engine_pages.py` names it. Events are those of MariaDB
without checksums; `engine_groups.py` takes them from ordinary logs.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.engine_damage import Damage
from tests.support.engine_pages import (
    COMMIT,
    NO_FILE,
    OUT_OF_BAND,
    XA_COMPLETE,
    XA_PREPARE,
    PageWriter,
    Position,
    References,
    compressed_int,
    compressed_ints,
    file_name,
)

MARIADB_GTID = 162
NOWHERE = Position(0, 0)

Gtid = tuple[int, int, int]  # domain, server, sequence number


@dataclass(frozen=True)
class Xid:
    """The identifier of an XA transaction."""

    gtrid: bytes
    bqual: bytes = b""
    format_id: int = 1

    def to_bytes(self) -> bytes:
        """Return format, lengths and bytes, as the records of XA have them."""
        lengths = struct.pack("<IBB", self.format_id, len(self.gtrid), len(self.bqual))
        return lengths + self.gtrid + self.bqual


def gtid_of(event: bytes) -> Gtid | None:
    """Return the GTID of an event that begins a group, or None if it has none."""
    if event[4] != MARIADB_GTID:
        return None
    server = int.from_bytes(event[5:9], "little")
    sequence, domain = struct.unpack_from("<QI", event, 19)
    return domain, server, sequence


class GtidState:
    """The last sequence number of each domain and server; the last server of a domain is last."""

    def __init__(self, gtids: Sequence[Gtid] = ()) -> None:
        self._domains: dict[int, dict[int, int]] = {}
        for gtid in gtids:
            self.update(gtid)

    def update(self, gtid: Gtid) -> None:
        """Take in a GTID that was logged."""
        domain, server, sequence = gtid
        servers = self._domains.setdefault(domain, {})
        servers.pop(server, None)
        servers[server] = sequence

    def gtids(self) -> list[Gtid]:
        """Return them in the order of a state record."""
        return [(d, s, n) for d, servers in self._domains.items() for s, n in servers.items()]


@dataclass(frozen=True)
class Node:
    """The root of a tree of out-of-band records."""

    number: int
    height: int
    position: Position


@dataclass
class Forest:
    """The out-of-band records of a transaction that count: roots of trees, highest first."""

    first: Position = NOWHERE
    roots: list[Node] = field(default_factory=list)

    def add(self, pages: PageWriter, data: bytes) -> Position:
        """Write the next record: the root over two trees of one height, or a leaf."""
        roots = self.roots
        number = roots[-1].number + 1 if roots else 0
        left, right, height, children = NOWHERE, NOWHERE, 1, 0
        if len(roots) >= 2 and roots[-1].height == roots[-2].height:
            left, right = roots[-2].position, roots[-1].position
            height, children = roots[-1].height + 1, 2
        elif roots:
            right = roots[-1].position
        position = pages.append(OUT_OF_BAND, compressed_ints(number, *left, *right) + data)
        if not roots:
            self.first = position
        self.roots = [*roots[: len(roots) - children], Node(number, height, position)]
        return position

    def pointers(self) -> bytes:
        """Return number of records, and where the first one and the last root are."""
        last = self.roots[-1]
        return compressed_ints(last.number + 1, *self.first, *last.position)


@dataclass(frozen=True)
class Savepoint:
    """What a transaction had logged in one of its caches, in all and in records."""

    is_transactional: bool
    num_bytes: int


@dataclass
class Cache:
    """The events of a transaction of one kind, in memory until they are more than fit there.

    Attributes:
        data: all bytes that count.
        num_spilled: how many of them are in records.
        marks: savepoints, by number of bytes: records are cut there.
        forests: as they were at savepoints behind which there are records, by number of bytes.
    """

    data: bytearray = field(default_factory=bytearray)
    num_spilled: int = 0
    forest: Forest = field(default_factory=Forest)
    marks: list[int] = field(default_factory=list)
    forests: dict[int, Forest] = field(default_factory=dict)


class EngineTransaction:
    """A transaction that is open. Others may write at the same time."""

    def __init__(self, writer: EngineBinlogWriter, number: int) -> None:
        self.number = number
        self._writer = writer
        self._caches = {True: Cache(), False: Cache()}
        self._xid: Xid | None = None

    def write(self, *events: bytes, is_transactional: bool = True) -> None:
        """Log events without their GTID; pieces as long as the cache go to records at once."""
        assert self._xid is None, "the transaction is prepared"
        cache = self._caches[is_transactional]
        cache.data += b"".join(events)
        while len(cache.data) - cache.num_spilled > self._writer.cache_size:
            self._spill(cache, self._writer.cache_size)

    def savepoint(self, *, is_transactional: bool = True) -> Savepoint:
        """Return where the transaction is, to come back to it."""
        cache = self._caches[is_transactional]
        cache.marks.append(len(cache.data))
        return Savepoint(is_transactional, len(cache.data))

    def rollback_to(self, savepoint: Savepoint) -> None:
        """Take back what was logged since; records of it stay in the file."""
        cache, num_bytes = self._caches[savepoint.is_transactional], savepoint.num_bytes
        del cache.data[num_bytes:]
        cache.marks = [mark for mark in cache.marks if mark <= num_bytes]
        if cache.num_spilled > num_bytes:
            cache.forest = replace(cache.forests[num_bytes])
            cache.num_spilled = num_bytes
        cache.forests = {at: kept for at, kept in cache.forests.items() if at <= num_bytes}

    def commit(self, gtid_event: bytes, internal_xid: Xid | None = None) -> Position:
        """Write the commit record, and return where it is.

        Args:
            gtid_event: the first event of the group.
            internal_xid: of a transaction of several engines, which XA COMPLETE names before it.
        """
        writer, xid = self._writer, self._xid
        used = [cache for cache in (self._caches[False], self._caches[True]) if cache.data]
        # Either all events but the GTID are in the commit record, or none.
        if len(used) > 1 or any(cache.forest.roots for cache in used):
            self._spill_all(used)
        sets = [cache.forest.pointers() for cache in used if cache.forest.roots]
        # After the pointers of one set, or instead of any, comes a count of 0; never a third count.
        pointers = b"".join(sets) + (compressed_int(0) if len(sets) < 2 else b"")
        events = b"".join(bytes(cache.data) for cache in used)
        inline = b"" if sets else events
        if ending := xid or internal_xid:
            writer.complete_xa(ending, is_commit=True)
        if internal_xid:
            writer.pending_xa[self.number] = self._first_file_no()
        position = writer.put_commit(pointers, gtid_event, inline, events)
        writer.close(self)
        return position

    def prepare(self, xid: Xid, num_engines: int = 1) -> Position:
        """Write the record of XA PREPARE; the events have to end in the COMMIT of the group."""
        cache = self._caches[True]
        assert cache.data, "nothing was logged"
        assert not self._caches[False].data, "a prepared transaction has one set"
        self._xid = xid
        self._spill_all([cache])
        record = bytes([num_engines]) + xid.to_bytes() + cache.forest.pointers()
        position = self._writer.pages.append(XA_PREPARE, record)
        self._writer.pending_xa[self.number] = cache.forest.first.file_no
        return position

    def rollback(self) -> None:
        """End the transaction; only one that was prepared leaves a record of it."""
        if self._xid:
            self._writer.complete_xa(self._xid, is_commit=False)
        self._writer.close(self)

    def _spill_all(self, caches: Sequence[Cache]) -> None:
        for cache in caches:
            if len(cache.data) > cache.num_spilled:
                self._spill(cache, len(cache.data) - cache.num_spilled)

    def _spill(self, cache: Cache, num_bytes: int) -> None:
        """Write bytes of a cache to records: one, or more if savepoints lie within."""
        end = cache.num_spilled + num_bytes
        for cut in sorted({*(m for m in cache.marks if cache.num_spilled < m < end), end}):
            if cache.num_spilled in cache.marks:
                cache.forests[cache.num_spilled] = replace(cache.forest)
            piece = bytes(cache.data[cache.num_spilled : cut])
            self._writer.refer(self, cache.forest.add(self._writer.pages, piece).file_no)
            cache.num_spilled = cut

    def _first_file_no(self) -> int:
        forest = self._caches[True].forest
        return forest.first.file_no if forest.roots else self._writer.pages.file_no


@dataclass(frozen=True)
class CommittedGroup:
    """What a reader has to give for a commit record."""

    position: Position
    events: bytes


class EngineBinlogWriter:
    """Appends event groups to engine binlogs.

    Attributes:
        cache_size: bytes of a transaction that stay in memory; more go to out-of-band records.
        pages: what places records in pages and files.
        groups: those that were committed, in order.
        pending_xa: first file of each transaction that is prepared, by its number.
    """

    def __init__(
        self,
        *,
        page_size: int = 16384,
        pages_per_file: int = 16,
        state_interval: int = 8,
        cache_size: int = 32768,
        first_file_no: int = 0,
        gtids: Sequence[Gtid] = (),
        has_interval_in_bytes: bool = False,
    ) -> None:
        """Begin a folder.

        Args:
            page_size: in bytes, a power of two from 512.
            pages_per_file: of each file, its header included; `pages.pages_per_file` changes it.
            state_interval: pages between state records, a power of two; 0 for page 1 alone.
            cache_size: see the class.
            first_file_no: above 0 for a folder whose older files were purged.
            gtids: the state when the first file begins.
            has_interval_in_bytes: see `PageWriter`.
        """
        self.cache_size = cache_size
        self.groups: list[CommittedGroup] = []
        self.pending_xa: dict[int, int] = {}
        self._state, self._difference = GtidState(gtids), GtidState()
        self._num_transactions = 0
        self._open: dict[int, int] = {}  # First file of a transaction's records, by its number.
        self.pages = PageWriter(
            page_size,
            pages_per_file,
            state_interval,
            first_file_no,
            self._state_data,
            self._references,
            has_interval_in_bytes,
        )

    def begin(self) -> EngineTransaction:
        self._num_transactions += 1
        return EngineTransaction(self, self._num_transactions)

    def group(self, events: Sequence[bytes], internal_xid: Xid | None = None) -> Position:
        """Write a committed group, its GTID event first, and return where its record is."""
        transaction = self.begin()
        transaction.write(*events[1:])
        return transaction.commit(events[0], internal_xid)

    def flush_logs(self) -> None:
        """Cut the file and begin the next, as FLUSH BINARY LOGS does."""
        self.pages.cut_file()

    def complete_xa(self, xid: Xid, *, is_commit: bool) -> Position:
        """Write the record that ends a transaction of XA, or of several engines."""
        return self.pages.append(XA_COMPLETE, bytes([not is_commit]) + xid.to_bytes())

    def put_commit(
        self, pointers: bytes, first_event: bytes, inline: bytes, events: bytes
    ) -> Position:
        """Write a commit record with these events, and remember all events of the group."""

        def update() -> None:
            if gtid := gtid_of(first_event):
                self._state.update(gtid)
                self._difference.update(gtid)

        position = self.pages.append(COMMIT, pointers + first_event + inline, update)
        self.groups.append(CommittedGroup(position, first_event + events))
        return position

    def refer(self, transaction: EngineTransaction, file_no: int) -> None:
        """Note that an open transaction has a record in a file."""
        self._open.setdefault(transaction.number, file_no)

    def close(self, transaction: EngineTransaction) -> None:
        """Forget a transaction that has ended."""
        self._open.pop(transaction.number, None)
        self.pending_xa.pop(transaction.number, None)

    def write_to(
        self,
        folder: Path,
        *,
        num_unwritten: int = 0,
        num_empty: int = 1,
        first_file_no: int = 0,
        damages: Sequence[Damage] = (),
    ) -> list[Path]:
        """Write the files, and return their paths in order; more of them after more groups.

        Args:
            folder: that exists.
            num_unwritten: pages at the end that the server has not written yet.
            num_empty: files at the end that are allocated and not used.
            first_file_no: older files are left out, as after a purge.
            damages: done one after the other.
        """
        files = self.pages.on_disk(num_unwritten, num_empty)
        files = {number: data for number, data in files.items() if number >= first_file_no}
        for damage in damages:
            damage.do(files, self.pages.page_size)
        paths = [folder / file_name(number) for number in files]
        for path, data in zip(paths, files.values(), strict=True):
            path.write_bytes(data)
        return paths

    def _state_data(self, is_full: bool) -> bytes:
        state = self._state
        if is_full:
            self._difference = GtidState()
            # So that a replica may start behind the very first group of a server.
            only = self._state.gtids() if self.pages.file_no == 0 else []
            if len(only) == 1 and only[0][2] == 1:
                state = self._difference
        else:
            state = self._difference
        gtids = state.gtids()
        earliest = min(self.pending_xa.values(), default=-1)
        return compressed_ints(len(gtids), earliest + 1, *(n for gtid in gtids for n in gtid))

    def _references(self, file_no: int) -> References:
        earliest_xa = min(self.pending_xa.values(), default=NO_FILE)
        return References(min([*self._open.values(), earliest_xa, file_no]), earliest_xa)
