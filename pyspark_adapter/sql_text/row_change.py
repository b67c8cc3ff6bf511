"""A change of one row, and the statements that make it or take it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sql_text.column_forms import ColumnForm
from pyspark_adapter.sql_text.refusal import CannotWriteError
from pyspark_adapter.sql_text.target_table import TargetTable

# The bytes of values, or None for NULL, by index of the column. What is not logged is absent.
Row = Mapping[int, bytes | None]


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change of one row.

    Attributes:
        target: the table.
        before: the row before it; None for an insert.
        after: the row after it; None for a delete. Of an update, both have only what is logged.
    """

    target: TargetTable
    before: Row | None
    after: Row | None

    @property
    def kind(self) -> str:
        """`insert`, `update` or `delete`."""
        if self.before is None:
            return "insert"
        return "delete" if self.after is None else "update"

    def redo(self) -> str:
        """Return the statement that makes the change again.

        Raises:
            CannotWriteError: if a value is not known, or cannot be written.
        """
        if self.before is None:
            assert self.after is not None
            return _insert(self.target, self.after)
        where = _where(self.target, self.before)
        if self.after is None:
            return f"DELETE FROM {self.target.name} WHERE {where} LIMIT 1"
        return self._update(self.after, where)

    def undo(self) -> str:
        """Return the statement that takes the change back.

        Raises:
            CannotWriteError: as `redo`; if the log does not hold the row before it.
        """
        if self.before is None:
            assert self.after is not None
            if not self._has_key(self.after):
                self._need(
                    self.after, "the row image lacks columns, and the table has no known key"
                )
            where = _where(self.target, self.after)
            return f"DELETE FROM {self.target.name} WHERE {where} LIMIT 1"
        if self.after is None:
            self._need(self.before, "the image before the delete lacks columns")
            return _insert(self.target, self.before)
        lost = [
            form.name
            for index, form in self._forms()
            if index in self.after and index not in self.before
        ]
        if lost:
            raise CannotWriteError(
                f"the image before the update lacks {', '.join(lost)}"
                " (binlog_row_image is not FULL)"
            )
        return self._update(self.before, _where(self.target, {**self.before, **self.after}))

    @property
    def is_lenient(self) -> bool:
        """Whether it has a value that a server stores only without strict mode."""
        return any(
            form.is_lenient(data)
            for row in (self.before, self.after)
            if row is not None
            for index, form in self._forms()
            if (data := row.get(index)) is not None
        )

    def _update(self, wanted: Row, where: str) -> str:
        """Return an UPDATE of the columns that differ, to one of the two rows.

        Returns:
            "" if none of them is written.
        """
        assert self.before is not None
        assert self.after is not None
        changes, kept = [], []
        for index, form in self._forms():
            is_logged = index in self.after
            if is_logged and (index not in self.before or self.before[index] != self.after[index]):
                changes.append(f"{form.name} = {_write(form, wanted[index])}")
            elif index in self.target.touched:
                kept.append(f"{form.name} = {form.name}")
        if not changes:
            return ""
        settings = ", ".join([*changes, *kept])
        return f"UPDATE {self.target.name} SET {settings} WHERE {where} LIMIT 1"

    def _forms(self) -> Iterable[tuple[int, ColumnForm]]:
        forms = enumerate(self.target.forms)
        return ((index, form) for index, form in forms if form is not None)

    def _has_key(self, row: Row) -> bool:
        key = self.target.key
        return bool(key) and all(index in row for index in key)

    def _need(self, row: Row, problem: str) -> None:
        missing = [form.name for index, form in self._forms() if index not in row]
        if missing:
            raise CannotWriteError(
                f"{problem}: {', '.join(missing)} (binlog_row_image is not FULL, or they are"
                " generated: then pass option ddl)"
            )


def _write(
    form: ColumnForm, data: bytes | None, *, finds: bool = False, by_key: bool = False
) -> str:
    """Return a literal of a value, or a condition that finds it.

    Raises:
        CannotWriteError: with the column.
    """
    try:
        return form.find(data, by_key=by_key) if finds else form.store(data)
    except CannotWriteError as error:
        raise CannotWriteError(f"column {form.name}: {error.reason}") from None
    except BinlogError as error:
        raise CannotWriteError(f"column {form.name}: {error.message}") from None


def _insert(target: TargetTable, row: Row) -> str:
    given = [
        (form, row[index])
        for index, form in enumerate(target.forms)
        if form is not None and index in row
    ]
    names = ", ".join(form.name for form, _ in given)
    values = ", ".join(_write(form, data) for form, data in given)
    return f"INSERT INTO {target.name} ({names}) VALUES ({values})"


def _where(target: TargetTable, row: Row) -> str:
    """Return the condition that finds a row: by its key, else by all that is known of it."""
    if target.key and all(index in row for index in target.key):
        found = [(target.forms[index], row[index]) for index in target.key]
        conditions = [
            _write(f, data, finds=True, by_key=True) for f, data in found if f is not None
        ]
    else:
        conditions = [
            _write(form, row[index], finds=True)
            for index, form in enumerate(target.forms)
            if form is not None and index in row
        ]
    if not conditions:
        raise CannotWriteError("the row image has no column that finds the row")
    return " AND ".join(conditions)
