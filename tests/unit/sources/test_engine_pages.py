"""The pages of the writer of engine binlogs: expected bytes are made by hand from the format."""

import struct

import pytest

from tests.support.engine_binlog import EngineBinlogWriter
from tests.support.engine_groups import gtid_event
from tests.support.engine_pages import (
    NO_FILE,
    OUT_OF_BAND,
    Header,
    References,
    compressed_int,
    compressed_ints,
    crc32c,
)

PAGE = 512
ROOM = PAGE - 4
# A state record without GTIDs: type 2, last chunk, length 2, no GTID, no pending XA.
NO_GTIDS = b"\x42\x02\x00" + b"\x00\x00"


def small_writer(pages_per_file: int = 4, state_interval: int = 0) -> EngineBinlogWriter:
    return EngineBinlogWriter(
        page_size=PAGE, pages_per_file=pages_per_file, state_interval=state_interval
    )


def page(data: bytes) -> bytes:
    """Return a page of this data, zeros and the checksum."""
    data = data.ljust(ROOM, b"\0")
    return data + crc32c(data).to_bytes(4, "little")


def pages_of(data: bytes) -> list[bytes]:
    return [data[at : at + PAGE] for at in range(0, len(data), PAGE)]


# RFC 3720 (iSCSI), B.4: the digests as they are sent, the first byte first.
RFC_3720 = {
    "zeros": (bytes(32), "aa36918a"),
    "ones": (b"\xff" * 32, "43aba862"),
    "up": (bytes(range(32)), "4e79dd46"),
    "down": (bytes(range(31, -1, -1)), "5cdb3f11"),
    "read": (
        bytes.fromhex(
            "01c00000 00000000 00000000 00000000 14000000 00000400"
            "00000014 00000018 28000000 00000000 02000000 00000000"
        ),
        "563a96d9",
    ),
}


@pytest.mark.parametrize(("data", "digest"), RFC_3720.values(), ids=RFC_3720)
def test_crc32c_is_that_of_rfc_3720(data: bytes, digest: str) -> None:
    assert crc32c(data).to_bytes(4, "little").hex() == digest


def test_a_header_is_that_of_the_test_of_mariadb() -> None:
    """`mysqlbinlog.test` of MariaDB makes this one, of a page size that is not supported."""
    words = [0x010DFEFE, 17, 1, 0, 1, 0, 16, 0, 0x11DD6, 0, 8, 0, 1, 0, 0xFFFFFFFF, 0xFFFFFFFF]
    expected = struct.pack("<16I", *words).ljust(508, b"\0") + struct.pack("<I", 0x81C60910)
    assert Header(17, 1, 16, 0x11DD6, 8, References(1, NO_FILE)).smallest_page() == expected


# MariaDB's format sheet, and the borders of its lengths.
COMPRESSED = {
    0: "00",
    1: "08",
    31: "f8",
    32: "0101",
    8191: "f9ff",
    8192: "020001",
    (1 << 53) - 1: "feffffffffffff",
    1 << 53: "070000000000000100",
    (1 << 64) - 1: "ff" * 8 + "07",
}


@pytest.mark.parametrize(("number", "expected"), COMPRESSED.items())
def test_a_compressed_integer_is_as_short_as_can_be(number: int, expected: str) -> None:
    assert compressed_int(number).hex() == expected


@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_a_compressed_integer_has_64_bits(number: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        compressed_int(number)


def test_a_small_log_is_known_byte_by_byte() -> None:
    writer = small_writer(pages_per_file=3)
    event = gtid_event(1)
    assert writer.group([event, b"the rest"]) == (0, PAGE + len(NO_GTIDS))
    files = writer.pages.on_disk(num_empty=2)
    header = Header(9, 0, 3, 0x11DD6, 0, References(0, NO_FILE)).smallest_page()
    record = b"\x00" + event + b"the rest"
    chunk = b"\x41" + len(record).to_bytes(2, "little") + record
    # The page is as small as can be: its checksum is that of the header too.
    assert pages_of(files[0]) == [header, page(NO_GTIDS + chunk), bytes(PAGE)]
    assert [*files] == [0, 1, 2]
    assert files[1] == files[2] == bytes(3 * PAGE)


def test_a_page_of_more_than_512_bytes_has_two_checksums_in_its_header() -> None:
    writer = EngineBinlogWriter(page_size=2048, pages_per_file=2)
    writer.group([gtid_event(1)])
    header = writer.pages.on_disk()[0][:2048]
    assert crc32c(header[:508]).to_bytes(4, "little") == header[508:512]
    assert header[512:2044] == bytes(1532)
    assert crc32c(header[:2044]).to_bytes(4, "little") == header[2044:]


@pytest.mark.parametrize("left", range(6))
def test_what_is_left_of_a_page(left: int) -> None:
    """1 to 3 bytes are padding, 4 are a chunk with one byte of data."""
    writer = small_writer()
    length = ROOM - len(NO_GTIDS) - 3 - left
    writer.pages.append(OUT_OF_BAND, b"a" * length)
    position = writer.pages.append(OUT_OF_BAND, b"bcd")
    first = NO_GTIDS + b"\x43" + length.to_bytes(2, "little") + b"a" * length
    second = {
        4: (b"\x03\x01\x00b", b"\xc3\x02\x00cd"),
        5: (b"\x03\x02\x00bc", b"\xc3\x01\x00d"),
    }.get(left, (b"\xff" * left, b"\x43\x03\x00bcd"))
    assert pages_of(writer.pages.on_disk()[0])[1:3] == [page(first + second[0]), page(second[1])]
    start = PAGE + len(first) if left >= 4 else 2 * PAGE
    assert position == (0, start)


def test_a_record_goes_on_behind_states_and_in_the_next_file() -> None:
    """The state of page 2 has the GTID of the group that began before; page 2 is the next one's."""
    writer = small_writer(pages_per_file=4, state_interval=2)
    event = gtid_event(7, domain=3, server_id=5)
    writer.group([event, b"x" * 1600])
    record = b"\x00" + event + b"x" * 1600
    difference = compressed_ints(1, 0, 3, 5, 7)
    state = b"\x42" + len(difference).to_bytes(2, "little") + difference
    rooms = [ROOM - len(NO_GTIDS) - 3, ROOM - len(state) - 3, ROOM - 3, 0]
    cuts = [sum(rooms[:n]) for n in range(4)]
    parts = [record[start:end] for start, end in zip(cuts, [*cuts[1:], None], strict=True)]
    flags = [b"\x01", b"\x81", b"\x81", b"\xc1"]
    chunks = [
        flag + len(part).to_bytes(2, "little") + part
        for flag, part in zip(flags, parts, strict=True)
    ]
    files = writer.pages.on_disk()
    expected = [page(NO_GTIDS + chunks[0]), page(state + chunks[1]), page(chunks[2])]
    assert pages_of(files[0])[1:] == expected
    assert pages_of(files[1])[1:3] == [page(state + chunks[3]), bytes(PAGE)]


def test_a_state_where_a_group_begins_is_without_its_gtid() -> None:
    writer = small_writer(state_interval=1)
    writer.pages.append(OUT_OF_BAND, b"a" * (ROOM - len(NO_GTIDS) - 3))
    assert writer.group([gtid_event(2)]) == (0, 2 * PAGE + len(NO_GTIDS))
    assert pages_of(writer.pages.on_disk()[0])[2].startswith(NO_GTIDS)


def test_states_are_differences_within_a_file() -> None:
    writer = small_writer(pages_per_file=5, state_interval=1)
    for number in range(1, 7):
        writer.group([gtid_event(number, domain=number % 2), b"x" * 400])
    states = [
        [state_gtids(data) for data in pages_of(content)[1:]]
        for content in writer.pages.on_disk().values()
    ]
    # Each group begins in the page before the one that it fills. The last page of a file has no
    # state, as no page for data would be left.
    assert states[0] == [(0,), (2, 1, 1, 1, 0, 1, 2), (2, 1, 1, 3, 0, 1, 2), None]
    assert states[1] == [(2, 1, 1, 5, 0, 1, 4), (1, 0, 1, 6), None, None]


def state_gtids(data: bytes) -> tuple[int, ...] | None:
    """Return the small numbers of a state record at the start of a page, without the second."""
    if data[0] != 0x42:
        return None
    numbers = [byte >> 3 for byte in data[3 : 3 + data[1]]]
    return (numbers[0], *numbers[2:])


def test_a_state_larger_than_a_page_goes_on_in_the_next() -> None:
    gtids = [(domain, 1, 1) for domain in range(200)]
    writer = EngineBinlogWriter(page_size=PAGE, pages_per_file=6, state_interval=1, gtids=gtids)
    data = compressed_ints(200, 0, *(number for gtid in gtids for number in gtid))
    room = ROOM - 3
    assert room < len(data) < 2 * room
    start = writer.pages.append(OUT_OF_BAND, b"a")
    rest = b"\xc2" + (len(data) - room).to_bytes(2, "little") + data[room:]
    assert start == (0, 2 * PAGE + len(rest))
    first, second = pages_of(writer.pages.on_disk()[0])[1:3]
    assert first == page(b"\x02" + room.to_bytes(2, "little") + data[:room])
    assert second == page(rest + b"\x43\x01\x00a")


def test_the_first_file_without_a_state_of_its_first_group() -> None:
    """A replica can so start behind the very first group of a server."""
    writer = EngineBinlogWriter(page_size=PAGE, gtids=[(0, 1, 1)])
    writer.group([gtid_event(2)])
    assert pages_of(writer.pages.on_disk()[0])[1].startswith(NO_GTIDS)
    later = EngineBinlogWriter(page_size=PAGE, gtids=[(0, 1, 1)], first_file_no=4)
    later.group([gtid_event(2)])
    assert state_gtids(pages_of(later.pages.on_disk()[4])[1]) == (1, 0, 1, 1)


def test_the_first_file_may_take_bytes_for_pages() -> None:
    """With an interval of 1 page the header says 512, and page 2 has no state; in file 1 it has."""
    writer = EngineBinlogWriter(
        page_size=PAGE, pages_per_file=4, state_interval=1, has_interval_in_bytes=True
    )
    writer.group([gtid_event(1), b"x" * 3 * PAGE])
    first, second = (writer.pages.on_disk()[number] for number in (0, 1))
    assert [int.from_bytes(file[40:48], "little") for file in (first, second)] == [PAGE, 1]
    assert [data[0] for data in pages_of(first)[1:]] == [0x42, 0x81, 0x81]
    writer.group([gtid_event(2), b"x" * PAGE])
    assert [data[0] for data in pages_of(writer.pages.on_disk()[1])[1:3]] == [0x42, 0x42]


def test_flush_cuts_the_file_and_begins_the_next() -> None:
    writer = small_writer(pages_per_file=9)
    writer.group([gtid_event(1)])
    used = len(NO_GTIDS) + 3 + 1 + len(gtid_event(1))
    writer.flush_logs()
    files = writer.pages.on_disk(num_empty=0)
    assert len(files[0]) == 2 * PAGE
    assert int.from_bytes(files[0][24:32], "little") == 9
    length = ROOM - used - 3
    filler = b"\x44" + length.to_bytes(2, "little") + b"\xff" * length
    assert pages_of(files[0])[1][used:ROOM] == filler
    assert len(files[1]) == 9 * PAGE
    assert state_gtids(pages_of(files[1])[1]) == (1, 0, 1, 1)


def test_pages_that_are_not_written_yet_are_zeros() -> None:
    writer = small_writer(pages_per_file=3)
    writer.group([gtid_event(1), b"x" * 1200])
    whole = writer.pages.on_disk()
    assert [*map(bool, map(any, whole.values()))] == [True, True, False]
    # The last page, then the header of that file too: it looks as if it were never used.
    assert writer.pages.on_disk(1)[1] == whole[1][:PAGE] + bytes(2 * PAGE)
    assert writer.pages.on_disk(2) == {**whole, 1: bytes(3 * PAGE)}
    assert writer.pages.on_disk(3) == {
        0: whole[0][: 2 * PAGE] + bytes(PAGE),
        1: bytes(3 * PAGE),
        2: bytes(3 * PAGE),
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"page_size": 600}, "power of two"),
        ({"page_size": 256}, "power of two"),
        ({"pages_per_file": 1}, "at least 2"),
        ({"state_interval": 3}, "power of two"),
    ],
)
def test_options_that_no_server_has(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EngineBinlogWriter(**options)  # type: ignore[arg-type]
