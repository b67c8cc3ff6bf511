"""The table of event types: what each one is to the reader.

No other module lists type codes. `types_with` derives sets of types from the table; kernels test a
bit, `TRAITS[type_code] & ROWS`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from pyspark_adapter.format.schema import EventType as Type

# Traits, as bits.
ROWS: Final = 1 << 0  # rows of one table, in any form
INSERT: Final = 1 << 1
UPDATE: Final = 1 << 2
DELETE: Final = 1 << 3
DECODED: Final = 1 << 4  # rows that are decoded as they are; other forms are refused or inflated
EXTRA_INFO: Final = 1 << 5  # extra row info before the number of columns, as version 2 has it
TWO_BITMAPS: Final = 1 << 6  # a columns-present bitmap for each of two images
STATEMENT: Final = 1 << 7  # a statement as text, or a LOAD DATA
LOAD_FIELDS: Final = 1 << 8  # a LOAD DATA that is logged in fields, not as text
IN_TRANSACTION: Final = 1 << 9  # part of a transaction; opens one if none is open
NAMES: Final = 1 << 10  # a GTID event: the first of a transaction
ENDS: Final = 1 << 11  # the last event of a transaction
CONTAINER: Final = 1 << 12  # compressed events, rows or text, or a part of rows
CHANGES_FORMAT: Final = 1 << 13  # decides how the events after it are read; kernels stop at it
NEVER_IN_PAYLOAD: Final = 1 << 14  # servers never put one into a compressed transaction
ARTIFICIAL: Final = 1 << 15  # servers also send one that is not in the log
STREAM_ONLY: Final = 1 << 16  # servers send it, and never log it
ENDS_LOG: Final = 1 << 17  # the last event of a log
FIXED_HEADER: Final = 1 << 19  # has a header of 19 bytes, whatever the format description says
SQL_TEXT: Final = 1 << 20  # status variables, a database and a statement
QUERY_TEXT: Final = 1 << 21  # the text of the statement that made the rows which follow
ABOUT_LOG: Final = 1 << 22  # says something of the log or the connection; in no transaction
NO_VALUES: Final = 1 << 23  # neither values of rows nor texts of clients outside of its contents
NOTED: Final = 1 << 24  # prepares a distributed transaction, or says that changes were lost

# Types of MariaDB alone have the codes from here on. MariaDB writes no TRANSACTION_PAYLOAD.
FIRST_OF_MARIADB: Final = 160


class EventFacts(NamedTuple):
    """What an event type is.

    Attributes:
        type: its code.
        traits: bits of the constants above.
        plain: the type of the same layout without compression, for types of MariaDB that compress
            rows or text.
    """

    type: int
    traits: int = 0
    plain: int | None = None


_INSERT: Final = ROWS | IN_TRANSACTION | INSERT
_UPDATE: Final = ROWS | IN_TRANSACTION | UPDATE | TWO_BITMAPS
_DELETE: Final = ROWS | IN_TRANSACTION | DELETE

EVENT_TYPES: Final = (
    EventFacts(Type.unknown),
    EventFacts(Type.start_v3, CHANGES_FORMAT | NEVER_IN_PAYLOAD | ABOUT_LOG),
    EventFacts(Type.query, STATEMENT | SQL_TEXT),
    EventFacts(Type.stop, NO_VALUES | ENDS_LOG | NEVER_IN_PAYLOAD | ABOUT_LOG),
    EventFacts(
        Type.rotate, NO_VALUES | ENDS_LOG | FIXED_HEADER | ARTIFICIAL | NEVER_IN_PAYLOAD | ABOUT_LOG
    ),
    EventFacts(Type.intvar, IN_TRANSACTION),
    EventFacts(Type.load, STATEMENT | LOAD_FIELDS | IN_TRANSACTION),
    EventFacts(Type.slave),
    EventFacts(Type.create_file, STATEMENT | LOAD_FIELDS | IN_TRANSACTION),
    EventFacts(Type.append_block, IN_TRANSACTION),
    EventFacts(Type.exec_load, IN_TRANSACTION),
    EventFacts(Type.delete_file, IN_TRANSACTION),
    EventFacts(Type.new_load, STATEMENT | LOAD_FIELDS | IN_TRANSACTION),
    EventFacts(Type.rand, IN_TRANSACTION),
    EventFacts(Type.user_var, IN_TRANSACTION),
    EventFacts(
        Type.format_description,
        NO_VALUES | CHANGES_FORMAT | FIXED_HEADER | ARTIFICIAL | NEVER_IN_PAYLOAD | ABOUT_LOG,
    ),
    EventFacts(Type.xid, NO_VALUES | ENDS),
    EventFacts(Type.begin_load_query, IN_TRANSACTION),
    EventFacts(Type.execute_load_query, STATEMENT | IN_TRANSACTION),
    EventFacts(Type.table_map, NO_VALUES | IN_TRANSACTION),
    EventFacts(Type.write_rows_v0, _INSERT),
    EventFacts(Type.update_rows_v0, _UPDATE & ~TWO_BITMAPS),
    EventFacts(Type.delete_rows_v0, _DELETE),
    EventFacts(Type.write_rows_v1, _INSERT | DECODED),
    EventFacts(Type.update_rows_v1, _UPDATE | DECODED),
    EventFacts(Type.delete_rows_v1, _DELETE | DECODED),
    EventFacts(Type.incident, NOTED),
    EventFacts(Type.heartbeat, ARTIFICIAL | STREAM_ONLY | ABOUT_LOG),
    EventFacts(Type.ignorable),
    EventFacts(Type.rows_query, IN_TRANSACTION | QUERY_TEXT),
    EventFacts(Type.write_rows, _INSERT | DECODED | EXTRA_INFO),
    EventFacts(Type.update_rows, _UPDATE | DECODED | EXTRA_INFO),
    EventFacts(Type.delete_rows, _DELETE | DECODED | EXTRA_INFO),
    EventFacts(Type.gtid, NO_VALUES | NAMES | NEVER_IN_PAYLOAD),
    EventFacts(Type.anonymous_gtid, NO_VALUES | NAMES | NEVER_IN_PAYLOAD),
    EventFacts(Type.previous_gtids, NO_VALUES | NEVER_IN_PAYLOAD | ABOUT_LOG),
    EventFacts(Type.transaction_context),
    EventFacts(Type.view_change),
    EventFacts(Type.xa_prepare, NO_VALUES | ENDS | NOTED),
    EventFacts(Type.partial_update_rows, _UPDATE | DECODED | EXTRA_INFO),
    EventFacts(Type.transaction_payload, NO_VALUES | CONTAINER | NEVER_IN_PAYLOAD),
    EventFacts(Type.heartbeat_v2, ARTIFICIAL | STREAM_ONLY | ABOUT_LOG),
    EventFacts(Type.gtid_tagged, NO_VALUES | NAMES | NEVER_IN_PAYLOAD),
    EventFacts(Type.annotate_rows, IN_TRANSACTION | QUERY_TEXT),
    EventFacts(Type.binlog_checkpoint, NO_VALUES | ABOUT_LOG),
    EventFacts(Type.mariadb_gtid, NO_VALUES | NAMES),
    EventFacts(Type.gtid_list, NO_VALUES | ABOUT_LOG),
    EventFacts(Type.start_encryption, CHANGES_FORMAT | ARTIFICIAL | ABOUT_LOG),
    EventFacts(Type.query_compressed, SQL_TEXT | IN_TRANSACTION | CONTAINER, Type.query),
    EventFacts(Type.write_rows_compressed_v1, _INSERT | CONTAINER, Type.write_rows_v1),
    EventFacts(Type.update_rows_compressed_v1, _UPDATE | CONTAINER, Type.update_rows_v1),
    EventFacts(Type.delete_rows_compressed_v1, _DELETE | CONTAINER, Type.delete_rows_v1),
    EventFacts(Type.write_rows_compressed, _INSERT | EXTRA_INFO | CONTAINER, Type.write_rows),
    EventFacts(Type.update_rows_compressed, _UPDATE | EXTRA_INFO | CONTAINER, Type.update_rows),
    EventFacts(Type.delete_rows_compressed, _DELETE | EXTRA_INFO | CONTAINER, Type.delete_rows),
    EventFacts(Type.partial_row_data, IN_TRANSACTION | CONTAINER),
)


def _traits() -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    traits = np.zeros(256, dtype=np.uint32)
    for facts in EVENT_TYPES:
        traits[facts.type] = facts.traits
    traits[FIRST_OF_MARIADB:] |= NEVER_IN_PAYLOAD
    return traits


def _plain_types() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    plain = np.arange(256, dtype=np.uint8)
    for facts in EVENT_TYPES:
        plain[facts.type] = facts.type if facts.plain is None else facts.plain
    return plain


# (256,) for kernels: the traits of each type code, and its type without compression.
TRAITS: Final = _traits()
PLAIN_TYPES: Final = _plain_types()
_PLAIN: Final = PLAIN_TYPES.tobytes()


def types_with(trait: int) -> frozenset[int]:
    """Return the codes of all types with a trait, those that the table does not list included.

    >>> sorted(types_with(ENDS)) == [Type.xid, Type.xa_prepare]
    True
    """
    return frozenset(np.flatnonzero(TRAITS & np.uint32(trait)).tolist())


def plain_type(type_code: int) -> int:
    """Return the type of the same layout without compression; for other types the type itself.

    >>> plain_type(Type.query_compressed) == Type.query
    True
    """
    return _PLAIN[type_code]


ROWS_EVENTS: Final = types_with(ROWS)
GTID_EVENTS: Final = types_with(NAMES)
STATEMENT_EVENTS: Final = types_with(STATEMENT)
QUERY_TEXT_EVENTS: Final = types_with(QUERY_TEXT)
NOTED_EVENTS: Final = types_with(NOTED)
# What MariaDB compressed.
COMPRESSED_EVENTS: Final = frozenset(facts.type for facts in EVENT_TYPES if facts.plain is not None)
