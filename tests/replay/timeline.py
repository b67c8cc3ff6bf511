"""What happens to tables outside of their rows, and when: DDL, XA, and looks at the server.

Places in the logs are commit versions, as `_commit_version` has them: number of the log * 2^40 +
offset. A mark at a version comes before the transaction that begins there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.replay.foreign_keys import ForeignKey
from tests.truth.cells import Cell


@dataclass(frozen=True)
class Selected:
    """A table as the server selects it."""

    table: str
    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Created:
    """A table is there from now on.

    Attributes:
        table: its name.
        names: of its columns.
        key_columns: names of those that no two rows share; empty for none.
        defaults: cells of rows that do not give a column, by name, where that is not NULL.
        foreign_key: of the table, None for none.
        generated: how cells that the log may leave out follow from that of the column `n`, by name.
    """

    table: str
    names: tuple[str, ...]
    key_columns: tuple[str, ...]
    defaults: dict[str, Cell]
    foreign_key: ForeignKey | None = None
    generated: Mapping[str, Callable[[Cell], Cell]] = field(default_factory=dict)


@dataclass(frozen=True)
class Altered:
    """A table has other columns: those of old rows are kept by name, new ones have defaults."""

    created: Created


@dataclass(frozen=True)
class Emptied:
    """A table was truncated."""

    table: str


@dataclass(frozen=True)
class Dropped:
    """A table is gone."""

    table: str


@dataclass(frozen=True)
class Prepared:
    """The changes from the version of the mark to an end wait for the end of an XA transaction."""

    xid: str
    logged_name: str
    end: int


@dataclass(frozen=True)
class Ended:
    """An XA transaction that was prepared has come to its end."""

    xid: str
    is_committed: bool


@dataclass(frozen=True)
class Looked:
    """The server was asked for all its rows."""

    tables: tuple[Selected, ...]


Event = Created | Altered | Emptied | Dropped | Prepared | Ended | Looked


@dataclass(frozen=True)
class Mark:
    """An event and its version."""

    version: int
    statement: int
    event: Event
