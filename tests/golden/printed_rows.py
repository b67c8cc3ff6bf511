"""Row images of the adapter, cell by cell, compared with those that an official tool prints.

Of text, the tools print the bytes in the column's own character set, which they do not name: text
that is neither UTF-8 nor latin1 is read once more, as bytes, to be compared; how these are decoded
is left to the tests that have the server's SELECT. Members of ENUM and SET are printed as numbers:
each has to have one name throughout a table.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from pyspark_adapter import BinlogError, BinlogWarning, TableName, read_batches
from tests.corpus.logs import Log
from tests.corpus.tally import Place, Tally
from tests.golden.decoded import plain_numbers
from tests.inputs import SAMPLES
from tests.support.outcome import ALL_METADATA, typed_rows
from tests.truth.printed_cells import TEXTS, inflated, latin1_bytes, same_as_printed
from tests.truth.tool_text import PAYLOAD_START, RowImage, parse_tool_text

METADATA = ("_change_type", "_start_pos", "_absent_columns")
SEVERAL_SHAPES = "alter97.people"  # a table of a sample whose columns change
# Names of types in the tools' comments, as SQL has them.
SQL_TYPES = {
    "TINYINT": "tinyint",
    "SHORTINT": "smallint",
    "MEDIUMINT": "mediumint",
    "INT": "int",
    "LONGINT": "bigint",
    "FLOAT": "float",
    "DOUBLE": "double",
    "DECIMAL": "decimal",
    "BIT": "bit",
    "YEAR": "year",
    "DATE": "date",
    "TIME": "time",
    "DATETIME": "datetime",
    "TIMESTAMP": "timestamp",
    "ENUM": "enum",
    "SET": "set",
    "VARSTRING": "varchar",
    "STRING": "char",
    "TINYBLOB/TINYTEXT": "text",
    "BLOB/TEXT": "text",
    "MEDIUMBLOB/MEDIUMTEXT": "text",
    "LONGBLOB/LONGTEXT": "text",
    "JSON": "json",
    "VECTOR": "vector",
    "GEOMETRY": "geometry",
}
COMMENT = re.compile(r"([A-Z/]+)")
FRACTIONS = re.compile(rb"\.(\d+)'?$")
OTHER_CHARSETS = "in other character sets, as bytes"
DIFFERENCES = (b"JSON_", b"@")  # how a printed list of differences of a document begins


@dataclass
class Members:
    """Names of the members of ENUM and SET, by number of the column and as they are printed."""

    names: dict[int, dict[bytes, str]] = field(default_factory=lambda: defaultdict(dict))

    def is_consistent(self, column: int, printed: bytes, name: str) -> bool:
        """Return whether a number has the name that it had before, and no other has it."""
        known = self.names[column]
        if known.setdefault(printed, name) != name:
            return False
        return sum(other == name for other in known.values()) == 1


def compare_rows(log: Log) -> Tally:
    """Return what was compared in a log, of all its tables."""
    tally = Tally()
    printed: dict[TableName, list[RowImage]] = defaultdict(list)
    text = log.text
    for image in parse_tool_text(text, log.flavor):
        printed[TableName(image.database_name, image.table_name)].append(image)
    has_places = PAYLOAD_START not in text
    for table, images in printed.items():
        compare_table(TableRead(log, table), images, tally, has_places=has_places)
    return tally


class TableRead:
    """The images of one table as the adapter reads them."""

    def __init__(self, log: Log, table: TableName) -> None:
        self.log = log
        self.table = table
        self.members = Members()
        self._octets: dict[int, list[bytes | None]] = {}

    def _batches(self, **arguments: Any) -> Iterator[pa.RecordBatch]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinlogWarning)
            # The tools print the columns of each shape by their numbers.
            yield from read_batches(
                self.log.path, table=self.table, merge_schema=False, **arguments
            )

    def _rows(self) -> Iterator[pa.RecordBatch]:
        """Yield rows with the columns of METADATA, then those of the table."""
        if self.log.name in SAMPLES and str(self.table) != SEVERAL_SHAPES:
            rows = typed_rows(self.log.name, self.table)
            if rows.error is None and rows.rows is not None:
                names = [n for n in rows.rows.schema.names if n not in ALL_METADATA]
                yield from rows.rows.select([*METADATA, *names]).to_batches()
                return
        yield from self._batches(metadata_columns=METADATA)

    def images(self) -> Iterator[tuple[str, int, dict[int, Any]]]:
        """Yield change type, place and values by column number, from 1, of each image."""
        for batch in self._rows():
            names = batch.schema.names[len(METADATA) :]
            columns = [plain_numbers(column).to_pylist() for column in batch.columns]
            for change_type, start_pos, absent, *cells in zip(*columns, strict=True):
                values = {
                    number: cell
                    for number, (name, cell) in enumerate(zip(names, cells, strict=True), 1)
                    if name not in absent
                }
                yield change_type, start_pos, values

    def octets(self, index: int, number: int) -> bytes | None:
        """Return a value of a text column, by indexes of image and column, as it is logged."""
        if number not in self._octets:
            batches = self._batches(metadata_columns=[])
            name = next(batches).schema.names[number - 1]
            schema = pa.schema([(name, pa.binary())])
            batches = self._batches(schema=schema)
            self._octets[number] = [value for b in batches for value in b.column(0).to_pylist()]
        return self._octets[number][index]


def compare_table(
    read: TableRead, printed: list[RowImage], tally: Tally, *, has_places: bool
) -> None:
    """Compare the images of one table, as far as they can be read."""
    num_read = 0
    reason = "rows that the adapter does not give"
    try:
        for change_type, start_pos, values in read.images():
            if (
                change_type == "update_postimage"
                and num_read
                and not printed[num_read - 1].is_complete
            ):
                tally.skipped["rows: after a GEOMETRY, where mysqlbinlog gives up"] += 1
                continue
            if num_read == len(printed):
                place = Place(read.log.name, num_read, start_pos)
                tally.check("rows", place, "no row", f"{read.table} {change_type}")
                return
            image = printed[num_read]
            place = Place(read.log.name, num_read, image.start_pos)
            tally.check("rows", place, image.change_type.value, change_type)
            if has_places:
                tally.check("places", place, start_pos in image.event_positions, True)
            compare_image(read, num_read, image, values, place, tally)
            num_read += 1
    except BinlogError as error:
        reason = reason_of(error)
    if num_read < len(printed):
        tally.skipped[f"rows: {reason}"] += len(printed) - num_read


def compare_image(
    read: TableRead,
    index: int,
    printed: RowImage,
    values: dict[int, Any],
    place: Place,
    tally: Tally,
) -> None:
    differences = {n for n, text in printed.values.items() if text.startswith(DIFFERENCES)}
    if differences:
        tally.skipped["cells: differences of documents"] += len(differences)
    if printed.is_complete:
        found = sorted(values.keys() - differences)
        tally.check("columns", place, sorted(printed.values.keys() - differences), found)
    else:
        num_cells = len(values) - len(printed.values)
        tally.skipped["cells: after a GEOMETRY, where mysqlbinlog gives up"] += num_cells
    for number in (printed.values.keys() & values.keys()) - differences:
        value = values[number]
        comment = COMMENT.match(printed.types[number])
        assert comment is not None
        name = comment[1]
        kind = f"cells {name}"
        same = is_same(read, printed, number, name, value)
        if not same and isinstance(value, str) and SQL_TYPES[name] in TEXTS:
            kind = f"cells {name} {OTHER_CHARSETS}"
            same = read.octets(index, number) == printed.decode_string(number)
        tally.check(kind, place, None if same else printed.values[number], None if same else value)


def is_same(read: TableRead, printed: RowImage, number: int, name: str, value: Any) -> bool:
    text = printed.values[number]
    if "COMPRESSED" in printed.types[number] and value is not None and text != b"NULL":
        octets = value.encode() if isinstance(value, str) else value
        stored = inflated(printed.decode_string(number))
        return stored in (octets, latin1_bytes(value) if isinstance(value, str) else octets)
    if name in ("ENUM", "SET") and isinstance(value, str):
        if name == "ENUM" and text == b"0":
            return value == ""  # the error value
        num_members = value.count(",") + 1 if value else 0
        if text == b"NULL" or (name == "SET" and text.count(b"1") != num_members):
            return False
        return read.members.is_consistent(number, text, value)
    column = {"name": str(number), "type": sql_type(name, text)}
    if name == "STRING" and isinstance(value, bytes):
        column["type"] = "binary"  # printed without the zeros at its end
    return same_as_printed(value, printed, number, column, set())


def sql_type(name: str, text: bytes) -> str:
    """Return the SQL type of a column, with the digits of a fraction."""
    fraction = FRACTIONS.search(text)
    if name in ("TIME", "DATETIME", "TIMESTAMP") and fraction:
        return f"{SQL_TYPES[name]}({len(fraction[1])})"
    return SQL_TYPES[name]


def reason_of(error: BinlogError) -> str:
    """Return an error's text without what differs from log to log."""
    text = str(error)
    for pattern, short in (
        (r"has other columns here", "tables whose columns change within the log"),
        (r"values of type (\w+)", r"values of type \1"),
        (r"rows of version 0", "rows of version 0"),
        (r"encrypted", "encrypted logs"),
        (r"the width of its values is not lo", "old temporals of MariaDB, of unknown width"),
        (r"expected CRC32", "damaged: checksum"),
    ):
        if match := re.search(pattern, text):
            return match.expand(short)
    return text
