"""Numba's compiler, without the work that kernels do not need: half of its time.

- Helpers are parts of kernels. They are optimised there, and have no machine code of their own.
- Which version of an operator fits which types is found once, not again for each use or value.
- Passes for closures, contexts, whole arrays, literal values and reports are left out, and so are
  the lifetimes of variables, which only reference counting needs.
- Elements of arrays and operators have shorter code, see `lowering`.

It uses names of numba that can change with each release, so it is only for `jit.PIPELINE_RELEASE`.
With another release kernels are compiled as numba does by default, which takes longer.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core import typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir_utils import build_definitions
from numba.core.ssa import reconstruct_ssa

from pyspark_adapter.kernels.lowering import KernelLower

_UNNEEDED: Final = frozenset(
    {
        typed_passes.AnnotateTypes,
        typed_passes.DumpParforDiagnostics,
        typed_passes.IRLegalization,
        typed_passes.NoPythonSupportedFeatureValidation,
        typed_passes.NopythonRewrites,
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


# Untyped, since numba's own types do not list all that they have.
_unliteral: Final[Any] = getattr(types, "unliteral")  # noqa: B009

# Types for which an operator does not ask for the value of a literal.
_PLAIN: Final = types.Number | types.Boolean | types.Array


class _NoEnvironments:
    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        """Do nothing."""


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of a kernel."""

    def _optimize_functions(self, module: Any) -> None:
        """Simplify each function. Numba sets up new passes for each one."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class _HelperLibrary(_KernelLibrary):
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
        if all(isinstance(kind, _PLAIN) for kind in arguments):
            arguments = tuple(_unliteral(kind) for kind in arguments)
        known = self._found.get((function, arguments))
        if known is None:
            known = find(function, arguments, keywords)
            if known is not None:
                self._found[function, arguments] = known
        return known


def _with_memory(context: Any) -> Any:
    """Return a typing context that shares the state of another one."""
    bases = (_TypingContext, type(context))
    remembering: Any = object.__new__(type("_RememberingContext", bases, {}))
    remembering.__dict__ = context.__dict__
    return remembering


@register_pass(mutates_CFG=False, analysis_only=False)
class _SingleAssignments(untyped_passes.ReconstructSSA):  # type: ignore[misc]  # numba has no types
    _name = "single_assignments"

    def run_pass(self, state: Any) -> bool:
        """Assign each variable once."""
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _NoPhis(typed_passes.PreLowerStripPhis):  # type: ignore[misc]  # numba has no types
    _name = "no_phis"

    def run_pass(self, state: Any) -> bool:
        """Assign where paths part, not where they meet."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _Lowering(typed_passes.BaseNativeLowering):  # type: ignore[misc]  # numba has no types
    _name = "lowering"

    @property
    def lowering_class(self) -> type:
        """What generates LLVM code."""
        return KernelLower


_REPLACED: Final[dict[Any, Any]] = {
    untyped_passes.ReconstructSSA: _SingleAssignments,
    typed_passes.PreLowerStripPhis: _NoPhis,
    typed_passes.NativeLowering: _Lowering,
}


class _Passes(PassManager):  # type: ignore[misc]  # numba has no types
    # After each pass numba would look for the lifetimes of all variables.
    _ENFORCING = False


class Pipeline(CompilerBase):  # type: ignore[misc]  # numba has no types
    """Compiles kernels and helpers; see https://numba.readthedocs.io on how to customise it."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes, after which the state has the compiled function."""
        state = self.state
        passes = _Passes("kernels")
        for entry, text in DefaultPassBuilder.define_nopython_pipeline(state).passes:
            if entry not in _UNNEEDED:
                passes.add_pass(_REPLACED.get(entry, entry), text)
        passes.finalize()
        state.typingctx = _with_memory(state.typingctx)
        is_helper = state.flags.no_cpython_wrapper
        library = _HelperLibrary if is_helper else _KernelLibrary
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return [passes]
