"""Numba's compiler, without the work that kernels do not need: three quarters of its time.

- Helpers are parts of kernels. They are optimised there, and have no machine code of their own.
- Which version of an operator fits which types is found once, not again for each use.
- Passes for closures, contexts, whole arrays and literal values are left out.

It uses names of numba that can change with each release, so it is only for `jit.PIPELINE_RELEASE`.
With another release kernels are compiled as numba does by default, which takes longer.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core import types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.typed_passes import NopythonRewrites

_UNNEEDED: Final = frozenset(
    {
        NopythonRewrites,
        untyped_passes.DeadBranchPrune,
        untyped_passes.FindLiterallyCalls,
        untyped_passes.InlineClosureLikes,
        untyped_passes.InlineInlinables,
        untyped_passes.LiteralPropagationSubPipelinePass,
        untyped_passes.LiteralUnroll,
        untyped_passes.MakeFunctionToJitFunction,
        untyped_passes.RewriteDynamicRaises,
        untyped_passes.RewriteSemanticConstants,
        untyped_passes.WithLifting,
    }
)


class _NoEnvironments:
    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        """Do nothing."""


class _HelperLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a helper: intermediate code that kernels take in."""

    def _optimize_final_module(self) -> None:
        """Leave this to the kernel. Single functions are already simplified."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """What numba asks to set the environment of a function, which only Python needs."""
        return _NoEnvironments

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()
        return 0


class _TypingContext:
    """Keeps what it has found for operators and conversions of numbers."""

    _found: Final[dict[tuple[Any, Any], Any]] = {}

    def resolve_function_type(self, function: Any, arguments: Any, keywords: Any) -> Any:
        """Return the signature of a call, or None."""
        find = super().resolve_function_type  # type: ignore[misc]  # numba's context comes next
        if keywords or not isinstance(function, types.Function | types.NumberClass):
            return find(function, arguments, keywords)
        found = self._found.get((function, arguments))
        if found is None:
            found = find(function, arguments, keywords)
            if found is not None:
                self._found[function, arguments] = found
        return found


def _with_memory(context: Any) -> Any:
    """Return a typing context that shares the state of another one."""
    bases = (_TypingContext, type(context))
    remembering: Any = object.__new__(type("_RememberingContext", bases, {}))
    remembering.__dict__ = context.__dict__
    return remembering


class Pipeline(CompilerBase):  # type: ignore[misc]  # numba has no types
    """Compiles kernels and helpers; see https://numba.readthedocs.io on how to customise it."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes, after which the state has the compiled function."""
        state = self.state
        passes = DefaultPassBuilder.define_nopython_pipeline(state)
        passes.passes = [entry for entry in passes.passes if entry[0] not in _UNNEEDED]
        passes._finalized = False
        passes.finalize()
        state.typingctx = _with_memory(state.typingctx)
        if state.flags.no_cpython_wrapper:
            state.library = _HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return [passes]
