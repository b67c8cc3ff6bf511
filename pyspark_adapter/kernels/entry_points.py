"""The kernels that Python calls, with the types of their arguments and results.

A type is that of NumPy: `int64`, or an array with as many axes as colons, `[:, ::1]` if it is
contiguous. Arrays after `const` are only read. The functions are in the modules of this folder,
which are imported only where no compiled library fits.
"""

from __future__ import annotations

import os
from typing import Any, Final

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.kernels.library import bound, kernel_library, reason_against_library

OLDEST_NUMBA: Final = (0, 68)  # earlier releases know no members of enumerations as indexes


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
            from numba import version_info
        except ImportError as error:  # as for a NumPy that is newer than numba
            lack = f"numba cannot be loaded ({error})"
        else:
            is_old = version_info.short < OLDEST_NUMBA
            lack = f"numba {version_info.string} is too old" if is_old else ""
        if lack:
            wanted = "numba>={}.{}".format(*OLDEST_NUMBA)
            raise UnsupportedError(f"{why}; and {lack}", advice=f"pip install '{wanted}'")
        from pyspark_adapter.kernels.jit import compile_kernel

        return compile_kernel(self.path, self.signature)


# What the kernels that fill a column have in common: the window, where the values are, the first
# and the last row, and the parameters of the column.
_COLUMN: Final = "uint8[::1], int32[::1], int64, int64, int64[::1]"

add_blocks = Kernel(
    "block_sums.add_blocks",
    "int64(int64[:, :], int64[:], int64[:], int64[:], int64[:], int64[:], int64[:], int64[:],"
    " int64[:], int64, int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1])",
)
find_bounds = Kernel(
    "scan.find_bounds",
    "int64(uint8[::1], int64, int64, int64, int64, int64, int64, int64[::1], int64[::1])",
)
find_digits = Kernel(
    "scan.find_digits",
    "int64(uint8[::1], int64, int64, int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1],"
    " int64[:, ::1], int64[:, ::1], int64)",
)
find_displaced = Kernel("scan.find_displaced", "int64(uint8[::1], int64, int64, int64, int64)")
count_valid_pages = Kernel("crc32.count_valid_pages", "int64(uint8[::1], int64, int64)")
crc32c = Kernel("crc32.crc32c", "int64(uint8[::1])")
decompress = Kernel(
    "decompress.decompress",
    "int64(uint8[::1], int64, int64, int64[::1], int64[::1], uint8[::1], int64[:, ::1])",
)
skip_inner_events = Kernel("decompress.skip_inner_events", "int64(uint8[::1], int64, int64, int64)")
fill_gtids = Kernel("gtids.fill_gtids", "int64(int64[:, ::1], int64, int32[::1], uint8[::1])")
put_piece = Kernel(
    "joined_text.put_piece",
    "void(int64, int64, int64[::1], const uint8[::1], const int32[::1], const uint8[::1], const"
    " int64[::1], int64[::1], const uint8[::1], bool, int64[::1], uint8[::1])",
)
fill_json = Kernel(
    "json_text.fill_json",
    "int64(uint8[::1], int32[::1], int64, int64, int32[::1], uint8[::1], int64[::1], int64[:,"
    " ::1])",
)
fill_decimals = Kernel("numerics.fill_decimals", f"int64({_COLUMN}, int64[::1], int64[::1])")
fill_integers = Kernel("numerics.fill_integers", f"int64({_COLUMN}, uint8[::1])")
fill_numbers = Kernel("numerics.fill_numbers", f"int64({_COLUMN}, uint8[::1], int64[::1])")
fill_short_decimals = Kernel(
    "numerics.fill_short_decimals", f"int64({_COLUMN}, int64[::1], int64[::1])"
)
fill_validity = Kernel(
    "numerics.fill_validity", "int64(int32[:, ::1], int64, int64[:, ::1], uint8[::1])"
)
fill_reals = Kernel("doubles.fill_reals", "int64(const int64[::1], bool, int32[::1], uint8[::1])")
gather_values = Kernel(
    "result_rows.gather_values",
    "void(uint8[::1], int32[::1], int32[::1], int32[::1], uint8[::1], uint8[::1])",
)
locate_values = Kernel(
    "result_rows.locate_values", "void(uint8[::1], int64, int32[:, ::1], int32[:, ::1], int64[::1])"
)
count_with_keys = Kernel(
    "row_keys.count_with_keys",
    "int64(uint8[::1], int64[:, ::1], int64[::1], int32[::1], int64[::1], int64[::1],"
    " int64[::1], int32[::1], int32[::1], int64[::1], int32[:, :, ::1], uint64[::1], int64[::1],"
    " bool[::1])",
)
locate = Kernel(
    "rows.locate",
    "int64(uint8[::1], int64[:, ::1], int64[::1], int64[::1], int32[::1], int64[::1],"
    " int64[::1], int64[:, ::1], int32[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1],"
    " int32[:, :, ::1])",
)
scan = Kernel(
    "scan.scan",
    "int64(uint8[::1], int64, int64, int64[::1], int64[::1], int32[::1], uint64[::1],"
    " int64[::1], uint8[::1], int64[::1], int32[::1], int64[::1], int64[:, ::1], int64[:, ::1],"
    " int64[:, ::1])",
)
write_changes = Kernel(
    "sql_changes.write_changes",
    "int64(uint8[::1], int32[:, ::1], int64[::1], int64, int64[:, ::1], int64[:, :, ::1],"
    " int64[::1], bool, uint8[::1], int64[::1], int64[::1], uint8[::1], int64[:, ::1],"
    " uint8[::1], int64[:, ::1], bool, int64, uint8[::1], int64[:, ::1], int64[::1], int64[:,"
    " ::1])",
)
write_value = Kernel(
    "sql_changes.write_value",
    "int64(uint8[::1], int64, int64[::1], uint8[::1], int64[::1], uint8[::1], int64[:, ::1],"
    " uint8[::1])",
)
cut_statements = Kernel(
    "sql_statements.cut_statements",
    "int64(int64[:, ::1], int64[::1], int64[::1], int64, int64, bool, int64[::1])",
)
join_statements = Kernel(
    "sql_statements.join_statements",
    "int64(uint8[::1], int64[:, ::1], int64[::1], int64[::1], int64, int64, uint8[::1], int64[:,"
    " ::1], int64[::1], uint8[::1], int64[::1], bool, uint8[::1])",
)
fill_dates = Kernel("temporals.fill_dates", f"int64({_COLUMN}, int32[::1])")
fill_datetimes = Kernel("temporals.fill_datetimes", f"int64({_COLUMN}, int64[::1])")
fill_temporals = Kernel(
    "temporals.fill_temporals", f"int64({_COLUMN}, int64, int32[::1], int64[::1], int64[::1])"
)
fill_times = Kernel("temporals.fill_times", f"int64({_COLUMN}, int64[::1])")
fill_timestamps = Kernel("temporals.fill_timestamps", f"int64({_COLUMN}, int64[::1])")
fill_enums = Kernel(
    "texts.fill_enums",
    f"int64({_COLUMN}, uint8[::1], int64[::1], int32[::1], uint8[::1], int64[::1])",
)
fill_geometries = Kernel(
    "texts.fill_geometries", f"int64({_COLUMN}, int64[::1], int32[::1], uint8[::1], int64[::1])"
)
fill_names = Kernel(
    "texts.fill_names", f"int64({_COLUMN}, uint8[::1], int64[::1], int32[::1], uint8[::1])"
)
fill_plain_texts = Kernel("texts.fill_plain_texts", f"int64({_COLUMN}, int32[::1], uint8[::1])")
fill_printed = Kernel("texts.fill_printed", f"int64({_COLUMN}, int32[::1], uint8[::1], int64[::1])")
fill_sets = Kernel(
    "texts.fill_sets",
    f"int64({_COLUMN}, uint8[::1], int64[::1], int32[::1], uint8[::1], int64[::1])",
)
fill_texts = Kernel(
    "texts.fill_texts", f"int64({_COLUMN}, int32[::1], int32[::1], uint8[::1], int64[::1])"
)
fill_vectors = Kernel("texts.fill_vectors", f"int64({_COLUMN}, int32[::1], uint8[::1], int64[::1])")
repeat_texts = Kernel(
    "texts.repeat_texts",
    "int64(int64[::1], int64, const int32[::1], const uint8[::1], int32[::1], uint8[::1])",
)
fill_variants = Kernel(
    "variants.fill_variants",
    "int64(uint8[::1], int32[::1], int64, int64, int32[::1], uint8[::1], int32[::1], uint8[::1],"
    " int64[::1], int64[:, :, ::1], int64[::1], int64[:, ::1])",
)
