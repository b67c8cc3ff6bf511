"""A filter that matches nothing is named, with what there is, by all verbs alike."""

from pathlib import Path

import pytest

import pyspark_adapter
from pyspark_adapter.cli.main import main
from tests.inputs import sample_path

SHOP = str(sample_path("mysql-9.7-shop"))
VERBS_WITH_ROWS = ("rows", "tables", "stats", "transactions", "undo", "redo")


@pytest.mark.parametrize("verb", VERBS_WITH_ROWS)
@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--table", "shop.oders"], "--table shop.oders: no table of these logs has that name"),
        (["--database", "shopp"], "--database shopp: no table of these logs has that name"),
        (["--table", "shop.x*"], "--table shop.x*: no table of these logs has that name"),
        (["--since", "2030-01-01T00:00:00Z"], "--since 2030-01-01T00:00:00Z: nothing"),
        (["--table", "shop.orders", "--server-id", "77"], "--server-id 77: nothing in these logs"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_filter_that_matches_nothing_is_named(
    verb: str, flags: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb, SHOP, *flags]) == 0
    shown = capsys.readouterr().err
    assert words in shown
    assert "they have rows of shop.customers, shop.order_items, shop.orders" in shown


@pytest.mark.parametrize("verb", VERBS_WITH_ROWS)
def test_filters_that_match_are_no_warning(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--force"] if verb in ("undo", "redo") else []
    assert main([verb, SHOP, "--table", "shop.orders", *flags]) == 0
    assert "warning" not in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--table", "shop.oders"], ["--since", "2030-01-01"]])
def test_doctor_says_that_the_filter_matches_nothing(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", SHOP, *flags]) == 1
    shown = capsys.readouterr()
    assert "no row change matches the filters" in shown.out
    assert "they have rows of shop.customers" in shown.err


@pytest.mark.parametrize("flags", [["--table", "statement97.items"], ["--table", "x.y"]])
@pytest.mark.parametrize("verb", ["rows", "stats", "transactions"])
def test_statements_without_rows_are_named(
    verb: str, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb, str(sample_path("mysql-9.7-statement")), *flags]) == 0
    shown = capsys.readouterr().err
    assert "warning: statements changed statement97." in shown
    assert "nothing in these logs matches" not in shown


@pytest.mark.parametrize("verb", ["check", "index"])
def test_a_filter_that_a_command_does_not_use_is_named(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--index", str(tmp_path / "indexes")] if verb == "index" else []
    assert main([verb, SHOP, "--table", "shop.oders", *more]) == 0
    text = f"warning: --table shop.oders: not used; {verb} reads all of the logs"
    assert text in capsys.readouterr().err


def test_a_refused_undo_names_a_table_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["undo", str(sample_path("mysql-9.7-alter")), "--database", "evolvin"]) == 0
    assert "--database evolvin: no table" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.split()[-1] == pyspark_adapter.__version__


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rows", SHOP, "--tabel", "t"], "unrecognized arguments: --tabel t"),
        (["rows", SHOP, "--tabel", "t"], "did you mean --table"),
        (["stats", SHOP, "--positon=3"], "did you mean --position"),
        (["stats", SHOP, "--zzzz\x1b"], "unrecognized arguments: --zzzz\\x1b\n"),
    ],
)
def test_a_misspelt_flag_is_named(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
