"""Tables of a workload: what SQL makes them, and what may be written into them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType

from tests.live.random_values import Value
from tests.live.servers import AnyServer, Feature

MOST_ROW_BYTES = 40_000  # of 65,535 that the server allows, in its own count
LARGE = 1000  # characters of a value that is seldom taken
# Generated columns: what they are of a column n, in SQL and in Python. MariaDB leaves VIRTUAL ones
# out of images that are not full, and since 11.8.9 all of them out of any update or delete.
GENERATED: Mapping[str, tuple[str, Callable[[int], str]]] = MappingProxyType(
    {
        "twice": ("BIGINT AS (n * 2 + 1) STORED", lambda n: str(n * 2 + 1)),
        "shown": ("VARCHAR(40) AS (CONCAT('n ', n)) VIRTUAL", lambda n: f"n {n}"),
    }
)
GENERATED_FEATURES = {"twice": Feature.GENERATED_COLUMNS, "shown": Feature.VIRTUAL_VALUES}
ODD_NAMES = ("odd name", "sélect", "ключ", "order", "a`b", "x.y", "Ünïcode", "_row")


class Key(Enum):
    """What distinguishes the rows of a table."""

    PRIMARY = "id INT NOT NULL AUTO_INCREMENT PRIMARY KEY"
    COMPOSITE = "id INT NOT NULL, code VARCHAR(8) NOT NULL DEFAULT 'c', PRIMARY KEY (code, id)"
    UNIQUE = "id INT NOT NULL, UNIQUE KEY (id)"
    WIDE = "id BIGINT UNSIGNED NOT NULL, day DATE NOT NULL DEFAULT '2026-01-01', PRIMARY KEY (id)"
    INVISIBLE = "id INT NULL"
    NONE = "id INT  NULL"


@dataclass(frozen=True)
class Column:
    """A column that statements give values.

    Attributes:
        name: unquoted.
        sql_type: what follows the name where it is declared.
        values: to choose from.
        default: of rows that give none, as SQL text; None for NULL.
    """

    name: str
    sql_type: str
    values: Sequence[Value] = ()
    default: str | None = None

    @property
    def declaration(self) -> str:
        """The column as CREATE TABLE and ALTER TABLE take it."""
        null = "NULL" if self.default is None else f"NOT NULL DEFAULT '{self.default}'"
        return f"{quote(self.name)} {self.sql_type} {null}"

    def draw(self, source: random.Random) -> Value:
        if self.default is None and source.random() < 0.15:
            return None
        value = source.choice(self.values)
        if isinstance(value, str | bytes) and len(value) > LARGE and source.random() < 0.9:
            value = source.choice(self.values)
        return value


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: unquoted, without its database.
        key: what distinguishes its rows.
        columns: those that are given values, the key's apart.
        further: declarations of columns that no statement names, and of indexes.
        options: what follows the closing parenthesis.
        is_copied: whether it came from a SELECT; such a table gets no rows of its own.
        is_transactional: whether its rows can be rolled back.
    """

    name: str
    key: Key
    columns: tuple[Column, ...]
    further: tuple[str, ...] = ()
    options: str = ""
    is_copied: bool = False
    is_transactional: bool = field(default=True)

    @property
    def create(self) -> str:
        """The statement that makes it."""
        parts = [self.key.value, *(c.declaration for c in self.columns), *self.further]
        return f"CREATE TABLE {quote(self.name)} ({', '.join(parts)}) {self.options}"

    @property
    def key_columns(self) -> tuple[str, ...]:
        """Names of the columns that no two rows share; the server may have added one."""
        return {
            Key.PRIMARY: ("id",),
            Key.COMPOSITE: ("id", "code"),
            Key.UNIQUE: ("id",),
            Key.WIDE: ("id",),
            Key.INVISIBLE: ("my_row_id",),
            Key.NONE: (),
        }[self.key]

    def with_columns(self, columns: Sequence[Column]) -> Table:
        return replace(self, columns=tuple(columns))


def quote(name: str) -> str:
    """Return a name as SQL quotes it."""
    return "`" + name.replace("`", "``") + "`"


def row_bytes(sql_type: str) -> int:
    """Return the bytes that a type takes at most of the row that the server allows."""
    match = re.match(r"(?:VAR)?(?:CHAR|BINARY)\((\d+)\)", sql_type)
    return 4 * int(match[1]) if match and "BINARY" not in sql_type else 80 + int((match or "00")[1])


class TableMaker:
    """Makes random tables."""

    def __init__(
        self,
        source: random.Random,
        kinds: dict[str, list[Value]],
        server: AnyServer,
        *,
        has_other_engines: bool,
        favoured: Sequence[str] = (),
    ) -> None:
        self._source = source
        self._kinds = kinds
        self.server = server
        self._has_other_engines = has_other_engines
        self._favoured = favoured
        self._num_tables = 0
        self._num_columns = 0

    def name(self, stem: str = "t") -> str:
        """Return a name that no table has had."""
        self._num_tables += 1
        return f"{stem}{self._num_tables}"

    def column(self) -> Column:
        """Return a column of a random type."""
        is_favoured = self._favoured and self._source.random() < 0.5
        sql_type = self._source.choice(self._favoured if is_favoured else list(self._kinds))
        self._num_columns += 1
        name = f"c{self._num_columns}"
        if self._source.random() < 0.1:
            name = f"{self._source.choice(ODD_NAMES)} {self._num_columns}"
        return Column(name, sql_type, self._kinds[sql_type])

    def table(self, key: Key | None = None, *, num_columns: int | None = None) -> Table:
        source = self._source
        can_hide = self.server.has(Feature.INVISIBLE_KEYS)
        keys = [k for k in Key if can_hide or k is not Key.INVISIBLE]
        key = key or source.choice(keys)
        columns = [Column("n", "INT", range(-20, 100)), Column("word", "VARCHAR(20)", WORDS, "w")]
        room = MOST_ROW_BYTES
        for _ in range(source.randint(1, 11) if num_columns is None else num_columns):
            column = self.column()
            if row_bytes(column.sql_type) < room:
                room -= row_bytes(column.sql_type)
                columns.insert(source.randint(0, len(columns)), column)
        further, options, is_transactional = self._extras(key)
        if any(c.sql_type in GEOMETRIES for c in columns) and "ENGINE" not in options:
            options = ""  # no server has shapes in partitions
        name = self.name("odd `t`" if source.random() < 0.1 else "t")
        return Table(name, key, tuple(columns), further, options, is_transactional=is_transactional)

    def _extras(self, key: Key) -> tuple[tuple[str, ...], str, bool]:
        """Return further declarations and options, and whether the table can roll back."""
        source = self._source
        further = []
        if source.random() < 0.3:
            digits = "(6)" if self.server.has(Feature.FRACTIONS) else ""
            now = f"CURRENT_TIMESTAMP{digits}"
            declaration = f"touched TIMESTAMP{digits} NOT NULL DEFAULT {now}"
            if self.server.has(Feature.LOGGED_ON_UPDATE):
                declaration += f" ON UPDATE {now}"
            further.append(declaration)
        for name, (declaration, _) in GENERATED.items():
            feature = GENERATED_FEATURES[name]
            if self.server.has(feature) and source.random() < 0.4:
                further.append(f"{name} {declaration}")
        if self.server.has(Feature.INVISIBLE_COLUMNS) and source.random() < 0.4:
            further.append("hidden INT DEFAULT 5 INVISIBLE")
        if self._has_other_engines and source.random() < 0.1 and key is not Key.INVISIBLE:
            return tuple(further), "ENGINE=MyISAM", False
        if key in (Key.PRIMARY, Key.WIDE) and source.random() < 0.3:
            return tuple(further), f"PARTITION BY HASH(id) PARTITIONS {source.randint(2, 5)}", True
        return tuple(further), "", True


GEOMETRIES = ("GEOMETRY", "POINT", "POLYGON")
WORDS: tuple[Value, ...] = ("", "w", "word", "another", "it's", "äöü", "日本", "😀", "line\nbreak")
# Of the table `watched`.
TRIGGERS = tuple(
    f"CREATE TRIGGER on_{event.lower()} AFTER {event} ON watched FOR EACH ROW BEGIN"
    f" INSERT INTO audit (id, n, what) VALUES ({row}.id, {row}.n, '{event}');"
    f" INSERT INTO total (id, n) VALUES ({row}.id % 5 + 1, 1)"
    " ON DUPLICATE KEY UPDATE n = n + 1; END"
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))
)
