"""Builds wheels with the kernels as machine code: a library for each kind of processor.

numba makes LLVM code of the functions, which call nothing but each other, and the C compiler `cc`
links it. To each kernel that Python calls belongs a function of the library:

    int64_t name(const int64_t *words)

The words are the arguments: numbers, and addresses of the fields of NumPy's arrays, `data`, `nd`,
`dimensions` and `strides` (`PyArrayObject_fields` of NumPy's `ndarraytypes.h`, after the head that
all objects of Python have). The function returns its result, or `FAILED` if an element outside of
an array was asked for.

`python hatch_build.py` makes the libraries in place, as a clone needs them.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "compiled")]

from pyspark_adapter.kernels import entry_points
from pyspark_adapter.kernels.entry_points import OLDEST_NUMBA, Kernel
from pyspark_adapter.kernels.library import (
    DIGEST_NAME,
    FAILED,
    TARGETS,
    Parameter,
    Target,
    in_words_of_numba,
    parameters_of,
    sources_digest,
)

KERNELS = ROOT / "pyspark_adapter" / "kernels"
# This module uses names of numba that can change with each release.
NUMBA = "numba=={}.{}.*".format(*OLDEST_NUMBA)
# The symbols that a library takes from the process, memmove and memset, are in any C library.
WHEEL_TAG = "py3-none-manylinux_2_17_{machine}"


class KernelBuildHook(BuildHookInterface[Any]):
    """Adds the libraries to a wheel, or numba where they cannot be made."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what the build needs besides: numba, if libraries are to be made."""
        if shutil.which("cc") and not all(map(is_current, targets_here())):
            return [NUMBA]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the libraries for this machine."""
        if self.target_name != "wheel":
            return
        try:
            made = make_libraries()
        except (OSError, subprocess.CalledProcessError) as error:
            self.app.display_warning(f"numba will compile kernels as they run, since {error}")
            made = []
        if made:
            build_data["artifacts"] += [f"/{file.relative_to(ROOT).as_posix()}" for file in made]
            build_data["pure_python"] = False
            build_data["tag"] = WHEEL_TAG.format(machine=platform.machine())
        else:
            build_data["dependencies"] += self.metadata.core.optional_dependencies["compile"]


def targets_here() -> list[Target]:
    """Return the processors that libraries are made for on this machine."""
    is_linux = platform.system() == "Linux"
    return [t for t in TARGETS if is_linux and t.machine == platform.machine()]


def is_current(target: Target) -> bool:
    """Return whether the library is there and is of these sources."""
    file = KERNELS / target.file_name
    return file.exists() and sources_digest().encode() in file.read_bytes()


def make_libraries() -> list[Path]:
    """Make the libraries for this machine, unless they are there; return them.

    Takes some 35 s of processor time for each.

    Raises:
        OSError: if there is no `cc`.
        subprocess.CalledProcessError: if the compiler fails.
    """
    targets = targets_here()
    if shutil.which("cc") is None and not all(map(is_current, targets)):
        raise OSError("there is no C compiler `cc`")
    makers = [
        subprocess.Popen([sys.executable, __file__, target.level])
        for target in targets
        if not is_current(target)
    ]
    if any(codes := [maker.wait() for maker in makers]):
        raise subprocess.CalledProcessError(max(codes, key=abs), __file__)
    return [KERNELS / target.file_name for target in targets]


def all_kernels() -> list[Kernel]:
    """Return the kernels that Python calls."""
    return [found for found in vars(entry_points).values() if isinstance(found, Kernel)]


def make_library(target: Target, file: Path) -> None:
    """Write the library for a kind of processor, which this process then compiles for.

    Raises:
        OSError: if there is no `cc`.
        subprocess.CalledProcessError: if it fails.
    """
    os.environ |= {"NUMBA_CPU_NAME": target.level, "NUMBA_CPU_FEATURES": target.features}
    os.environ.pop("NUMBA_BOUNDSCHECK", None)
    from llvmlite import binding

    code = _code_of(all_kernels(), binding)
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=target.level, features=target.features, opt=3, reloc="pic", codemodel="default"
    )
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        made = Path(folder, "kernels.o")
        made.write_bytes(machine.emit_object(code))
        linked = made.with_suffix(".library")
        link = ("cc", "-shared", "-nostdlib", "-Wl,-s,--build-id=none")
        subprocess.run([*link, "-o", linked, made], check=True)
        linked.replace(file)


def _code_of(kernels: Iterable[Kernel], binding: Any) -> Any:
    """Return one LLVM module with all kernels and what they call, optimised."""
    code = binding.parse_assembly(_digest_code())
    for kernel in kernels:
        function, compiled = _compile(kernel)
        code.link_in(binding.parse_assembly(str(compiled)))
        called = code.get_function(function)
        kinds = [str(argument.type) for argument in called.arguments]
        code.link_in(binding.parse_assembly("\n".join(_entry_code(kernel, function, kinds))))
    names = {kernel.name for kernel in kernels} | {DIGEST_NAME}
    for found in (*code.functions, *code.global_variables):
        if not found.is_declaration and found.name not in names:
            found.linkage = "internal"
    machine = binding.Target.from_default_triple().create_target_machine()
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(code, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options()))
    return code


def _compile(kernel: Kernel) -> tuple[str, Any]:
    """Return the name of a kernel's function in LLVM's code, and the code."""
    import numba

    from pyspark_adapter.kernels.jit import OPTIONS, function_of, no_garbage_collection

    compiled: Any = numba.njit(nogil=True, **OPTIONS)(function_of(kernel.path))
    with no_garbage_collection():
        compiled.compile(in_words_of_numba(kernel.signature))
    (overload,) = compiled.overloads.values()
    return overload.fndesc.llvm_func_name, overload.library._final_module


def _digest_code() -> str:
    digest = sources_digest()
    return f'@{DIGEST_NAME} = constant [{len(digest) + 1} x i8] c"{digest}\\00"'


def _entry_code(kernel: Kernel, function: str, kinds: list[str]) -> Iterator[str]:
    """Yield the code of the function that Python calls.

    numba passes a place for the result, one for an exception, and arguments. An array is an owner,
    a parent, the number of elements, the bytes of one, a pointer, and sizes and strides of axes.

    Args:
        kernel: the kernel.
        function: its function as numba has it.
        kinds: the LLVM types of all parameters of that function.
    """
    yield f"declare i32 @{function}({', '.join(kinds)})"
    yield f"define i64 @{kernel.name}(ptr %words) {{"
    yield "  %result = alloca i64"
    yield "  store i64 0, ptr %result"
    yield "  %exception = alloca ptr"
    given = ["ptr %result", "ptr %exception"]
    for n, parameter in enumerate(parameters_of(kernel.signature)):
        yield f"  %place{n} = getelementptr i64, ptr %words, i64 {n}"
        yield f"  %word{n} = load i64, ptr %place{n}"
        kind = kinds[len(given)]
        if parameter.num_axes:
            given += yield from _array_code(parameter, n)
        elif kind == "i64":
            given.append(f"i64 %word{n}")
        else:  # a boolean
            yield f"  %bit{n} = trunc i64 %word{n} to {kind}"
            given.append(f"{kind} %bit{n}")
    yield f"  %status = call i32 @{function}({', '.join(given)})"
    yield "  %returned = load i64, ptr %result"
    yield "  %is_done = icmp eq i32 %status, 0"
    yield f"  %answer = select i1 %is_done, i64 %returned, i64 {FAILED}"
    yield "  ret i64 %answer"
    yield "}"


def _array_code(parameter: Parameter, n: int) -> Generator[str, None, list[str]]:
    """Yield code that reads the fields of an array of NumPy; return them as numba wants them."""
    size = np.dtype(parameter.kind).itemsize
    yield f"  %array{n} = inttoptr i64 %word{n} to ptr"
    for name, at in (("data", 0), ("sizes", 16), ("steps", 24)):
        yield f"  %{name}_at{n} = getelementptr i8, ptr %array{n}, i64 {at}"
        yield f"  %{name}{n} = load ptr, ptr %{name}_at{n}"
    axes: dict[str, list[str]] = {"sizes": [], "steps": []}
    count = "1"
    for axis in range(parameter.num_axes):
        for name, values in axes.items():
            value = f"%{name}{n}.{axis}"
            yield f"  {value}_at = getelementptr i64, ptr %{name}{n}, i64 {axis}"
            yield f"  {value} = load i64, ptr {value}_at"
            values.append(f"i64 {value}")
        yield f"  %count{n}.{axis} = mul i64 {count}, %sizes{n}.{axis}"
        count = f"%count{n}.{axis}"
    owner = ["ptr null", "ptr null", f"i64 {count}", f"i64 {size}", f"ptr %data{n}"]
    return [*owner, *axes["sizes"], *axes["steps"]]


if __name__ == "__main__":
    if sys.argv[1:]:
        (wanted,) = (target for target in TARGETS if target.level == sys.argv[1])
        make_library(wanted, KERNELS / wanted.file_name)
    else:
        make_libraries()
