"""The library of kernels: machine code for this processor that came with the package.

A digest of the sources tells whether it was made of them.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import re
import struct
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pyspark_adapter.format.schema import EventType

_NAME: Final = "mysql-binlog-spark"
# What the kernels take from elsewhere: constants, which are compiled in.
_CONSTANTS: Final = ("event_types.py", "header.py")


@cache
def sources_digest() -> str:
    """Return a short text that changes with what the kernels are made of."""
    types = sorted((member.name, member.value) for member in EventType)
    digest = hashlib.sha256(repr(types).encode())
    folder = source_folder()
    paths = [path for path in folder.iterdir() if path.name.endswith(".py")]
    package: Any = folder.parent
    constants = [package / "format" / name for name in _CONSTANTS]
    for path in (*sorted(paths, key=lambda path: path.name), *constants):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def source_folder() -> Path | zipfile.Path:
    """Return the folder of this package, which may be within an archive."""
    folder = Path(__file__).parent
    for archive in folder.parents:
        if zipfile.is_zipfile(archive):
            return zipfile.Path(archive, f"{folder.relative_to(archive).as_posix()}/")
    return folder


@cache
def kept_folder() -> Path:
    """Return the user's cache folder for code that is compiled from these sources.

    Code with `NUMBA_BOUNDSCHECK`, which numba does not tell from other code, has its own folder.

    The first of `NUMBA_CACHE_DIR`, `XDG_CACHE_HOME` and `~/.cache` that can be written, or else a
    new folder for this process.
    """
    kind = f"{sources_digest()}{os.environ.get('NUMBA_BOUNDSCHECK', '')}"
    for name, default in (("NUMBA_CACHE_DIR", ""), ("XDG_CACHE_HOME", "~/.cache")):
        base = Path(os.environ.get(name) or default).expanduser()
        folder = base / _NAME / kind
        try:
            if base != Path():
                folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=folder):
                    return folder
        except (OSError, RuntimeError):  # RuntimeError: there is no home
            continue
    return Path(tempfile.mkdtemp(prefix=_NAME))


def source_file(path: str) -> str:
    """Return a file with a source of this folder: itself, or a copy of one in an archive.

    numba recognises code that it has kept by the file of its source.
    """
    return path if Path(path).exists() else str(unpacked(Path(path).name))


def unpacked(name: str) -> Path:
    """Return a copy of a file of this folder, which is in an archive."""
    copy = kept_folder() / name
    if not copy.exists():
        with tempfile.NamedTemporaryFile(dir=copy.parent, delete=False) as file:
            file.write((source_folder() / name).read_bytes())
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(copy)  # other processes see all of it, or none
    return copy


OUTSIDE: Final = "a kernel asked for an element outside of its input or output"
# The symbol with the digest of the sources that a library was made of.
DIGEST_NAME: Final = "sources_digest"
# Bytes of what all objects of Python begin with.
LEN_OBJECT: Final = object.__basicsize__
# What a function returns if it asked for such an element; none has this as its result.
FAILED: Final = -(1 << 63)

_PART: Final = re.compile(r"(const )?(\w+)(?:\[([:, 1]+)\])?(?:, |$)")


class Target(NamedTuple):
    """A kind of processor.

    Attributes:
        machine: as `platform.machine` names it.
        level: of the processor, as LLVM names it.
        features: what it has besides, in LLVM's words.
        needs: the same and the level, in the words of Linux.
    """

    machine: str
    level: str
    features: str
    needs: frozenset[str]

    @property
    def file_name(self) -> str:
        """Name of the library, in the folder of the kernels; one in `.so` would be a module."""
        return f"linux-{self.level}.library"


_V2: Final = frozenset({"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"})
_V3: Final = frozenset({"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"})

# The best first. Products without carry are in no level of x86-64; all processors of v3 have them.
# The Cortex-A57 is the first of ARM's that has what servers of today have.
TARGETS: Final = (
    Target("x86_64", "x86-64-v3", "+pclmul", _V2 | _V3 | {"pclmulqdq"}),
    Target("x86_64", "x86-64-v2", "", _V2),
    Target("aarch64", "cortex-a57", "+aes", frozenset({"aes", "asimd", "crc32", "pmull", "sha2"})),
)


def kernel_library() -> ctypes.CDLL | None:
    """Return the library; None if there is none for this machine and these sources."""
    outcome = _find_library()
    return None if isinstance(outcome, str) else outcome


def reason_against_library() -> str:
    """Return why there is no library, for people; empty if there is one."""
    outcome = _find_library()
    return outcome if isinstance(outcome, str) else ""


@cache
def _find_library() -> ctypes.CDLL | str:
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        return "NUMBA_BOUNDSCHECK asks for code that checks each access"
    file = _file_for(_features())
    if file is None:
        return f"no machine code came with it for this {platform.machine()} and {platform.system()}"
    try:
        library = ctypes.CDLL(str(file))
    except OSError as error:  # another C library, or a folder whose files may not be run
        return f"{file} cannot be loaded ({error})"
    if not _has_known_arrays():
        return "this NumPy has arrays of another layout"
    digest = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, DIGEST_NAME)))
    if digest.decode() != sources_digest():
        return f"{file} is of other sources; `pip install` renews it"
    return library


def _has_known_arrays() -> bool:
    """Return whether arrays have the fields that the library reads; see `hatch_build`."""
    array = np.zeros((2, 3), dtype=np.int32)
    fields = (ctypes.c_void_p * 4).from_address(id(array) + LEN_OBJECT)
    sizes, steps = ((ctypes.c_int64 * 2).from_address(fields[n] or 0) for n in (2, 3))
    return (fields[0], *sizes, *steps) == (array.ctypes.data, *array.shape, *array.strides)


def _features() -> frozenset[str]:
    """Return what this processor can do, in the words of Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        return frozenset()
    listed = (line.partition(":")[2] for line in lines if line.startswith(("flags", "Features")))
    return frozenset(next(listed, "").split())


def _file_for(features: frozenset[str]) -> Path | None:
    """Return the library for a processor; None if there is none."""
    if platform.system() != "Linux":
        return None
    for target in TARGETS:
        if platform.machine() == target.machine and target.needs <= features:
            source = source_folder() / target.file_name
            if isinstance(source, Path):
                return source if source.exists() else None
            return unpacked(target.file_name) if source.exists() else None
    return None


class Parameter(NamedTuple):
    """The type of an argument.

    Attributes:
        kind: of a number, or of the elements of an array, as NumPy names it.
        num_axes: of an array; 0 for a number.
        is_contiguous: whether the array has to be.
    """

    kind: str
    num_axes: int
    is_contiguous: bool


def parameters_of(signature: str) -> list[Parameter]:
    """Return the parameters of a signature."""
    _, _, listed = signature.partition("(")
    return [
        Parameter(kind, axes.count(",") + 1 if axes else 0, axes.endswith("1"))
        for _, kind, axes in _PART.findall(listed.rstrip(")"))
    ]


def in_words_of_numba(signature: str) -> str:
    """Return a signature for numba, which has no word for arrays that are only read."""
    signature = re.sub(r"const (\w+)\[::1\]", r"Array(\1, 1, 'C', readonly=True)", signature)
    return re.sub(r"\bbool\b", "boolean", signature)


def bound(function: Any, signature: str) -> Callable[..., int | None]:
    """Return a function of the library as Python calls it; see `hatch_build` for its arguments.

    The interpreter's lock is released meanwhile. Errors as for `Kernel`.
    """
    parameters = parameters_of(signature)
    function.restype = ctypes.c_int64
    names = [f"a{n}" for n in range(len(parameters))]
    checks, words = [], []
    known: dict[str, Any] = {"function": function, "FAILED": FAILED, "OUTSIDE": OUTSIDE}
    for name, parameter in zip(names, parameters, strict=True):
        if not parameter.num_axes:
            words.append(f"int({name})" if parameter.kind == "bool" else name)
            continue
        known[parameter.kind] = np.dtype(parameter.kind)
        checks.append(f"{name}.dtype == {parameter.kind} and {name}.ndim == {parameter.num_axes}")
        if parameter.is_contiguous:
            checks.append(f"{name}.flags.c_contiguous")
        words.append(f"id({name}) + {LEN_OBJECT}")
    known["pack"] = struct.Struct(f"{len(words)}q").pack
    # Written out for the signature: a loop over the arguments takes longer than many a kernel.
    lines = [
        f"def call({', '.join(names)}):",
        f"    if not ({' and '.join(checks)}):",
        f"        raise TypeError({f'expected {signature}'!r})",
        f"    result = function(pack({', '.join(words)}))",
        "    if result == FAILED:",
        "        raise IndexError(OUTSIDE)",
        "    return result" if not signature.startswith("void") else "",
    ]
    exec("\n".join(lines), known)  # noqa: S102
    call: Callable[..., int | None] = known["call"]
    return call
