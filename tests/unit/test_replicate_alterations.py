"""After which statements a table is not copied again: no row that is there changes."""

import pytest

from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.replication.alterations import added_columns, defined_columns

ADDS: tuple[tuple[str, list[str]], ...] = (
    ("ADD a INT", ["a"]),
    ("ADD COLUMN a INT NULL FIRST, ADD b VARCHAR(3) COMMENT 'DROP c' AFTER id", ["a", "b"]),
    ("ADD (a INT, `b c` ENUM('x'))", ["a", "b c"]),
    ("ADD a DATETIME DEFAULT NULL, ALGORITHM=INSTANT", ["a"]),
    ("ADD a INT, ADD INDEX (a)", ["a"]),
    ("ADD INDEX i (a, b)", []),
    ("ADD FULLTEXT (b)", []),
)
OTHERS = (
    *("ADD a INT DEFAULT 5", "ADD a INT NOT NULL", "ADD a TIMESTAMP", "ADD a INT AS (id + 1)"),
    *(
        "ADD a INT, ADD UNIQUE (a)",
        "DROP INDEX a",
        "ADD FULLTEXT (a), DROP INDEX b",
        "ADD a INT UNIQUE",
        "ADD a SERIAL",
        "ADD a INT INVISIBLE",
    ),
    *("ADD IF NOT EXISTS a INT", "DROP PARTITION p0", "ENGINE=InnoDB", "ADD a INT, DROP b"),
    *("ADD a INT, RENAME TO u", "ADD a INT, CONVERT TO CHARACTER SET latin1", "MODIFY a BIGINT"),
    *("RENAME COLUMN a TO b", "ADD PARTITION (PARTITION p VALUES LESS THAN (5))", "COMMENT 'a'"),
    *("ADD a INT, ADD SYSTEM VERSIONING", "ADD a INT DEFAULT (1 + 1)", "ADD a"),
)


@pytest.mark.parametrize("is_mariadb", [False, True])
def test_statements(is_mariadb: bool) -> None:
    dialect = SqlDialect(is_mariadb=is_mariadb)
    for text, names in ADDS:
        assert added_columns([f"ALTER TABLE shop.t {text}"], dialect) == names, text
    texts = [f"ALTER TABLE t {text}" for text, _ in ADDS[:2]]
    assert added_columns(texts, dialect) == ["a", "a", "b"]
    for text in OTHERS:
        assert added_columns([f"ALTER TABLE t {text}"], dialect) is None, text
        assert added_columns([texts[0], f"ALTER TABLE t {text}"], dialect) is None, text
    assert added_columns(["CREATE INDEX i ON t (a)"], dialect) == []
    for text in (
        *("DROP TABLE t", "TRUNCATE t", "CREATE TABLE t (a INT)", "CREATE UNIQUE INDEX i ON t (a)"),
        *("DROP INDEX i ON t", "ALTER IGNORE TABLE t ADD UNIQUE (a(5))", "ALTER TABLE t ADD x"),
    ):
        assert added_columns([text], dialect) is None, text


def test_defined_columns() -> None:
    create = "CREATE TABLE `t` (`id` int, `g h` int AS (`id` + 1), PRIMARY KEY (`id`))"
    assert defined_columns(create, SqlDialect()) == {"id", "g h"}
    assert defined_columns("CREATE VIEW v AS SELECT 1", SqlDialect()) == set()
    assert defined_columns("", SqlDialect()) == set()
