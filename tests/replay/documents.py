"""Differences of JSON documents, applied by a server."""

from __future__ import annotations

import json
from typing import Any

from samples.truth import fetch_rows
from tests.truth.cells import Cell

# By name of a column: operations on its document, as `_json_diff` has them.
Differences = dict[str, list[dict[str, Any]]]
FUNCTIONS = {"replace": "JSON_REPLACE", "insert": "JSON_INSERT", "remove": "JSON_REMOVE"}


class DocumentPatcher:
    """Applies differences to the texts of documents, by the functions of MySQL."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def patch(self, document: Cell, operations: list[dict[str, Any]]) -> str:
        text = str(document)
        for operation in operations:
            path = operation["path"]
            function = FUNCTIONS[operation["op"]]
            if function == "JSON_INSERT" and path.endswith("]"):
                function = "JSON_ARRAY_INSERT"  # the elements after it move up
            values = [text, path]
            given = "CAST(%s AS JSON), %s"
            if function != "JSON_REMOVE":
                values.append(json.dumps(operation["value"], ensure_ascii=False))
                given += ", CAST(%s AS JSON)"
            [(text,)] = fetch_rows(
                self._connection, f"SELECT CAST({function}({given}) AS CHAR)", *values
            )
        return text
