"""Random statements that update JSON documents in place: JSON_SET, JSON_REPLACE, JSON_REMOVE."""

import json
import random
from typing import Any

from tests.live.random_values import UTF8MB3, UTF8MB4
from tests.support import json_model

# Values of types that JSON text does not have, or that it would lose, as SQL.
TYPED_VALUES = (
    "CAST(1.50 AS JSON)",
    "-12345678901234567890.000000000000000000000000000001",
    "CAST(CAST(-0.5 AS DECIMAL(65,30)) AS JSON)",
    "DATE'2026-02-28'",
    "TIMESTAMP'2026-02-28 23:59:59.123456'",
    "TIME'-838:59:59'",
    "TIME'00:00:00.5'",
    "X'00FF10'",
    "REPEAT(X'61', 100)",
    "b'101'",
    "CAST(2026 AS YEAR)",
    "18446744073709551615",
    "-9223372036854775808",
    "CAST(4294967295 AS UNSIGNED)",
    "0e0",
    "-0e0",
    "1e0",
    "1e16",
    "2.2250738585072014e-308",
    "0.1e0",
    "TRUE",
    "NULL",
    "JSON_ARRAY()",
    "JSON_OBJECT()",
    "JSON_ARRAY(DATE'2026-01-01', 1.0, X'00')",
    "JSON_OBJECT('', 1, 'é', TIME'12:00:00', 'a b', JSON_ARRAY(1.10))",
    "REPEAT('y', 300)",
    "REPEAT('😀', 70)",
)
KEYS = (
    "",
    "a",
    "b",
    "é",
    "a b",
    '"',
    "\\",
    "[0]",
    "$",
    "last",
    "1",
    "\n\x01",
    "中",
    "😀",
    "k" * 80,
)
MOST_CHANGES = 4


def update(source: random.Random, document: Any) -> str:
    """Return an expression that makes another document of the column `doc`."""
    function = source.choice(("JSON_SET", "JSON_SET", "JSON_REPLACE", "JSON_REMOVE"))
    places = [path for path, _ in json_model.places(document) if path]
    arguments = []
    for _ in range(source.randint(1, MOST_CHANGES)):
        path: json_model.Path = list(source.choice(places)) if places else []
        if function == "JSON_SET" and source.random() < 0.6:
            path = _new_place(source, document, path)
        if not path:
            continue
        arguments.append(_literal(_as_text(source, path)))
        if function != "JSON_REMOVE":
            arguments.append(_value(source))
    return f"{function}(doc, {', '.join(arguments)})" if arguments else "doc"


def _new_place(source: random.Random, document: Any, path: json_model.Path) -> json_model.Path:
    """Return a place in the container at a path, or next to what is there."""
    for leg in path:
        document = document[leg]
    if isinstance(document, dict):
        return [*path, source.choice(KEYS)]
    if isinstance(document, list):
        return [*path, len(document) + source.choice((0, 0, 1, 50))]
    return [*path[:-1], source.choice(KEYS)] if path and isinstance(path[-1], str) else path


def _as_text(source: random.Random, path: json_model.Path) -> str:
    """Return a path as text; cells are counted from the end at times, which the server logs so."""
    text = json_model.path_text(path)
    if isinstance(path[-1], int) and source.random() < 0.2:
        text = text[: text.rindex("[")] + source.choice(("[last]", "[last-1]", "[last-9]"))
    return text


def _value(source: random.Random) -> str:
    if source.random() < 0.6:
        return source.choice(TYPED_VALUES)
    if source.random() < 0.3:
        return str(source.randint(-(1 << 40), 1 << 40))
    letters = source.choices(source.choice((UTF8MB3, UTF8MB4)), k=source.randint(0, 20))
    return _literal("".join(letters))


def _literal(text: str) -> str:
    return f"CONVERT(X'{text.encode().hex()}' USING utf8mb4)" if text else "''"


def first_documents(source: random.Random, count: int) -> list[str]:
    """Return documents to begin with, with room in them for changes in place."""

    def document(depth: int) -> Any:
        if depth == 0 or source.random() < 0.2:
            return source.choice((1, 2.5, "text", "x" * 200, None, True, 1 << 40))
        if source.random() < 0.5:
            return [document(depth - 1) for _ in range(source.randint(1, 4))]
        return {key: document(depth - 1) for key in source.sample(KEYS, source.randint(1, 4))}

    return [
        # The last one is large: its offsets have four bytes.
        json.dumps({"pad": "p" * size, "tree": document(4), "list": [1, 2.0, "3", {"a": []}]})
        for size in [400] * (count - 1) + [70_000]
    ]
