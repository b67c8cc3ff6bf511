"""Ctrl-C that Python would ignore."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_SECONDS: Final = 0.1  # until whatever ignores the exception has ended


@contextmanager
def kept_interrupts() -> Iterator[None]:
    """Repeat a Ctrl-C that arrived in a callback or a finalizer, whose exceptions Python ignores.

    The import of each module ends with such a callback, so a program that is interrupted while it
    loads its libraries would often go on.
    """
    before = sys.unraisablehook

    def hook(unraisable: UnraisableHookArgs) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            before(unraisable)
            return
        while True:
            again = threading.Timer(_SECONDS, _interrupt_main_thread)
            again.daemon = True
            try:
                again.start()
                return
            except KeyboardInterrupt:  # it came before this hook has ended, which also ignores it
                continue

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_main_thread() -> None:
    ident = threading.main_thread().ident
    assert ident is not None
    signal.pthread_kill(ident, signal.SIGINT)  # unlike _thread.interrupt_main, ends a wait as well
