"""Which statements change a copy in place: those that change no value and no key."""

import pyarrow as pa
import pytest

from pyspark_adapter.ddl.sql_tokens import SqlDialect
from pyspark_adapter.decode.group_rows import TableStatement
from pyspark_adapter.replication.alterations import AlteredColumns, alter_in_place
from pyspark_adapter.replication.delta_tables import DeltaTables

CREATE = (
    "CREATE TABLE `t` (`id` int NOT NULL, `a` int DEFAULT NULL, `b` varchar(9) DEFAULT NULL, {}"
    "PRIMARY KEY (`id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
)
SCHEMA = pa.schema([("id", pa.int32()), ("a", pa.int32()), ("b", pa.string())])
ADDED = "`{}` int DEFAULT NULL,"


class Evolving(DeltaTables):
    """A format in which all is in place that can be."""

    has_renames = True

    def widens(self, *_: pa.DataType) -> bool:
        """Return that every type can become every other one."""
        return True


def altered(
    texts: list[str],
    now: str,
    wanted: pa.Schema,
    create: str = CREATE.format(""),
    schema: pa.Schema = SCHEMA,
    *,
    is_mariadb: bool = False,
) -> AlteredColumns | None:
    statements = [TableStatement("alter", text, 10 * n) for n, text in enumerate(texts, 1)]
    dialect = SqlDialect(is_mariadb=is_mariadb)
    return alter_in_place(schema, (create, now), statements, wanted, Evolving(), dialect)


# What a statement may say, and the part of CREATE TABLE that it changes, before and after.
OTHERS = (
    ("ADD x INT DEFAULT 5", "{}", "`x` int DEFAULT '5',"),
    ("ADD x INT NOT NULL", "{}", "`x` int NOT NULL,"),
    ("ADD x INT AS (id + 1)", "{}", "`x` int GENERATED ALWAYS AS (id + 1),"),
    ("ADD x INT UNIQUE", "{}", "`x` int DEFAULT NULL, UNIQUE (`x`),"),
    ("ADD IF NOT EXISTS x INT", "{}", ADDED.format("x")),
    ("ADD x INT DEFAULT (1 + 1)", "{}", "`x` int DEFAULT (1 + 1),"),
    ("ADD x INT, ADD SYSTEM VERSIONING", "{}", ADDED.format("x")),
    ("ADD x INT, RENAME TO u", "{}", ADDED.format("x")),
    ("ADD x INT, DROP PRIMARY KEY, ADD PRIMARY KEY (id)", "{}", ADDED.format("x")),
    ("ADD x INT, CONVERT TO CHARACTER SET utf8mb4", "{}", ADDED.format("x")),
    ("DROP PARTITION p0", "{}", ""),
    ("ENGINE=InnoDB", "{}", ""),
    ("DROP COLUMN id, ADD PRIMARY KEY (a)", "(`id`)", "(`a`)"),
    ("DROP PRIMARY KEY, ADD PRIMARY KEY (a)", "(`id`)", "(`a`)"),
    ("DROP IF EXISTS a", "`a` int DEFAULT NULL, ", ""),
    ("MODIFY a INT NOT NULL", "`a` int DEFAULT NULL", "`a` int NOT NULL"),
    ("MODIFY a INT UNSIGNED", "`a` int", "`a` int unsigned"),
    ("MODIFY a BIGINT UNSIGNED", "`a` int", "`a` bigint unsigned"),
    ("MODIFY a SMALLINT", "`a` int", "`a` smallint"),
    ("MODIFY a VARCHAR(9)", "`a` int", "`a` varchar(9)"),
    ("MODIFY a DECIMAL(20)", "`a` int", "`a` decimal(20,0)"),
    ("MODIFY a INT AS (id + 1)", "`a` int DEFAULT NULL", "`a` int AS (id + 1)"),
    ("MODIFY a INT AUTO_INCREMENT, ADD INDEX (a)", "`a` int DEFAULT NULL", "`a` int NOT NULL"),
    ("MODIFY b VARCHAR(8)", "(9)", "(8)"),
    ("MODIFY b CHAR(9)", "varchar(9)", "char(9)"),
    ("MODIFY b VARCHAR(20) CHARACTER SET latin1", "varchar(9)", "varchar(20) CHARSET latin1"),
)


@pytest.mark.parametrize("is_mariadb", [False, True])
def test_statements_that_may_change_a_value_or_a_key(is_mariadb: bool) -> None:
    """Also after a statement that is in place, and others about tables."""
    for text, old, new in OTHERS:
        now = CREATE.replace(old, new).replace("{}", "")
        names = [name for name in ("id", "a", "b", "x") if f"`{name}` " in now]
        wanted = pa.schema([(name, pa.string()) for name in names])
        for before in ([], ["CREATE INDEX i ON t (b)"]):
            texts = [*before, f"ALTER TABLE t {text}"]
            assert altered(texts, now, wanted, is_mariadb=is_mariadb) is None, text
    now = CREATE.format("")
    assert altered(["DROP INDEX i ON t"], now, SCHEMA, is_mariadb=is_mariadb)
    for text in ("DROP TABLE t", "TRUNCATE t", now, "ALTER IGNORE TABLE t ADD UNIQUE (a(5))"):
        assert altered([text], now, SCHEMA, is_mariadb=is_mariadb) is None, text


def test_names_are_followed_through_several_statements() -> None:
    now = CREATE.format("").replace("`a`", "`c`").replace("`b`", "`a`") + " COMMENT='x'"
    now = now.replace("`a` varchar(9) DEFAULT NULL, ", "`a` varchar(9), `b` int DEFAULT NULL, ")
    wanted = pa.schema([("id", pa.int32()), ("c", pa.int32()), ("a", pa.string())])
    wanted = wanted.append(pa.field("b", pa.int32()))
    found = altered(
        [
            "ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a",
            "ALTER TABLE t CHANGE b c INT",
            "ALTER TABLE t ADD b INT",
        ],
        now,
        wanted,
    )
    assert found is not None
    assert found.origins == {"id": "id", "c": "a", "a": "b", "b": None}
    assert found.schema == wanted
    assert not found.keeps(wanted)
    assert found.after(["id", "a", "b"], 9) == found.origins
    assert found.after(["id", "b", "a"], 10) == {"id": "id", "c": "b", "a": "a", "b": None}
    assert found.after(["id", "c", "a"], 20) == {"id": "id", "c": "c", "a": "a", "b": None}
    assert found.after(["id", "c", "a", "b"], 30) == {n: n for n in ("id", "c", "a", "b")}


def test_a_table_that_was_altered_again_is_copied() -> None:
    """The columns may have the same names and types, in another order."""
    one, other = ADDED.format("x"), ADDED.format("y")
    wanted = pa.schema([*SCHEMA, ("x", pa.int32()), ("y", pa.int32())])
    texts = ["ALTER TABLE t ADD x INT", "ALTER TABLE t ADD y INT"]
    assert altered(texts, CREATE.format(other + one), wanted) is None
    assert altered(texts, CREATE.format(one + other), wanted) is not None
    assert altered(texts[:1], CREATE.format(one + other), wanted) is None
    assert altered(texts, "CREATE VIEW t AS SELECT 1", wanted) is None


def test_an_integer_keeps_its_numbers() -> None:
    """AUTO_INCREMENT is no change for a column that had it."""
    create = CREATE.format("").replace("`id` int NOT NULL", "`id` int NOT NULL AUTO_INCREMENT")
    now = create.replace("`id` int", "`id` bigint")
    wanted = SCHEMA.set(0, pa.field("id", pa.int64()))
    text = "ALTER TABLE t MODIFY id BIGINT NOT NULL AUTO_INCREMENT"
    assert altered([text], now, wanted, create) is not None
    assert altered([text], now, wanted) is None


def test_types_are_kept_beside_generated_columns() -> None:
    """CONCAT of a FLOAT is another text than that of the same DOUBLE."""
    create = CREATE.format("`f` float DEFAULT NULL, `g` varchar(99) AS (concat(`f`)),")
    now = create.replace("float", "double")
    schema = pa.schema([*SCHEMA, ("f", pa.float64()), ("g", pa.string())])
    assert altered(["ALTER TABLE t MODIFY f DOUBLE"], now, schema, create, schema) is None
    assert altered(["ALTER TABLE t MODIFY f FLOAT"], create, schema, create, schema) is not None
    plain, wider = CREATE.format("`f` float,"), CREATE.format("`f` double,")
    schema = pa.schema([*SCHEMA, ("f", pa.float64())])
    assert altered(["ALTER TABLE t MODIFY f DOUBLE"], wider, schema, plain, schema) is not None
