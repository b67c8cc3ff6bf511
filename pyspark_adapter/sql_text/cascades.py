"""What foreign keys did to rows below the log, worked out from the changes that are in it.

Servers before MySQL 9.6, and MariaDB, do not log the rows that CASCADE and SET NULL delete or
change. They follow from the rows that the tables had, if all of these were logged. What does not
follow is told, and never guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pyspark_adapter.ddl.constraints import CASCADE, SET_NULL, ForeignKey
from pyspark_adapter.ddl.table_definition import TableDefinition
from pyspark_adapter.errors import EventSite, one_line
from pyspark_adapter.events.table_map import Column, TableMap
from pyspark_adapter.kernels.layout import Change
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sql_text.child_rows import ChildRows, Values, folded, is_text
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.row_change import Row, RowChange, condition_of
from pyspark_adapter.sql_text.target_table import TargetTable

_MOST_NAMED: Final = 100  # rows of one reason
_MAX_DEPTH: Final = 32  # InnoDB stops at 15
_NOT_WHOLE: Final = "whose inserts are not in these logs"


@dataclass(frozen=True, slots=True)
class Link:
    """A foreign key of a table."""

    child: TableName
    key: ForeignKey


@dataclass(slots=True)
class Unknown:
    """Rows that a foreign key may have changed, and that are not rebuilt.

    Attributes:
        site: of the first change of their parent.
        text: which rows, before the conditions.
        conditions: that find them, the first ones.
        count: of all.
    """

    site: EventSite
    text: str
    reason: str
    conditions: list[str] = field(default_factory=list)
    count: int = 0

    def __str__(self) -> str:
        shown = "; ".join(self.conditions)
        more = self.count - len(self.conditions)
        return f"{self.text} {self.reason}: {shown}{f'; and {more:,} more' if more > 0 else ''}"


@dataclass(slots=True)
class _Effect:
    """A change of a parent's row, as a foreign key sees it."""

    link: Link
    parent: TableName
    site: EventSite
    old: Values
    new: Values | None
    kinds: tuple[object, ...]


class Cascades:
    """Follows all changes of the logs, and tells what foreign keys did to other rows.

    Attributes:
        rebuilt: rows by table and kind of change.
    """

    def __init__(self) -> None:
        self.rebuilt: Counter[tuple[TableName, Change]] = Counter()
        self._links: dict[TableName, list[Link]] = {}  # by parent
        self._children: set[TableName] = set()
        self._rows: dict[TableName, ChildRows] = {}
        self._created: set[TableName] = set()  # all of whose rows are in the logs
        # Values of parents' rows that were inserted in the logs: rows that name them are newer.
        self._inserted: dict[Link, set[Values]] = {}
        self._unknown: dict[tuple[Link, str], Unknown] = {}
        self._is_reported = True

    @property
    def unknown(self) -> list[tuple[EventSite, str]]:
        """Rows that are not rebuilt."""
        return [(unknown.site, str(unknown)) for unknown in self._unknown.values()]

    def describe(self) -> Iterator[str]:
        """Yield comments that name the changes which were rebuilt."""
        for (table, change), count in sorted(self.rebuilt.items(), key=str):
            rows = f"{count:,} row{'' if count == 1 else 's'}"
            yield f"-- Rebuilt: {one_line(str(table))}: {rows} that foreign keys {_VERBS[change]}"

    def link(
        self, definitions: Iterable[tuple[TableName, TableDefinition]], *, knows_references: bool
    ) -> None:
        """Take the definitions of all tables that hold from now on."""
        self._links = {}
        self._children = set()
        for child, definition in definitions:
            keys = list(definition.foreign_keys)
            if knows_references:
                references = ((c.name, c.reference) for c in definition.columns)
                keys += [replace(key, columns=(name,)) for name, key in references if key]
            generated = {c.name.lower() for c in definition.columns if c.is_generated}
            for key in keys:
                parent = key.parent
                if not parent.database_name:
                    parent = TableName(child.database_name, parent.table_name)
                if not generated.isdisjoint(map(str.lower, key.columns)):
                    continue  # servers refuse CASCADE and SET NULL there
                self._children |= {child, child.lower()}
                for name in dict.fromkeys((parent, parent.lower())):
                    self._links.setdefault(name, []).append(Link(child, key))

    def is_concerned(self, table: TableName) -> bool:
        """Return whether changes of a table have to be followed."""
        return bool(self._links_of(table)) or self._is_child(table)

    def create(self, table: TableName) -> None:
        """Begin with a table without rows."""
        for name in (table, table.lower()):
            self._rows.pop(name, None)
            self._created.add(name)

    def forget(self, table: TableName | None) -> None:
        """Forget a table that was changed in ways that the log does not show; None for all."""
        tables = set(self._rows) | self._created if table is None else {table, table.lower()}
        for name in tables:
            self._created.discard(name)
            if name in self._rows:
                self._rows[name].forget()
        for link in list(self._inserted):
            if table is None or link.child.lower() == table.lower():
                del self._inserted[link]

    def follow(
        self,
        change: RowChange | CannotWriteError,
        table_map: TableMap,
        site: EventSite,
        *,
        carries_over: bool,
        is_chosen: bool,
    ) -> list[RowChange]:
        """Take the next change of the log; return what foreign keys did after it.

        Args:
            carries_over: whether the server carries it over without logging that.
            is_chosen: whether it is taken back; else nothing is told of rows that are not known.
        """
        table = table_map.table
        if isinstance(change, CannotWriteError):
            self.forget(table)
            self._is_reported = is_chosen
            for link in self._links_of(table) if carries_over else ():
                reason = f"since those of their parent cannot be read: {change.reason}"
                self._give_up(link, table, site, reason)
            return []
        if self._is_child(table):
            self._rows_of(change.target, table_map).apply(change.before, change.after)
        self._is_reported = is_chosen
        changes: list[RowChange] = []
        for effect in self._effects(change, table_map, site, carries_over=carries_over):
            changes += self._carry_over(effect, 1)
        return changes

    def _links_of(self, table: TableName) -> Sequence[Link]:
        links = self._links.get(table)
        return self._links.get(_of_any_database(table), ()) if links is None else links

    def _is_child(self, table: TableName) -> bool:
        return table in self._children or _of_any_database(table) in self._children

    def _child(self, link: Link, parent: TableName) -> TableName:
        """Return the table of a link, as rows name it."""
        database = link.child.database_name or parent.database_name
        child = TableName(database, link.child.table_name)
        return child.lower() if child not in self._rows and child.lower() in self._rows else child

    def _give_up(self, link: Link, parent: TableName, site: EventSite, reason: str) -> None:
        """Tell that rows are not known, and forget them."""
        self._tell(link, site, reason, _described(link.key))
        self.forget(self._child(link, parent))

    def _rows_of(self, target: TargetTable, table_map: TableMap) -> ChildRows:
        table = table_map.table
        rows = self._rows.get(table)
        if rows is not None and rows.target is not target and not rows.fits(table_map):
            self.forget(table)
            rows = None
        if rows is None or rows.target is not target:
            is_complete = table in self._created if rows is None else rows.is_complete
            if rows is None or rows.target.key != target.key:
                is_complete &= rows is None or not len(rows)
                rows = ChildRows(target, table_map, is_complete=is_complete)
                self._rows[table] = rows
            rows.target, rows.table_map = target, table_map
        return rows

    def _effects(
        self, change: RowChange, table_map: TableMap, site: EventSite, *, carries_over: bool
    ) -> Iterator[_Effect]:
        """Yield what a change of a row is to the foreign keys that name the row."""
        before, after = change.before, change.after
        for link in self._links_of(table_map.table):
            columns = _columns_of(link.key.parent_columns, table_map)
            if columns is None or link.key.is_doubtful:
                if before is not None and carries_over:
                    reason = "since it is not known which columns the foreign key has"
                    self._give_up(link, table_map.table, site, reason)
                continue
            if before is None:
                assert after is not None
                if carries_over and all(c.index in after for c in columns):
                    values = tuple(after[c.index] for c in columns)
                    self._inserted.setdefault(link, set()).add(folded(columns, values))
                continue
            if any(column.index not in before for column in columns):
                is_changed = after is None or any(column.index in after for column in columns)
                if is_changed and carries_over:
                    reason = "since the row images of their parent lack columns"
                    self._give_up(link, table_map.table, site, reason)
                continue
            old = tuple(before[c.index] for c in columns)
            new = None
            if after is not None:
                new = tuple(after.get(c.index, before[c.index]) for c in columns)
            if new == old:
                continue
            if carries_over and None not in old:
                kinds = tuple(map(_kind, columns))
                yield _Effect(link, table_map.table, site, old, new, kinds)
            inserted = self._inserted.get(link)
            if inserted is not None and (key := folded(columns, old)) in inserted:
                inserted.discard(key)
                if new is not None:
                    inserted.add(folded(columns, new))

    def _carry_over(self, effect: _Effect, depth: int) -> Iterator[RowChange]:
        """Yield what a foreign key does to rows, and then what that does."""
        link, site, old, new = effect.link, effect.site, effect.old, effect.new
        action = link.key.on_delete if new is None else link.key.on_update
        if not action:
            return
        parent, child = effect.parent, self._child(link, effect.parent)
        rows = self._rows.get(child)
        is_complete = child in self._created if rows is None else rows.is_complete
        columns = None if rows is None else _columns_of(link.key.columns, rows.table_map)
        if rows is None or columns is None or depth > _MAX_DEPTH or action not in _ACTIONS:
            if not is_complete or (rows is not None and len(rows)):
                self._tell(link, site, _NOT_WHOLE, _condition_of(link.key.columns, old))
                self.forget(child)
            return
        indices = [column.index for column in columns]
        if tuple(map(_kind, columns)) != effect.kinds:
            reason = "since the columns of the foreign key have other types than those they name"
            self._give_up(link, parent, site, reason)
            return
        is_new = not rows.has_gaps and rows.folded(indices, old) in self._inserted.get(link, ())
        if not (is_complete or is_new):
            self._tell(link, site, _NOT_WHOLE, _find(rows, columns, old))
        for before, is_sure in list(rows.matching(indices, old)):
            if not is_sure:
                reason = "whose key differs in case, accents or blanks from that of the parent"
                self._tell(link, site, reason, _where(rows.target, before))
                rows.replace(before, None)
                rows.is_complete, rows.has_gaps = False, True
                continue
            after: Row | None = None
            if action == SET_NULL or new is not None:
                values = (None,) * len(indices) if action == SET_NULL else new
                assert values is not None
                after = {**before, **dict(zip(indices, values, strict=True))}
            rows.replace(before, after)
            by = "deleted" if after is None else "changed"
            names = one_line(str(child)), one_line(str(parent))
            text = f"Rebuilt: {names[0]}, {by} by a foreign key to {names[1]}"
            change = RowChange(rows.target, before, after, comment=text)
            for is_undo in (True, False):
                try:
                    change.written(is_undo=is_undo)
                except CannotWriteError as error:
                    self._tell(link, site, f"since {error.reason}", _where(rows.target, before))
                    break
            else:
                if self._is_reported:
                    self.rebuilt[child, change.change] += 1
                yield change
            for further in self._effects(change, rows.table_map, site, carries_over=True):
                yield from self._carry_over(further, depth + 1)

    def _tell(self, link: Link, site: EventSite, reason: str, condition: str) -> None:
        if not self._is_reported:
            return
        unknown = self._unknown.get((link, reason))
        if unknown is None:
            text = (
                f"table {one_line(str(link.child))}: not rebuilt are rows that foreign keys to"
                f" {one_line(str(link.key.parent))} may have changed,"
            )
            unknown = self._unknown[link, reason] = Unknown(site, text, reason)
        unknown.count += 1
        if len(unknown.conditions) < _MOST_NAMED and condition not in unknown.conditions:
            unknown.conditions.append(condition)


_ACTIONS: Final = (CASCADE, SET_NULL)
_VERBS: Final = {Change.DELETE: "deleted", Change.UPDATE_PREIMAGE: "changed"}


def _of_any_database(table: TableName) -> TableName:
    """Return a table as a file of definitions without USE names it."""
    return TableName("", table.table_name)


def _kind(column: Column) -> object:
    """Return what the bytes of equal values depend on; servers compare texts of any length."""
    if is_text(column):
        return "text"
    return column.type_code, column.metadata


def _columns_of(names: Sequence[str], table_map: TableMap) -> list[Column] | None:
    """Return the columns that a foreign key names; None if they are not all there."""
    by_name = {column.label.lower(): column for column in table_map.columns}
    columns = [by_name[name.lower()] for name in names if name.lower() in by_name]
    return columns if columns and len(columns) == len(names) else None


def _described(key: ForeignKey) -> str:
    return f"foreign key ({', '.join(map(one_line, key.columns))})"


def _condition_of(names: Sequence[str], values: Values) -> str:
    """Return a condition as text, where the form of the columns is not known."""
    return " AND ".join(
        f"{one_line(name)} = x'{(value or b'').hex()}'"
        for name, value in zip(names, values, strict=False)
    )


def _find(rows: ChildRows, columns: Sequence[Column], values: Values) -> str:
    row = {c.index: value for c, value in zip(columns, values, strict=True)}
    return condition_of(rows.target, row, row)


def _where(target: TargetTable, row: Row) -> str:
    columns = target.key if target.key and all(i in row for i in target.key) else sorted(row)
    return condition_of(target, row, columns)
