"""A kernel as Python calls it."""

from __future__ import annotations

import os
from typing import Any

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.kernels.library import bound, kernel_library, reason_against_library


class Kernel:
    """A function in machine code: of the library, or else compiled at the first call.

    Args:
        path: module of this folder and name of the function, with a dot between them.
        signature: its result and parameters, as `library` reads them.
    """

    def __init__(self, path: str, signature: str) -> None:
        self.path = path
        self.signature = signature
        self._loaded: Any = None

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.path.partition(".")[2]

    def __call__(self, *arguments: Any) -> Any:
        """Call the function.

        Raises:
            TypeError: if an argument has another type than the signature says.
            IndexError: if the function asked for an element outside of an array.
        """
        return (self._loaded or self.load())(*arguments)

    def load(self) -> Any:
        """Return the function as it is called, loaded or compiled.

        Raises:
            UnsupportedError: if there is no library, and numba cannot compile.
        """
        if self._loaded is None:
            library = kernel_library()
            if library is None:
                self._loaded = self._compile()
            else:
                self._loaded = bound(library[self.name], self.signature)
        return self._loaded

    def _compile(self) -> Any:
        why = f"logs are read by compiled code: {reason_against_library()}"
        if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
            # As Python they would wrap no integers, and lack the instructions that numba compiles.
            raise UnsupportedError(why, advice="unset NUMBA_DISABLE_JIT")
        try:
            from pyspark_adapter.kernels.jit import compile_kernel
        except ModuleNotFoundError as error:
            raise UnsupportedError(
                f"{why}; and there is no numba", advice="pip install numba"
            ) from error
        return compile_kernel(self.path, self.signature)
