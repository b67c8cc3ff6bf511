"""Flags before and after the command, and completions of the shell."""

import re
import sys
from pathlib import Path

import pytest

import pyspark_adapter
from pyspark_adapter.cli.main import main
from tests.inputs import sample_path
from tests.support.programs import captured

SHOP = str(sample_path("mysql-9.7-shop"))


@pytest.mark.parametrize("words", [["-q", "rows"], ["rows", "-q"], ["rows", "--quiet"]])
def test_quiet_may_come_before_the_command(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--table", "shop.order"]  # there is a warning that no table has that name
    assert main(["rows", SHOP, *chosen]) == 0
    assert "shop.orders" in capsys.readouterr().err
    assert main([*words, SHOP, *chosen]) == 0
    assert capsys.readouterr().err == ""


def test_the_version_may_come_after_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["rows", "--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.split()[-1] == pyspark_adapter.__version__


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["tab"], ["tables"]),
        (["tables", "--since"], ["--since"]),
        (["transactions", "--to"], ["--top"]),
        (["tables", "mysql-9.7-sh"], ["mysql-9.7-shop.000001"]),
    ],
)
def test_bash_completes(words: list[str], completed: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from pyspark_adapter.cli.main import main; main()"]
    done = captured([*command, "--print-completion", "bash"])
    program = re.findall(r"^complete .* -F (\w+) (\S+)$", done.stdout, re.MULTILINE)
    ((function, name),) = program
    (tmp_path / "completions").write_text(done.stdout)
    line = " ".join([name, *words])
    script = f"""
        source {tmp_path}/completions
        COMP_WORDS=({line}) COMP_CWORD={len(words)}
        {function}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    shown = captured(["/bin/bash", "-c", script], cwd=Path(SHOP).parent, check=True)
    assert shown.stdout.split() == completed


def test_completions_name_the_package_that_they_need(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--print-completion", "zsh"]) == 1
    assert "pip install 'mysql-binlog-spark[completion]'" in capsys.readouterr().err
