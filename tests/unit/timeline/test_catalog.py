"""What statements leave behind, one after the other."""

import pytest

from pyspark_adapter.ddl.sql_session import SqlSession
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.timeline.catalog import Catalog
from tests.support.catalogs import follow

MYSQL = SqlSession(SqlDialect(90700), "utf8mb4", "latin1")
MYSQL_DONE = SqlSession(SqlDialect(90700), "utf8mb4", "latin1", is_carried_out=True)
MARIADB = SqlSession(SqlDialect(110809, is_mariadb=True), "utf8mb4", "latin1")


def after(*statements: str, session: SqlSession = MYSQL) -> Catalog:
    catalog = Catalog()
    for text in statements:
        follow(catalog, text, session)
    return catalog


def names(catalog: Catalog, table: str = "d.t") -> str | None:
    """Return the columns of a table; None if they are unknown."""
    definition = catalog.definition_of(TableName.parse(table))
    if definition is None:
        return None
    return " ".join(column.name for column in definition.columns)


CREATE = "CREATE TABLE t (a INT, b TEXT)"


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([], None),
        ([CREATE], "a b"),
        ([CREATE, "ALTER TABLE d.t ADD c INT"], "a b c"),
        ([CREATE, "ALTER TABLE T ADD c INT"], "a b c"),  # lower_case_table_names
        ([CREATE, "ALTER TABLE u ADD c INT"], "a b"),
        (["ALTER TABLE t ADD c INT"], None),
        ([CREATE, "ALTER TABLE t DROP x"], None),
        ([CREATE, "ALTER TABLE t FANCY"], None),
        ([CREATE, "ALTER TABLE t FANCY", "ALTER TABLE t ADD c INT"], None),
        ([CREATE, "ALTER TABLE t FANCY", "DROP TABLE t", CREATE], "a b"),
        ([CREATE, "ALTER TABLE u FANCY"], "a b"),
        ([CREATE, "DROP TABLE t"], None),
        ([CREATE, "DROP DATABASE d"], None),
        ([CREATE, "DROP DATABASE e"], "a b"),
        ([CREATE, "RENAME TABLE t TO u"], None),
        ([CREATE, "RENAME TABLE t TO u, u TO t"], "a b"),
        (["CREATE TABLE u (x INT)", CREATE, "RENAME TABLE t TO v, u TO t"], "x"),
        ([CREATE, "ALTER TABLE t RENAME TO e.u, ADD c INT", "RENAME TABLE e.u TO t"], "a b c"),
        (["CREATE TABLE u (x INT)", "CREATE TABLE t LIKE u"], "x"),
        (["CREATE TABLE t LIKE u"], None),
        ([CREATE, "CREATE TABLE t (x INT) SELECT 1"], None),
        ([CREATE, "CREATE TEMPORARY TABLE t (x INT)", "DROP TEMPORARY TABLE t"], "a b"),
        ([CREATE, "CREATE OR REPLACE TABLE t (x INT)"], "x"),
        ([CREATE, "CREATE TABLE IF NOT EXISTS t (x INT)"], "a b"),
    ],
)
def test_columns_after(statements: list[str], expected: str | None) -> None:
    assert names(after(*statements)) == expected


def test_names_are_found_in_small_letters() -> None:
    catalog = after("CREATE TABLE Orders (a INT)")
    assert names(catalog, "d.orders") == "a"
    assert names(catalog, "d.Orders") == "a"
    assert names(after("CREATE TABLE T (a INT)", "CREATE TABLE tT (b INT)"), "d.tt") == "b"


def test_if_not_exists_counts_where_it_is_known_to_have_done_something() -> None:
    statement = "CREATE TABLE IF NOT EXISTS t (x INT)"
    assert names(after(statement)) is None
    assert names(after(statement, session=MYSQL_DONE)) == "x"
    assert names(after(CREATE, statement, session=MYSQL_DONE)) == "x"
    assert names(after(statement, session=MARIADB)) == "x"
    assert names(after("DROP TABLE IF EXISTS t", statement)) == "x"
    assert names(after("RENAME TABLE t TO u", statement)) == "x"
    assert names(after("CREATE DATABASE d", statement)) == "x"
    assert names(after("CREATE DATABASE IF NOT EXISTS d", statement)) is None


def charset(*statements: str) -> tuple[str | None, bool]:
    definition = after(*statements).definition_of(TableName("d", "t"))
    assert definition is not None
    column = definition.columns[-1]
    return column.charset, column.is_charset_assumed


def test_character_set_of_a_text_that_names_none() -> None:
    assert charset(CREATE) == ("latin1", True)
    assert charset(f"{CREATE} CHARSET=koi8r") == ("koi8r", False)
    assert charset("CREATE DATABASE d", CREATE) == ("latin1", False)
    assert charset("CREATE DATABASE d CHARSET utf8mb4", CREATE) == ("utf8mb4", False)
    assert charset("ALTER DATABASE d CHARSET utf8mb4", CREATE) == ("utf8mb4", False)
    assert charset("ALTER DATABASE CHARSET utf8mb4", CREATE) == ("utf8mb4", False)
    assert charset("CREATE DATABASE IF NOT EXISTS d CHARSET utf8mb4", CREATE) == ("utf8mb4", True)
    assert charset("CREATE DATABASE d CHARSET koi8r", "DROP DATABASE d", CREATE) == ("latin1", True)
    assert charset(CREATE, "ALTER TABLE t ADD c TEXT CHARSET utf8mb4") == ("utf8mb4", False)


def test_a_text_in_another_character_set_is_read_in_it() -> None:
    catalog = Catalog()
    session = SqlSession(SqlDialect(), "latin1")
    follow(catalog, "CREATE TABLE t (größe ENUM('ä'))".encode("latin1"), session)
    definition = catalog.definition_of(TableName("d", "t"))
    assert definition is not None
    assert definition.columns[0].name == "größe"
    assert definition.columns[0].members == ("ä",)


def test_bytes_that_are_no_text_do_no_harm_outside_names() -> None:
    catalog = Catalog()
    follow(catalog, b"CREATE TABLE t (a VARBINARY(3) DEFAULT '\xff')", MYSQL)
    assert names(catalog) == "a"
    follow(catalog, b"CREATE TABLE t (a\xff INT)", MYSQL)
    assert names(catalog) is None


@pytest.mark.parametrize(
    ("charset", "literal"),
    [
        ("gbk", b"\x81'"),  # a quote cannot be the second byte
        ("gbk", b"\x81\\'"),  # a backslash can
        ("sjis", b"\xfd'"),
        ("euckr", b"\xa1\xff'"),
        ("hebrew", b"\xfb'"),
        ("gb18030", b"\x81'"),
        ("ucs2", b"\xff'"),  # no server takes it for clients
    ],
)
def test_a_byte_that_is_not_valid_ends_no_literal(charset: str, literal: bytes) -> None:
    catalog = Catalog()
    session = SqlSession(SqlDialect(90700), charset)
    follow(catalog, b"CREATE TABLE t (a BLOB COMMENT '" + literal + b", b INT)", session)
    assert names(catalog) == "a b"
    follow(catalog, b"ALTER TABLE t ADD c\xff INT", session)
    assert names(catalog) is None


def test_a_catalog_of_more_than_a_server_holds_is_forgotten() -> None:
    catalog = Catalog()
    columns = ", ".join(f"c{i} INT" for i in range(4000))
    follow(catalog, f"CREATE TABLE t ({columns})", MYSQL)
    padding = "x" * 60_000
    for i in range(300):
        follow(catalog, f"/* {padding} */ CREATE TABLE t{i} LIKE t", MYSQL)
    # After the 16 MiB of text; what comes then is as new as at the beginning.
    assert len(catalog.tables) < 100
    assert catalog.definition_of(TableName("d", "t")) is None
    follow(catalog, CREATE, MYSQL)
    assert names(catalog) == "a b"


def test_the_generated_key_stays_first_as_long_as_it_is_invisible() -> None:
    """See `tests/live/test_names.py` for what MySQL does."""
    created = (
        "CREATE TABLE t (my_row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT /*!80023 INVISIBLE */,"
        " a INT, PRIMARY KEY (my_row_id))"
    )
    first = "ALTER TABLE t ADD b INT FIRST"
    assert names(after(created, first)) == "my_row_id b a"
    assert names(after(created, first, "ALTER TABLE t ADD c INT AFTER my_row_id")) == (
        "my_row_id c b a"
    )
    visible = "ALTER TABLE t ALTER COLUMN my_row_id SET VISIBLE"
    assert names(after(created, visible, first)) == "b my_row_id a"
    others = "ALTER TABLE t ALTER a SET DEFAULT 1, ALTER INDEX i INVISIBLE, ALTER CHECK c ENFORCED"
    assert names(after(created, others, first)) == "my_row_id b a"
    assert names(after(created.replace("/*!80023 INVISIBLE */", ""), first)) == "b my_row_id a"
    assert names(after("CREATE TABLE t (INDEX (a))", first)) == "b"
