"""python-mysql-replication on a log file: its own stream reader on a simulated connection.

The library reads from a server only, but takes the function that connects as an option
(`pymysql_wrapper`). The connection made here hands it the events of a file in the packets the
server would send. The library does all the decoding, and no network is involved.

As a program, it prints one line of JSON:
`python -m bench.replication_peer LOG --bytes 20000000 --repeats 3`.
"""

import argparse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pymysql.protocol import MysqlPacket
from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.event import GtidEvent
from pymysqlreplication.row_event import DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent

from bench.log_file import iter_frames, transaction_end
from bench.timing import best_of, print_child_result

_OK = b"\x00"
_EOF_PACKET = b"\xfe\x00\x00\x02\x00"
_VARIABLES = {"BINLOG_CHECKSUM": "CRC32", "BINLOG_ROW_METADATA": "FULL"}


class VariableCursor:
    """Answers the two variables the library asks for, as a tuple or as a dict."""

    def __init__(self, as_dict: bool) -> None:
        self._as_dict = as_dict
        self._row: tuple[str, str] | None = None

    def execute(self, statement: str, _: Sequence[Any] = ()) -> None:
        """Note which variable a statement shows; SET statements show none."""
        names = [name for name in _VARIABLES if name in statement.upper()]
        self._row = (names[0], _VARIABLES[names[0]]) if names else None

    def fetchone(self) -> tuple[str, str] | dict[str, str] | None:
        """Return name and value."""
        if self._row is None or not self._as_dict:
            return self._row
        return {"Variable_name": self._row[0], "Value": self._row[1]}

    def close(self) -> None:
        """Do nothing; the library calls this."""


class FileConnection:
    """The part of a PyMySQL connection the stream reader uses, over the events of one log."""

    charset = "utf8"

    def __init__(self, packets: Iterator[bytes], as_dict: bool) -> None:
        self._packets = packets
        self._as_dict = as_dict
        self._next_seq_id = 0

    def cursor(self) -> VariableCursor:
        """Return a cursor that knows the variables of the server that wrote the log."""
        return VariableCursor(self._as_dict)

    def get_server_info(self) -> str:
        """Return a version text; the library only looks for MariaDB in it."""
        return "9.7"

    def close(self) -> None:
        """Do nothing: the file is closed when its events are used up."""

    def _write_bytes(self, _: bytes) -> None:
        """Drop the dump command: the events come anyway."""

    def _read_packet(self) -> Any:
        return MysqlPacket(next(self._packets, _EOF_PACKET), "utf8")


def iter_packets(path: Path, end_pos: int) -> Iterator[bytes]:
    """Yield each event up to a position as a packet of a dump: an OK byte, then the event."""
    for frame in iter_frames(path):
        if frame.end_pos > end_pos:
            return
        yield _OK + frame.data


def open_reader(path: Path, end_pos: int) -> Any:
    """Return the library's stream reader over a log, with the settings that make it fastest.

    Only rows and GTIDs are asked for. A table map whose id is known is not parsed again, which
    is safe as ids are not reused within a log; names and types come from the log itself.
    """

    def connect(cursorclass: type | None = None, **_: Any) -> FileConnection:
        return FileConnection(iter_packets(path, end_pos), as_dict=cursorclass is not None)

    return BinLogStreamReader(
        connection_settings={},
        server_id=1,
        pymysql_wrapper=connect,
        log_file=path.name,
        log_pos=4,
        only_events=[WriteRowsEvent, UpdateRowsEvent, DeleteRowsEvent, GtidEvent],
        freeze_schema=True,
        enable_logging=False,
    )


def decode_rows(path: Path, end_pos: int) -> Mapping[str, int]:
    """Decode every row to a dict of Python values and return the rows by operation."""
    names = {WriteRowsEvent: "insert", UpdateRowsEvent: "update", DeleteRowsEvent: "delete"}
    rows = dict.fromkeys(names.values(), 0)
    for event in open_reader(path, end_pos):
        name = names.get(type(event))
        if name is not None:
            # The property decodes on first use.
            rows[name] += len(event.rows)
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Time the library on the first transactions of a log."""
    parser = argparse.ArgumentParser(prog="python -m bench.replication_peer")
    parser.add_argument("log", type=Path)
    parser.add_argument("--bytes", type=int, help="stop after the transaction that reaches this")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    # The library calls utcfromtimestamp, which newer Pythons warn about at every value.
    warnings.simplefilter("ignore", DeprecationWarning)
    len_slice = options.bytes or options.log.stat().st_size
    end_pos = transaction_end(options.log, len_slice)
    seconds, rows = best_of(options.repeats, lambda: decode_rows(options.log, end_pos))
    print_child_result(seconds=seconds, num_bytes=end_pos, rows=rows)


if __name__ == "__main__":
    main()
