"""Ctrl-C that Python or a library would ignore."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_SECONDS: Final = 0.1  # until whatever ignores the exception has ended


@contextmanager
def kept_interrupts() -> Iterator[None]:
    """Repeat a Ctrl-C that is gone before the body has ended: something ignored it.

    Python ignores exceptions of callbacks and finalizers; the import of each module ends with such
    a callback. Libraries ignore some of their own: numpy drops all errors of the search for
    `__array_ufunc__`, which calls Python code where a number is compared with a member of an enum.

    One that is on its way out is not repeated, however long the body takes to end. Where SIGINT has
    another handler than Python's own, only one in a callback or a finalizer is repeated.
    """
    hook_before = sys.unraisablehook
    is_over = False

    def repeat() -> None:
        while not is_over:
            again = threading.Timer(_SECONDS, interrupt_main_thread)
            again.daemon = True
            try:
                again.start()
                return
            except KeyboardInterrupt:  # another one, which would be ignored here
                continue

    def interrupt_main_thread() -> None:
        ident = threading.main_thread().ident
        assert ident is not None
        if not is_over:
            # Unlike _thread.interrupt_main, this ends a wait as well.
            signal.pthread_kill(ident, signal.SIGINT)

    class Interrupt(KeyboardInterrupt):
        """Ends when nothing raises or handles it any more."""

        def __del__(self) -> None:
            repeat()

    def handler(*_: object) -> NoReturn:
        raise Interrupt

    def hook(unraisable: UnraisableHookArgs) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            hook_before(unraisable)
        elif not issubclass(unraisable.exc_type, Interrupt):  # which repeats itself
            repeat()

    sys.unraisablehook = hook
    is_main_thread = threading.current_thread() is threading.main_thread()
    if is_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        is_over = True
        sys.unraisablehook = hook_before
        if signal.getsignal(signal.SIGINT) is handler:
            signal.signal(signal.SIGINT, signal.default_int_handler)
