"""The examples run on the samples as they are."""

import base64
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from tests.inputs import ROOT, sample_path
from tests.support.programs import captured

FOLDER = ROOT / "examples"
# A line that each prints.
PROGRAMS = {
    "changes_per_minute.py": "2026-03-02 09:00  shop.orders",
    "row_history.py": "status: shipped -> delivered",
}
LEN_SMALL_PLOT = 5_000


def test_all_examples_are_tested_and_listed() -> None:
    found = {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".ipynb")}
    # Streams end when somebody stops them: see tests/spark/test_column_changes.py.
    assert found == {*PROGRAMS, "shop_day.ipynb", "new_columns.py"}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(name in readme for name in found)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_the_log_says(name: str) -> None:
    assert PROGRAMS[name] in captured([sys.executable, FOLDER / name], cwd=ROOT, check=True).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["x"], "usage: row_history.py LOG TABLE COLUMN VALUE"),
        (
            [str(sample_path("mysql-9.7-shop")), "shop.orders", "id", "1"],
            "has no column id; it has",
        ),
    ],
)
def test_wrong_arguments_of_an_example_are_one_line(words: list[str], said: str) -> None:
    program = [sys.executable, str(FOLDER / "row_history.py"), *words]
    done = captured(program)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_notebook_runs_and_draws() -> None:
    notebook = nbformat.read(FOLDER / "shop_day.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # those of a run are not kept
    NotebookClient(notebook, resources={"metadata": {"path": ROOT}}, timeout=300).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    plots = [
        output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})
    ]
    assert len(plots) == 3
    assert min(len(base64.b64decode(plot)) for plot in plots) > LEN_SMALL_PLOT
    assert "delivered" in "".join(output.get("text", "") for output in outputs)
