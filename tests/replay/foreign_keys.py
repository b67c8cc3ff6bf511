"""What foreign keys do to rows; servers that leave it to the storage engine do not log it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ForeignKey:
    """A column that names rows of another table.

    Attributes:
        column: of the table that has the foreign key.
        parent: the other table.
        parent_column: its key.
        deletes: whether rows go with their parent; else the column becomes NULL.
    """

    column: str
    parent: str
    parent_column: str
    deletes: bool

    @property
    def declaration(self) -> str:
        """The foreign key as CREATE TABLE takes it."""
        action = "CASCADE" if self.deletes else "SET NULL"
        return (
            f"FOREIGN KEY ({self.column}) REFERENCES {self.parent} ({self.parent_column})"
            f" ON DELETE {action} ON UPDATE CASCADE"
        )
