"""Logs written back by the Java that the schema compiles to with the option for writers."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.inputs import ROOT
from tests.languages.targets import (
    QUICK_JVM,
    TESTED,
    WALKERS,
    build_java_classes,
    built,
    java_path,
    run,
)

JAVA = next(target for target in TESTED if target.name == "java")


def java_written(logs: Iterable[Path], copies: str) -> dict[Path, tuple[int, list[int]] | None]:
    """Return the zeroed bytes and the differing positions of each log; None if it has failed.

    Raises:
        BuildError: The compiler or the program has failed.
    """
    runtime = next(built(JAVA).glob("*.jar"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = ["--target", "java", "--read-write", "--out", str(folder / "code")]
        run(["node", "tools/compile_schema.mjs", *options], ROOT)
        (folder / runtime.name).symlink_to(runtime)
        build_java_classes(folder, WALKERS / "WriteBack.java")
        java = ["java", *QUICK_JVM, "-Xss8m", "-cp", java_path(folder), "WriteBack", copies]
        lines = run([*java, *map(str, logs)], ROOT).splitlines()
    found: dict[Path, tuple[int, list[int]] | None] = {}
    for path, zeroed, *rest in (line.split("\t") for line in lines):
        positions = rest[0].split(",") if rest and rest[0] else []
        found[Path(path)] = None if zeroed == "!" else (int(zeroed), [int(at) for at in positions])
    return found
