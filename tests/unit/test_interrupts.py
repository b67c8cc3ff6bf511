"""A Ctrl-C ends a command wherever it arrives."""

import time
import weakref

import pytest

from pyspark_adapter.cli.main import INTERRUPTED, main


class Thing:
    """Something that can be referenced weakly."""


def test_an_interrupt_in_a_callback_is_not_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in one that Python's import of each module ends with."""

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    def run(*_: object) -> int:
        thing = Thing()
        reference = weakref.ref(thing, interrupt)
        del thing
        assert reference() is None
        time.sleep(20)
        return 0

    monkeypatch.setattr("pyspark_adapter.cli.main._run", run)
    begun = time.monotonic()
    assert main(["tables"]) == INTERRUPTED
    assert time.monotonic() - begun < 10
    assert capsys.readouterr().err == "interrupted\n"
