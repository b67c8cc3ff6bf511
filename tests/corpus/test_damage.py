"""Damaged bodies: what the schema cannot parse ends in an error of Kaitai Struct, and it ends."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest
from kaitaistruct import KaitaiStructError
from mysql_binlog import MysqlBinlog

from tests.corpus.handmade import MAGIC, MYSQL, WRITE_ROWS, Column, event, rows_event, table_map
from tests.corpus.labels import failures
from tests.inputs import ROOT, sample_path

LONG, VARCHAR, ENUM = Column(3), Column(15, b"\x0a\0"), Column(254, b"\xf7\x01")
MOST_MEMORY = 1 << 29
SECONDS = 20  # the most that a few bytes may take, the start of Python included
ONE_ROW = b"\0\5\0\0\0"


def other_errors(log: bytes) -> list[tuple[str, Exception]]:
    """Return what fails, in parsing or in computing, with an error that is not Kaitai's."""
    try:
        root = MysqlBinlog.from_bytes(log)
    except KaitaiStructError:
        return []
    _, found = failures(root)
    return [(name, error) for name, error in found if not isinstance(error, KaitaiStructError)]


def rows_log(columns: list[Column], rows: bytes, optional: bytes = b"") -> bytes:
    """Return a log of one table and one rows event."""
    return MAGIC + MYSQL + table_map(columns, optional) + rows_event(WRITE_ROWS, len(columns), rows)


@pytest.mark.parametrize("name", ["mysql-9.7-shop", "mariadb-11.8-transactions"])
def test_flipped_bits_in_a_body_cost_its_event_alone(name: str) -> None:
    """Bodies that others are read by are left out: format descriptions and table maps."""
    log = sample_path(name).read_bytes()[:8000]
    whole = MysqlBinlog.from_bytes(log)
    kept = [body_digest(event) for event in whole.events]
    rng = random.Random(32)  # noqa: S311 - has to be the same each time
    governing = (MysqlBinlog.EventType.format_description, MysqlBinlog.EventType.table_map)
    bodies = [event for event in whole.events[1:-1] if event.event_type not in governing]
    for _ in range(150):
        event = rng.choice(bodies)
        at = event.ofs_event + rng.randrange(19, event.len_event)
        damaged = bytearray(log)
        damaged[at] ^= 1 << rng.randrange(8)
        found = MysqlBinlog.from_bytes(bytes(damaged)).events
        assert len(found) == len(whole.events)
        index = whole.events.index(event)
        differing = [i for i, other in enumerate(found) if body_digest(other) != kept[i]]
        assert differing in ([], [index])


def body_digest(event: Any) -> str:
    """Return what tells bodies apart: the bytes of their fields, or the error."""
    try:
        body = event.body
    except KaitaiStructError as error:
        return str(error)
    return f"{type(body).__name__} {event.data.hex()}"


@pytest.mark.parametrize("length", range(4, 24))
def test_log_cut_in_its_first_header_has_no_events(length: int) -> None:
    log = sample_path("mysql-9.7-shop").read_bytes()[:length]
    root = MysqlBinlog.from_bytes(log)
    assert len(root.events) == (length == 23)
    assert root.trailing == log[4:] * (length < 23)


@pytest.mark.parametrize("text", [b"\xff", b"a\xc3", b"\x81"])
@pytest.mark.parametrize("client", [33, 8])  # collations of utf8mb3 and latin1
def test_text_that_is_no_text_is_read(text: bytes, client: int) -> None:
    charset = b"\4" + client.to_bytes(2, "little") * 3
    statement = bytes(8) + b"\1\0\0" + len(charset).to_bytes(2, "little") + charset + b"d\0" + text
    log = MAGIC + MYSQL + event(2, statement) + event(29, b"\1" + text) + event(160, text)
    texts = [event.body.text for event in MysqlBinlog.from_bytes(log).events[1:]]
    assert texts[1:] == [text.decode("utf-8", "replace")] * 2
    assert texts[0] == text.decode("cp1252" if client == 8 else "utf-8", "replace")


@pytest.mark.parametrize("length", [30, 100, 126])
def test_cut_in_the_format_description(length: int) -> None:
    assert other_errors(sample_path("mysql-9.7-shop").read_bytes()[:length]) == []


def test_rows_without_a_table_map() -> None:
    rows = rows_event(WRITE_ROWS, 1, ONE_ROW)
    stop = event(3, b"")
    assert other_errors(MAGIC + MYSQL + stop + rows + stop) == []


def test_table_without_columns() -> None:
    assert other_errors(MAGIC + MYSQL + table_map([])) == []


def test_rows_without_a_column_and_with_bytes_end() -> None:
    """The row takes no bytes, so that rows to the end of the body would never end."""
    body = (7).to_bytes(6, "little") + b"\1\0\2\0\1\0" + ONE_ROW
    log = MAGIC + MYSQL + table_map([LONG]) + event(WRITE_ROWS, body)
    code = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}))\n"
        "from mysql_binlog import MysqlBinlog\n"
        f"MysqlBinlog.from_bytes({log!r}).events[2].body.layout.num_rows"
    )
    environment = {"PYTHONPATH": str(ROOT / "compiled")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, timeout=SECONDS, env=environment, capture_output=True)
    assert done.returncode == 0 or b"kaitaistruct" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("type_code", "body"),
    [
        (4, b"\4\0\0\0\0\0\0\0bin\xff.000002"),
        (19, b"\7\0\0\0\0\0\1\0\1\xff\0\1t\0\1\3\0\1"),
        (26, b"\1\0\1\xff"),
        (27, b"\xff"),
    ],
)
def test_names_that_are_no_text(type_code: int, body: bytes) -> None:
    assert other_errors(MAGIC + MYSQL + event(type_code, body)) == []


@pytest.mark.parametrize("width", [0, 5, 255])
def test_length_of_no_width(width: int) -> None:
    assert other_errors(rows_log([Column(252, bytes([width]))], ONE_ROW)) == []


def field(code: int, data: bytes) -> bytes:
    """Return one optional field of a table map."""
    return bytes([code, len(data)]) + data


@pytest.mark.parametrize(
    ("columns", "optional"),
    [
        ([LONG], field(1, b"")),  # signs
        ([LONG, LONG], field(4, b"\1a")),  # names
        ([VARCHAR], field(3, b"")),  # collations
    ],
    ids=["signs", "names", "collations"],
)
def test_lists_of_a_table_map_that_are_too_short(columns: list[Column], optional: bytes) -> None:
    assert other_errors(rows_log(columns, ONE_ROW * 2, optional)) == []


def test_members_that_are_too_few() -> None:
    assert other_errors(rows_log([ENUM], b"\0\1", field(6, b""))) == []


def test_members_beyond_the_last_one_have_no_name() -> None:
    log = rows_log([ENUM], b"\0\5", field(6, b"\1\1a"))
    cell: Any = MysqlBinlog.from_bytes(log).events[2].body.rows[0].after_image[0]
    assert cell.value.value == 5
    assert not hasattr(cell.value, "member") or cell.value.member is None
    assert other_errors(log) == []


@pytest.mark.parametrize("length", [0, 1, 12, 18, 19, 20, 22])
def test_event_of_a_length_that_is_too_small(length: int) -> None:
    log = bytearray(sample_path("mysql-9.7-shop").read_bytes()[:1000])
    root = MysqlBinlog.from_bytes(bytes(log))
    at = 4 + root.events[0].len_event + 9
    log[at : at + 4] = length.to_bytes(4, "little")
    assert other_errors(bytes(log)) == []
