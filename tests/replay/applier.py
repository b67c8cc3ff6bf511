"""The rows that changes leave, beginning with nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tests.replay.changes import Change, Image
from tests.replay.documents import DocumentPatcher
from tests.replay.timeline import (
    Altered,
    Created,
    Dropped,
    Emptied,
    Ended,
    Event,
    Looked,
    Mark,
    Prepared,
    Selected,
)
from tests.truth.cells import Cell

Row = tuple[Cell, ...]
MOST_PAIRED = 20  # rows of the server for which the most like of ours is looked for
MOST_SHOWN = 300  # characters of a value in an error


class ReplayError(AssertionError):
    """What the log says is not what the server has.

    Attributes:
        version: of the transaction or the look at the server where it shows.
        table: whose rows they are.
        key: of the row; empty if there is none.
    """

    def __init__(self, message: str, version: int, table: str, key: Row = ()) -> None:
        super().__init__(message)
        self.version = version
        self.table = table
        self.key = key


class TableRows:
    """The rows of one table."""

    def __init__(self, created: Created) -> None:
        self.created = created
        self.names = created.names
        self.key = tuple(self.names.index(name) for name in created.key_columns)
        self.rows: list[Row] = []
        self._by_key: dict[Row, Row] = {}

    def all_rows(self) -> list[Row]:
        return list(self._by_key.values()) if self.key else self.rows

    def add(self, row: Row) -> None:
        """Add a row.

        Raises:
            LookupError: there is one of the same key.
        """
        if not self.key:
            self.rows.append(row)
            return
        key = tuple(row[place] for place in self.key)
        if key in self._by_key:
            raise LookupError(f"there is a row of key {key} already")
        self._by_key[key] = row

    def take(self, image: Image) -> Row:
        """Remove and return the row of an image before.

        Raises:
            LookupError: there is none, or it has other values.
        """
        if self.key and all(place in image for place in self.key):
            key = tuple(image[place] for place in self.key)
            if key not in self._by_key:
                raise LookupError(f"there is no row of key {key}")
            row = self._by_key.pop(key)
            for place, cell in image.items():
                if row[place] != cell:
                    raise LookupError(
                        f"row of key {key}, column {self.names[place]}: expected"
                        f" {shown(row[place])}, the image before has {shown(cell)}"
                    )
            return row
        rows = self.all_rows()
        for row in rows:
            if all(row[place] == cell for place, cell in image.items()):
                if self.key:
                    del self._by_key[tuple(row[place] for place in self.key)]
                else:
                    self.rows.remove(row)
                return row
        raise LookupError(f"there is no row like the image before: {shown(image)}")

    def insert(self, image: Image) -> None:
        """Add the row of an image; columns that it does not have get their defaults.

        Raises:
            LookupError: there is one of the same key.
        """
        defaults = self.created.defaults
        row = tuple(
            image[place] if place in image else defaults.get(name)
            for place, name in enumerate(self.names)
        )
        self.add(self._complete(row, image))

    def update(self, row: Row, image: Image) -> Row:
        """Add a row with the values of an image, and return it.

        Raises:
            LookupError: there is one of the same key.
        """
        updated = tuple(image.get(place, cell) for place, cell in enumerate(row))
        updated = self._complete(updated, image)
        self.add(updated)
        return updated

    def _complete(self, row: Row, image: Image) -> Row:
        """Return a row with the cells that follow from others."""
        for name, cell_of in self.created.generated.items():
            place = self.names.index(name)
            if place not in image:
                cell = cell_of(row[self.names.index("n")])
                row = (*row[:place], cell, *row[place + 1 :])
        return row

    def alter(self, created: Created) -> None:
        """Give the rows other columns."""
        old = {name: place for place, name in enumerate(self.names)}
        rows = [
            tuple(
                row[old[name]] if name in old else created.defaults.get(name)
                for name in created.names
            )
            for row in self.all_rows()
        ]
        self.__init__(created)  # type: ignore[misc]
        for row in rows:
            self.add(row)


class Applier:
    """Applies changes to tables.

    Args:
        patcher: to apply differences of documents; None where there are none.
        follows_foreign_keys: whether what foreign keys do to rows is not in the log.

    Attributes:
        num_changes: applied so far.
        num_compared: rows that were found to be those of the server.
    """

    def __init__(
        self, patcher: DocumentPatcher | None = None, *, follows_foreign_keys: bool
    ) -> None:
        self._patcher = patcher
        self.num_changes = 0
        self.num_compared = 0
        self._follows_foreign_keys = follows_foreign_keys
        self._tables: dict[str, TableRows] = {}
        self._waiting: dict[str, tuple[Prepared, list[Change]]] = {}  # by XA identifier

    def run(self, changes: Iterable[Change], marks: Sequence[Mark]) -> None:
        """Apply changes and events in their order; raises ReplayError."""
        events = iter([*marks, None])
        mark = next(events)
        for change in changes:
            while mark is not None and mark.version <= change.version:
                self._follow(mark)
                mark = next(events)
            name = None
            for prepared, waiting in self._waiting.values():
                if change.version < prepared.end:
                    name = prepared.logged_name
                    waiting.append(change)
            if change.xa != name:
                message = f"{change.place}: expected XA transaction {name}, found {change.xa}"
                raise ReplayError(message, change.version, change.table)
            if name is None:
                self._apply(change)
        while mark is not None:
            self._follow(mark)
            mark = next(events)

    def _follow(self, mark: Mark) -> None:
        event: Event = mark.event
        if isinstance(event, Created):
            self._tables[event.table] = TableRows(event)
        elif isinstance(event, Altered):
            self._tables[event.created.table].alter(event.created)
        elif isinstance(event, Emptied):
            self._tables[event.table] = TableRows(self._tables[event.table].created)
        elif isinstance(event, Dropped):
            del self._tables[event.table]
        elif isinstance(event, Prepared):
            self._waiting[event.xid] = event, []
        elif isinstance(event, Ended):
            _, changes = self._waiting.pop(event.xid)
            for change in changes if event.is_committed else ():
                self._apply(change)
        elif isinstance(event, Looked):
            for selected in event.tables:
                self._compare(selected, mark.version)

    def _apply(self, change: Change) -> None:
        table = self._tables.get(change.table)
        site = f"{change.place} {change.table}"
        if table is None:
            raise ReplayError(f"{site}: there is no such table", change.version, change.table)
        if change.names != table.names:
            message = f"{site}: expected columns {table.names}, found {change.names}"
            raise ReplayError(message, change.version, change.table)
        try:
            if change.before is None:
                assert change.after is not None
                table.insert(change.after)
            else:
                row = table.take(change.before)
                after = None
                if change.after is not None:
                    after = table.update(row, self._complete(table, row, change))
                if self._follows_foreign_keys:
                    self._cascade(table, row, after)
        except LookupError as error:
            raise ReplayError(f"{site}: {error.args[0]}", change.version, change.table) from error
        self.num_changes += 1

    def _complete(self, table: TableRows, row: Row, change: Change) -> Image:
        """Return the image after, with the documents that it holds as differences."""
        image = dict(change.after or {})
        for name, operations in change.differences.items():
            assert self._patcher is not None
            place = table.names.index(name)
            image[place] = self._patcher.patch(row[place], operations)
        return image

    def _cascade(self, parent: TableRows, before: Row, after: Row | None) -> None:
        """Do to other rows what foreign keys do."""
        for child in self._tables.values():
            foreign_key = child.created.foreign_key
            if foreign_key is None or foreign_key.parent != parent.created.table:
                continue
            place = child.names.index(foreign_key.column)
            old = before[parent.names.index(foreign_key.parent_column)]
            new = after[parent.names.index(foreign_key.parent_column)] if after else None
            if old == new:
                continue
            for row in [row for row in child.all_rows() if row[place] == old]:
                child.take(dict(enumerate(row)))
                if new is not None or not foreign_key.deletes:
                    child.add((*row[:place], new, *row[place + 1 :]))

    def _compare(self, selected: Selected, version: int) -> None:
        table = self._tables.get(selected.table)
        if table is None or table.names != selected.names:
            found = table.names if table else "no table"
            message = f"{selected.table}: expected columns {selected.names}, found {found}"
            raise ReplayError(message, version, selected.table)
        ours, theirs = Counter(table.all_rows()), Counter(selected.rows)
        if ours != theirs:
            message = f"{selected.table}: {difference(table, theirs - ours, ours - theirs)}"
            raise ReplayError(message, version, selected.table)
        self.num_compared += len(selected.rows)


def difference(table: TableRows, expected: Counter[Row], found: Counter[Row]) -> str:
    """Return how rows that should be there differ from those that are."""
    text = f"{expected.total()} rows of the server are not found, {found.total()} found are not its"
    if not expected or not found:
        return f"{text}; expected {shown(list(expected)[:1])}, found {shown(list(found)[:1])}"
    row, other = min(
        ((row, other) for row in list(expected)[:MOST_PAIRED] for other in found),
        key=lambda pair: sum(a != b for a, b in zip(*pair, strict=True)),
    )
    cells = [
        f"column {name}: expected {shown(a)}, found {shown(b)}"
        for name, a, b in zip(table.names, row, other, strict=True)
        if a != b
    ]
    return f"{text}; row {shown([row[place] for place in table.key])}: {'; '.join(cells)}"


def shown(value: object) -> str:
    """Return a value for an error, cut."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}... ({len(text)} letters)"
