"""Catalogs from statements alone, without a log."""

from pyspark_adapter.ddl.sql_definitions import parse_definition
from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.timeline.catalog import Catalog


def follow(catalog: Catalog, text: str | bytes, session: SqlSession) -> None:
    """Apply a statement whose default database is d."""
    data = text.encode() if isinstance(text, str) else text
    found = parse_definition(session.decode(data), "d", session.dialect)
    if found is not None:
        catalog.follow(found, session, len(data))
