"""Tables whose columns change while `replicate` follows them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable

from pyspark_adapter import replicate
from pyspark_adapter.errors import OptionError
from pyspark_adapter.replication.iceberg_tables import IcebergTables
from pyspark_adapter.replication.run import Round
from pyspark_adapter.sources.locations import Location
from tests.docs.pages import find_programs
from tests.exactly_once.replica_history import replay
from tests.exactly_once.replica_tables import LakeTables
from tests.live.replicate.lakes import do, rows_of
from tests.live.servers import ServerState, connect

pytestmark = pytest.mark.live


def test_columns_that_are_null_are_added_without_a_copy(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """Also with changes before and after; other statements have the table copied."""
    statements = (
        (0, "ALTER TABLE shop.orders ADD COLUMN at DATETIME(6) NULL FIRST"),
        (0, "ALTER TABLE shop.orders ADD seen JSON DEFAULT NULL, ADD g INT"),
        (0, "CREATE INDEX seen_by ON shop.orders (note)"),
        (1, "ALTER TABLE shop.orders ADD COLUMN n INT DEFAULT 5"),
        (1, "ALTER TABLE shop.orders ADD COLUMN m INT, DROP COLUMN g"),
        (1, "ALTER TABLE shop.orders RENAME COLUMN m TO k"),
    )
    number = 10
    for history in (False, True):
        lake = Location.parse(tmp_path / f"lake{history}")
        done: list[Round] = []
        given = {"history": history, "rounds": 1, "after_round": done.append, **access}
        replicate(["shop"], str(lake), **given)
        for num_copied, statement in statements:
            number += 1
            before = DeltaTable(tmp_path / f"lake{history}" / "shop" / "orders").version()
            do(
                server,
                f"INSERT INTO shop.orders (id, note) VALUES ({number}, 'old')",  # noqa: S608
                statement,
                "UPDATE shop.orders SET note = CONCAT(note, 'x') WHERE id > 1",
            )
            replicate(["shop"], str(lake), **given)
            assert done[-1].num_copied == num_copied, statement
            copy = DeltaTable(tmp_path / f"lake{history}" / "shop" / "orders")
            commits = [commit["operation"] for commit in copy.history(copy.version() - before)]
            assert len(commits) == 2 - num_copied - ("INDEX" in statement)
            with closing(connect(server)) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT * FROM shop.orders ORDER BY id")
                names = [column[0] for column in cursor.description]
                wanted = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
            assert rows_of(lake, "shop", "orders") == wanted
        if history:
            do(server, "ALTER TABLE shop.orders ADD COLUMN later INT")  # and no change
            replicate(["shop"], str(lake), **given)
            rows = rows_of(lake, "shop.history", "orders")
            assert "later" in rows[0]
            kinds = [row["_change_type"] for row in rows]
            assert (kinds.count("alter"), kinds.count("copy")) == (len(statements) + 1, 4)
        do(server, "DELETE FROM shop.orders WHERE id > 2", "ALTER TABLE shop.orders DROP COLUMN n")
        do(server, "ALTER TABLE shop.orders DROP at, DROP seen, DROP k, DROP INDEX seen_by")


def test_iceberg_tables_are_those_of_the_server(
    server: ServerState,
    access: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also after columns come, go and change; and the guide's program reads them."""
    monkeypatch.chdir(tmp_path)
    steps = (
        ("UPDATE shop.orders SET note = 'c' WHERE id = 1", "DELETE FROM shop.orders WHERE id = 2"),
        (
            "ALTER TABLE shop.orders ADD COLUMN total BIGINT UNSIGNED DEFAULT 18446744073709551615",
            "INSERT INTO shop.orders VALUES (5, 'd', 7)",
        ),
        (
            "UPDATE shop.orders SET total = 8 WHERE id = 1",
            "INSERT INTO shop.orders VALUES (6, 'e', 9)",
        ),
        (
            "ALTER TABLE shop.orders DROP COLUMN note, MODIFY id BIGINT",
            "DROP TABLE `other.db`.`100%`",
        ),
    )
    for statements in ((), *steps):
        do(server, *statements)
        replicate(["shop", "other.db"], "lake", format="iceberg", rounds=1, prune=True, **access)
        tables = IcebergTables(Location.parse("lake"))
        table = tables.open(Location.parse("lake").child("shop").child("orders"))
        assert table is not None
        found = table.scan().to_arrow().to_pylist()
        tables.close()
        with closing(connect(server)) as connection, connection.cursor() as cursor:
            cursor.execute("TABLE shop.orders")
            names = [column[0] for column in cursor.description]
            wanted = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        assert sorted(map(repr, sorted_cells(found))) == sorted(map(repr, sorted_cells(wanted)))
    assert not list(tmp_path.glob("lake/other*/100*"))
    [program] = find_programs("python", "iceberg")
    exec(compile(program.text, str(program.page), "exec"), {})  # noqa: S102
    num_rows, applied = capsys.readouterr().out.split()
    assert num_rows == str(len(wanted))
    assert int(applied) > 0
    with pytest.raises(OptionError, match="option format: expected delta or iceberg"):
        replicate(["shop"], "lake", format="hudi", **access)


def test_a_history_in_iceberg_is_that_of_the_table(
    server: ServerState, access: dict[str, Any], tmp_path: Path
) -> None:
    """Columns that are added or get wider stay in it; others have the table copied again."""
    steps = (
        (0, "INSERT INTO shop.orders VALUES (3, 'c')"),
        (0, "ALTER TABLE shop.orders MODIFY id BIGINT NOT NULL, ADD n INT"),
        (1, "ALTER TABLE shop.orders RENAME COLUMN note TO n2"),
        (1, "ALTER TABLE shop.orders DROP COLUMN n2"),
        (0, "ALTER TABLE shop.orders ADD COLUMN n2 VARCHAR(20)"),
    )
    lake = Location.parse(tmp_path / "lake")
    done: list[Round] = []
    given = {"format": "iceberg", "history": True, "rounds": 1, **access}
    replicate(["shop"], str(lake), **given)
    for number, (num_copied, statement) in enumerate(steps):
        before = f"INSERT INTO shop.orders (id) VALUES ({number + 10})"  # noqa: S608
        do(server, before, statement, "DELETE FROM shop.orders WHERE id = 10")
        replicate(["shop"], str(lake), after_round=done.append, **given)
        assert (done[-1].error, done[-1].num_copied) == (None, num_copied), statement
        with closing(LakeTables(lake, "iceberg")) as tables:
            history = tables.read("shop.history", "orders")
        with closing(connect(server)) as connection, connection.cursor() as cursor:
            cursor.execute("TABLE shop.orders")
            names = [column[0] for column in cursor.description]
            wanted = sorted(map(str, cursor.fetchall()))
        found = [tuple(row[name] for name in names) for row in replay(history, ["id"]).rows]
        assert sorted(map(str, found)) == wanted, statement
    assert {path.name for path in (tmp_path / "lake" / "shop.history").iterdir()} == {"orders"}


def sorted_cells(rows: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Return the cells of rows by name; a decimal and an integer are the same."""
    return [sorted((name, str(value)) for name, value in row.items()) for row in rows]
