"""A kernel as Python calls it."""

from __future__ import annotations

from typing import Any

from pyspark_adapter.kernels.library import bound, kernel_library


class Kernel:
    """A function in machine code: of the library, or else compiled at the first call.

    Args:
        place: module of this folder and name of the function, with a dot between them.
        signature: its result and parameters, as `library` reads them.
    """

    def __init__(self, place: str, signature: str) -> None:
        self.place = place
        self.signature = signature
        self._loaded: Any = None

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.place.partition(".")[2]

    def __call__(self, *arguments: Any) -> Any:
        """Call the function.

        Raises:
            TypeError: if an argument has another type than the signature says.
            IndexError: if the function asked for an element outside of an array.
        """
        return (self._loaded or self.load())(*arguments)

    def load(self) -> Any:
        """Return the function as it is called, loaded or compiled."""
        if self._loaded is None:
            library = kernel_library()
            if library is None:
                from pyspark_adapter.kernels.jit import compile_kernel

                self._loaded = compile_kernel(self.place, self.signature)
            else:
                self._loaded = bound(library[self.name], self.signature)
        return self._loaded
