"""Python and JavaScript read the same in every sample: each field of each type, in every event."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mysql_binlog import MysqlBinlog

from tests.inputs import ROOT, SAMPLES, sample_path
from tests.languages.tree import Shape, Trees, digest, error_paths, first_difference

PROGRAM = "tests/languages/tree.mjs"
# Ciphertext makes no sense as a log; both languages have to fail on it in the same place.
READABLE = [name for name, entry in SAMPLES.items() if not entry["encrypted"]]
# The width of MariaDB's old temporals is not logged, so the schema reads on at the wrong place.
AMBIGUOUS = {"mariadb-10.11-old-fractions"}


def javascript_lines(*arguments: str) -> list[dict[str, Any]]:
    """Return what the JavaScript side prints."""
    command = ["node", PROGRAM, *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="session")
def javascript() -> list[dict[str, Any]]:
    """Give the shapes of the types, and the digests of all samples."""
    return javascript_lines(*(str(sample_path(name)) for name in SAMPLES))


@pytest.fixture(scope="session")
def trees(javascript: list[dict[str, Any]]) -> Trees:
    """Give what makes the same trees from the Python classes."""
    header = javascript[0]
    return Trees(MysqlBinlog, Shape.from_json(header["schema"], header["shape"]))


@dataclass(frozen=True)
class SampleTrees:
    """What is kept of the trees of a sample.

    Attributes:
        digests: type code and SHA-256 of each tree, by its name.
        errors: where the evaluation of a field raised an error.
    """

    digests: dict[str, str]
    errors: list[str]


@pytest.fixture(scope="session")
def of_sample(trees: Trees) -> Callable[[str], SampleTrees]:
    """Give what returns the trees of a sample; each sample is read once."""

    @cache
    def read(name: str) -> SampleTrees:
        found = SampleTrees({}, [])
        for key, tree in trees.of_log(sample_path(name)):
            found.digests[key] = digest(tree)
            found.errors.extend(f"{key}{path}" for path in error_paths(tree))
        return found

    return read


def explain(trees: Trees, path: Path, name: str) -> str:
    """Return where the tree of one event differs."""
    ours = dict(trees.of_log(path)).get(name)
    theirs = javascript_lines("--event", name, str(path))[1]["trees"].get(name)
    difference = first_difference(ours, theirs)
    return f"event {name} of {path.name}: Python has {difference} in JavaScript"


@pytest.mark.parametrize("name", SAMPLES)
def test_python_and_javascript_read_the_same(
    name: str,
    javascript: list[dict[str, Any]],
    trees: Trees,
    of_sample: Callable[[str], SampleTrees],
) -> None:
    path = sample_path(name)
    theirs = next(line["trees"] for line in javascript[1:] if line["path"] == str(path))
    ours = of_sample(name).digests
    differing = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
    assert not differing, explain(trees, path, differing[0])


@pytest.mark.parametrize("name", READABLE)
def test_no_field_raises_an_error(name: str, of_sample: Callable[[str], SampleTrees]) -> None:
    errors = of_sample(name).errors
    assert bool(errors) == (name in AMBIGUOUS), errors
