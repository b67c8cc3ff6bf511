"""A server of one log with as much of the protocol as a replica needs; it lies if asked to."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from pyspark_adapter.server.server import LiveServer
from samples.event_headers import HEADER
from tests.support.tcp_proxy import accepting

MAX_PACKET = (1 << 24) - 1
OK = b"\x00\x00\x00\x02\x00\x00\x00"
EOF = b"\xfe\x00\x00\x02\x00"
ROTATE, FORMAT, HEARTBEAT = 4, 15, 27
COM_QUERY, COM_BINLOG_DUMP, COM_BINLOG_DUMP_GTID = 0x03, 0x12, 0x1E
ARTIFICIAL = 0x20

# What the server sends for the dump of a connection, as bytes of the wire.
Dump = Callable[[int, int], bytes | Iterator[bytes]]
# The same of a dump by GTIDs: called with its position and the set, in the server's encoding.
GtidDump = Callable[[int, bytes], bytes]


def packets(payloads: Sequence[bytes], number: int = 1) -> bytes:
    """Return payloads as packets of the protocol, with their numbers."""
    wire = bytearray()
    for payload in payloads:
        for first in range(0, len(payload) + 1, MAX_PACKET):
            piece = payload[first : first + MAX_PACKET]
            wire += len(piece).to_bytes(3, "little") + bytes([number & 0xFF]) + piece
            number += 1
    return bytes(wire)


def event(kind: int, body: bytes, *, end: int = 0, flags: int = 0, stamp: int = 0) -> bytes:
    """Return an event without a checksum."""
    return HEADER.pack(stamp, kind, 1, HEADER.size + len(body), end, flags) + body


def rotate(log_name: str, *, flags: int = ARTIFICIAL) -> bytes:
    """Return the event that names the log of the events to come."""
    return event(ROTATE, (4).to_bytes(8, "little") + log_name.encode(), flags=flags)


def events_in(log: bytes) -> Iterator[bytes]:
    place = 4
    while place < len(log):
        length = int.from_bytes(log[place + 9 : place + 13], "little")
        yield log[place : place + length]
        place += length


def payloads_of(log: bytes, log_name: str, start: int = 4) -> list[bytes]:
    """Return what an honest server sends of a log from a position on."""
    place, found = 4, [b"\0" + rotate(log_name)]
    for one in events_in(log):
        if one[4] == FORMAT and start > 4:
            found.append(b"\0" + one[:13] + bytes(4) + one[17:])
        elif place >= start:
            found.append(b"\0" + one)
        place += len(one)
    return [*found, EOF]


@dataclass
class FakeServer:
    """A running server, and what it was sent.

    Attributes:
        server: to reach it by.
        starts: position that each dump was asked from.
        heard: commands, and all that is sent after them, without dumps.
    """

    server: LiveServer
    starts: list[int] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)


def greeting_of(version: str) -> bytes:
    """Return the packet by which a server greets."""
    return (
        b"\x0a"
        + version.encode()
        + b"\x00"
        + struct.pack("<I", 1)
        + b"saltsalt\x00"
        + struct.pack("<HBHHB", 0x8200, 45, 2, 0x0008, 21)
        + bytes(10)
        + b"saltsaltsalt\x00mysql_native_password\x00"
    )


def error_packet(code: int, text: str) -> bytes:
    """Return the packet by which a server refuses."""
    return b"\xff" + code.to_bytes(2, "little") + b"#HY000" + text.encode()


_BINARY, _UTF8 = 63, 45


def rows_of(*rows: Sequence[str | None], collation: int = _UTF8) -> bytes:
    """Return the answer to a query on the wire; as many columns as the longest row has."""

    def text(value: str | None) -> bytes:
        if value is None:
            return b"\xfb"
        return b"\xfc" + len(value.encode()).to_bytes(2, "little") + value.encode()

    num_columns = max(map(len, rows), default=2)
    about = struct.pack("<HIBHB", collation, 1024, 0xFD, 0, 0) + bytes(2)
    column = b"\x03def\x00\x00\x00\x01c\x00\x0c" + about
    values = [b"".join(map(text, row)) for row in rows]
    return packets([bytes([num_columns]), *num_columns * [column], EOF, *values, EOF])


def binary_rows_of(*rows: Sequence[str | None]) -> bytes:
    """Return the answer to a query, of columns without a character set."""
    return rows_of(*rows, collation=_BINARY)


def _take(client: socket.socket, num_bytes: int) -> bytes:
    data = b""
    while len(data) < num_bytes:
        piece = client.recv(num_bytes - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def take_packet(client: socket.socket) -> tuple[bytes, int]:
    """Return the next packet, and its number."""
    header = _take(client, 4)
    return _take(client, int.from_bytes(header[:3], "little")), header[3]


@contextmanager
def fake_server(
    dump: Dump,
    logs: Sequence[tuple[str, int]] = (),
    *,
    gtid_dump: GtidDump | None = None,
    greeting: Callable[[], bytes | Iterator[bytes]] | None = None,
    answers: Mapping[str, bytes] | None = None,
    version: str = "9.7.0-fake",
    reconnect_seconds: int = 1,
) -> Iterator[FakeServer]:
    """Run a server.

    Args:
        dump: called with the number of the dump, from 0, and the position that it is asked from.
        logs: names and sizes that it lists.
        gtid_dump: what it sends for a dump by GTIDs.
        greeting: what it sends at first, and hangs up then; if not that of a server.
        answers: to statements, by how they begin; packets of the wire.
        version: as it greets.
        reconnect_seconds: of those who reach it.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = LiveServer(
        "127.0.0.1", port, "u", "p", connect_timeout=1, reconnect_seconds=reconnect_seconds
    )
    running = FakeServer(server)
    listed = rows_of(*((name, str(size)) for name, size in logs))
    said = {"SHOW BINARY LOGS": listed, "SELECT 1": rows_of(("1",))} | dict(answers or {})
    threads: list[threading.Thread] = []
    clients: list[socket.socket] = []

    def send(client: socket.socket, data: bytes | Iterator[bytes]) -> None:
        for piece in [data] if isinstance(data, bytes) else data:
            client.sendall(piece)

    def serve(client: socket.socket) -> None:
        with suppress(OSError), client:
            if greeting is not None:
                send(client, greeting())
                return
            client.sendall(packets([greeting_of(version)], 0))
            take_packet(client)
            client.sendall(packets([OK], 2))
            while True:
                command, _ = take_packet(client)
                if command[0] == COM_BINLOG_DUMP:
                    running.starts.append(int.from_bytes(command[1:5], "little"))
                    send(client, dump(len(running.starts) - 1, running.starts[-1]))
                    return
                if command[0] == COM_BINLOG_DUMP_GTID and gtid_dump is not None:
                    after_name = 11 + int.from_bytes(command[7:11], "little")
                    start = int.from_bytes(command[after_name : after_name + 8], "little")
                    client.sendall(gtid_dump(start, command[after_name + 12 :]))
                    return
                running.heard.append(command)
                sql = command[1:].decode() if command[0] == COM_QUERY else ""
                given = [wire for start, wire in said.items() if sql.startswith(start)]
                client.sendall(given[0] if given else packets([OK]))

    def accept(client: socket.socket) -> None:
        clients.append(client)
        threads.append(threading.Thread(target=serve, args=(client,)))
        threads[-1].start()

    try:
        with accepting(listener, accept):
            yield running
    finally:
        for client in clients:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
