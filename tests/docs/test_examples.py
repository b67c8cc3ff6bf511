"""The examples run on the samples as they are."""

import base64
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from tests.inputs import ROOT

FOLDER = ROOT / "examples"
# A line that each prints.
PROGRAMS = {
    "changes_per_minute.py": "2026-03-02 09:00  shop.orders",
    "row_history.py": "status: shipped -> delivered",
}
LEN_SMALL_PLOT = 5_000


def test_all_examples_are_tested_and_listed() -> None:
    found = {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".ipynb")}
    assert found == {*PROGRAMS, "shop_day.ipynb"}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(name in readme for name in found)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_the_log_says(name: str) -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / name], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert PROGRAMS[name] in done.stdout


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
