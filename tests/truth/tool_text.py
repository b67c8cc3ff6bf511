r"""Rows and events out of the text of mysqlbinlog and mariadb-binlog.

Independent of the project: nothing here knows the format of a log. The text is that of

    TZ=UTC TOOL --no-defaults -vv --base64-output=decode-rows --force-if-open LOG

with mysqlbinlog 9.7 (flavor `mysql`) or mariadb-binlog 11.8 (flavor `mariadb`), as measured:

* The rows of a statement stand after the header of its last rows event, in the order of the
  events; a statement with several events does not say which row came from which.
* Both tools hold back some headers (mysqlbinlog those of INTVAR, RAND and USER_VAR,
  mariadb-binlog those of ANNOTATE_ROWS and of several rows events) and print the positions of
  the events, `# at 4`, before. Headers and positions keep their order, each in its own line.
* A value is one line, `###   @1=VALUE /* TYPE meta=0 nullable=1 is_null=0 */`. Only differences
  of JSON documents, `JSON_SET(...)`, may take several lines.
* A column that is not in the image has no line. A row without any column is
  `### INSERT INTO ... VALUES ()`.
* Integers: `5`; a set sign bit gives both readings, `-1 (255)`, whatever the column's sign.
* DECIMAL: plain, with all digits of the scale. DOUBLE: 20 digits. FLOAT: six digits, and spaces
  up to 20 characters.
* BIT: `b'0101'`, as many digits as bits. SET: `b'...'` byte by byte, the lowest byte first.
  ENUM: the number of the member, 0 for the error value.
* DATE `'2026:11:20'`; YEAR `2026`, and 1900 for 0000; DATETIME `'2026-11-20 12:34:56.5'`; TIME
  `'-838:59:59.0'`; TIMESTAMP `1795178096.5`, seconds in UTC, 0 for a zero date.
* NULL: `NULL`.
* Text and bytes: `'...'` in the column's own character set. mysqlbinlog writes `\'`, `\\`, `\b`,
  `\t`, `\n`, `\f`, `\r` and other bytes below 0x20 as `\x1f`. mariadb-binlog writes every byte
  below 0x20 as `\x0a` and escapes nothing else, neither quotes nor backslashes.
* JSON of MySQL: `'...'` as text; a document that is one string has no quotes of its own.
* GEOMETRY ends mysqlbinlog's text of the whole event, even for NULL, with `!! Don't know`.

Limits: a type comment inside a value is taken for the value's own only if it ends the line and
no other follows. From mariadb-binlog, a backslash, `x` and two digits in a text look like the
byte they represent. Lines inside SQL that look like a position or like an event's header are
taken for one. Events of a compressed transaction have no positions of their own: they carry the
end of the payload.
"""

import dataclasses
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum


class Flavor(StrEnum):
    """Which tool printed the text."""

    MYSQL = "mysql"
    MARIADB = "mariadb"


class ChangeType(StrEnum):
    """What an image is."""

    INSERT = "insert"
    UPDATE_PREIMAGE = "update_preimage"
    UPDATE_POSTIMAGE = "update_postimage"
    DELETE = "delete"


@dataclass(frozen=True)
class ToolEvent:
    """One event, as its header line describes it.

    Attributes:
        start_pos: Offset of the event in the log.
        end_log_pos: The header's field; MariaDB writes 0 inside a group.
        event_type_text: The tool's name for the type: `Write_rows`, `Gtid list`, `Xid`.
        server_id: The header's field.
        timestamp: The header's field, seconds since 1970-01-01 UTC.
        detail: The rest of the line after the name.
        gtid: `uuid:number`, `uuid:tag:number`, `domain-server-number` or `ANONYMOUS`; None for
            any event that is no GTID.
        in_payload: Whether the event comes out of a compressed transaction.
    """

    start_pos: int
    end_log_pos: int
    event_type_text: str
    server_id: int
    timestamp: int
    detail: str
    gtid: str | None = None
    in_payload: bool = False


@dataclass(frozen=True)
class RowImage:
    """One printed image of a row.

    Attributes:
        start_pos: Offset of the statement's last rows event.
        event_positions: Offsets of all rows events of the statement, in order. Only when there
            is one is it known to hold this row.
        values: Printed values by column number, from 1; a column not in the image is absent.
        types: The comments after the values, `INT meta=0 nullable=1 is_null=0`.
        flavor: The tool that printed it.
        is_complete: False when the tool gave up at a column it does not know.
    """

    start_pos: int
    event_positions: tuple[int, ...]
    database_name: str
    table_name: str
    change_type: ChangeType
    values: dict[int, bytes] = field(default_factory=dict)
    types: dict[int, str] = field(default_factory=dict)
    flavor: Flavor = Flavor.MYSQL
    is_complete: bool = True

    @property
    def changed(self) -> frozenset[int]:
        """No column: differences of documents are printed as values."""
        return frozenset()

    def decode_string(self, column_number: int) -> bytes:
        """Return the bytes of a value printed in quotes, in the column's character set."""
        return decode_tool_string(self.values[column_number], self.flavor)


@dataclass
class EventText:
    """An event with the lines of text that follow its header."""

    event: ToolEvent
    lines: list[bytes] = field(default_factory=list)


POSITION_LINE = re.compile(rb"# at (\d+)")
HEADER_LINE = re.compile(
    rb"#(\d{6}) ([ \d]\d:\d\d:\d\d) server id (\d+)  end_log_pos (\d+) ?"
    rb"(?:CRC32 0x[0-9a-f]{8} ?)?(?:\t(.*))?"
)
# These have nothing in their header line; the next one names them.
LOAD_LINE = re.compile(rb"#(Begin_load_query|Append_block): (.*)")
EVENT_TYPE = re.compile(r"(Binlog checkpoint|Gtid list|XA PREPARE|[\w-]+)[:\s]*(.*)", re.DOTALL)
GTID_NEXT_LINE = re.compile(rb"SET @@SESSION\.GTID_NEXT= '([^']*)'/\*!\*/;")
MARIADB_GTID = re.compile(r"\d+-\d+-\d+")
PAYLOAD_START = b"# Start of compressed events."
PAYLOAD_END = b"# End of compressed events."
ROWS_DETAIL = "table id "

ROW_LINE = re.compile(
    rb"### (INSERT INTO|UPDATE|DELETE FROM) `((?:[^`]|``)+)`\.`((?:[^`]|``)+)`( VALUES \(\))?"
)
VALUE_LINE = re.compile(rb"###   @(\d+)=(.*)", re.DOTALL)
CONTINUATION = b"###      "
COMMENT_START, COMMENT_END = b" /* ", b" */"
NOT_PRINTED = b"!! Don't know"
CHANGE_BY_PART = {
    (b"INSERT INTO", b"### SET"): ChangeType.INSERT,
    (b"UPDATE", b"### WHERE"): ChangeType.UPDATE_PREIMAGE,
    (b"UPDATE", b"### SET"): ChangeType.UPDATE_POSTIMAGE,
    (b"DELETE FROM", b"### WHERE"): ChangeType.DELETE,
}

MYSQL_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|(.))", re.DOTALL)
MARIADB_ESCAPE = re.compile(rb"\\x([01][0-9a-f])()")
NAMED_ESCAPES = {b"b": b"\b", b"t": b"\t", b"n": b"\n", b"f": b"\f", b"r": b"\r"}


def parse_tool_events(text: bytes) -> list[ToolEvent]:
    """Return the events of a tool's text in the order of the log."""
    return [section.event for section in split_events(text)]


def parse_tool_text(text: bytes, flavor: Flavor | str) -> list[RowImage]:
    """Return the printed row images in their order; an update's two follow each other."""
    images: list[RowImage] = []
    positions: list[int] = []
    for section in split_events(text):
        if not section.event.detail.startswith(ROWS_DETAIL):
            continue
        positions.append(section.event.start_pos)
        printed = parse_rows(section.lines, tuple(positions), Flavor(flavor))
        images += printed
        if printed or "STMT_END_F" in section.event.detail:
            positions = []
    return images


def decode_tool_string(printed: bytes, flavor: Flavor | str) -> bytes:
    r"""Return the bytes of a value printed in quotes, in the column's character set.

    >>> decode_tool_string(rb"'it\'s\x00'", "mysql")
    b"it's\x00"

    Raises:
        ValueError: The value is not in quotes.
    """
    if len(printed) < 2 or not printed.startswith(b"'") or not printed.endswith(b"'"):
        raise ValueError(f"not a value in quotes: {printed[:40]!r}")
    escape = MYSQL_ESCAPE if Flavor(flavor) is Flavor.MYSQL else MARIADB_ESCAPE
    return escape.sub(decode_escape, printed[1:-1])


def decode_escape(match: re.Match[bytes]) -> bytes:
    if match[1] is not None:
        return bytes.fromhex(match[1].decode())
    return NAMED_ESCAPES.get(match[2], match[2])


def split_events(text: bytes) -> Iterator[EventText]:
    """Yield the events with their lines; text before the first event is left out."""
    positions: deque[int] = deque()
    section: EventText | None = None
    in_payload = False
    for line in text.split(b"\n"):
        if at := POSITION_LINE.fullmatch(line):
            positions.append(int(at[1]))
        elif positions and (header := HEADER_LINE.fullmatch(line)):
            if section is not None:
                yield finish_event(section)
            event = parse_header(header, positions.popleft(), in_payload=in_payload)
            section = EventText(event)
        else:
            if line in (PAYLOAD_START, PAYLOAD_END):
                in_payload = line == PAYLOAD_START
            if section is not None:
                section.lines.append(line)
    if section is not None:
        yield finish_event(section)


def parse_header(header: re.Match[bytes], start_pos: int, *, in_payload: bool) -> ToolEvent:
    date, time, server_id, end_log_pos, rest = header.groups()
    moment = datetime.strptime(f"{date.decode()} {time.decode().strip()}", "%y%m%d %H:%M:%S")
    name, detail = split_type((rest or b"").decode(errors="replace"))
    return ToolEvent(
        start_pos=start_pos,
        end_log_pos=int(end_log_pos),
        event_type_text=name,
        server_id=int(server_id),
        timestamp=int(moment.replace(tzinfo=UTC).timestamp()),
        detail=detail,
        in_payload=in_payload,
    )


def split_type(text: str) -> tuple[str, str]:
    """Return an event's name and what follows it.

    >>> split_type("Write_rows: table id 18 flags: STMT_END_F")
    ('Write_rows', 'table id 18 flags: STMT_END_F')
    """
    match = EVENT_TYPE.match(text)
    return (match[1], match[2]) if match else ("", text)


def finish_event(section: EventText) -> EventText:
    """Return the event with what its further lines tell of it."""
    event = section.event
    if not event.event_type_text and section.lines:
        if load := LOAD_LINE.fullmatch(section.lines[0]):
            name, detail = load[1].decode(), load[2].decode()
            event = dataclasses.replace(event, event_type_text=name, detail=detail)
    elif event.event_type_text in ("GTID", "Anonymous_GTID"):
        gtids = [found[1] for line in section.lines if (found := GTID_NEXT_LINE.match(line))]
        mariadb = MARIADB_GTID.match(event.detail)
        gtid = mariadb[0] if mariadb else gtids[0].decode() if gtids else None
        event = dataclasses.replace(event, gtid=gtid)
    return EventText(event, section.lines)


def join_continued(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines, those of a value of several lines as one."""
    held: bytes | None = None
    for line in lines:
        if held is not None and line.startswith(CONTINUATION):
            held += b"\n" + line
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def parse_rows(
    lines: Iterable[bytes], positions: tuple[int, ...], flavor: Flavor
) -> list[RowImage]:
    """Return the row images in the lines after a rows event's header."""
    images: list[RowImage] = []
    row: re.Match[bytes] | None = None
    for line in join_continued(lines):
        if found := ROW_LINE.fullmatch(line):
            row = found
            if row[4]:
                images.append(build_image(row, ChangeType.INSERT, positions, flavor))
        elif row is not None and (change_type := CHANGE_BY_PART.get((row[1], line))):
            images.append(build_image(row, change_type, positions, flavor))
        elif images and (value := VALUE_LINE.fullmatch(line)):
            printed = value[2]
            if printed.startswith(NOT_PRINTED):
                images[-1] = dataclasses.replace(images[-1], is_complete=False)
            else:
                column_number = int(value[1])
                text, comment = split_comment(printed)
                images[-1].values[column_number] = text
                images[-1].types[column_number] = comment
    return images


def build_image(
    row: re.Match[bytes], change_type: ChangeType, positions: tuple[int, ...], flavor: Flavor
) -> RowImage:
    """Return an image without values."""
    return RowImage(
        start_pos=positions[-1],
        event_positions=positions,
        database_name=row[2].replace(b"``", b"`").decode(),
        table_name=row[3].replace(b"``", b"`").decode(),
        change_type=change_type,
        flavor=flavor,
    )


def split_comment(printed: bytes) -> tuple[bytes, str]:
    """Return a value and its type comment, which is empty when there is none.

    >>> split_comment(b"'*/ /* x */' /* STRING(40) meta=65064 nullable=1 is_null=0 */")
    (b"'*/ /* x */'", 'STRING(40) meta=65064 nullable=1 is_null=0')
    """
    start = printed.rfind(COMMENT_START)
    if start < 0 or not printed.endswith(COMMENT_END):
        return printed, ""
    comment = printed[start + len(COMMENT_START) : -len(COMMENT_END)]
    return printed[:start].rstrip(b" "), comment.decode()
