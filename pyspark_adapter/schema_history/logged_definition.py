"""A statement that defines tables, as it travels from the task that read it to the driver."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from pyspark_adapter.ddl.sql_definitions import (
    MAX_TEXT,
    Definition,
    SetDatabase,
    TruncateTable,
    UnknownChange,
    parse_definition,
)
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.errors import EventSite
from pyspark_adapter.events.statements import Statement
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.schema_history.catalog import Catalog
from pyspark_adapter.schema_history.schema_change import parsed_statement, schema_changes


@dataclass(frozen=True, slots=True)
class LoggedDefinition:
    """A statement that defines tables.

    Attributes:
        text: the statement.
        database: its default database.
        session: in which it ran.
        site: of its event.
    """

    text: str
    database: str
    session: SqlSession
    site: EventSite

    @classmethod
    def of(cls, statement: Statement) -> LoggedDefinition | None:
        """Return a statement; None if it defines no table."""
        text, found, session = parsed_statement(statement)
        if found is None or isinstance(found, (SetDatabase, TruncateTable)):
            return None
        # Of a longer one only the table is read.
        return cls(text[: MAX_TEXT + 1], statement.database, session, statement.site)

    @property
    def with_unknown_change(self) -> LoggedDefinition:
        """The same, with an effect that is not known: without a text it defines UnknownChange."""
        return replace(self, text="")

    @classmethod
    def from_json(cls, text: str) -> LoggedDefinition:
        """Return what `to_json` has written."""
        statement, database, session, dialect, site = json.loads(text)
        session = SqlSession(**session | {"dialect": SqlDialect(**dialect)})
        return cls(statement, database, session, EventSite(**site))

    def to_json(self) -> str:
        """Return it as JSON in ASCII: names may have bytes that are not valid text."""
        session = asdict(self.session)
        dialect = session.pop("dialect")
        return json.dumps([self.text, self.database, session, dialect, asdict(self.site)])

    @property
    def found(self) -> Definition:
        """What it defines."""
        found = parse_definition(self.text, self.database, self.session.dialect)
        return found or UnknownChange(None)  # there is no text if its session is damaged

    @property
    def tables(self) -> Iterator[TableName]:
        """Yield the tables that it is about; without a name for all of a database, or for any."""
        if self.found == UnknownChange(None):
            yield TableName("", "")
        for change in schema_changes(self.found, self.session, TableName("", ""), Catalog):
            yield from change.names
