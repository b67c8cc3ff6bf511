"""A Ctrl-C ends a command wherever it arrives."""

import signal
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from enum import EnumMeta, IntEnum

import numpy as np
import pytest

from pyspark_adapter.cli.main import INTERRUPTED, main

SECONDS = 20.0  # that a command continues which has ignored a Ctrl-C


class Thing:
    """Something that can be referenced weakly."""


def interrupt(_: object = None) -> None:
    signal.raise_signal(signal.SIGINT)


def raise_interrupt(_: object) -> None:
    raise KeyboardInterrupt


def in_a_callback(arrive: Callable[[object], None]) -> None:
    """As in one that Python's import of each module ends with."""
    thing = Thing()
    reference = weakref.ref(thing, arrive)
    del thing
    assert reference() is None


def in_a_lookup_of_numpy() -> None:
    """As in `numpy.int64(1) == Kind.ONE`; the metaclass of enums is Python code."""
    looked_up = []

    class Meta(EnumMeta):
        def __getattr__(cls, name: str) -> None:
            looked_up.append(name)
            if len(looked_up) == 1:
                interrupt()
            raise AttributeError(name)

    class Kind(IntEnum, metaclass=Meta):
        ONE = 1

    [one] = Kind
    looked_up.clear()  # what the class itself was asked for
    assert np.int64(1) == one
    assert looked_up[0] == "__array_ufunc__"


def in_a_library() -> None:
    """As in PyMySQL, in its `except: pass`."""
    with suppress(BaseException):
        interrupt()


def run_command(monkeypatch: pytest.MonkeyPatch, body: Callable[[], None]) -> int:
    """Run a command that does something, and then has much to do."""

    def run(*_: object) -> int:
        body()
        time.sleep(SECONDS)
        return 0

    monkeypatch.setattr("pyspark_adapter.cli.main._run", run)
    return main(["tables"])


@pytest.mark.parametrize(
    "ignored",
    [
        lambda: in_a_callback(interrupt),
        lambda: in_a_callback(raise_interrupt),  # by another handler of SIGINT, as that of Spark
        in_a_lookup_of_numpy,
        in_a_library,
    ],
    ids=["callback", "callback, other handler", "lookup of numpy", "library"],
)
def test_an_interrupt_is_not_ignored(
    ignored: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = signal.getsignal(signal.SIGINT)
    assert run_command(monkeypatch, ignored) == INTERRUPTED
    assert capsys.readouterr().err == "interrupted\n"
    assert signal.getsignal(signal.SIGINT) is handler


def test_an_interrupt_comes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command has to do before it ends takes its time."""
    done = []

    def clean_up() -> None:
        try:
            interrupt()
        finally:
            time.sleep(0.5)
            done.append(True)

    assert run_command(monkeypatch, clean_up) == INTERRUPTED
    time.sleep(0.3)  # in which a late one would end the tests
    assert done == [True]


def test_other_handlers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that calls the command line may ignore Ctrl-C."""
    monkeypatch.setattr(f"{__name__}.SECONDS", 0.0)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run_command(monkeypatch, interrupt) == 0
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
