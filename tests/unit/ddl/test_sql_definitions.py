"""What statements say of tables; expected values by the manuals of MySQL and MariaDB."""

from typing import Any

import pytest

from pyspark_adapter.ddl.constraints import ForeignKey
from pyspark_adapter.ddl.sql_definitions import (
    MAX_TEXT,
    AlterTable,
    CreateTable,
    Definition,
    DropDatabase,
    DropTables,
    RenameTables,
    SetDatabase,
    UnknownChange,
    parse_definition,
)
from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.ddl.table_definition import Alteration, ColumnDefinition, TableDefinition
from pyspark_adapter.options.table_name import TableName
from tests.unit.growth import growth

T = TableName("d", "t")


def parse(text: str, *, is_mariadb: bool = False) -> Definition | None:
    version = 110809 if is_mariadb else 90700
    return parse_definition(text, "d", SqlDialect(version, is_mariadb))


def table_of(text: str) -> TableDefinition:
    found = parse(text)
    assert isinstance(found, CreateTable)
    assert found.table == T
    assert found.definition is not None
    return found.definition


def column_of(text: str) -> ColumnDefinition:
    [column] = table_of(f"CREATE TABLE t (c {text})").columns
    assert column.name == "c"
    return column


# A column, its type and what differs from a nullable column without arguments.
KEY = {"is_nullable": False, "key_part": 1}
COLUMNS: list[tuple[str, str, dict[str, Any]]] = [
    ("INT", "INT", {}),
    ("integer(8) unsigned zerofill", "INT", {"arguments": (8,), "is_unsigned": True}),
    ("INT ZEROFILL", "INT", {"is_unsigned": True}),
    ("INT SIGNED", "INT", {}),
    ("INT1", "TINYINT", {}),
    ("BOOL", "TINYINT", {}),
    ("BOOLEAN NOT NULL DEFAULT TRUE", "TINYINT", {"is_nullable": False}),
    ("MIDDLEINT", "MEDIUMINT", {}),
    ("INT8", "BIGINT", {}),
    ("SERIAL", "BIGINT", {"is_unsigned": True, "is_nullable": False, "is_unique": True}),
    ("INT SERIAL DEFAULT VALUE", "INT", {"is_nullable": False, "is_unique": True}),
    # Servers leave out the fraction: MySQL 9.7 and MariaDB 11.8 show decimal(19,0), decimal(10,0)
    # and varchar(3).
    ("DECIMAL(19.5)", "DECIMAL", {"arguments": (19,)}),
    ("DECIMAL(0.2)", "DECIMAL", {"arguments": (0,)}),
    ("VARCHAR(3.9)", "VARCHAR", {"arguments": (3,)}),
    ("DEC(6,2) UNSIGNED", "DECIMAL", {"arguments": (6, 2), "is_unsigned": True}),
    ("NUMERIC", "DECIMAL", {}),
    ("FIXED(5)", "DECIMAL", {"arguments": (5,)}),
    ("FLOAT(24)", "FLOAT", {"arguments": (24,)}),
    ("FLOAT(25)", "DOUBLE", {"arguments": (25,)}),
    ("FLOAT(7,3)", "FLOAT", {"arguments": (7, 3)}),
    ("DOUBLE PRECISION UNSIGNED", "DOUBLE", {"is_unsigned": True}),
    ("FLOAT8", "DOUBLE", {}),
    ("XMLTYPE", "LONGTEXT", {}),
    ("XMLTYPE CHARACTER SET latin1", "LONGTEXT", {"charset": "latin1"}),
    ("CHAR", "CHAR", {}),
    ("CHARACTER VARYING(5)", "VARCHAR", {"arguments": (5,)}),
    ("NCHAR VARCHAR(5)", "VARCHAR", {"arguments": (5,), "charset": "utf8"}),
    ("NATIONAL CHARACTER VARYING(5)", "VARCHAR", {"arguments": (5,), "charset": "utf8"}),
    ("NVARCHAR(5)", "VARCHAR", {"arguments": (5,), "charset": "utf8"}),
    ("NCHAR(5)", "CHAR", {"arguments": (5,), "charset": "utf8"}),
    ("CHAR(5) ASCII", "CHAR", {"arguments": (5,), "charset": "latin1"}),
    ("CHAR(5) UNICODE", "CHAR", {"arguments": (5,), "charset": "ucs2"}),
    ("CHAR(5) BYTE", "BINARY", {"arguments": (5,)}),
    ("VARCHAR(5) CHARACTER SET binary", "VARBINARY", {"arguments": (5,)}),
    ("TEXT CHARSET binary", "BLOB", {}),
    ("VARCHAR(5) BINARY", "VARCHAR", {"arguments": (5,)}),
    ("TEXT CHARACTER SET = latin2", "TEXT", {"charset": "latin2"}),
    ("TEXT COLLATE utf8mb4_0900_ai_ci", "TEXT", {"charset": "utf8mb4"}),
    ("TEXT COLLATE 'binary'", "BLOB", {}),
    ("TEXT CHARSET latin1 COLLATE latin1_bin", "TEXT", {"charset": "latin1"}),
    ("TEXT CHARSET utf8mb3 COLLATE uca1400_ai_ci", "TEXT", {"charset": "utf8mb3"}),
    ("LONG", "MEDIUMTEXT", {}),
    ("LONG VARCHAR", "MEDIUMTEXT", {}),
    ("LONG CHAR VARYING", "MEDIUMTEXT", {}),
    ("LONG VARBINARY", "MEDIUMBLOB", {}),
    ("ENUM('a','b ''c''','d\\'e', 'f ')", "ENUM", {"members": ("a", "b 'c'", "d'e", "f")}),
    ("SET('x', 'y') NOT NULL", "SET", {"members": ("x", "y"), "is_nullable": False}),
    ("TIMESTAMP(3) NULL", "TIMESTAMP", {"arguments": (3,)}),
    ("TIMESTAMP", "TIMESTAMP", {"is_nullable": None}),
    ("DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE NOW(6)", "DATETIME", {"arguments": (6,)}),
    ("INT NOT NULL PRIMARY KEY COMMENT 'not, null (1)'", "INT", KEY),
    ("INT KEY", "INT", KEY),
    ("INT UNIQUE KEY", "INT", {"is_unique": True}),
    ("INT DEFAULT NULL", "INT", {}),
    ("INT DEFAULT -1 UNIQUE", "INT", {"is_unique": True}),
    ("DOUBLE DEFAULT -1.5e-3 NOT NULL", "DOUBLE", {"is_nullable": False}),
    ("DOUBLE DEFAULT .5", "DOUBLE", {}),
    ("BIT(3) DEFAULT b'101'", "BIT", {"arguments": (3,)}),
    ("CHAR(9) DEFAULT _utf8mb4'x' NOT NULL", "CHAR", {"arguments": (9,), "is_nullable": False}),
    ("DATE DEFAULT (CURRENT_DATE + INTERVAL 1 YEAR)", "DATE", {}),
    ("UUID DEFAULT uuid()", "UUID", {}),
    ("BIGINT DEFAULT NEXT VALUE FOR `d`.`s`", "BIGINT", {}),
    ("BLOB COMPRESSED", "BLOB", {}),
    ("VARCHAR(5) COMPRESSED=zlib DEFAULT ''", "VARCHAR", {"arguments": (5,)}),
    ("INT GENERATED ALWAYS AS (a + (b)) STORED NOT NULL", "INT",
     {"is_nullable": False, "is_generated": True}),
    ("INT AS (a) VIRTUAL INVISIBLE", "INT", {"is_invisible": True, "is_generated": True}),
    ("TIMESTAMP(6) GENERATED ALWAYS AS ROW START INVISIBLE", "TIMESTAMP",
     {"is_invisible": True, "arguments": (6,), "is_nullable": False, "is_generated": True}),
    ("INT CHECK (c > 0) NOT ENFORCED", "INT", {}),
    ("INT NOT SECONDARY", "INT", {}),
    ("INT CONSTRAINT positive CHECK (c > 0)", "INT", {}),
    (
        "INT REFERENCES o (id) MATCH FULL ON DELETE SET NULL ON UPDATE NO ACTION",
        "INT",
        {"reference": ForeignKey(TableName("", "o"), ("c",), ("id",), on_delete="SET NULL")},
    ),
    ("INT REFERENCES o (id) ON DELETE NO ACTION ON UPDATE RESTRICT", "INT", {}),
    ("POINT NOT NULL SRID 4326", "POINT", {"is_nullable": False}),
    ("VECTOR(3)", "VECTOR", {"arguments": (3,)}),
    ("INT COLUMN_FORMAT FIXED STORAGE DISK", "INT", {}),
    ("INT /*!80023 INVISIBLE */", "INT", {"is_invisible": True}),
    ("INT INVISIBLE VISIBLE", "INT", {}),
    ("INT /*!50100 UNSIGNED */", "INT", {"is_unsigned": True}),
    ("INT WITHOUT SYSTEM VERSIONING", "INT", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sql_type", "facts"), COLUMNS, ids=[c[0] for c in COLUMNS])
def test_column(text: str, sql_type: str, facts: dict[str, Any]) -> None:
    assert column_of(text) == ColumnDefinition("c", sql_type, **facts)


def names_of(text: str) -> list[str]:
    return [column.name for column in table_of(text).columns]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CREATE TABLE t (a INT, b INT)", ["a", "b"]),
        ("create table if not exists `t` (`a b` INT, `č` INT)", ["a b", "č"]),
        ("CREATE OR REPLACE TABLE d.t (a INT)", ["a"]),
        ("CREATE TABLE .t (.a INT)", ["a"]),  # MariaDB; the dots are of ODBC
        ("/* app */ CREATE TABLE t(a INT)", ["a"]),
        ("CREATE TABLE t (a INT, KEY (a), UNIQUE KEY u (a DESC), INDEX i USING BTREE (a))", ["a"]),
        ("CREATE TABLE t (a INT, FULLTEXT KEY (a) WITH PARSER ngram, SPATIAL INDEX (a))", ["a"]),
        ("CREATE TABLE t (a INT, CONSTRAINT f FOREIGN KEY (a) REFERENCES o, b INT)", ["a", "b"]),
        ("CREATE TABLE t (a INT, CONSTRAINT UNIQUE (a), CHECK (a > 0), b INT)", ["a", "b"]),
        ("CREATE TABLE t (a INT, KEY f ((a + 1), (lower(b))), b TEXT)", ["a", "b"]),
        ("CREATE TABLE t (period INT, vector INT, VECTOR INDEX (a))", ["period", "vector"]),
        ("CREATE TABLE t (a DATE, b DATE, PERIOD FOR p (a, b))", ["a", "b"]),
        ("CREATE TABLE t (key1 INT, `key` INT, year YEAR, comment TEXT)",
         ["key1", "key", "year", "comment"]),
        ("CREATE TABLE t (a INT) COMMENT='x SELECT (' ENGINE=InnoDB", ["a"]),
        ("CREATE TABLE t (a INT) PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1))", ["a"]),
        ("CREATE TABLE t (a INT) PARTITION BY LIST (a) (PARTITION p VALUES IN (1, 2))", ["a"]),
        ("CREATE TABLE t (a INT) UNION=(x, y) START TRANSACTION", ["a"]),
        ("SET STATEMENT a=1, b='FOR' FOR CREATE TABLE t (a INT)", ["a"]),
    ],
)  # fmt: skip
def test_names(text: str, names: list[str]) -> None:
    assert names_of(text) == names


def test_primary_key_is_never_null() -> None:
    table = table_of("CREATE TABLE t (a INT, b TEXT, c INT, PRIMARY KEY k USING BTREE (b(5), `c`))")
    assert [column.is_nullable for column in table.columns] == [True, False, False]


@pytest.mark.parametrize(
    ("options", "charset"),
    [
        ("DEFAULT CHARSET=latin1", "latin1"),
        ("ENGINE=InnoDB CHARACTER SET utf8mb4", "utf8mb4"),
        ("COLLATE=koi8r_bin", "koi8r"),
        ("DEFAULT CHARSET=utf8mb3 COLLATE=uca1400_ai_ci", "utf8mb3"),
        ("", None),
    ],
)
def test_character_set_of_a_table(options: str, charset: str | None) -> None:
    assert table_of(f"CREATE TABLE t (a INT) {options}").charset == charset


def test_system_versioning() -> None:
    assert table_of("CREATE TABLE t (a INT) WITH SYSTEM VERSIONING").is_versioned
    own = "s TIMESTAMP(6) AS ROW START, e TIMESTAMP(6) AS ROW END, PERIOD FOR SYSTEM_TIME (s, e)"
    assert not table_of(f"CREATE TABLE t (a INT, {own}) WITH SYSTEM VERSIONING").is_versioned
    other = "b DATE, c DATE, PERIOD FOR p (b, c)"
    table = table_of(f"CREATE TABLE t (a INT, {other}) WITH SYSTEM VERSIONING")
    assert table.is_versioned
    assert [column.is_nullable for column in table.columns] == [True, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t SELECT 1",
        "CREATE TABLE t (a INT) SELECT 1 AS b",
        "CREATE TABLE t (a INT) ENGINE=InnoDB AS SELECT 1",
        "CREATE TABLE t (SELECT 1)",
        "CREATE TABLE t (TABLE u)",
        "CREATE TABLE t (a INT) TABLE u",
        "CREATE TABLE t ENGINE=InnoDB AS WITH x AS (SELECT 1) SELECT * FROM x",
    ],
)
def test_columns_of_a_query_are_unknown(text: str) -> None:
    assert parse(text) == CreateTable(T, None)


def test_other_statements() -> None:
    u = TableName("e", "u")
    assert parse("CREATE TABLE t LIKE e.u") == CreateTable(T, None, like=u)
    assert parse("CREATE TABLE IF NOT EXISTS t (LIKE e.u)") == CreateTable(
        T, None, like=u, if_absent=True
    )
    assert parse("RENAME TABLE t TO e.u, `e`.`u` TO t") == RenameTables(((T, u), (u, T)))
    assert parse("DROP TABLE IF EXISTS `t`, e.u /* generated by server */") == DropTables((T, u))
    assert parse("DROP DATABASE IF EXISTS `e`") == DropDatabase(("e",))
    assert parse("CREATE DATABASE e") == SetDatabase("e", None, is_new=True)
    assert parse("CREATE SCHEMA IF NOT EXISTS e DEFAULT CHARACTER SET latin1") == SetDatabase(
        "e", "latin1", is_new=True, if_absent=True
    )
    assert parse("ALTER DATABASE CHARACTER SET latin1") == SetDatabase("d", "latin1", is_new=False)
    assert parse("ALTER SCHEMA e COLLATE utf8mb4_bin") == SetDatabase("e", "utf8mb4", is_new=False)


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TEMPORARY TABLE t (a INT)",
        "DROP TEMPORARY TABLE t",
        "CREATE VIEW v AS SELECT 1",
        "CREATE DEFINER=`root`@`%` TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET @a = 1",
        "ALTER VIEW v AS SELECT 1",
        "RENAME USER a TO b",
        "INSERT INTO t VALUES (1)",
        "SET a = 1",
        "",
        "# nothing",
    ],
)
def test_statements_that_define_no_table(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t (a",
        "CREATE TABLE t (a INT FANCY)",
        "CREATE TABLE t (a INT, a INT)",
        "CREATE TABLE t (a ENUM(x'61'))",
        "CREATE TABLE t (a INT; b INT)",
        "CREATE TABLE t (a INT DEFAULT 'x)",
        "ALTER TABLE t FANCY",
        "ALTER TABLE t ADD COLUMN (a INT",
        "ALTER TABLE t MODIFY a",
        "ALTER TABLE t CHARACTER SET DEFAULT",
        "ALTER TABLE t CONVERT TO CHARACTER SET DEFAULT",
        f"CREATE TABLE t (a INT) COMMENT='{'x' * MAX_TEXT}'",
    ],
    ids=lambda text: text[:40],
)
def test_what_is_not_understood_makes_the_table_unknown(text: str) -> None:
    assert parse(text) == UnknownChange(T, creates=text.startswith("CREATE"))


def test_without_a_table_all_are_unknown() -> None:
    assert parse("RENAME TABLE 'a' TO b") == UnknownChange(None)
    assert parse("ALTER TABLE 'x' ADD a INT") == UnknownChange(None)


def altered(before: str, alter: str) -> TableDefinition:
    table = table_of(f"CREATE TABLE t ({before}) CHARSET=latin1").resolved(None, is_assumed=False)
    found = parse(f"ALTER TABLE t {alter}", is_mariadb=True)
    assert isinstance(found, AlterTable), found
    return table.altered(found.alteration)


# What an ALTER makes of `a INT, b TEXT, c INT`.
ALTERS = [
    ("ADD d INT", "a b c d"),
    ("ADD COLUMN d INT FIRST, ADD e INT AFTER a", "d a e b c"),
    ("ADD COLUMN (d INT, e VARCHAR(3), KEY (d))", "a b c d e"),
    ("ADD (d INT), ADD e INT FIRST", "e a b c d"),
    ("ADD COLUMN IF NOT EXISTS a INT, ADD COLUMN IF NOT EXISTS d INT", "a b c d"),
    ("DROP b", "a c"),
    ("DROP COLUMN a, DROP COLUMN IF EXISTS x, DROP c RESTRICT", "b"),
    ("CHANGE b x INT", "a x c"),
    ("CHANGE COLUMN b x INT FIRST", "x a c"),
    ("CHANGE a b INT, CHANGE b a TEXT", "b a c"),
    ("CHANGE a x INT, ADD y INT AFTER x", "x y b c"),
    ("MODIFY a BIGINT AFTER c", "b c a"),
    ("MODIFY COLUMN t.c BIGINT FIRST", "c a b"),
    ("MODIFY IF EXISTS x INT", "a b c"),
    ("RENAME COLUMN a TO b, RENAME COLUMN b TO a", "b a c"),
    ("RENAME COLUMN a TO d, ADD COLUMN a INT", "d b c a"),
    ("RENAME COLUMN IF EXISTS x TO y, RENAME COLUMN IF EXISTS a TO d", "d b c"),
    ("DROP a, ADD a BIGINT", "b c a"),
    ("ADD INDEX (a), ADD UNIQUE (c), ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES o (a)", "a b c"),
    (
        "DROP PRIMARY KEY, DROP INDEX i, DROP FOREIGN KEY f, DROP CHECK k, DROP CONSTRAINT x",
        "a b c",
    ),
    ("ALTER COLUMN a SET DEFAULT 3, ALTER INDEX i INVISIBLE", "a b c"),
    ("ENGINE=InnoDB ROW_FORMAT=DYNAMIC, COMMENT 'ADD d INT'", "a b c"),
    ("AUTO_INCREMENT = 5, ALGORITHM=INPLACE, LOCK=NONE", "a b c"),
    ("ORDER BY a, b", "a b c"),
    ("DROP PARTITION p, q", "a b c"),
    ("ADD PARTITION (PARTITION p VALUES LESS THAN (3))", "a b c"),
    ("REORGANIZE PARTITION p INTO (PARTITION q VALUES LESS THAN (3))", "a b c"),
    ("REMOVE PARTITIONING", "a b c"),
    ("PARTITION BY HASH (a) PARTITIONS 3", "a b c"),
    ("ADD d INT PARTITION BY HASH (a) PARTITIONS 3", "a b c d"),
    ("ADD d INT NOT NULL REMOVE PARTITIONING", "a b c d"),
    ("DROP b, ADD d INT FIRST PARTITION BY KEY (a)", "d a c"),
    ("FORCE PARTITION BY KEY (a)", "a b c"),
    ("DISABLE KEYS REMOVE PARTITIONING", "a b c"),
    ("DISABLE KEYS", "a b c"),
    ("DISCARD TABLESPACE", "a b c"),
    ("FORCE", "a b c"),
    ("ADD PERIOD IF NOT EXISTS FOR p (a, c), DROP PERIOD IF EXISTS FOR q", "a b c"),
    ("ADD period DATE, DROP b", "a c period"),
    ("RENAME INDEX i TO j, ADD d INT", "a b c d"),
    ("WAIT 5 ADD d INT", "a b c d"),
    ("DEFAULT CHARSET=utf8mb4, ADD d INT", "a b c d"),
    ("STATS_PERSISTENT=DEFAULT, ADD d INT", "a b c d"),
    ("FANCY='x', ADD d INT FANCY='x' COMMENT 'y'", "a b c d"),
    ("UNION=(x, y), INSERT_METHOD=LAST, ADD d INT", "a b c d"),
]


@pytest.mark.parametrize(("alter", "names"), ALTERS, ids=[alter for alter, _ in ALTERS])
def test_alter(alter: str, names: str) -> None:
    table = altered("a INT, b TEXT, c INT", alter)
    assert [column.name for column in table.columns] == names.split()


def test_a_moved_column_keeps_its_new_type() -> None:
    table = altered("a INT, b TEXT", "MODIFY b VARCHAR(5) FIRST, MODIFY a BIGINT UNSIGNED")
    assert [(c.name, c.sql_type, c.is_unsigned) for c in table.columns] == [
        ("b", "VARCHAR", False),
        ("a", "BIGINT", True),
    ]


def test_character_sets_of_columns_follow_the_table_at_their_time() -> None:
    table = altered("a TEXT", "ADD b TEXT, CHARSET=utf8mb4, ADD c TEXT CHARSET koi8r")
    assert [column.charset for column in table.columns] == ["latin1", "utf8mb4", "koi8r"]
    assert table.charset == "utf8mb4"
    for same in (
        "COLLATE uca1400_ai_ci",
        "COLLATE DEFAULT",
        "CHARSET latin1 COLLATE=uca1400_ai_ci",
    ):
        assert altered("a TEXT", f"{same}, ADD b TEXT").columns[1].charset == "latin1", same


def test_convert_changes_all_texts() -> None:
    table = altered(
        "a TEXT, b VARCHAR(3) CHARSET koi8r, c BLOB, d INT", "CONVERT TO CHARACTER SET utf8mb4"
    )
    assert [column.charset for column in table.columns] == ["utf8mb4", "utf8mb4", None, None]
    assert altered("a TEXT", "CONVERT TO CHARSET binary").columns[0].sql_type == "BLOB"


def test_a_new_primary_key_is_never_null() -> None:
    table = altered("a INT, b INT", "ADD PRIMARY KEY (b)")
    assert [column.is_nullable for column in table.columns] == [True, False]


def test_alter_renames() -> None:
    for words in ("RENAME TO e.u", "RENAME AS e.u", "RENAME e.u", "RENAME = e.u"):
        found = parse(f"ALTER TABLE t {words}")
        assert isinstance(found, AlterTable)
        assert found.new_name == TableName("e", "u"), words


def test_system_versioning_comes_and_goes() -> None:
    assert altered("a INT", "ADD SYSTEM VERSIONING").is_versioned
    assert altered("a INT", "WITH SYSTEM VERSIONING").is_versioned
    assert not altered("a INT", "DROP SYSTEM VERSIONING").is_versioned


def test_the_value_of_an_option_may_have_a_fraction() -> None:
    found = altered("a INT", "stats_sample_pages=50.0, ADD z INT")
    assert [column.name for column in found.columns] == ["a", "z"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "repeated", "end"),
    [
        ("CREATE TABLE t (a INT DEFAULT ", "(", ""),
        ("CREATE TABLE t (a INT CHECK ", "(", ")"),
        ("CREATE TABLE t (a ENUM(", "'x',", ""),
        ("CREATE TABLE t (", "a INT, ", ""),
        ("ALTER TABLE t ", "ADD a INT, ", ""),
        ("", "/*", ""),
        ("", "/*! ", ""),
        ("CREATE TABLE ", "a.", ""),
        ("SET STATEMENT ", "a=1, ", ""),
    ],
)
def test_hostile_text_takes_time_in_proportion(start: str, repeated: str, end: str) -> None:
    def run(size: int) -> None:
        found = parse(start + repeated * size + end * size)
        assert found is None or isinstance(found, (CreateTable, AlterTable, UnknownChange))

    assert growth(run, 4_000) < 8


@pytest.mark.parametrize(
    ("text", "primary_key"),
    [
        ("CREATE TABLE t (a INT, b INT, PRIMARY KEY k (b, a DESC))", ("b", "a")),
        ("CREATE TABLE t (a INT PRIMARY KEY, b INT UNIQUE KEY)", ("a",)),
        ("CREATE TABLE t (a TEXT, CONSTRAINT p PRIMARY KEY (a(10)))", ("a",)),
        ("CREATE TABLE t (a SERIAL, b INT NOT NULL AUTO_INCREMENT)", ()),
        ("CREATE TABLE t (a INT, KEY ((WITHOUT a)))", ()),
        # Rows may have one `a` at different times.
        (
            "CREATE TABLE t (a INT, b DATE, c DATE, PERIOD FOR p (b, c),"
            " PRIMARY KEY (a, p WITHOUT OVERLAPS))",
            (),
        ),
    ],
)
def test_primary_key(text: str, primary_key: tuple[str, ...]) -> None:
    table = table_of(text)
    assert table.primary_key == primary_key
    assert table.altered(Alteration()).primary_key == primary_key
    assert table.altered(Alteration(drops_key=True)).primary_key == ()


@pytest.mark.parametrize(
    ("key", "parents"),
    [
        ("FOREIGN KEY (a) REFERENCES o (id) ON DELETE CASCADE", ("d.o",)),
        ("CONSTRAINT c FOREIGN KEY f (a) REFERENCES x.o (id) ON UPDATE SET NULL", ("x.o",)),
        ("FOREIGN KEY (a) REFERENCES o (id) ON DELETE RESTRICT", ()),
        ("FOREIGN KEY (a) REFERENCES o (id)", ()),
        ("KEY `references` (a)", ()),
    ],
)
def test_tables_whose_changes_foreign_keys_carry_over(key: str, parents: tuple[str, ...]) -> None:
    found = table_of(f"CREATE TABLE t (a INT, {key})").foreign_keys
    assert tuple(str(foreign.parent) for foreign in found) == parents
