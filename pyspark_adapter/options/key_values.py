"""Keys of rows, as options give them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

# The values of a key: by the names of their columns, or in the order of the key's columns under
# the empty name.
RowKey = tuple[tuple[str, Any], ...]

MAX_KEYS: Final = 10_000


def parse_keys(value: Any) -> tuple[RowKey, ...]:
    """Return the keys in a value; raises ValueError for another form, and for too many keys.

    Args:
        value: a key, several in a list, their texts with commas between them, or JSON of a list.

    >>> parse_keys("42, 43")
    ((('', '42'),), (('', '43'),))
    >>> parse_keys('[{"order_id": 42}, [42, 1]]')
    ((('order_id', 42),), (('', 42), ('', 1)))
    """
    if isinstance(value, str):
        is_json = value.lstrip().startswith("[")
        value = json.loads(value) if is_json else _words(value)
    keys = value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else [value]
    if not 0 < len(keys) <= MAX_KEYS:
        raise ValueError(f"expected 1 to {MAX_KEYS:,} keys, found {len(keys):,}")
    return tuple(_key(key) for key in keys)


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise ValueError("expected a key on both sides of a comma; an empty one in JSON")
    return words


def _key(value: Any) -> RowKey:
    if isinstance(value, Mapping):
        key = tuple((str(name), item) for name, item in value.items())
        if not all(name for name, _ in key):
            raise ValueError("expected names of columns")
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        # Keys that have been parsed are taken as they are.
        is_parsed = all(isinstance(item, tuple) and len(item) == 2 for item in value)
        key = tuple(value) if is_parsed else tuple(("", item) for item in value)
    else:
        key = (("", value),)
    if not key or any(item is None for _, item in key):
        raise ValueError("expected a value for each column of a key")
    return key
