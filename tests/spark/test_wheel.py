"""The wheel alone is enough: what is in it, and a job that runs where nothing can be written."""

import json
import os
import platform
import re
import shutil
import sys
import tarfile
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

import pyspark_adapter
from pyspark_adapter.cli.sample import NAMES as SAMPLE_NAMES
from pyspark_adapter.kernels.library import TARGETS
from tests.docs.pages import find_programs
from tests.inputs import ROOT, SAMPLES
from tests.spark.wheels import bare_environment, finish, make_bare_python, run

pytestmark = [pytest.mark.spark, pytest.mark.slow]

SHOP = "mysql-9.7-shop"

CHECKS = """
import json
import mysql_binlog, pyspark_adapter
from pyspark_adapter.kernels.library import kernel_library, reason_against_library
assert not reason_against_library()
found = {
    "modules": [mysql_binlog.__file__, pyspark_adapter.__file__],
    "inserts": orders.where("_change_type = 'insert'").count(),
    "library": kernel_library()._name,
}
print(json.dumps(found))
spark.stop()
"""


def test_wheel_holds_the_package_the_parser_and_the_licences_alone(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    modules = {str(path.relative_to(ROOT)) for path in ROOT.glob("pyspark_adapter/**/*.py")}
    assert modules | {"mysql_binlog.py", "pyspark_adapter/py.typed"} <= names
    libraries = {name for name in names if name.endswith(".library")}
    assert {name.rpartition("/")[2] for name in libraries} == {
        target.file_name for target in TARGETS if target.machine == platform.machine()
    }
    assert {f"pyspark_adapter/samples/{name}" for name in SAMPLE_NAMES} <= names
    [info] = {name.split("/")[0] for name in names if ".dist-info/" in name}
    licences = {f"{info}/licenses/LICENSE"} | {
        f"{info}/licenses/LICENSES/{path.name}" for path in ROOT.glob("LICENSES/*")
    }
    assert len(licences) > 1
    assert licences <= names
    assert {name.split("/")[0] for name in names} == {"mysql_binlog.py", "pyspark_adapter", info}


def test_the_metadata_is_that_of_this_version(wheel: Path) -> None:
    [name] = [one for one in ZipFile(wheel).namelist() if one.endswith("/METADATA")]
    metadata = message_from_bytes(ZipFile(wheel).read(name))
    assert metadata["Name"] == "mysql-binlog-spark"
    assert wheel.name.endswith(f"-py3-none-manylinux_2_17_{platform.machine()}.whl")
    needed = metadata.get_all("Requires-Dist", [])
    assert [text for text in needed if text.startswith("numba")] == [
        "numba>=0.68; extra == 'compile'"
    ]
    assert metadata["Version"] == pyspark_adapter.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## ([0-9.]+)", changelog, re.MULTILINE)[0] == metadata["Version"]
    python = "Programming Language :: Python :: 3."
    minors = [
        int(c.removeprefix(python)) for c in metadata.get_all("Classifier", []) if python in c
    ]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| Python | 3.{minors[0]} to 3.{minors[-1]} | 3.{minors[0]} |" in readme
    assert metadata["Requires-Python"] == f">=3.{minors[0]}"
    [name] = [one for one in ZipFile(wheel).namelist() if one.endswith("/entry_points.txt")]
    scripts = ZipFile(wheel).read(name).decode()
    assert scripts == "[console_scripts]\nmysql-binlog-spark = pyspark_adapter.cli.main:main\n"


def test_the_source_distribution_holds_what_the_wheel_is_built_from(wheel: Path) -> None:
    [sdist] = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = ("pyspark_adapter", "compiled", "LICENSES")
    files = {
        str(path.relative_to(ROOT))
        for folder in tracked
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".library"
    }
    others = {
        "hatch_build.py",
        "mysql_binlog.ksy",
        "mysql_binlog_core.ksy",
        "mariadb_engine_binlog.ksy",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "pyproject.toml",
    }
    others |= {f"samples/{name}" for name in SAMPLE_NAMES}
    assert names == files | others | {"PKG-INFO", ".gitignore"}


def test_the_first_program_runs_with_an_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    """Without a home, and from an environment that is not activated."""
    python = make_bare_python(tmp_path / "venv")
    pip = (sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check")
    run(*pip, "install", "--no-deps", "--no-index", "--no-compile", str(wheel), cwd=tmp_path)
    [package] = (tmp_path / "venv").glob("lib/*/site-packages/pyspark_adapter")
    # In the way of a folder of that name: keeps root out too, whom no mode of the folder does.
    (package / "kernels" / "__pycache__").write_bytes(b"")
    first, *_ = (p for p in find_programs("python") if p.page == ROOT / "README.md")
    (tmp_path / "job.py").write_text(first.text + CHECKS)
    run(str(python), "-m", "pyspark_adapter", "sample", "samples", cwd=tmp_path)
    java = shutil.which("java")
    assert java is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").symlink_to(java)
    (tmp_path / "bin/python3").symlink_to("/bin/false")  # what Spark starts by default
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = bare_environment(
        HOME="/proc/none", TMPDIR=str(temporary), PATH=f"{tmp_path}/bin:/usr/bin:/bin"
    )
    done = finish(str(python), "job.py", cwd=tmp_path, environment=environment)
    assert done.stdout.count("|2026-") == 2
    assert "mysql_binlog" not in done.stderr  # no warning of Spark about the data source
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["modules"] == [
        str(package.parent / "mysql_binlog.py"),
        str(package / "__init__.py"),
    ]
    assert found["inserts"] == SAMPLES[SHOP]["row_changes"]["shop.orders"]["insert"]
    assert Path(found["library"]).parent == package / "kernels"
    assert not list(temporary.rglob("*.nbi"))


def build_from_source(wheel: Path, folder: Path, environment: dict[str, str]) -> tuple[Path, str]:
    """Build the wheel from the source distribution next to one; return it and what was printed."""
    [sdist] = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    [source] = folder.iterdir()
    command = (sys.executable, "-m", "build", "--no-isolation", "--wheel", str(source))
    done = finish(*command, cwd=folder, environment=os.environ | environment)
    [built] = (source / "dist").glob("*.whl")
    return built, done.stdout + done.stderr


def test_without_a_c_compiler_the_wheel_brings_numba(wheel: Path, tmp_path: Path) -> None:
    built, printed = build_from_source(wheel, tmp_path, {"PATH": ""})
    assert "numba will compile kernels as they run, since there is no C compiler `cc`" in printed
    assert built.name.endswith("-py3-none-any.whl")
    names = ZipFile(built).namelist()
    assert not [name for name in names if name.endswith(".library")]
    [name] = [name for name in names if name.endswith("/METADATA")]
    assert "Requires-Dist: numba>=0.68\n" in ZipFile(built).read(name).decode()


def test_the_wheel_of_the_source_distribution_is_the_same(wheel: Path, tmp_path: Path) -> None:
    built, _ = build_from_source(wheel, tmp_path, {})
    assert built.name == wheel.name
    ours, theirs = (ZipFile(path) for path in (wheel, built))
    assert {i.filename: i.CRC for i in ours.infolist()} == {
        i.filename: i.CRC for i in theirs.infolist()
    }
