"""The SQL around the statements of a script: its session, and what it refuses to start with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sql_text.literals import binary_literal

# Zero dates and dates of no calendar are stored as they are. Values that do not fit are an error.
_MODES: Final = "NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES"
STRICT: Final = f"SET SESSION sql_mode = 'STRICT_ALL_TABLES,{_MODES}';"
# For values that servers store only without strict mode: ENUM 0, a GEOMETRY of no bytes.
LENIENT: Final = f"SET SESSION sql_mode = '{_MODES}';"

_VARIABLES: Final = ("sql_mode", "time_zone", "foreign_key_checks")


def begin_session() -> Iterator[str]:
    """Yield the lines that set the session."""
    yield "SET NAMES utf8mb4;"
    saved = ", ".join(f"@saved_{name} = @@SESSION.{name}" for name in _VARIABLES)
    yield f"SET {saved};"
    yield STRICT
    yield "SET SESSION time_zone = '+00:00', foreign_key_checks = 0;"


def refuse_triggers(tables: Iterable[TableName]) -> Iterator[str]:
    """Yield a line for each table that fails if it has triggers.

    What triggers did is in the log and so in the statements; they would do it again.
    """
    yield "-- An error 'Subquery returns more than 1 row' here: the table has triggers. What they"
    yield "-- did is among these statements, and they would do it again. Drop them, run this, and"
    yield "-- create them again."
    for table in tables:
        database, name = map(binary_literal, (table.database_name, table.table_name))
        yield (
            "SET @triggers = (SELECT 1 UNION ALL SELECT 1 FROM information_schema.triggers"
            f" WHERE BINARY event_object_schema = {database}"
            f" AND BINARY event_object_table = {name});"
        )


def end_session() -> Iterator[str]:
    """Yield the lines that set the session back."""
    saved = ", ".join(f"SESSION {name} = @saved_{name}" for name in _VARIABLES)
    yield f"SET {saved};"
