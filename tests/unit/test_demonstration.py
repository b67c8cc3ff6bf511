"""A made-up verb."""

import re

import pytest

from pyspark_adapter.cli.main import main
from tests.inputs import SAMPLES, sample_path

NAME = "mysql-9.7-shop"


def test_the_verb_counts_events(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kinds", str(sample_path(NAME))]) == 0
    printed = re.findall(r"(\d+)  (\w+)_EVENT", capsys.readouterr().out)
    assert {kind: int(count) for count, kind in printed} == SAMPLES[NAME]["events"]
    assert main(["kinds", "nowhere"]) == 1
    assert "nowhere" in capsys.readouterr().err
