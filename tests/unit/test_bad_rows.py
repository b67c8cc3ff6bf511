"""Rows events whose bytes cannot be rows: the error names the column, the rows before it are given.

The log has no checksums, so that nothing but the rows themselves shows the damage. Layout of the
event: `rows.md`; of the values: `values.md`.
"""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest

from pyspark_adapter import BinlogError, CorruptEventError, EventSite
from samples.event_headers import HEADER
from tests.support.logs import LOG_NAME, find_event, read_sample, read_until_error, replaced

PLAIN = read_sample("mysql-9.7-no-checksum")
UPDATE = find_event(PLAIN, "UPDATE_ROWS_EVENT")
ROWS_BEFORE = 3

# Table id, flags and extra data; then the number of columns and a bitmap for each image.
NUM_COLUMNS = UPDATE.start_pos + HEADER.size + 6 + 2 + 2
FIRST_ROW = NUM_COLUMNS + 1 + 1 + 1
ID = FIRST_ROW + 1
TITLE_LENGTH = ID + 4
SCORE = TITLE_LENGTH + 1 + len("first")
CHANGED = SCORE + 3
BODY_LENGTH = CHANGED + 7


@dataclass(frozen=True)
class Damage:
    """Bytes to put into the update, and the words of the error."""

    offset: int
    data: bytes
    words: tuple[str, ...]


DAMAGES = {
    "other-number-of-columns": Damage(
        NUM_COLUMNS, b"\x06", ("nochecksum97.notes", "another number of columns")
    ),
    "text-is-not-utf8": Damage(
        TITLE_LENGTH + 1, b"\xff", ("column 2 title (VARCHAR)", "not valid in the column's")
    ),
    "text-beyond-the-event": Damage(
        TITLE_LENGTH, b"\xf0", ("column 2 title (VARCHAR)", "reaches beyond the end")
    ),
    "digits-beyond-their-group": Damage(
        SCORE, b"\xff\xff\xff", ("column 3 score (NEWDECIMAL)", "digits")
    ),
    "seconds-beyond-59": Damage(
        CHANGED + 4, b"\x3f", ("column 4 changed (DATETIME2)", "out of range")
    ),
    "clear-sign-bit-of-datetime": Damage(CHANGED, b"\x19", ("column 4 changed (DATETIME2)",)),
    "blob-beyond-the-event": Damage(
        BODY_LENGTH, b"\xff\xff", ("column 5 body (BLOB)", "reaches beyond the end")
    ),
}


def read_damaged(path: Path, damage: Damage, engine: str) -> tuple[int, BinlogError | None]:
    path.write_bytes(replaced(PLAIN, damage.offset, damage.data))
    return read_until_error(path, engine=engine)


def test_the_offsets_are_those_of_the_values() -> None:
    assert PLAIN[NUM_COLUMNS] == 5
    assert PLAIN[TITLE_LENGTH : TITLE_LENGTH + 6] == b"\x05first"
    assert PLAIN[SCORE : SCORE + 3] == bytes.fromhex("80 01 05")  # 1.5 as DECIMAL(5,1)
    assert PLAIN[BODY_LENGTH : BODY_LENGTH + 7] == b"\x05\0short"


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_the_column_is_named_after_the_rows_before_it(
    damage: Damage, engine: str, log_path: Path
) -> None:
    num_rows, error = read_damaged(log_path, damage, engine)
    assert isinstance(error, CorruptEventError)
    assert error.site == EventSite(LOG_NAME, UPDATE.start_pos, "UPDATE_ROWS_EVENT")
    for word in damage.words:
        assert word in error.message
    assert num_rows == ROWS_BEFORE


def subject_of(error: BinlogError | None) -> str:
    """Return an error's site, table and column."""
    assert error is not None
    return f"{error.site}: {error.message.split(': ')[0]}"


# The reference tells more of a bad value: class, place and column are the same, not every word.
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_both_engines_say_the_same(damage: Damage, log_path: Path) -> None:
    _, fast = read_damaged(log_path, damage, "kernels")
    _, slow = read_damaged(log_path, damage, "reference")
    assert (type(fast), subject_of(fast)) == (type(slow), subject_of(slow))


def test_only_columns_that_are_asked_for_are_decoded(engine: str, log_path: Path) -> None:
    damage = DAMAGES["text-is-not-utf8"]
    log_path.write_bytes(replaced(PLAIN, damage.offset, damage.data))
    table = "nochecksum97.notes"
    _, error = read_until_error(log_path, engine=engine, table=table)
    assert isinstance(error, CorruptEventError)
    schema = pa.schema([("id", pa.int32()), ("body", pa.string())])
    assert read_until_error(log_path, engine=engine, table=table, schema=schema) == (7, None)
