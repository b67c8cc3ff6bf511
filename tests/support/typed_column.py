"""A column with the values that it can hold, the bytes of these, and what a read gives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.support.log_writer import LoggedColumn

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True)
class TypedColumn:
    """A column and its values."""

    column: LoggedColumn
    values: st.SearchStrategy[Any]
    encode: Callable[[Any], bytes]
    read: Callable[[Any], Any] = lambda value: value
