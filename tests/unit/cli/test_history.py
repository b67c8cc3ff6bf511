"""`history`: the changes of a row are those of `rows` with its key, with and without an index."""

import json
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter.cli.main import main
from tests.inputs import sample_path
from tests.support.indexes import index_of, make_index

Output = pytest.CaptureFixture[str]
SHOP = sample_path("mysql-9.7-shop")
STATEMENTS = ("create", "alter", "rename", "drop", "truncate")


def printed(capsys: Output, *arguments: str) -> list[dict[str, Any]]:
    """Return the JSON lines of a command, those of statements left out."""
    assert main([*arguments, "--format", "jsonl"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [change for change in found if change["change"] not in STATEMENTS]


@pytest.mark.parametrize(
    "name", ["mysql-9.7-shop", "mysql-9.7-minimal-image", "mariadb-11.8-charsets", "mysql-5.7-few"]
)
def test_the_history_of_a_row_has_all_its_changes(
    name: str, tmp_path: Path, capsys: Output
) -> None:
    path = sample_path(name)
    folder = make_index(tmp_path / "index", path, step=700)
    for spec in index_of(path, 700).specs[:4]:
        where = (str(path), "--table", str(spec.table))
        changes = printed(capsys, "rows", *where)
        columns = [column.name for column in spec.columns]
        row = changes[len(changes) // 2]
        image = row.get("before") or row["after"]
        key = {column: image[column] for column in columns}
        expected = [
            change
            for change in changes
            for before in (change.get("before", {}),)
            for after in (before | change["after"] if "after" in change else {},)
            if any(key.items() <= image.items() for image in (before, after))
        ]
        for more in ((), ("--index", str(folder))):
            found = printed(capsys, "history", *where, "--key", json.dumps([key]), *more)
            for change in found:
                assert change.pop("server_id")
                change.pop("query", None)
            assert found == expected, (spec, key)


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("keyed", ["3", "30"]),
        ("key_at_the_end", ['[{"k1": 5, "k2": "k"}]', '[{"k1": 6, "k2": "k"}]']),
    ],
)
def test_an_update_of_the_key_belongs_to_both_rows(
    table: str, keys: list[str], tmp_path: Path, capsys: Output
) -> None:
    """The image after a MINIMAL update has only the columns that changed."""
    path = sample_path("mysql-9.7-minimal-image")
    folder = make_index(tmp_path / "index", path, step=700)
    where = (str(path), "--table", f"images97.{table}", "--index", str(folder))
    first, second = (printed(capsys, "history", *where, "--key", key) for key in keys)
    [update] = [change for change in first if change["change"] == "update"]
    assert update in second


def test_history_opens_only_blocks_of_the_key(
    tmp_path: Path, capsys: Output, num_read: list[int]
) -> None:
    folder = make_index(tmp_path / "index", SHOP, step=600)
    num_read.clear()
    where = (str(SHOP), "--table", "shop.orders", "--key", "5", "--index", str(folder))
    assert len(printed(capsys, "history", *where)) == 1
    assert sum(num_read) < SHOP.stat().st_size / 2


def test_history_as_text(capsys: Output) -> None:
    assert main(["history", str(SHOP), "--table", "shop.orders", "--key", "2"]) == 0
    out = capsys.readouterr().out
    assert "  create  mysql-9.7-shop.000001:1470  795c97f4-badf-559a-96b7-28fc16279c15:4" in out
    assert '    status: "new" -> "paid"  (order_id=2, ' in out
    assert "server 1  thread 9" in out


@pytest.mark.parametrize(
    ("table", "key", "message"),
    [
        ("shop.order_items", "5", "key of shop.order_items: expected a value for each of order_id"),
        ("shop.*", "5", "--table: expected the name of one table, got 'shop.*'"),
        ("shop.orders", "5,", "expected a key on both sides of a comma"),
        ("orders", "5", "--table: expected patterns database.table"),
        ("shop.nope", "5", "did you mean shop.orders"),
    ],
)
def test_keys_that_have_no_history(table: str, key: str, message: str, capsys: Output) -> None:
    assert main(["history", str(SHOP), "--table", table, "--key", key]) != 0
    assert message in capsys.readouterr().err


def test_a_row_without_changes_is_said(capsys: Output) -> None:
    path = str(sample_path("mysql-9.7-minimal-image"))
    assert main(["history", path, *("--table", "images97.nothing", "--key", '[{"id": 7}]')]) == 0
    assert "images97.nothing: no change of these rows" in capsys.readouterr().err
