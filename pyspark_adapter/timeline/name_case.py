"""What logs say of table names that differ in case alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.errors import EventSite
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.warn import warn

# Of names in table maps, which servers that fold names log in lower case. Others than ASCII are not
# asked: servers and Python know different capitals.
CAPITAL: Final = re.compile("[A-Z]")


@dataclass
class NameCase:
    """Whether names of other case are of other tables; no event says it.

    With `lower_case_table_names` 1 or 2 a server logs the names of table maps in lower case,
    however statements spell them. With 0 it logs them as the tables were created, so a table map
    with a capital letter proves that `t` and `T` are two tables. Without one it is not known:
    statements about `T` count for `t`, with a warning, unless statements of the logs define both.

    Attributes:
        tells: whether a table map proves that names of other case are of other tables.
        twins: names in lower case of which two spellings were there at the same time.
        spelled: by name in lower case, the first statement that spells it with capitals.
        has_folded: whether a statement was taken as about a table of another spelling.
        proof: the table map that proves it, if the logs were not asked; those of a window are seen
            before its statements.
    """

    tells: bool = False
    twins: set[TableName] = field(default_factory=set)
    spelled: dict[TableName, str] = field(default_factory=dict)
    has_folded: bool = False
    proof: EventSite | None = None
    _has_warned: bool = False

    def of(self, tables: Iterable[TableName], wants: Callable[[TableName], bool]) -> NameCase:
        """Return what a task needs to know: of tables that lack names, and of those that matter."""
        spelled = {table: self.spelled[table] for table in tables if table in self.spelled}
        return NameCase(self.tells, set(filter(wants, self.twins)), spelled)

    def tells_before(self, site: EventSite) -> bool:
        """Return whether it is proved without table maps after a statement of the log."""
        proof = self.proof
        if proof is None or proof.log_file != site.log_file:
            return self.tells
        return (proof.start_pos, proof.inner_pos) < (site.start_pos, site.inner_pos)

    def spell(self, name: TableName, statement: str) -> None:
        """Note how a statement spells a name."""
        lower = name.lower()
        if lower != name and not self.tells:
            self.spelled.setdefault(lower, statement)

    def spellings(self, name: TableName) -> tuple[TableName, ...]:
        """Return the names that rows may have of the table that a statement names so."""
        lower = name.lower()
        return (name,) if self.tells or lower == name or lower in self.twins else (name, lower)

    def doubt(self, table: TableName, statement: str) -> None:
        """Warn, once, of a statement that spells a table in another way, unless the logs tell."""
        if self.tells or self._has_warned:
            return
        self._has_warned = True
        taken = "taken as another table, since statements define both"
        if table not in self.twins:
            taken = (
                "taken as the same table, since no table map has a capital letter, as those of a"
                " server with lower_case_table_names=0 may have"
            )
        warn(
            f"{statement}: spells the name of table {table} in another case, and is {taken}; no"
            " more warnings of names; compare SELECT @@lower_case_table_names"
        )
