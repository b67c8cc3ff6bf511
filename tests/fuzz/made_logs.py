"""Logs of whole events that no server would write in this order, and names of any bytes."""

import json
import random
import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.fuzz import mutation, reads
from tests.fuzz.mutation import LEN_HEADER, ROWS_TYPES, TABLE_MAP, Events, join_events, split_events
from tests.inputs import sample_path
from tests.support.log_writer import WRITE_V1, LoggedColumn, LogWriter, Rows
from tests.support.packing import PARTIAL_ROW_DATA, in_one_frame, payload_body, split_rows

# Of several servers, versions, checksums and forms of rows.
_SAMPLES = (
    "mysql-9.7-shop",
    "mysql-9.7-types",
    "mysql-9.7-no-checksum",
    "mysql-9.7-compressed-transactions",
    "mysql-9.7-tagged-gtids",
    "mysql-5.6-types-v1",
    "mariadb-10.11-types-full",
    "mariadb-11.8-transactions",
)
_TRANSACTION_PAYLOAD = 40
_THREAD_SPECIFIC = 4


@cache
def _events_of(sample: str) -> tuple[bytes, ...]:
    return tuple(map(bytes, split_events(sample_path(sample).read_bytes())))


def _excerpt(rng: random.Random, sample: str = "") -> Events:
    """Return a format description and whole events in a row."""
    events = _events_of(sample or rng.choice(_SAMPLES))
    first = rng.randrange(1, len(events))
    while first > 1 and events[first][4] in (TABLE_MAP, *ROWS_TYPES):
        first -= 1
    chosen = [bytearray(events[0])]
    for event in events[first : first + 12]:
        if sum(map(len, chosen)) + len(event) > 4000 and len(chosen) > 3:
            break
        chosen.append(bytearray(event))
    return chosen


def _damaged(events: Events, rng: random.Random) -> bytes:
    if rng.random() < 0.3:
        rng.choices(mutation.CHANGES, mutation.WEIGHTS)[0](events, rng)
    return join_events(events)


def make_format_descriptions(rng: random.Random) -> bytes:
    """Return a log with several format descriptions, of its own server and of others."""
    events = _excerpt(rng)
    for _ in range(rng.choice((1, 1, 2, 4))):
        another = bytearray(_events_of(rng.choice((*_SAMPLES, _SAMPLES[0])))[0])
        if rng.random() < 0.3:
            another[-5] = rng.choice((0, 1, 255))  # the checksum algorithm
        if rng.random() < 0.3:
            another[17] |= 0x20  # as a server sends it, made for the dump
        events.insert(rng.randrange(1, len(events) + 1), another)
    return _damaged(events, rng)


def make_changing_table_maps(rng: random.Random) -> bytes:
    """Return a log whose statements describe a table id again: with other columns, or the same."""
    sample = rng.choice(_SAMPLES)
    maps = [event for event in _events_of(sample) if event[4] == TABLE_MAP]
    events = _excerpt(rng, sample)
    for _ in range(rng.choice((1, 2, 3))):
        rows = [i for i, event in enumerate(events) if event[4] in ROWS_TYPES]
        if not rows or not maps:
            break
        place = rng.choice(rows)
        table_id = events[place][LEN_HEADER : LEN_HEADER + 6]
        if rng.random() < 0.7:  # the statement continues
            events[place][LEN_HEADER + 6] &= ~1
        another = bytearray(rng.choice(maps))
        if rng.random() < 0.8:
            another[LEN_HEADER : LEN_HEADER + 6] = table_id
        added = [another]
        if rng.random() < 0.6:
            added.append(bytearray(events[place]))
        target = place if rng.random() < 0.5 else place + 1
        events[target:target] = added
    return _damaged(events, rng)


def make_spliced(rng: random.Random) -> bytes:
    """Return the beginning of a log and the end of another, joined at events or anywhere."""
    first, second = _excerpt(rng), _excerpt(rng)
    if rng.random() < 0.5:
        keeps = rng.random() < 0.3  # its format description
        events = first[: rng.randrange(1, len(first) + 1)]
        return _damaged(events + second[not keeps :][rng.randrange(len(second)) :], rng)
    one, two = join_events(first), join_events(second)
    return one[: rng.randrange(4, len(one))] + two[rng.randrange(4, len(two)) :]


def _payload(content: bytes, len_checksum: int, rng: random.Random) -> bytearray:
    size = rng.choice((len(content), len(content), None, len(content) + 1))
    packed = in_one_frame(content)
    if rng.random() < 0.15:  # a frame that ends early
        packed = packed[: rng.randrange(len(packed) + 1)]
    body = payload_body(packed, size=size)
    length = LEN_HEADER + len(body) + len_checksum
    header = struct.pack("<IBIIIH", 1, _TRANSACTION_PAYLOAD, 1, length, 0, 0)
    return bytearray(header + body + bytes(len_checksum))


def make_nested_payloads(rng: random.Random) -> bytes:
    """Return a log with payloads in payloads, empty ones, and parts of transactions in them."""
    sample = rng.choice(("mysql-9.7-shop", "mysql-9.7-no-checksum", "mysql-9.7-tagged-gtids"))
    events = _excerpt(rng, sample)
    len_checksum = 0 if sample == "mysql-9.7-no-checksum" else 4
    inner: list[bytearray] = []
    for event in events[1:]:
        content = event[: len(event) - len_checksum] if rng.random() < 0.95 else event
        content[9:13] = struct.pack("<I", len(content))
        inner.append(content)
    for _ in range(rng.choice((1, 1, 2, 3))):
        begin = rng.randrange(len(inner) + 1)
        end = rng.randrange(begin, len(inner) + 1)
        packed = b"".join(inner[begin:end])
        if rng.random() < 0.15:
            packed = packed[: rng.randrange(len(packed) + 1)]
        if rng.random() < 0.1:
            packed = bytes(events[0]) + packed
        inner[begin:end] = [_payload(packed, 0, rng)]
    # What is not in a payload is as it was, with a checksum.
    outer = events[:1]
    for event in inner:
        event[9:13] = struct.pack("<I", len(event) + len_checksum)
        outer.append(event + bytes(len_checksum))
    return _damaged(outer, rng)


def make_parts(rng: random.Random) -> bytes:
    """Return a log with rows events in parts, some of them lost, repeated, or with other fields."""
    sample = rng.choice(("mariadb-11.8-transactions", "mariadb-11.8-compressed"))
    log = join_events(_excerpt(rng, sample))
    size = rng.choice((20, 40, 100, 500))
    events = split_events(
        split_rows(log, size, number_first=rng.random() < 0.5, has_own_checksum=rng.random() < 0.5)
    )
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        parts = [i for i, event in enumerate(events) if event[4] == PARTIAL_ROW_DATA]
        if not parts:
            break
        index = rng.choice(parts)
        action = rng.randrange(5)
        if action == 0:
            del events[index]
        elif action == 1:
            events.insert(rng.choice(parts), bytearray(events[index]))
        elif action == 2:
            events.insert(index, bytearray(rng.choice(events)))
        elif action == 3:
            at = LEN_HEADER + rng.randrange(min(17, len(events[index]) - LEN_HEADER))
            events[index][at] = rng.choice((0, 1, 2, 255, rng.randrange(256)))
        else:
            other = rng.choice(parts)
            events[index], events[other] = events[other], events[index]
    return _damaged(events, rng)


# Letters and bytes that mean something to a file system, a shell, SQL, JSON or UTF-8.
_NAME_PIECES = (
    *(b".", b"..", b"/", b"\\", b"\0", b" ", b"%", b"~", b"_", b"-", b"\n", b"\x1b[2J", b"`"),
    *(b"'", b'"', b"=", b"a", b"A", b"t1", b"shop", b"\xc3\xa9", b"\xed\xa0\x80", b"\xff"),
    *(b"\xf0\x9f\x98\x80", b"_mysql_binlog", b"_SUCCESS", b".crc", b"CON", b"x" * 60),
)


def make_names(rng: random.Random) -> bytes:
    """Return a log of tables whose names, and those of their columns, are made of any bytes."""
    log = LogWriter(has_checksums=False, has_metadata=False)
    for number in range(1, rng.choice((2, 3, 4))):
        names = [
            b"".join(rng.choices(_NAME_PIECES, k=rng.choice((0, 1, 1, 2, 3))))[:255]
            for _ in range(3)
        ]
        database, table, column = names
        body = struct.pack("<IHH", number, 0, 1)
        body += bytes([len(database)]) + database + b"\0" + bytes([len(table)]) + table + b"\0"
        body += b"\x01\x03\x00\x00"  # an INT
        named = bytes([len(column)]) + column
        if len(named) < 251:
            body += b"\x04" + bytes([len(named)]) + named
        log.event(TABLE_MAP, body)
        log.rows(number, Rows(WRITE_V1, [[struct.pack("<i", number)]], [True]))
    return bytes(log.data)


def make_temporary_tables(rng: random.Random) -> bytes:
    """Return a log of threads that change base tables and temporary tables of the same names.

    Each row of a base table has in a column the number that the column's name ends in there.
    """
    is_mariadb = rng.random() < 0.5
    log = LogWriter(has_metadata=False, server_version="11.8.9-MariaDB" if is_mariadb else "8.0.36")
    base: dict[str, list[int]] = {}
    temporary: dict[tuple[int, str], list[int]] = {}
    if rng.random() < 0.8:  # else the log begins in the middle
        for name in ("t", "u"):
            base[name] = [1, 2]
            log.statement(f"CREATE TABLE d.{name} (c1 INT, c2 INT)", thread_id=1)
    for number in range(3, rng.randrange(6, 24)):
        thread, name = rng.randrange(1, 4), rng.choice("tu")
        key = thread, name
        action = rng.randrange(8)
        if action < 2:
            if key not in temporary:
                # Of another order and count, or such that their statements fit the base table.
                like = base.get(name, [1, 2])
                columns = rng.choice((like, like, like[::-1], [number, number + 50]))
                temporary[key] = [*columns]
                listed = ", ".join(f"c{column} INT" for column in columns)
                sql = f"CREATE TEMPORARY TABLE {name} ({listed})"
                if rng.random() < 0.9:  # else the log does not have it
                    log.statement(sql, thread_id=thread, flags=_THREAD_SPECIFIC)
            elif rng.random() < 0.6:
                del temporary[key]
                log.statement(
                    f"DROP TEMPORARY TABLE `{name}` /* generated by server */",
                    thread_id=thread,
                    flags=_THREAD_SPECIFIC,
                )
        elif action < 5:
            changed = temporary.get(key) or base.get(name)
            if changed is None:
                continue
            log.statement(
                _alteration(name, changed, number, rng),
                thread_id=thread,
                flags=_THREAD_SPECIFIC if key in temporary else 0,
            )
        elif action < 6 and is_mariadb and key in temporary and (thread, "v") not in temporary:
            temporary[thread, "v"] = temporary.pop(key)
            log.statement(f"RENAME TABLE {name} TO v", thread_id=thread)
        elif name in base:
            _row(log, name, base[name])
    return bytes(log.data)


def _alteration(name: str, columns: list[int], number: int, rng: random.Random) -> str:
    """Return a statement that changes columns, and change them."""
    place = rng.randrange(len(columns))
    form = rng.randrange(4)
    if form == 0:
        columns.append(number)
        return f"ALTER TABLE {name} ADD c{number} INT"
    if form == 1 and len(columns) > 1:
        old = columns.pop(place)
        return f"ALTER TABLE {name} DROP COLUMN c{old}"
    if form == 2:
        old = columns.pop(place)
        columns.insert(0, old)
        return f"ALTER TABLE {name} MODIFY c{old} INT FIRST"
    old, columns[place] = columns[place], number
    return f"ALTER TABLE {name} CHANGE c{old} c{number} INT"


def _row(log: LogWriter, name: str, columns: Sequence[int]) -> None:
    log.begin()
    log.table_map(9, name, [LoggedColumn("", 3)] * len(columns))
    image = [struct.pack("<i", column) for column in columns]
    log.rows(9, Rows(WRITE_V1, [image], [True] * len(columns)))
    log.commit()


def read_temporary_tables(data: bytes, folder: Path) -> None:
    """Read base tables that temporary tables hide: the name of a column is right or not known.

    Raises:
        DisagreementError: if one has the name of another.
    """
    log_file = reads.log_at(folder / "log.000001", data)
    options = {"metadata_columns": ("_table_name",)}
    outcome = reads.outcome_of(lambda: reads.batches_of(log_file, options))
    for batch in outcome.batches:
        for row in batch.column("row").to_pylist():
            for name, value in json.loads(row).items():
                if not name.startswith("col_") and name != f"c{value}":
                    raise reads.DisagreementError(f"names of other columns: {row}")
