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
from functools import cache
from pathlib import Path
from typing import Any

from pyspark_adapter import BinlogError, BinlogWarning, TableName, list_tables, read_batches
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.events.statements import kind_of_statement, target_of_statement
from pyspark_adapter.options.gtid_set import GtidSet
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.sources.log_file import LogFile, open_log
from tests.fuzz import mutation, schema_inputs
from tests.fuzz.mutation import Events, join_events, split_events
from tests.fuzz.outcomes import FUZZED_SAMPLES
from tests.inputs import ROOT, sample_path
from tests.support.fake_server import COM_QUERY, fake_server, packets, payloads_of
from tests.support.packing import in_one_frame
from tests.support.splits import SplitLog

ENGINES = ("kernels", "reference")
Make = Callable[[random.Random], bytes]
Try = Callable[[bytes, Path], None]


class DisagreementError(AssertionError):
    """The engines, or splits and the whole log, do not give the same."""


@dataclass(frozen=True)
class Kind:
    """A kind of inputs.

    Attributes:
        make: returns an input.
        attempt: tries an input in a folder for its files; raises whatever is a finding.
        weight: how often, among all kinds; those that take longer are tried less often.
        is_log: whether an input is a log, so that minimising can drop whole events.
    """

    make: Make
    attempt: Try
    weight: int
    is_log: bool = True


# What a read gives: rows, class of the error, and its site.
Outcome = tuple[list[str], str, str]


def _outcome(batches: Callable[[], Iterator[Any]]) -> Outcome:
    rows: list[str] = []
    try:
        for batch in batches():
            batch.validate(full=True)
            rows += map(repr, batch.to_pylist())
    except BinlogError as error:
        if not str(error).isprintable():
            raise DisagreementError(f"not one line: {error!r}") from error
        return rows, type(error).__name__, str(error.site)
    return rows, "", ""


def _read(path: Path, options: dict[str, Any]) -> None:
    """Read a log with both engines.

    Raises:
        DisagreementError: if they differ in rows, or in the class or the place of the error.
    """
    found = [_outcome(lambda e=e: read_batches(path, engine=e, **options)) for e in ENGINES]  # type: ignore[misc]
    _compare(*found)


def _compare(first: Outcome, second: Outcome) -> None:
    if first == second:
        return
    for number, rows in enumerate(zip(first[0], second[0], strict=False)):
        if rows[0] != rows[1]:
            raise DisagreementError(f"row {number}:\n{rows[0]}\n{rows[1]}")
    ends = [(len(rows), *end) for rows, *end in (first, second)]
    raise DisagreementError(f"ends: {ends[0]} {ends[1]}")


def read_log(data: bytes, folder: Path) -> None:
    """Read a log as changes of all tables, and in another way in turns."""
    path = folder / "log.000001"
    path.write_bytes(data)
    _read(path, {"metadata_columns": tuple(METADATA_BY_NAME), "verify_checksums": False})
    match zlib.crc32(data) % 5:
        case 0:
            small = {"window_bytes": 1024, "batch_rows": 2, "batch_bytes": 1024}
            _read(path, {"verify_checksums": False, **small})
        case 1:
            _read_first_table(path)
        case 2:
            _read(path, {"view": "events", "verify_checksums": False})
        case 3:
            _list_tables(path)
        case _:
            _read(path, {})  # with checksums


def _read_first_table(path: Path) -> None:
    names = ("_database_name", "_table_name")
    with suppress(BinlogError):
        options: dict[str, Any] = {"metadata_columns": names, "verify_checksums": False}
        first = next(read_batches(path, engine="reference", **options), None)
        if first is None or not first.num_rows:
            return
        table = TableName(*(first.column(name)[0].as_py() for name in names))
        _read(path, {"table": table, "verify_checksums": False, "json": "variant"})


def _list_tables(path: Path) -> None:
    found = []
    for engine in ENGINES:
        try:
            tables = list_tables(path, engine=engine, verify_checksums=False)
            found.append(([*map(repr, tables)], "", ""))
        except BinlogError as error:
            found.append(([], type(error).__name__, str(error.site)))
    _compare(*found)


def read_archive(data: bytes, folder: Path) -> None:
    """Read an archive; its format is found by its first bytes."""
    path = folder / "log.000001.gz"
    path.write_bytes(data)
    found = [
        _outcome(lambda e=e: read_batches(path, engine=e, verify_checksums=False))  # type: ignore[misc]
        for e in ENGINES
    ]
    # Where the archive and the log in it are damaged, either may be found first.
    _compare(*((rows, "an error" if name else "", "") for rows, name, _ in found))


def read_splits(data: bytes, folder: Path) -> None:
    """Read a log in splits: if it is whole they give its rows, and each ends in rows or an error.

    Raises:
        DisagreementError: if they give others.
    """
    path = folder / "log.000001"
    path.write_bytes(data)
    try:
        log = SplitLog(path, engine=ENGINES[zlib.crc32(data) % 2], verify_checksums=False)
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
    for dialect in _DIALECTS:
        Catalog().apply(data, "d", SqlSession(dialect, "utf8mb4", "latin1"))


_DIALECTS = [
    SqlDialect(90700),
    SqlDialect(80000, has_ansi_quotes=True),
    SqlDialect(110800, is_mariadb=True, has_backslash_escapes=False),
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


def _excerpt_of(samples: tuple[str, ...], rng: random.Random, max_events: int = 8) -> Events:
    """Return a format description and some events in a row, table maps before their rows."""
    events = _events(rng.choice(samples))
    first = rng.randrange(1, len(events))
    while first > 1 and events[first][4] in mutation.ROWS_TYPES:
        first -= 1
    return [bytearray(e) for e in (events[0], *events[first : first + max_events])]


@cache
def _events(sample: str) -> tuple[bytes, ...]:
    return tuple(map(bytes, split_events(sample_path(sample).read_bytes())))


def _damage(events: Events, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choices(mutation.CHANGES, mutation.WEIGHTS)[0](events, rng)


def _log(rng: random.Random) -> bytes:
    return mutation.mutate(rng.choice(FUZZED_SAMPLES), rng.getrandbits(40))[0]


def _rows(rng: random.Random) -> bytes:
    events = _excerpt_of(FUZZED_SAMPLES, rng)
    _damage(events, rng)
    return join_events(events)


def _gtids(rng: random.Random) -> bytes:
    """Return a log whose GTID events have damaged or made-up bodies."""
    samples = ("mysql-9.7-tagged-gtids", "mysql-9.7-transactions", "mariadb-11.8-transactions")
    events = _excerpt_of(samples, rng, 12)
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


def _archive(rng: random.Random) -> bytes:
    pack = rng.choice((gzip.compress, in_one_frame, lzma.compress))
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


KINDS: dict[str, Kind] = {
    "logs": Kind(_log, read_log, 1),
    "rows": Kind(_rows, read_log, 8),
    "table maps": Kind(schema_inputs.make_table, read_log, 16),
    "JSON": Kind(schema_inputs.make_json, read_log, 16),
    "events": Kind(schema_inputs.make_events, read_log, 16),
    "GTIDs": Kind(_gtids, read_log, 8),
    "payloads": Kind(_payloads, read_log, 6),
    "compressed": Kind(_compressed, read_log, 6),
    "splits": Kind(_rows, read_splits, 6),
    "archives": Kind(_archive, read_archive, 8, is_log=False),
    "DDL": Kind(_statement, parse_statement, 150, is_log=False),
    "GTID sets": Kind(_gtid_text, parse_gtids, 80, is_log=False),
    "dumps": Kind(_dump, read_server, 8, is_log=False),
    "answers": Kind(_answer, ask_server, 8, is_log=False),
}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Leave out the warnings of reads; they are no findings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinlogWarning)
        yield
