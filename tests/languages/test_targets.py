"""The schemas compile, without an error or a warning, to the targets that the README lists."""

import json

from tests.inputs import ROOT
from tests.languages.gallery import check_as_gallery
from tests.languages.left_out import need_toolchain
from tests.languages.targets import JAVA
from tests.support.programs import captured

GALLERY = ROOT / "docs" / "format" / "gallery.md"
TARGETS = {
    "construct",
    "cpp_stl",
    "csharp",
    "go",
    "graphviz",
    "html",
    "java",
    "javascript",
    "lua",
    "nim",
    "perl",
    "php",
    "python",
    "ruby",
    "rust",
}


def test_schemas_compile_to_all_targets() -> None:
    command = ["node", "tests/languages/targets.mjs"]
    run = captured(command, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    messages: dict[str, str] = json.loads(run.stdout)
    assert messages == dict.fromkeys(TARGETS, "")


def test_schema_passes_the_steps_of_the_gallery() -> None:
    need_toolchain(JAVA)
    everything, writers = check_as_gallery()
    assert everything.startswith(f"-t all: {len(TARGETS) + 1} targets")  # two standards of C++
    assert writers == "-w -t java -t python: 2 targets: java, python"


def test_page_of_the_gallery_has_the_size() -> None:
    schema = (ROOT / "mysql_binlog.ksy").read_text(encoding="utf-8")
    size = f"{len(schema.encode()) / 1000:.0f} kB and {len(schema.splitlines()):,} lines"
    assert size in GALLERY.read_text(encoding="utf-8"), size
