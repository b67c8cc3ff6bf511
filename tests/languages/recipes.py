"""The recipes of `docs/format/recipes.md`: each prints the changes of a table in a language."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tests.inputs import ROOT, sample_path
from tests.languages.targets import (
    BY_HAND,
    GO_BUILD,
    MCS_OPTIONS,
    QUICK_JVM,
    TESTED,
    WALKERS,
    BuildError,
    Target,
    built,
    java_path,
    run,
)

PAGE = ROOT / "docs" / "format" / "recipes.md"
LOG = sample_path("mysql-9.7-shop")
TARGETS = {target.name: target for target in [*TESTED, *BY_HAND]}
FENCE = r"```(?:{{code-block}} )?{}\n(?::class: recipe\n\n)?(.+?)```"
# As the page has them, where the compiler's target has another name.
FENCES = {"cpp_stl": "cpp"}
# Of the recipes, those whose runtimes are in no registry.
RECIPES_BY_HAND = ("csharp", "ruby", "php", "lua", "cpp_stl")


def recipe(language: str) -> str:
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(FENCE.format(FENCES.get(language, language)), text, re.DOTALL)
    assert found is not None, language
    return found[1]


def printed(language: str) -> list[str]:
    """Return the lines that a recipe prints; raises BuildError."""
    with tempfile.TemporaryDirectory() as name:
        return RUN[language](Path(name)).splitlines()


def check_recipe(target: Target) -> None:
    """Compare what a recipe prints with what that in JavaScript prints; raises BuildError."""
    if target.name in RECIPES_BY_HAND and printed(target.name) != printed("javascript"):
        raise BuildError(f"the recipe in {target.name} prints other lines than in JavaScript")


def _python(folder: Path) -> str:
    return run([sys.executable, _written(folder, "python", "changes.py"), str(LOG)], folder)


def _javascript(folder: Path) -> str:
    # Away from this project's package.json, which would make a module of the class.
    shutil.copytree(built(TARGETS["javascript"]) / "code", folder / "code")
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    return run(["node", _written(folder, "javascript", "changes.cjs"), str(LOG)], folder)


def _java(folder: Path) -> str:
    path = java_path(built(TARGETS["java"]))
    program = _written(folder, "java", "Changes.java")
    return run(["java", *QUICK_JVM, "-cp", path, program, str(LOG)], folder)


def _go(folder: Path) -> str:
    shutil.copytree(built(TARGETS["go"]) / "mysql_binlog", folder / "mysql_binlog")
    _written(folder, "go", "changes.go")
    for name in ("go.mod", "go.sum"):
        shutil.copy(WALKERS / name, folder)
    run([*GO_BUILD, "changes"], folder)
    return run([str(folder / "changes"), str(LOG)], folder)


def _csharp(folder: Path) -> str:
    target = TARGETS["csharp"]
    assert target.runtime_folder is not None
    sources = [*map(str, sorted(target.runtime_folder.glob("*.cs")))]
    sources += [str(built(target) / "code" / "MysqlBinlog.cs")]
    sources += [_written(folder, "csharp", "Changes.cs")]
    run(["mcs", *MCS_OPTIONS, "-r:Microsoft.CSharp.dll", "-out:changes.exe", *sources], folder)
    return run(["mono", "changes.exe", str(LOG)], folder)


def _ruby(folder: Path) -> str:
    target = TARGETS["ruby"]
    paths = ["-I", f"{target.runtime_folder}/lib", "-I", str(built(target) / "code")]
    return run(["ruby", *paths, _written(folder, "ruby", "changes.rb"), str(LOG)], folder)


def _php(folder: Path) -> str:
    target = TARGETS["php"]
    paths = f"include_path={target.runtime_folder}/lib:{built(target) / 'code'}"
    return run(["php", "-d", paths, _written(folder, "php", "changes.php"), str(LOG)], folder)


def _lua(folder: Path) -> str:
    target = TARGETS["lua"]
    paths = (target.runtime_folder, built(target) / "code")
    command = ["lua5.3", _written(folder, "lua", "changes.lua"), str(LOG)]
    return run(command, folder, LUA_PATH=";".join(f"{path}/?.lua" for path in paths))


def _cpp(folder: Path) -> str:
    target = TARGETS["cpp_stl"]
    code = built(target) / "code"
    options = ["-std=c++11", "-w", "-DKS_STR_ENCODING_ICONV"]
    options += ["-I", str(target.runtime_folder), "-I", str(code), "-o", "changes"]
    sources = [_written(folder, "cpp_stl", "changes.cpp"), str(code / "mysql_binlog.cpp")]
    sources += [f"{target.runtime_folder}/kaitai/kaitaistream.cpp"]
    run(["g++", *options, *sources], folder)
    return run([str(folder / "changes"), str(LOG)], folder)


RUN = {
    "python": _python,
    "javascript": _javascript,
    "java": _java,
    "go": _go,
    "csharp": _csharp,
    "ruby": _ruby,
    "php": _php,
    "lua": _lua,
    "cpp_stl": _cpp,
}


def _written(folder: Path, language: str, name: str) -> str:
    (folder / name).write_text(recipe(language), encoding="utf-8")
    return os.fspath(folder / name)
