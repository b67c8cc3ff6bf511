"""The command line where something is missing: characters of the output, numba, samples."""

import io
import os
import sys
from pathlib import Path

import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.cli.sample import NAMES
from pyspark_adapter.sql_text.script import sql_rows
from tests.inputs import ROOT, sample_path
from tests.support.programs import captured

TYPES = str(sample_path("mysql-9.7-types"))
SHOP = str(sample_path("mysql-9.7-shop"))


def printed(encoding: str, monkeypatch: pytest.MonkeyPatch, *words: str) -> bytes:
    """Return what a command prints to an output that can show some characters only."""
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output, encoding=encoding))
    assert main([*words, TYPES]) == 0
    return output.getvalue()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("verb", ["tables", "rows", "transactions", "stats", "events", "check"])
def test_characters_that_the_output_cannot_show_are_escaped(
    verb: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = printed("utf-8", monkeypatch, verb).decode()
    assert printed(encoding, monkeypatch, verb) == lines.encode(encoding, "backslashreplace")
    assert (verb in ("rows", "events")) == (not lines.isascii())


@pytest.mark.parametrize("form", ["sql", "jsonl", "csv"])
def test_what_programs_read_is_utf_8_everywhere(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("rows", "--format", form, "--table", "types97.strings_utf8")
    everywhere = {printed(name, monkeypatch, *words) for name in ("utf-8", "ascii", "latin-1")}
    [data] = everywhere
    assert not data.isascii()
    if form == "sql":
        assert all(line in data.decode() for line in sql_rows(TYPES, tables="types97.strings_utf8"))


WITHOUT_KERNELS = """
import sys, types
from pyspark_adapter.kernels import library
library._features = frozenset  # a processor that no library is for
sys.modules["numba"] = None if sys.argv[1] == "none" else types.SimpleNamespace(
    version_info=types.SimpleNamespace(short=(0, 67), string="0.67.0")
)
from pyspark_adapter.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("words", [["tables"], ["rows"], ["stats"]], ids=lambda words: words[0])
def test_without_compiled_code_the_error_says_what_to_do(words: list[str]) -> None:
    for numba, variable, advice in (
        ("none", "", "pip install 'numba>=0.68'"),
        ("old", "", "numba 0.67.0 is too old; pip install 'numba>=0.68'"),
        ("none", "1", "unset NUMBA_DISABLE_JIT"),
    ):
        command = [sys.executable, "-c", WITHOUT_KERNELS, numba, *words, SHOP]
        done = captured(command, cwd=ROOT, env=os.environ | {"NUMBA_DISABLE_JIT": variable})
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("error: logs are read by compiled code: no machine code ")
        assert done.stderr.endswith(f" {advice}\n")


def test_the_samples_are_written_and_not_over_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "samples"
    for _ in range(2):
        assert main(["sample", str(folder)]) == 0
        assert capsys.readouterr().out.splitlines() == [str(folder / name) for name in NAMES]
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {
        name: (ROOT / "samples" / name).read_bytes() for name in NAMES
    }
    own = folder / NAMES[1]
    own.write_bytes(b"mine")
    (folder / NAMES[2]).unlink()
    assert main(["sample", str(folder)]) == 2
    assert f"{own}: expected no file, or the same log" in capsys.readouterr().err
    assert own.read_bytes() == b"mine"
    assert not (folder / NAMES[2]).exists()


@pytest.mark.parametrize("verb", ["tables", "rows", "events", "undo", "stats"])
def test_a_position_beyond_the_end_of_its_log_is_an_error(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = [str(sample_path(name)) for name in ("mysql-9.7-shop", "mysql-9.7-transactions")]
    size = Path(logs[0]).stat().st_size
    name = Path(logs[0]).name
    assert main([verb, logs[0], "--position", f"{name}:{size + 1}"]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(f"error: --position: expected a position up to {size}, the end of")
    assert shown.out == ""
    assert main([verb, logs[0], "--position", f"{name}:{size}"]) == 0


# Modules that a command has loaded when it ends, with pandas installed. They may only become fewer.
MOST_MODULES = {"tables": 400, "rows": 460, "transactions": 390, "events": 425}
COUNTED = """
import sys
from pyspark_adapter.cli.main import main
sys.argv = ["mysql-binlog-spark", *sys.argv[1:]]
main()
print(len(sys.modules))
"""


@pytest.mark.slow
@pytest.mark.parametrize("verb", MOST_MODULES)
def test_a_command_starts_without_pandas(verb: str, tmp_path: Path) -> None:
    (tmp_path / "pandas").mkdir()
    marker = tmp_path / "pandas" / "imported"
    (tmp_path / "pandas" / "__init__.py").write_text(
        f"open({str(marker)!r}, 'w')\nraise ImportError"
    )
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT}"}

    def run(code: str, *words: str) -> str:
        command = [sys.executable, "-c", code, *words]
        return captured(command, env=environment, check=True).stdout.splitlines()[-1]

    count = int(run(COUNTED, verb, SHOP))
    assert not marker.exists()
    assert MOST_MODULES[verb] - 40 < count <= MOST_MODULES[verb]
    run("import pyarrow; pyarrow.array([1]); print()")
    assert marker.exists()  # pyarrow by itself
