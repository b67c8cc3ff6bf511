"""Every language reads the same in every sample: each field of each type, in every event.

`docs/format/conformance.md` defines the text whose digests are compared.
"""

from functools import cache
from pathlib import Path

import pytest

from tests.inputs import SAMPLES, sample_path
from tests.languages.digests import FORMS, digest, digests_of, python_text, read_digests
from tests.languages.left_out import need_toolchain
from tests.languages.targets import TESTED, Target, log_texts
from tests.languages.text import first_difference

# The width of MariaDB's old temporals is not logged, so the schema reads on at the wrong place.
AMBIGUOUS = {"mariadb-10.11-old-fractions"}
# Nothing of a log that MySQL has encrypted can be read.
ENCRYPTED = {"mysql-9.7-encrypted"}


@pytest.mark.parametrize("name", SAMPLES)
def test_python_gives_the_published_text(name: str) -> None:
    text = python_text(sample_path(name))
    assert digests_of(text) == read_digests()[name], "the schema reads differently: make digests"
    assert (" !\n" in text) == (name in AMBIGUOUS | ENCRYPTED)


def test_every_sample_has_digests() -> None:
    assert list(read_digests()) == list(SAMPLES)


@cache
def texts_of(target: Target) -> dict[Path, str]:
    """Return what a language gives of all samples."""
    return log_texts(target, [sample_path(name) for name in SAMPLES])


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("target", TESTED, ids=lambda target: target.name)
def test_language_gives_the_published_text(target: Target, name: str) -> None:
    need_toolchain(target)
    theirs = texts_of(target)[sample_path(name)]
    if digest(theirs) != getattr(read_digests()[name], target.integers):
        ours = FORMS[target.integers](python_text(sample_path(name)))
        pytest.fail(f"Python and {target.name} differ at {first_difference(ours, theirs)}")
