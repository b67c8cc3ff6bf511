"""Languages that the tests leave out, since this machine lacks their toolchain."""

import os

import pytest

from tests.languages.targets import Target

# Why, by language. The summary of the tests names them.
LEFT_OUT: dict[str, str] = {}


def need_toolchain(target: Target) -> None:
    """Leave a language out if its toolchain is missing; fail in continuous integration."""
    reason = target.missing()
    if not reason:
        return
    if os.environ.get("CI"):
        pytest.fail(f"continuous integration cannot build {target.name}: {reason}")
    LEFT_OUT[target.name] = reason
    pytest.skip(f"{target.name}: {reason}")
