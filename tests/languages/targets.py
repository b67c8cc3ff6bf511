"""The languages that the schema compiles to: how each is built and run on logs."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.inputs import ROOT
from tests.languages.core_schema import ID
from tests.languages.rust_fields import rust_fields
from tests.languages.shape import (
    SCHEMA,
    read_shapes,
    shape_lines,
    upper_camel,
    with_numbers,
    without_conditions,
    without_fields,
)
from tests.languages.typed_schema import write_typed_schema

FOLDER = Path(__file__).parent
WALKERS = FOLDER / "walkers"
BUILDS = ROOT / ".languages"
CORE = ROOT / f"{ID}.ksy"
# Of a build; downloads included.
SECONDS = 300
JAVA_RUNTIME = "0.11"
# Short programs do without the second compiler of the JVM.
QUICK_JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


class BuildError(Exception):
    """A build has failed, with what it printed."""


def _build_nothing(folder: Path, runtime: Path | None) -> None:
    del folder, runtime


@dataclass(frozen=True, kw_only=True)
class Target:
    """A language.

    Attributes:
        name: of the language, and of the compiler's target.
        tools: what has to be on the path; a command prints its version with the argument after it.
        integers: `signed` or `rounded`, how the language has those of 64 bits.
        sources: files of this folder that a build depends on.
        build: builds in a folder that has `code/`, what the compiler makes of the schema.
        command: what prints the text of logs, in the folder of a build.
        runtime: folder of Kaitai's runtime among those of `RUNTIMES`; None if a registry has it.
        without: fields, as `type.field`, that the language cannot give.
        is_typed: it takes the typed form of the schema.
        is_core: it takes the core of the schema.
        is_only_built: there is no program that prints its text.
    """

    name: str
    tools: tuple[tuple[str, str], ...]
    integers: str = "signed"
    sources: tuple[str, ...]
    build: Callable[[Path, Path | None], None] = _build_nothing
    command: Callable[[Path, Path | None], list[str]]
    runtime: str | None = None
    without: frozenset[str] = frozenset()
    is_typed: bool = False
    is_core: bool = False
    is_only_built: bool = False

    @property
    def runtime_folder(self) -> Path | None:
        """The folder of Kaitai's runtime, or None if there is none or it is not needed."""
        folder = os.environ.get("RUNTIMES")
        if self.runtime is None or not folder:
            return None
        path = Path(folder).resolve() / self.runtime
        return path if path.is_dir() else None

    @property
    def build_name(self) -> str:
        """What the folders of its builds begin with."""
        return f"core-{self.name}" if self.is_core else self.name

    def missing(self) -> str:
        """Return what is missing to build and run it, or an empty text."""
        lacking = [command for command, _ in self.tools if shutil.which(command) is None]
        if lacking:
            return f"no {' and no '.join(lacking)} on the path"
        if self.runtime is not None and self.runtime_folder is None:
            return f"no {self.runtime} in the folder that RUNTIMES names"
        return ""

    def versions(self) -> str:
        """Return the first lines of what the tools say of their versions."""
        said = (run([command, argument], ROOT).splitlines() for command, argument in self.tools)
        return ", ".join(next(line for line in lines if line.strip()) for lines in said)


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Return what a program prints; raises BuildError."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        check=False,
        text=True,
        encoding="utf-8",
    )
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)[:200]} failed:\n{done.stdout[-4000:]}")
    return done.stdout


def built(target: Target) -> Path:
    """Return the folder of the build of a target, which is made if its sources have changed.

    Raises:
        BuildError: The compiler or the build has failed.
    """
    runtime = target.runtime_folder
    digest = hashlib.sha256(target.versions().encode())
    sources = [CORE if target.is_core else SCHEMA]
    sources += [ROOT / "package-lock.json", FOLDER / "targets.py"]
    sources += [FOLDER / source for source in target.sources]
    if target.is_typed:
        sources += [
            FOLDER / f"{name}.py" for name in ("typed_schema", "schema_types", "expressions")
        ]
    if runtime is not None:
        sources += sorted(path for path in runtime.rglob("*") if path.is_file())
    for source in sources:
        digest.update(source.read_bytes())
    folder = BUILDS / f"{target.build_name}-{digest.hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    BUILDS.mkdir(exist_ok=True)
    for old in BUILDS.glob(f"{target.build_name}-*"):
        shutil.rmtree(old)
    with tempfile.TemporaryDirectory(dir=BUILDS, prefix=f".{target.name}-") as temporary:
        begun = Path(temporary) / "build"
        compile_schema(target, begun / "code")
        shapes = without_fields(read_shapes(sources[0]), target.without)
        shapes = without_conditions(shapes) if target.is_core else shapes
        # The generated Go cannot tell which numbers have a label.
        shapes = with_numbers(shapes, sources[0]) if target.name == "go" else shapes
        (begun / "shape.txt").write_text(shape_lines(shapes), encoding="utf-8")
        target.build(begun, runtime)
        begun.rename(folder)
    return folder


def compile_schema(target: Target, out: Path) -> None:
    """Write what the Kaitai compiler makes of the schema."""
    command = ["node", "tools/compile_schema.mjs", "--target", target.name, "--out", str(out)]
    if target.is_typed:
        typed = out.parent / "mysql_binlog.ksy"
        out.parent.mkdir(parents=True, exist_ok=True)
        write_typed_schema(SCHEMA, typed)
        command += ["--schema", str(typed)]
    if target.is_core:
        command += ["--schema", str(CORE)]
    if target.name == "go":
        command += ["--package", "mysql_binlog"]
    run(command, ROOT)


def log_texts(target: Target, logs: Iterable[Path]) -> dict[Path, str]:
    """Return the text that a target gives of each log; raises BuildError."""
    folder = built(target)
    command = target.command(folder, target.runtime_folder)
    done = subprocess.run(
        [*command, *map(str, logs)], cwd=ROOT, capture_output=True, timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise BuildError(f"{target.name} failed:\n{done.stderr.decode(errors='replace')[-4000:]}")
    return split_texts(done.stdout.decode())


def split_texts(output: str) -> dict[Path, str]:
    r"""Return the texts of logs, each of which begins after a line `log PATH`.

    >>> split_texts("log a\nx x\n b 1\nlog c\nx !\n")
    {PosixPath('a'): 'x x\n b 1\n', PosixPath('c'): 'x !\n'}
    """
    texts = {}
    # Lines of a text begin with the name of the root, or are indented.
    for part in ("\n" + output).split("\nlog ")[1:]:
        path, _, text = part.partition("\n")
        texts[Path(path)] = text if text.endswith("\n") else text + "\n"
    return texts


def _javascript_command(folder: Path, runtime: Path | None) -> list[str]:
    del runtime
    code = str(folder / "code" / "MysqlBinlog.js")
    return ["node", str(WALKERS / "walk.mjs"), code, str(folder / "shape.txt")]


def _build_java(folder: Path, runtime: Path | None) -> None:
    del runtime
    artifact = f"io.kaitai:kaitai-struct-runtime:{JAVA_RUNTIME}"
    run(
        [
            *("mvn", "--batch-mode", "--quiet", "dependency:copy", f"-Dartifact={artifact}"),
            f"-DoutputDirectory={folder}",
        ],
        folder,
        MAVEN_OPTS=" ".join(QUICK_JVM),
    )
    build_java_classes(folder, WALKERS / "Walk.java")


def build_java_classes(folder: Path, program: Path) -> None:
    """Compile `code/` and a program into `classes/` of a folder that has the runtime."""
    sources = [str(folder / "code" / "MysqlBinlog.java"), str(program)]
    options = [f"-J{option}" for option in QUICK_JVM]
    options += ["-g:none", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-cp", java_path(folder)]
    run(["javac", *options, "-d", str(folder / "classes"), *sources], folder)


def java_path(folder: Path) -> str:
    """Return the class path of a build."""
    jar = folder / f"kaitai-struct-runtime-{JAVA_RUNTIME}.jar"
    return os.pathsep.join([str(folder / "classes"), str(jar)])


def _java_command(folder: Path, runtime: Path | None) -> list[str]:
    del runtime
    java = ["java", *QUICK_JVM, "-Xss8m", "-cp", java_path(folder), "Walk", "MysqlBinlog"]
    return [*java, str(folder / "shape.txt")]


def _ruby_command(folder: Path, runtime: Path | None) -> list[str]:
    paths = ["-I", f"{runtime}/lib", "-I", str(folder / "code")]
    return ["ruby", *paths, str(WALKERS / "walk.rb"), str(folder / "shape.txt")]


def _php_command(folder: Path, runtime: Path | None) -> list[str]:
    code = str(folder / "code")
    return ["php", str(WALKERS / "walk.php"), str(runtime), code, str(folder / "shape.txt")]


def _lua_command(folder: Path, runtime: Path | None) -> list[str]:
    code = str(folder / "code")
    return ["lua5.3", str(WALKERS / "walk.lua"), str(runtime), code, str(folder / "shape.txt")]


MCS_OPTIONS = ("-langversion:7", "-warn:0")


def _build_csharp(folder: Path, runtime: Path | None) -> None:
    assert runtime is not None
    sources = [*map(str, sorted(runtime.glob("*.cs"))), str(folder / "code" / "MysqlBinlog.cs")]
    out = f"-out:{folder / 'walk.exe'}"
    run(["mcs", *MCS_OPTIONS, out, *sources, str(WALKERS / "Walk.cs")], folder)


def _csharp_command(folder: Path, runtime: Path | None) -> list[str]:
    del runtime
    return ["mono", str(folder / "walk.exe"), str(folder / "shape.txt")]


# Without paths, a package is the same in each folder, so that it is compiled once.
GO_BUILD = ("go", "build", "-trimpath", "-o")


def _build_go(folder: Path, runtime: Path | None) -> None:
    del runtime
    (folder / "mysql_binlog").mkdir()
    (code,) = (folder / "code").iterdir()
    code.rename(folder / "mysql_binlog" / code.name)
    program = (WALKERS / "walk.go").read_text(encoding="utf-8")
    program = program.replace("MysqlBinlog", upper_camel(code.stem))
    (folder / "main.go").write_text(program, encoding="utf-8")
    for name in ("go.mod", "go.sum"):
        shutil.copy(WALKERS / name, folder)
    run([*GO_BUILD, "walk"], folder)


def _go_command(folder: Path, runtime: Path | None) -> list[str]:
    del runtime
    return [str(folder / "walk"), str(folder / "shape.txt")]


def _build_rust(folder: Path, runtime: Path | None) -> None:
    assert runtime is not None
    (folder / "src").mkdir()
    (folder / "code" / f"{CORE.stem}.rs").rename(folder / "src" / f"{CORE.stem}.rs")
    program = (WALKERS / "walk.rs").read_text(encoding="utf-8") + rust_fields(CORE)
    (folder / "src" / "main.rs").write_text(program, encoding="utf-8")
    (folder / "Cargo.toml").write_text(CARGO.format(runtime=runtime), encoding="utf-8")
    run(["cargo", "build", "--quiet"], folder)


def _rust_command(folder: Path, runtime: Path | None) -> list[str]:
    del runtime
    return [str(folder / "target" / "debug" / "walk")]


CARGO = """\
[package]
name = "walk"
version = "0.0.0"
edition = "2021"

[dependencies]
kaitai = {{ path = "{runtime}" }}

[profile.dev]
debug = 0
"""


def _build_cpp(folder: Path, runtime: Path | None) -> None:
    code = str(folder / "code" / "mysql_binlog.cpp")
    run(["g++", "-std=c++11", "-fsyntax-only", "-I", str(runtime), code], folder)


def _no_command(folder: Path, runtime: Path | None) -> list[str]:
    del folder, runtime
    return []


NODE = ("node", "--version")
JAVA = Target(
    name="java",
    tools=(("javac", "-version"), ("mvn", "--version")),
    sources=("walkers/Walk.java",),
    build=_build_java,
    command=_java_command,
)
# Built and run by every `make test`.
TESTED = [
    Target(
        name="javascript",
        tools=(NODE,),
        integers="rounded",
        sources=("walkers/walk.mjs",),
        command=_javascript_command,
    ),
    JAVA,
    Target(
        name="go",
        tools=(("go", "version"),),
        sources=("walkers/walk.go", "walkers/go.mod", "walkers/go.sum"),
        build=_build_go,
        command=_go_command,
        is_typed=True,
    ),
]
# The core by itself, in a language whose runtime a registry has.
GO_CORE = replace(TESTED[-1], is_typed=False, is_core=True)
# Built and run by `make languages`: no registry has their runtimes.
BY_HAND = [
    Target(
        name="rust",
        tools=(("cargo", "--version"),),
        sources=("walkers/walk.rs", "rust_fields.py"),
        build=_build_rust,
        command=_rust_command,
        runtime="kaitai_struct_rust_runtime",
        is_core=True,
    ),
    Target(
        name="csharp",
        tools=(("mcs", "--version"), ("mono", "--version")),
        sources=("walkers/Walk.cs",),
        build=_build_csharp,
        command=_csharp_command,
        runtime="kaitai_struct_csharp_runtime",
        # An enum or a switch of integers with `if` is not nullable there: absent, it is 0.
        without=frozenset(
            {
                "query_event.duplicate_handling",
                "user_var_event.value_type",
                "column_layout.metadata",
                "format_description_event.checksum_algorithm",
            }
        ),
    ),
    Target(
        name="ruby",
        tools=(("ruby", "--version"),),
        sources=("walkers/walk.rb",),
        command=_ruby_command,
        runtime="kaitai_struct_ruby_runtime",
    ),
    Target(
        name="php",
        tools=(("php", "--version"),),
        sources=("walkers/walk.php",),
        command=_php_command,
        runtime="kaitai_struct_php_runtime",
    ),
    Target(
        name="lua",
        tools=(("lua5.3", "-v"),),
        sources=("walkers/walk.lua",),
        command=_lua_command,
        runtime="kaitai_struct_lua_runtime",
    ),
    Target(
        name="cpp_stl",
        tools=(("g++", "--version"),),
        sources=(),
        build=_build_cpp,
        command=_no_command,
        runtime="kaitai_struct_cpp_stl_runtime",
        is_only_built=True,
    ),
]
