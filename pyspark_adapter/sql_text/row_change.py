"""A change of one row, and the SQL that makes it or takes it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.kernels.layout import Change
from pyspark_adapter.kernels.sql_layout import Form
from pyspark_adapter.sql_text.column_forms import ColumnForm
from pyspark_adapter.sql_text.refusals import CannotWriteError
from pyspark_adapter.sql_text.session import LENIENT, STRICT
from pyspark_adapter.sql_text.target_table import TargetTable

# The bytes of values, or None for NULL, by index of the column. Unlogged columns are absent.
Row = Mapping[int, bytes | None]


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change of one row.

    Attributes:
        before: the row before it; None for an insert.
        after: the row after it; None for a delete. Of an update, both have only logged columns.
        comment: on a line of its own before the statement, which is never joined with others; ""
            for none.
        kept: its SQL once written, by direction.
    """

    target: TargetTable
    before: Row | None
    after: Row | None
    comment: str = ""
    kept: dict[bool, tuple[Form, str]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def change(self) -> Change:
        """The kind of its first row image."""
        if self.before is None:
            return Change.INSERT
        return Change.DELETE if self.after is None else Change.UPDATE_PREIMAGE

    def written(self, *, is_undo: bool) -> tuple[Form, str]:
        """Return what takes the change back, or makes it again, as a fragment of SQL.

        Raises:
            CannotWriteError: if a value is not known, or cannot be written; if the log does not
                hold the row that is to come back.
        """
        if is_undo not in self.kept:
            self.kept[is_undo] = self._written(is_undo)
        return self.kept[is_undo]

    def _written(self, is_undo: bool) -> tuple[Form, str]:
        form, text = self._statement(is_undo)
        if self._stores_lenient(self.before if is_undo else self.after):
            form, text = Form.LINES, f"{LENIENT}\n{self._line(form, text)}{STRICT}\n"
        if self.comment and form != Form.NOTHING:
            return Form.LINES, f"-- {self.comment}\n{self._line(form, text)}"
        return form, text

    def _line(self, form: Form, text: str) -> str:
        """Return the statement of one row."""
        if form == Form.LINES:
            return text
        if form == Form.VALUES:
            return f"{self.target.insert_head}({text});\n"
        return f"DELETE FROM {self.target.name} WHERE {text} LIMIT 1;\n"

    def _statement(self, is_undo: bool) -> tuple[Form, str]:
        now, wanted = (self.after, self.before) if is_undo else (self.before, self.after)
        if wanted is None:
            assert now is not None
            if is_undo and not self._has_key(now):
                self._need(now, "the row image lacks columns, and the table has no known key")
            return self._delete(now)
        if now is None:
            if is_undo:
                self._need(wanted, "the image before the delete lacks columns")
            return self._insert(wanted)
        if is_undo:
            lost = [form.name for i, form in self._forms() if i in now and i not in wanted]
            if lost:
                raise CannotWriteError(
                    f"the image before the update lacks {', '.join(lost)}"
                    " (binlog_row_image is not FULL)"
                )
            now = {**wanted, **now}
        return self._update(wanted, _where(self.target, now))

    def _insert(self, row: Row) -> tuple[Form, str]:
        logged = [(form, row[index]) for index, form in self._forms() if index in row]
        values = ", ".join(_write(form, data) for form, data in logged)
        if len(logged) == sum(1 for _ in self._forms()):
            return Form.VALUES, values
        names = ", ".join(form.name for form, _ in logged)
        return Form.LINES, f"INSERT INTO {self.target.name} ({names}) VALUES ({values});\n"

    def _delete(self, row: Row) -> tuple[Form, str]:
        where = _where(self.target, row)
        if self._has_key(row):
            return Form.CONDITION, where
        return Form.LINES, self._line(Form.CONDITION, where)

    def _stores_lenient(self, wanted: Row | None) -> bool:
        """Return whether it stores a value that a server takes only without strict mode."""
        return wanted is not None and any(
            form.is_lenient(data)
            for index, form in self._forms()
            if (data := wanted.get(index)) is not None and self._is_changed(index)
        )

    def _is_changed(self, index: int) -> bool:
        """Return whether it changes a column; an insert or a delete changes all."""
        if self.before is None or self.after is None:
            return True
        return index in self.after and (
            index not in self.before or self.before[index] != self.after[index]
        )

    def _update(self, wanted: Row, where: str) -> tuple[Form, str]:
        """Return an UPDATE of the columns that differ, to one of the two rows."""
        changes, kept = [], []
        for index, form in self._forms():
            if self._is_changed(index):
                changes.append(f"{form.name} = {_write(form, wanted[index])}")
            elif index in self.target.touched:
                kept.append(f"{form.name} = {form.name}")
        if not changes:
            return Form.NOTHING, ""
        settings = ", ".join([*changes, *kept])
        text = f"UPDATE {self.target.name} SET {settings} WHERE {where} LIMIT 1;\n"
        return Form.LINES, text

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
    """Return a literal of a value, or a condition that finds it; raises CannotWriteError."""
    try:
        return form.find(data, by_key=by_key) if finds else form.store(data)
    except CannotWriteError as error:
        raise CannotWriteError(f"column {form.name}: {error.reason}") from None
    except BinlogError as error:
        raise CannotWriteError(f"column {form.name}: {error.message}") from None


def condition_of(target: TargetTable, row: Row, columns: Iterable[int]) -> str:
    """Return the condition that some columns of a row have its values, for a person to read."""
    try:
        return " AND ".join(_conditions(target, row, columns, by_key=True))
    except CannotWriteError as error:
        return error.reason


def _conditions(
    target: TargetTable, row: Row, columns: Iterable[int], *, by_key: bool
) -> list[str]:
    forms = [(form, row[i]) for i in columns if (form := target.forms[i]) is not None]
    return [_write(form, data, finds=True, by_key=by_key) for form, data in forms]


def _where(target: TargetTable, row: Row) -> str:
    """Return the condition that finds a row: by its key, else by all that is known of it."""
    by_key = bool(target.key) and all(index in row for index in target.key)
    known = [index for index in range(len(target.forms)) if index in row]
    conditions = _conditions(target, row, target.key if by_key else known, by_key=by_key)
    if not conditions:
        raise CannotWriteError("the row image has no column that finds the row")
    return " AND ".join(conditions)
