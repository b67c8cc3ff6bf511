"""The kinds of inputs of a campaign: how one is made, and how it is tried.

A kind makes bytes of a random number generator, so that a seed gives the same input each time, and
tries bytes: those that it made, smaller ones while an input is minimised, and those in `crashers/`.
"""

import contextlib
import gzip
import lzma
import random
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from pyspark_adapter import BinlogError, BinlogWarning
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.events.statements import kind_of_statement, target_of_statement
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.sources.keyring import read_keyring
from pyspark_adapter.sources.log_file import LogFile, open_log
from pyspark_adapter.timeline.catalog import Catalog
from tests.fuzz import engine_folders, made_logs, mutation, reads, schema_inputs
from tests.fuzz.mutation import Events, join_events, split_events
from tests.fuzz.outcomes import FUZZED_SAMPLES
from tests.fuzz.reads import DisagreementError, log_at
from tests.inputs import ROOT, sample_path
from tests.support import encryption
from tests.support.catalogs import follow
from tests.support.fake_server import COM_QUERY, fake_server, packets, payloads_of
from tests.support.packing import in_one_frame
from tests.support.splits import SplitLog

Make = Callable[[random.Random], bytes]
Try = Callable[[bytes, Path], None]
_NAME = "log.000001"


@dataclass(frozen=True)
class Kind:
    """A kind of inputs.

    Attributes:
        make: returns an input.
        ways: try an input in a folder for its files; what they raise is a finding. A campaign
            tries an input in one of them, more often in one that is here more often.
        weight: how often, among all kinds; those that take longer are tried less often.
        is_log: whether an input is a log, so that minimising can drop whole events.
    """

    make: Make
    ways: tuple[Try, ...]
    weight: int
    is_log: bool = True

    def attempt(self, data: bytes, folder: Path, *, in_all_ways: bool = False) -> None:
        """Try an input."""
        if in_all_ways:
            for way in dict.fromkeys(self.ways):
                way(data, folder)
        else:
            self.ways[zlib.crc32(data) % len(self.ways)](data, folder)


def read_changes(data: bytes, folder: Path) -> None:
    """Read a log as changes of all tables, with all metadata."""
    reads.read_both(log_at(folder / _NAME, data), reads.CHANGES)


def read_in_small_windows(data: bytes, folder: Path) -> None:
    """Read a log in windows and batches that are smaller than most events."""
    reads.read_both(log_at(folder / _NAME, data), reads.SMALL)


def read_typed(data: bytes, folder: Path) -> None:
    """Read a table of a log."""
    reads.read_first_table(log_at(folder / _NAME, data))


def read_events(data: bytes, folder: Path) -> None:
    reads.read_twice(log_at(folder / _NAME, data), reads.EVENTS)


def read_tables(data: bytes, folder: Path) -> None:
    """List the tables of a log."""
    reads.list_of(log_at(folder / _NAME, data))


def read_verified(data: bytes, folder: Path) -> None:
    """Read a log with the default options, checksums included."""
    reads.read_both(log_at(folder / _NAME, data), reads.VERIFIED)


def read_archive(data: bytes, folder: Path) -> None:
    """Read an archive; its format is found by its first bytes."""
    with suppress(BinlogError):
        log_file = reads.found_at(folder / f"{_NAME}.gz", data)
        # Where the archive and the log in it are damaged, either may be found first.
        reads.read_twice(log_file, reads.CHANGES, with_errors=False)


def read_encrypted(data: bytes, folder: Path) -> None:
    """Read an encrypted log with its key."""
    is_whole = data.startswith(b"\xfdbin")
    keyring = folder / ("component" if is_whole else "keys")
    if not keyring.exists():
        keyring.write_bytes(
            encryption.component_keyring() if is_whole else encryption.mariadb_keyring()
        )
    with suppress(BinlogError):
        log_file = reads.found_at(folder / _NAME, data, keyring=str(keyring))
        reads.read_twice(log_file, reads.CHANGES)


def read_keys(data: bytes, folder: Path) -> None:
    path = folder / "keyring"
    reads.write(path, data)
    with suppress(BinlogError):
        read_keyring(str(path), "a password" if data.startswith(b"Salted__") else None)


def read_splits(data: bytes, folder: Path) -> None:
    """Read a log in splits: if it is whole they give its rows, and each ends in rows or an error.

    Raises:
        DisagreementError: if they give others.
    """
    log_file = log_at(folder / _NAME, data)
    try:
        log = SplitLog(Path(log_file.path), verify_checksums=False)
        whole = log.whole()
        size = (64, 200, 1000)[zlib.crc32(data) % 3]
        given = log.read(log.splits(size))
    except BinlogError:
        return
    if not whole.errors and (given.errors or given.rows != whole.rows):
        raise DisagreementError(f"splits of {size}: {given.errors}")
    if whole.errors and not given.errors:
        raise DisagreementError(f"splits of {size} pass over {whole.errors}")
    # Up to the damage they give what the whole gives.
    if not given.errors and given.rows[: len(whole.rows)] != whole.rows:
        raise DisagreementError(f"splits of {size} give other rows before {whole.errors}")


def parse_statement(data: bytes, _: Path) -> None:
    """Take SQL text as a definition, in each dialect."""
    kind_of_statement(data)
    target_of_statement(data, "d")
    for session in _SESSIONS:
        follow(Catalog(), data, session)


_SESSIONS = [
    SqlSession(SqlDialect(90700), "utf8mb4", "latin1"),
    SqlSession(SqlDialect(80000, has_ansi_quotes=True), "gb18030", "latin1"),
    SqlSession(SqlDialect(110800, is_mariadb=True, has_backslash_escapes=False), "ujis", "latin1"),
]


def parse_gtids(data: bytes, _: Path) -> None:
    """Take a text as the option that names GTIDs, and as a position; what it gives is the same."""
    text = data.decode("latin1")
    with suppress(ValueError):
        found = GtidSet.parse(text)
        if GtidSet.parse(str(found)) != found:
            raise DisagreementError(f"{text!r} is {found}")
    with suppress(ValueError):
        GtidSet.parse_position(text)


def read_server(data: bytes, _: Path) -> None:
    """Read what a server sends for a dump."""
    name = "binlog.000007"
    with fake_server(lambda *_: data, reconnect_seconds=0) as running:
        log_file = LogFile(f"mysql://u@h/{name}", name, 7, 100_000, server=running.server)
        with suppress(BinlogError):
            buffer = memoryview(bytearray(1 << 16))
            with closing(open_log(log_file)) as file:
                while file.readinto(buffer):
                    pass


def ask_server(data: bytes, _: Path) -> None:
    """Ask a server for its logs and its position."""
    answers = {"SHOW": data, "SELECT": data}
    with fake_server(lambda *_: b"", answers=answers, reconnect_seconds=0) as running:
        for ask in (type(running.server).log_files, type(running.server).position):
            with suppress(BinlogError):
                ask(running.server)
        assert all(command[0] == COM_QUERY for command in running.heard)


# How inputs are made.


def _excerpt_of(
    samples: tuple[str, ...], rng: random.Random, max_events: int = 4, max_bytes: int = 700
) -> Events:
    """Return a format description and some events in a row, table maps before their rows."""
    events = _events(rng.choice(samples))
    first = rng.randrange(1, len(events))
    while first > 1 and events[first][4] in mutation.ROWS_TYPES:
        first -= 1
    chosen, num_bytes = [bytearray(events[0])], 0
    for event in events[first : first + max_events]:
        num_bytes += len(event)
        if num_bytes > max_bytes and len(chosen) > 2:  # rows follow a table map
            break
        chosen.append(bytearray(event))
    return chosen


@cache
def _events(sample: str) -> tuple[bytes, ...]:
    return tuple(map(bytes, split_events(sample_path(sample).read_bytes())))


def _damage(events: Events, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choices(mutation.CHANGES, mutation.WEIGHTS)[0](events, rng)


def _log(rng: random.Random) -> bytes:
    """Return several transactions."""
    events = _excerpt_of(FUZZED_SAMPLES, rng, 10, 2000)
    _damage(events, rng)
    return join_events(events)


def _rows(rng: random.Random) -> bytes:
    events = _excerpt_of(FUZZED_SAMPLES, rng)
    _damage(events, rng)
    return join_events(events)


def _gtids(rng: random.Random) -> bytes:
    """Return a log whose GTID events have damaged or made-up bodies."""
    samples = ("mysql-9.7-tagged-gtids", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    events = _excerpt_of(samples, rng, 4, 400)
    for event in events[1:]:
        if event[4] not in (33, 34, 42, 162) or rng.random() < 0.3:
            continue
        place = rng.randrange(19, len(event))
        if rng.random() < 0.5:
            event[place] = rng.randrange(256)
        else:
            event[place:] = rng.randbytes(rng.randrange(40))
            event[9:13] = struct.pack("<I", len(event))
    return join_events(events)


def _payloads(rng: random.Random) -> bytes:
    events = _excerpt_of(("mysql-9.7-shop", "mysql-9.7-types", "mysql-9.7-tagged-gtids"), rng)
    mutation._pack(events, rng)
    if rng.random() < 0.7:
        _damage(events, rng)
    return join_events(events)


def _compressed(rng: random.Random) -> bytes:
    events = _excerpt_of(("mariadb-11.8-compressed", "mysql-9.7-compressed-transactions"), rng)
    _damage(events, rng)
    return join_events(events)


def _encrypted(rng: random.Random) -> bytes:
    """Return an encrypted log: damaged first, or encrypted first, or both."""
    samples = ("mysql-9.7-shop", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    events = _excerpt_of((*samples, "mysql-9.7-no-checksum"), rng)
    if rng.random() < 0.5:
        if rng.random() < 0.8:
            _damage(events, rng)
        log = bytearray(encryption.encrypt_as_mysql(join_events(events)))
        if rng.random() < 0.4:
            place = rng.randrange(70 if rng.random() < 0.7 else len(log))
            log[place] = rng.randrange(256)
        return bytes(log[: rng.randrange(len(log))] if rng.random() < 0.05 else log)
    mode = rng.choice(("cbc", "ctr", "ctr", "none"))
    events = split_events(encryption.encrypt_as_mariadb(join_events(events), mode))
    # What is encrypted as a stream is damaged as the event in it: bits stay where they are.
    _damage(events, rng)
    return join_events(events)


def _keyring(rng: random.Random) -> bytes:
    """Return a damaged key file of any form."""
    lines = encryption.mariadb_keyring()
    data = bytearray(
        rng.choice(
            (
                encryption.component_keyring(),
                encryption.plugin_keyring(),
                lines,
                encryption.with_password(lines, b"a password"),
            )
        )
    )
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        place = rng.randrange(len(data))
        piece = rng.choice((b"", b"", b"1", b'"', b"{", b"[", b";", b"\0", b"\n", rng.randbytes(2)))
        data[place : place + rng.choice((0, 1, 1, 8))] = piece * rng.choice((1, 1, 1, 9, 5000))
    return bytes(data)


def _archive(rng: random.Random) -> bytes:
    pack = rng.choice((gzip.compress, in_one_frame, partial(lzma.compress, preset=0)))
    data = bytearray(pack(join_events(_excerpt_of(FUZZED_SAMPLES, rng))))
    for _ in range(rng.choice((0, 1, 1, 2))):
        place = rng.randrange(len(data))
        data[place : place + rng.choice((1, 1, 4))] = rng.randbytes(rng.randrange(3))
    return bytes(data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data)


_WORDS = r"""
CREATE TABLE ALTER DROP RENAME TO ADD COLUMN IF NOT EXISTS t d . ` ' " ( ) , ; INT VARCHAR(9)
ENUM('a','b') SET DEFAULT NULL PRIMARY KEY AFTER FIRST CHANGE MODIFY CHARACTER LIKE SELECT /* */
/*!80000 /*M!100000 -- # \\ \' '' `` USE DATABASE TEMPORARY VIEW PARTITION BY RANGE COLLATE
utf8mb4_bin UNSIGNED STATEMENT FOR a=1 = @ := 0x41 b'1' N'x' _utf8'y' 1e5 é GENERATED ALWAYS AS
STORED CHECK REFERENCES WITH SYSTEM VERSIONING ENGINE=x BEGIN XA START
""".split()  # noqa: SIM905 - words that are easy to add to


@cache
def _statements() -> tuple[bytes, ...]:
    folder = ROOT / "samples" / "sql"
    texts = [path.read_bytes() for path in sorted(folder.rglob("*.sql"))]
    return tuple(s.strip() for text in texts for s in text.split(b";\n") if 0 < len(s) < 2000)


def _statement(rng: random.Random) -> bytes:
    """Return words of SQL in any order, or a statement of the samples with some of them in it."""
    if rng.random() < 0.3:
        return " ".join(rng.choices(_WORDS, k=rng.randrange(1, 30))).encode()
    text = bytearray(rng.choice(_statements()))
    for _ in range(rng.choice((1, 2, 4))):
        place = rng.randrange(len(text) + 1)
        word = rng.choice((rng.choice(_WORDS).encode(), rng.randbytes(rng.randrange(3))))
        text[place : place + rng.choice((0, 0, 1, 5, 40))] = word
    return bytes(text)


_GTID_PARTS = (
    *("3e11fa47-71ca-11e1-9e33-c80aa9429562", ":", ":", "-", "-", ",", "1", "5", "0", "tag", " "),
    *("9223372036854775807", "18446744073709551615", "4294967295", "0-1-42", "_", "\n", "é", "-1"),
)


def _gtid_text(rng: random.Random) -> bytes:
    return "".join(rng.choices(_GTID_PARTS, k=rng.randrange(1, 14))).encode("latin1")


def _dump(rng: random.Random) -> bytes:
    """Return the packets of a dump, damaged within events or on the wire."""
    log = join_events(_excerpt_of(("mysql-9.7-no-checksum", "mysql-9.7-shop"), rng))
    payloads = [bytearray(payload) for payload in payloads_of(log, "binlog.000007")]
    for _ in range(rng.choice((1, 1, 2))):
        payload = rng.choice(payloads)
        payload[rng.randrange(min(len(payload), 40))] = rng.randrange(256)
    wire = bytearray(packets([*map(bytes, payloads)]))
    if rng.random() < 0.5:
        wire[rng.randrange(len(wire))] = rng.randrange(256)
    return bytes(wire[: rng.randrange(len(wire) + 1)] if rng.random() < 0.2 else wire)


def _answer(rng: random.Random) -> bytes:
    """Return the wire of rows, damaged."""
    from tests.support.fake_server import rows_of

    texts = ("b.000001", "100", None, "", "\x1b[2J", "-1", "9" * 30, "b.1\n", "é")
    rows = [
        [rng.choice(texts) for _ in range(rng.randrange(1, 6))] for _ in range(rng.randrange(3))
    ]
    wire = bytearray(rows_of(*rows))
    for _ in range(rng.choice((0, 1, 2))):
        wire[rng.randrange(len(wire))] = rng.randrange(256)
    return bytes(wire)


_LOG_WAYS: tuple[Try, ...] = (
    *5 * (read_changes,),
    *(read_in_small_windows, read_typed, read_events, read_tables, read_verified),
)

# Weights are relative to each other: of about 1,200 in all.
KINDS: dict[str, Kind] = {
    "logs": Kind(_log, _LOG_WAYS, 41),
    "rows": Kind(_rows, _LOG_WAYS, 85),
    "table maps": Kind(schema_inputs.make_table, _LOG_WAYS, 85),
    "JSON": Kind(schema_inputs.make_json, _LOG_WAYS, 80),
    "events": Kind(schema_inputs.make_events, _LOG_WAYS, 60),
    "GTIDs": Kind(_gtids, _LOG_WAYS, 42),
    "payloads": Kind(_payloads, _LOG_WAYS, 42),
    "compressed": Kind(_compressed, _LOG_WAYS, 42),
    "encrypted": Kind(_encrypted, (read_encrypted,), 42, is_log=False),
    "splits": Kind(_rows, (read_splits,), 41),
    "archives": Kind(_archive, (read_archive,), 41, is_log=False),
    "engine binlogs": Kind(
        engine_folders.make_folder, (engine_folders.read_folder,), 30, is_log=False
    ),
    "keyrings": Kind(_keyring, (read_keys,), 41, is_log=False),
    "DDL": Kind(_statement, (parse_statement,), 150, is_log=False),
    "GTID sets": Kind(_gtid_text, (parse_gtids,), 126, is_log=False),
    "formats": Kind(made_logs.make_format_descriptions, _LOG_WAYS, 42),
    "changing maps": Kind(made_logs.make_changing_table_maps, _LOG_WAYS, 42),
    "spliced": Kind(made_logs.make_spliced, (*_LOG_WAYS, read_splits), 42),
    "nested": Kind(made_logs.make_nested_payloads, (*_LOG_WAYS, *2 * (read_splits,)), 42),
    "parts": Kind(made_logs.make_parts, (*_LOG_WAYS, read_splits), 42),
    "names": Kind(made_logs.make_names, (*_LOG_WAYS, *3 * (reads.name_folders,)), 42),
    "temporary": Kind(
        made_logs.make_temporary_tables, (*2 * (made_logs.read_temporary_tables,), read_tables), 42
    ),
    "dumps": Kind(_dump, (read_server,), 41, is_log=False),
    "answers": Kind(_answer, (ask_server,), 41, is_log=False),
}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Leave out the warnings of reads; they are no findings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        yield
