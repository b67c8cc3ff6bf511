"""Random changes of random documents, logged as differences: the model says what comes of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pyspark_adapter.values.binary_json.text import decode_json
from pyspark_adapter.values.binary_json.tree import encode_tree, parse_tree
from tests.property.strategies import normal_json
from tests.support import encoders, json_model
from tests.support.log_writer import ABSENT, PARTIAL_UPDATE, LoggedColumn, LogWriter, Rows
from tests.support.log_writer import packed as lenenc
from tests.support.reading import PROFILE, read_rows

OPERATIONS = ("replace", "insert", "remove")
METADATA = ("_change_type", "_absent_columns", "_json_diff")

Draw = Callable[[st.SearchStrategy[Any]], Any]

KEYS = st.sampled_from(["", "a", "é", "a b", '"', "[0]", "😀", "last"]) | st.text(max_size=3)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)


def _new_key(members: dict[str, Any]) -> st.SearchStrategy[str]:
    return KEYS.filter(lambda key: key not in members)


@st.composite
def updates(draw: Draw) -> tuple[Any, list[tuple[str, json_model.Path, Any]], Any]:
    """Return a document, changes that can be made to it, and the document after them."""
    before = after = draw(DOCUMENTS)
    changes = []
    for _ in range(draw(st.integers(0, 5))):
        path, old = draw(st.sampled_from(json_model.places(after)))
        operation = draw(st.sampled_from(OPERATIONS))
        if operation == "insert" and isinstance(old, list):
            path = [*path, draw(st.integers(0, len(old) + 2))]
        elif operation == "insert" and isinstance(old, dict):
            path = [*path, draw(_new_key(old))]
        elif operation == "insert" or not path:
            operation = "replace"
        value = None if operation == "remove" else draw(DOCUMENTS)
        after = json_model.changed(after, operation, path, value)
        changes.append((operation, path, value))
    return before, changes, after


def differences(changes: list[tuple[str, json_model.Path, Any]], *, large: bool) -> bytes:
    """Return changes as they are logged."""
    data = b""
    for operation, path, value in changes:
        text = json_model.path_text(path).encode()
        data += bytes([OPERATIONS.index(operation)]) + lenenc(len(text)) + text
        if operation != "remove":
            document = encoders.json_document(value, large=large)
            data += lenenc(len(document)) + document
    return data


@PROFILE
@given(document=DOCUMENTS, large=st.booleans())
def test_a_tree_is_the_document(document: Any, large: bool) -> None:
    data = encoders.json_document(document, large=large)
    assert decode_json(encode_tree(parse_tree(data))) == decode_json(data)
    assert encode_tree(parse_tree(data)) == encoders.json_document(document)


@PROFILE
@given(data=st.data())
def test_documents_are_those_of_the_model(tmp_path: Path, data: Any) -> None:
    rows = data.draw(st.lists(updates() | st.none(), min_size=1, max_size=6))
    is_known = data.draw(st.booleans())
    large = data.draw(st.booleans())
    images: list[list[bytes | None]] = []
    options = []
    for i, row in enumerate(rows):
        key = encoders.integer(i, 4)
        if row is None:  # a whole document in a row of its own, and NULL before it
            images += [[key, None if is_known else ABSENT, key], [ABSENT, b"\2\0\0\0\4\1", key]]
            options.append(b"\0")
            continue
        before, changes, _ = row
        document = encoders.prefixed(encoders.json_document(before, large=large), 4)
        images.append([key, document if is_known else ABSENT, key])
        images.append([ABSENT, encoders.prefixed(differences(changes, large=large), 4), key])
        options.append(b"\1\xff")
    columns = [LoggedColumn("a", 3), LoggedColumn("doc", 245, b"\4"), LoggedColumn("b", 3)]
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", columns)
    present, after = [True, is_known, True], [False, True, True]
    writer.rows(9, Rows(PARTIAL_UPDATE, images, present, after, value_options=options))
    writer.commit()
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    batch_rows = data.draw(st.integers(2, 14))
    found = read_rows(log, metadata_columns=METADATA, batch_rows=batch_rows)
    assert len(found) == 2 * len(rows)
    for i, row in enumerate(rows):
        old, new = found[2 * i : 2 * i + 2]
        assert old["_json_diff"] is None
        if row is None:
            assert (old["doc"], new["doc"], new["_json_diff"]) == (None, "true", None)
            assert new["_absent_columns"] == ["a"]
            continue
        before, changes, wanted = row
        assert new["_absent_columns"] == (["a"] if is_known else ["a", "doc"])
        logged = [
            {"op": operation, "path": json_model.path_text(path)}
            | ({} if operation == "remove" else {"value": value})
            for operation, path, value in changes
        ]
        assert json.loads(new["_json_diff"]) == {"doc": logged}
        if is_known:
            assert normal_json(json.loads(old["doc"])) == normal_json(before)
            assert normal_json(json.loads(new["doc"])) == normal_json(wanted)
        else:
            assert new["doc"] is None
