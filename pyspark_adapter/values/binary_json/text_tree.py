"""JSON text as a tree that can be changed, and back. Numbers stay as they are written."""

from __future__ import annotations

import json
from typing import Any, Final

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.values.binary_json.diff import OPERATIONS, changed_tree, difference_of_null
from pyspark_adapter.values.binary_json.text import quote_json
from pyspark_adapter.values.binary_json.tree import sorted_keys


def _members(pairs: list[tuple[str, Any]]) -> dict[bytes, Any]:
    return {key.encode(): value for key, value in pairs}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=str.encode, parse_float=str.encode, parse_constant=_refuse
)


def parse_text(text: str) -> Any:
    """Return JSON as lists, members by key, and scalars; numbers as bytes of their text.

    >>> parse_text('{"a": [1.50, "x", null]}')
    {b'a': [b'1.50', 'x', None]}

    Raises:
        CorruptEventError: if it is not JSON.
    """
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        reason = f"{text[:32]!r}: {error}"
        raise CorruptEventError(f"expected a JSON document, found {reason}") from error


def text_of(node: Any) -> str:
    """Return a tree as text, as the server writes it.

    >>> text_of({b"bb": [b"1.50"], b"a": "x"})
    '{"a": "x", "bb": [1.50]}'
    """
    if isinstance(node, dict):
        members = (f"{quote_json(key)}: {text_of(node[key])}" for key in sorted_keys(node))
        return f"{{{', '.join(members)}}}"
    if isinstance(node, list):
        return f"[{', '.join(map(text_of, node))}]"
    if isinstance(node, str):
        return quote_json(node.encode())
    return node.decode() if isinstance(node, bytes) else json.dumps(node)


def changed_text(document: str | None, changes: Any) -> str:
    """Return a document after a partial update; raises CorruptEventError, UnsupportedError.

    Args:
        document: before it; None if it is NULL.
        changes: of its column, as `parse_text` gives them of `render_differences`.
    """
    if document is None:
        raise difference_of_null()
    steps = (
        (OPERATIONS.index(change[b"op"]), change[b"path"].encode(), change.get(b"value"))
        for change in changes
    )
    try:
        return text_of(changed_tree(parse_text(document), steps, len(document)))
    except RecursionError as error:
        raise CorruptEventError("the JSON document has too many levels") from error
