"""LLVM code of checked places in arrays: what `load` and `lowering` have in common."""

from __future__ import annotations

from typing import Any, Final

_OUTSIDE: Final = "a kernel asked for an element outside of its input or output"


def part_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Return a field of an array's struct, such as `data` or `nitems`.

    Args:
        kind: type of the array in numba.
        value: the struct.
        name: of the field in numba's `ArrayModel`.
    """
    return builder.extract_value(value, context.data_model_manager[kind].get_field_position(name))


def raise_unless(context: Any, builder: Any, is_inside: Any) -> None:
    """Generate a branch that raises IndexError. Each function has one block that raises."""
    function = builder.function
    if not hasattr(function, "block_that_raises"):
        function.block_that_raises = builder.append_basic_block("outside")
        with builder.goto_block(function.block_that_raises):
            context.call_conv.return_user_exc(builder, IndexError, (_OUTSIDE,))
    inside = builder.append_basic_block("inside")
    branch = builder.cbranch(is_inside, inside, function.block_that_raises)
    branch.set_weights([99, 1])
    builder.position_at_end(inside)
