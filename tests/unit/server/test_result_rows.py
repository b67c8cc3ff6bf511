"""The rows of a SELECT from the packets of a server: as PyMySQL reads them, or an error."""

import random
from collections.abc import Sequence
from typing import NoReturn

import pytest

from pyspark_adapter.errors import ServerError
from pyspark_adapter.server import result_rows
from pyspark_adapter.server.result_rows import ResultReader

Row = Sequence[bytes | None]
END = b"\xfe\x00\x00\x02\x00"
FULL = 0xFFFFFF


class RefusedByTestError(Exception):
    """What a server says."""


def refuse(packet: bytes) -> NoReturn:
    raise RefusedByTestError(packet)


def value(data: bytes | None) -> bytes:
    """Return a value as the protocol has it."""
    if data is None:
        return b"\xfb"
    size = len(data)
    if size < 251:
        return bytes([size]) + data
    if size < 1 << 16:
        return b"\xfc" + size.to_bytes(2, "little") + data
    if size < 1 << 24:
        return b"\xfd" + size.to_bytes(3, "little") + data
    return b"\xfe" + size.to_bytes(8, "little") + data


def packets(payloads: Sequence[bytes], sequence: int) -> bytes:
    """Return payloads as packets, large ones as several."""
    found = bytearray()
    for payload in payloads:
        rest = payload
        while True:
            part, rest = rest[:FULL], rest[FULL:]
            found += len(part).to_bytes(3, "little") + bytes([sequence & 0xFF]) + part
            sequence += 1
            if len(part) < FULL:
                break
    return bytes(found)


def read(data: bytes, num_columns: int, piece: int, sequence: int = 0) -> list[Row]:
    """Return the rows of bytes that come in pieces."""
    position = 0

    def read_some(buffer: memoryview) -> int:
        nonlocal position
        assert position < len(data), "asks for more after the end"
        part = data[position : position + min(piece, len(buffer))]
        buffer[: len(part)] = part
        position += len(part)
        return len(part)

    rows: list[Row] = []
    for window in ResultReader(read_some, num_columns, sequence, refuse):
        columns = [window.column(number).to_pylist() for number in range(num_columns)]
        rows += zip(*columns, strict=True)
        assert tuple(window.last(number) for number in range(num_columns)) == rows[-1]
        assert window.num_rows == len(columns[0])
    assert position == len(data)
    return rows


@pytest.mark.parametrize("piece", [1, 1000, 1 << 20])
def test_rows_of_all_lengths(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_rows, "_LEN_WINDOW", 4096)
    source = random.Random(3)  # noqa: S311 - to do the same again
    lengths = [0, 1, 250, 251, 300] if piece == 1 else [0, 1, 250, 251, 5000, 70000]
    rows: list[Row] = [
        tuple(
            None if source.random() < 0.2 else source.randbytes(source.choice(lengths))
            for _ in range(3)
        )
        for _ in range(40 if piece == 1 else 300)
    ]
    payloads = [b"".join(map(value, row)) for row in rows]
    assert read(packets([*payloads, END], 250), 3, piece, 250) == rows


def test_many_rows_fill_windows() -> None:
    rows: list[Row] = [(b"%d" % number,) for number in range(200_000)]
    assert read(packets([*[value(row[0]) for row in rows], END], 5), 1, 1 << 16, 5) == rows


@pytest.mark.parametrize("excess", [-20, 0, 1])
def test_a_row_of_several_packets(excess: int) -> None:
    """The value begins with its length in 9 bytes; a packet of full size is followed by another."""
    large = b"x" * (FULL - 13 + excess)
    rows: list[Row] = [(b"1", b"a"), (b"2", large), (None, None), (b"3", b"")]
    payloads = [b"".join(map(value, row)) for row in rows]
    assert read(packets([*payloads, END], 9), 2, 1 << 20, 9) == rows


@pytest.mark.parametrize(
    "payload",
    [
        *(b"\x01", b"\x01a\x01", b"\x01a\x01bc", b"\xfc\x05", b"\xfd\x00\x00\x01ab", b"\x01a\xff"),
        *(b"\x01a\xfe" + b"\xff" * 8, b"\x01a\xfe" + b"\x7f" * 8 + b"x"),
    ],
)
def test_a_packet_that_no_server_sends(payload: bytes) -> None:
    data = packets([b"\x01a\x01b", payload], 0)
    with pytest.raises(ServerError, match="a packet that no server sends"):
        read(data, 2, 1000)
    large = packets([payload + b"x" * FULL], 0)
    with pytest.raises(ServerError, match="a packet that no server sends"):
        read(large, 2, 1 << 20)


def test_packets_come_in_order() -> None:
    with pytest.raises(ServerError, match="a packet that no server sends"):
        read(packets([b"\x01a"], 3), 1, 1000, 4)


def test_an_error_between_rows_is_that_of_the_server() -> None:
    with pytest.raises(RefusedByTestError):
        read(packets([b"\x01a", b"\xff\x28\x04#70100killed"], 0), 1, 1000)
