"""The records that the writer of engine binlogs makes of transactions, by hand from the format."""

from typing import Any

from tests.support.engine_binlog import EngineBinlogWriter, Xid
from tests.support.engine_groups import gtid_event
from tests.support.engine_pages import (
    COMMIT,
    OUT_OF_BAND,
    XA_COMPLETE,
    XA_PREPARE,
    Position,
    compressed_ints,
)

PAGE = 512
Record = tuple[int, bytes, Position]


class Recording(EngineBinlogWriter):
    """Keeps the records as they were handed to the pages, without those of states and fillers."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"page_size": PAGE, "pages_per_file": 64, **options})
        self.records: list[Record] = []
        append = self.pages.append

        def keep(record_type: int, data: bytes, *rest: Any) -> Position:
            position = append(record_type, data, *rest)
            self.records.append((record_type, data, position))
            return position

        self.pages.append = keep  # type: ignore[assignment, method-assign]

    def of_type(self, record_type: int) -> list[tuple[bytes, Position]]:
        """Return data and positions of the records of a type."""
        return [(data, position) for code, data, position in self.records if code == record_type]


def test_a_large_transaction_is_a_forest_of_perfect_trees() -> None:
    """The 13 records of MariaDB's comment on `innodb_binlog_oob_ordered`."""
    writer = Recording(cache_size=10)
    transaction = writer.begin()
    transaction.write(b"0123456789" * 12, b"the")
    transaction.commit(gtid_event(1))
    nodes = writer.of_type(OUT_OF_BAND)
    place = [position for _, position in nodes]
    roots = {2: (0, 1), 5: (3, 4), 6: (2, 5), 9: (7, 8), 12: (10, 11)}
    before = {1: 0, 3: 2, 4: 3, 7: 6, 8: 7, 10: 9, 11: 10}
    for number, (data, _) in enumerate(nodes):
        left, right = (0, 0), (0, 0)
        if number in roots:
            left, right = (place[child] for child in roots[number])
        elif number in before:
            right = place[before[number]]
        piece = b"the" if number == 12 else b"0123456789"
        assert data == compressed_ints(number, *left, *right) + piece, number
    pointers = compressed_ints(13, *place[0], *place[12], 0)
    assert writer.of_type(COMMIT)[0][0] == pointers + gtid_event(1)
    assert writer.groups[0].events == gtid_event(1) + b"0123456789" * 12 + b"the"


def test_a_transaction_that_fits_the_cache_is_in_its_commit_record() -> None:
    writer = Recording(cache_size=10)
    writer.group([gtid_event(1), b"0123456789"])
    assert writer.records[0][:2] == (COMMIT, b"\x00" + gtid_event(1) + b"0123456789")
    assert len(writer.records) == 1


def test_two_sets_have_no_third_count() -> None:
    writer = Recording(cache_size=10)
    transaction = writer.begin()
    transaction.write(b"in the transaction")
    transaction.write(b"outside", is_transactional=False)
    transaction.commit(gtid_event(1))
    first, rest, outside = (position for _, position in writer.of_type(OUT_OF_BAND))
    assert [data[-7:] for data, _ in writer.of_type(OUT_OF_BAND)][1:] == [b"outside", b"saction"]
    outside, rest = rest, outside
    pointers = compressed_ints(1, *outside, *outside, 2, *first, *rest)
    assert writer.of_type(COMMIT)[0][0] == pointers + gtid_event(1)
    assert writer.groups[0].events == gtid_event(1) + b"outside" + b"in the transaction"


def test_a_savepoint_brings_the_forest_back() -> None:
    """Records since then stay without a pointer to them, and their numbers are given out again."""
    writer = Recording(cache_size=4)
    transaction = writer.begin()
    transaction.write(b"aaaabb")
    savepoint = transaction.savepoint()
    transaction.write(b"lostlostlost")
    transaction.rollback_to(savepoint)
    transaction.write(b"ccccd")
    transaction.commit(gtid_event(1))
    nodes = writer.of_type(OUT_OF_BAND)
    place = [position for _, position in nodes]
    assert [data for data, _ in nodes] == [
        compressed_ints(0, 0, 0, 0, 0) + b"aaaa",
        # A piece is as long as the cache, but the savepoint lies in its middle.
        compressed_ints(1, 0, 0, *place[0]) + b"bb",
        compressed_ints(2, *place[0], *place[1]) + b"lo",
        compressed_ints(3, 0, 0, *place[2]) + b"stlo",
        compressed_ints(4, 0, 0, *place[3]) + b"stlo",
        compressed_ints(2, *place[0], *place[1]) + b"cccc",
        compressed_ints(3, 0, 0, *place[5]) + b"d",
    ]
    pointers = compressed_ints(4, *place[0], *place[6], 0)
    assert writer.of_type(COMMIT)[0][0] == pointers + gtid_event(1)
    assert writer.groups[0].events == gtid_event(1) + b"aaaabbccccd"


def test_xa_commit_points_to_what_was_prepared() -> None:
    writer = Recording(pages_per_file=4)
    xid = Xid(b"two", b"branch", 7)
    as_bytes = bytes.fromhex("07000000 03 06") + b"twobranch"
    transaction = writer.begin()
    transaction.write(b"rows", b"COMMIT")
    prepared = transaction.prepare(xid, num_engines=2)
    ((node, at),) = writer.of_type(OUT_OF_BAND)
    assert node == bytes(5) + b"rowsCOMMIT"
    assert writer.of_type(XA_PREPARE) == [
        (b"\x02" + as_bytes + compressed_ints(1, *at, *at), prepared)
    ]
    writer.flush_logs()
    file = writer.pages.on_disk()[1]
    # Both the header and the state record say that file 0 is needed: as 0, and as 1 + 0.
    assert file[48:64] == bytes(16)
    assert file[PAGE : PAGE + 5] == b"\x42\x02\x00" + compressed_ints(0, 1)
    transaction.commit(gtid_event(1))
    assert [code for code, _, _ in writer.records[-2:]] == [XA_COMPLETE, COMMIT]
    assert writer.records[-2][1] == b"\x00" + as_bytes
    assert writer.records[-1][1] == compressed_ints(1, *at, *at, 0) + gtid_event(1)
    writer.flush_logs()
    assert writer.pages.on_disk()[2][48:64] == (2).to_bytes(8, "little") + b"\xff" * 8


def test_xa_rollback_is_a_record_and_no_group() -> None:
    writer = Recording()
    transaction = writer.begin()
    transaction.write(b"rows")
    transaction.prepare(Xid(b"x"))
    transaction.rollback()
    assert writer.of_type(XA_COMPLETE)[0][0] == bytes.fromhex("01 01000000 01 00") + b"x"
    assert writer.groups == []


def test_a_transaction_of_several_engines_has_a_record_before_its_commit() -> None:
    writer = Recording()
    writer.group([gtid_event(1), b"rows"], internal_xid=Xid(b"MySQLXid"))
    assert [code for code, _, _ in writer.records] == [XA_COMPLETE, COMMIT]


def test_a_rolled_back_transaction_leaves_records_without_a_pointer() -> None:
    writer = Recording(cache_size=4)
    transaction = writer.begin()
    transaction.write(b"aaaabbbbcccc")
    transaction.rollback()
    writer.group([gtid_event(1)])
    assert [code for code, _, _ in writer.records] == [OUT_OF_BAND, OUT_OF_BAND, COMMIT]
    assert writer.of_type(COMMIT)[0][0] == b"\x00" + gtid_event(1)


def test_open_transactions_write_in_turns_and_keep_their_files_needed() -> None:
    writer = Recording(cache_size=300, pages_per_file=3, state_interval=0)
    first, second = writer.begin(), writer.begin()
    for byte in (b"a", b"b", b"c"):
        first.write(byte * 400)
        second.write(byte.upper() * 400)
    second.commit(gtid_event(1))
    first.commit(gtid_event(2))
    pieces = [data[-1:] for data, _ in writer.of_type(OUT_OF_BAND)]
    # Of 1200 bytes each, four pieces of 300: three when the cache runs over, one at the commit.
    assert b"".join(pieces) == b"aAbBcCCc"
    letters = {True: b"abc", False: b"ABC"}
    for group, is_first, number in zip(writer.groups, (False, True), (1, 2), strict=True):
        data = b"".join(bytes([letter]) * 400 for letter in letters[is_first])
        assert group.events == gtid_event(number) + data
    needed = [
        int.from_bytes(file[48:56], "little") for file in writer.pages.on_disk(num_empty=0).values()
    ]
    assert len(needed) >= 3
    assert set(needed) == {0}
    writer.flush_logs()
    last = writer.pages.file_no
    assert writer.pages.on_disk()[last][48:56] == last.to_bytes(8, "little")
