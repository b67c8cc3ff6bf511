"""The check of Kaitai's gallery: its compiler, for the JVM, makes every target of the schema.

The gallery compiles each format with `-t all`, and for Java and Python with `-w` as well, and lets
no error pass. Here no warning passes either.
"""

import json
import shutil
import tempfile
from pathlib import Path

from tests.languages.shape import SCHEMA
from tests.languages.targets import QUICK_JVM, BuildError, run

COMPILER = "0.11"
# With all that it needs, from Maven's central repository.
PROJECT = f"""\
<project><modelVersion>4.0.0</modelVersion>
<groupId>gallery</groupId><artifactId>gallery</artifactId><version>1</version>
<dependencies><dependency>
<groupId>io.kaitai</groupId><artifactId>kaitai-struct-compiler_2.13</artifactId>
<version>{COMPILER}</version>
</dependency></dependencies></project>
"""
STEPS = (("-t", "all"), ("-w", "-t", "java", "-t", "python"))


def check_as_gallery() -> list[str]:
    """Compile the schema as the gallery does, and return the targets of each step.

    Raises:
        BuildError: The compiler has an error or a warning.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pom.xml").write_text(PROJECT, encoding="utf-8")
        run(
            ["mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies"],
            folder,
            MAVEN_OPTS=" ".join(QUICK_JVM),
        )
        (folder / "database").mkdir()
        shutil.copy(SCHEMA, folder / "database")
        return [_targets(folder, step) for step in STEPS]


def _targets(folder: Path, step: tuple[str, ...]) -> str:
    file = f"database/{SCHEMA.name}"
    classes = str(folder / "target" / "dependency" / "*")
    java = ["java", *QUICK_JVM, "-Xss16m", "-cp", classes, "io.kaitai.struct.JavaMain"]
    options = ["-I", ".", *step, "--ksc-json-output", "--outdir", "made"]
    report = json.loads(run([*java, *options, file], folder))[file]
    found = [*report.get("errors", []), *report.get("warnings", [])]
    for targets in report.get("output", {}).values():
        for made in targets.values():
            found += [*made.get("errors", []), *made.get("warnings", [])]
    if found:
        raise BuildError(f"{' '.join(step)}: {json.dumps(found)[:2000]}")
    names = sorted(report["output"])
    return f"{' '.join(step)}: {len(names)} targets: {', '.join(names)}"
