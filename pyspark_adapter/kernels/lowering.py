"""Numba's types to LLVM code, shorter than by numba itself: LLVM has less to read and to simplify.

- An element of an array is one address, one check, and one load or store. Numba copies the array's
  struct to the stack, adds the size to a negative index, and raises for each element apart.
- An operator has the version that was found when it was typed; numba looks for it again, for
  constants of each side first.
- Variables are not cleared after use, since nothing counts references.

Negative indexes do not count from the end: they are outside. Other uses of arrays, such as slices,
are numba's. It is for the release of `pipeline` only.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core import ir, types
from numba.core.lowering import Lower

from pyspark_adapter.kernels.library import OUTSIDE

# Untyped, since numba's own types do not list all that they have.
_TUPLE: Final[Any] = getattr(types, "BaseTuple")  # noqa: B009
_INDEX: Final = types.Integer | types.IntEnumMember
_SIZES: Final = {"size": "nitems", "shape": "shape"}


def part_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Return a field of an array's struct, such as `data` or `nitems`."""
    return builder.extract_value(value, context.data_model_manager[kind].get_field_position(name))


def raise_unless(context: Any, builder: Any, is_inside: Any) -> None:
    """Generate a branch that raises IndexError. Each function has one block that raises."""
    function = builder.function
    if not hasattr(function, "block_that_raises"):
        function.block_that_raises = builder.append_basic_block("outside")
        with builder.goto_block(function.block_that_raises):
            context.call_conv.return_user_exc(builder, IndexError, (OUTSIDE,))
    inside = builder.append_basic_block("inside")
    branch = builder.cbranch(is_inside, inside, function.block_that_raises)
    branch.set_weights([99, 1])
    builder.position_at_end(inside)


class KernelLower(Lower):  # type: ignore[misc]  # numba has no types
    """Generates the LLVM code of one function."""

    def lower_inst(self, inst: Any) -> None:
        """Generate the code of an instruction."""
        if isinstance(inst, ir.Assign):
            value = self.lower_assign(self.typeof(inst.target.name), inst)
            self.storevar(value, inst.target.name)
        else:
            super().lower_inst(inst)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:  # noqa: ARG002
        """Set a variable; `argidx` is for debuggers."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Return the value of an expression."""
        if expr.op in ("static_getitem", "getattr"):
            kind = self.typeof(expr.value.name)
            if isinstance(kind, types.Array):
                if expr.op == "static_getitem" and expr.index_var is not None:
                    signature = self.fndesc.calltypes[expr]
                    return self.lower_getitem(resty, expr, expr.value, expr.index_var, signature)
                if expr.op == "getattr" and expr.attr in _SIZES:
                    value = self.loadvar(expr.value.name)
                    return part_of(self.context, self.builder, kind, value, _SIZES[expr.attr])
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Return the value of an operator of two operands."""
        signature = self.fndesc.calltypes[expr]
        operands = zip((expr.lhs, expr.rhs), signature.args, strict=True)
        values = [self._cast_var(*operand) for operand in operands]
        function = self.context.typing_context.resolve_value_type(op)
        if signature.args not in function._impl_keys:  # `+=` was typed as such
            function.get_call_type(self.context.typing_context, signature.args, {})
        value = self.context.get_function(function, signature)(self.builder, values)
        return self.context.cast(self.builder, value, signature.return_type, resty)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Return an element of an array, or what else an index gives."""
        element = self._element(value, index)
        if element is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        item = self.typeof(value.name).dtype
        return self.context.cast(self.builder, self.builder.load(element), item, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Set an element of an array, or what else an index is for."""
        element = self._element(target_var, index_var)
        if element is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value = self._cast_var(value_var, self.typeof(target_var.name).dtype)
        return self.builder.store(value, element)

    def _element(self, array: Any, index: Any) -> Any:
        """Return a pointer to an element of an array of numbers; None if there is no such element.

        Generates the check that the index is within the array.
        """
        kind, kinds = self.typeof(array.name), self.typeof(index.name)
        if not (isinstance(kind, types.Array) and isinstance(kind.dtype, types.Number)):
            return None
        is_tuple = isinstance(kinds, _TUPLE)
        kinds = tuple(kinds) if is_tuple else (kinds,)
        is_element = len(kinds) == kind.ndim and all(isinstance(k, _INDEX) for k in kinds)
        if kind.layout != "C" or not kind.aligned or not is_element:
            return None
        builder, value, position = self.builder, self.loadvar(array.name), self.loadvar(index.name)
        shape = part_of(self.context, builder, kind, value, "shape")
        element = is_inside = None
        for axis, axis_kind in enumerate(kinds):
            at = builder.extract_value(position, axis) if is_tuple else position
            at = self.context.cast(builder, at, axis_kind, types.intp)
            size = builder.extract_value(shape, axis)
            # One comparison: a negative index is a huge one without its sign.
            fits = builder.icmp_unsigned("<", at, size)
            is_inside = fits if is_inside is None else builder.and_(is_inside, fits)
            element = at if element is None else builder.add(builder.mul(element, size), at)
        raise_unless(self.context, builder, is_inside)
        data = part_of(self.context, builder, kind, value, "data")
        return builder.gep(data, [element], inbounds=True)
