"""PySpark reads of any documents as VARIANT what was written, and of no damaged ones."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql.variant_utils import VariantUtils

from pyspark_adapter import CorruptEventError, read_batches
from pyspark_adapter.values.binary_json.text import decode_json
from pyspark_adapter.values.binary_json.tree import parse_tree
from tests.property.test_partial_updates import DOCUMENTS, KEYS
from tests.support import encoders
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.reading import PROFILE
from tests.support.variants import repr_of

# A document as the server stores it, and `repr_of` of its value.
Case = tuple[bytes, str]
# No types of JSON, and a document of no bytes.
RARE = st.sampled_from(
    [
        (bytes.fromhex("0f 0a 08 00 00 00 00 00 68 bb 19"), repr(date(2026, 11, 20))),
        (bytes.fromhex("0f f6 04 03 02 81 32"), "1"),  # 1.50 without its fraction
        (b"", "None"),
    ]
)
# Documents of one shape, as those of a table mostly are; and wide ones.
ALIKE = st.fixed_dictionaries(
    {"id": st.integers(-(1 << 40), 1 << 40), "é": st.text(max_size=70), "": st.booleans()},
    optional={"tags": st.lists(st.fixed_dictionaries({"b": st.none(), "a": st.floats(-1, 1)}))},
)
WIDE = st.integers(200, 700).map(
    lambda count: {f"{number * 7919 % count}": "x" * (number % 5) for number in range(count)}
)
LONG = st.integers(0, 300).map(lambda count: [list(range(count)), ["y" * count * 300]])


def encoded(large: bool) -> st.SearchStrategy[Case]:
    """Return documents."""
    documents = DOCUMENTS | ALIKE | ALIKE | WIDE | LONG | KEYS.map(lambda key: [{key: [key]}])
    small = documents.filter(lambda document: len(repr(document)) < 10_000)
    chosen = documents if large else small
    return chosen.map(lambda d: (encoders.json_document(d, large=large), repr_of(d)))


def write_documents(path: Path, documents: list[bytes | None]) -> Path:
    """Write a log that inserts documents into `d.t`."""
    writer = LogWriter()
    writer.begin()
    writer.table_map(9, "t", [LoggedColumn("id", 3), LoggedColumn("doc", 245, b"\4")])
    images = [
        [encoders.integer(i, 4), None if data is None else encoders.prefixed(data, 4)]
        for i, data in enumerate(documents)
    ]
    writer.rows(9, Rows(WRITE_V2, images, [True, True]))
    writer.commit()
    path.write_bytes(writer.data)
    return path


@PROFILE
@given(data=st.data())
def test_any_documents(tmp_path: Path, data: Any) -> None:
    large = data.draw(st.booleans())
    one = encoded(large) | RARE | st.none()
    cases = data.draw(st.lists(one, min_size=1, max_size=12))
    log = write_documents(tmp_path / "log.000001", [case and case[0] for case in cases])
    found: list[Any] = []
    options: dict[str, Any] = {"table": "d.t", "json": "variant"}
    for batch in read_batches(log, batch_rows=data.draw(st.integers(2, 12)), **options):
        batch.validate(full=True)
        found += batch.column("doc").to_pylist()
    assert [row and in_python(row) for row in found] == [case and case[1] for case in cases]


def in_python(variant: dict[str, bytes]) -> str:
    return repr_of(VariantUtils.to_python(**variant))


@PROFILE
@given(data=st.data())
def test_damaged_documents_are_errors(tmp_path: Path, data: Any) -> None:
    good, value = data.draw(encoded(large=False).filter(lambda case: len(case[0]) > 4))
    place = data.draw(st.integers(0, len(good) - 1))
    bad = good[:place] + bytes([data.draw(st.integers(0, 255))]) + good[place + 1 :]
    log = write_documents(tmp_path / "log.000001", [good, bad, good])
    found: list[Any] = []
    try:
        for batch in read_batches(log, table="d.t", json="variant"):
            found += batch.column("doc").to_pylist()
    except CorruptEventError:
        found.append(None)
    texts = [row and in_python(row) for row in found]
    try:
        parse_tree(bad)
        of_bad = json.loads(decode_json(bad))
    except CorruptEventError:
        assert texts == [value, None]
        return
    assert texts[::2] == [value] * 2
    assert b"\x0f" in bad or texts[1] == repr_of(of_bad)


@PROFILE
@given(data=st.data())
def test_rows_with_several_documents_hold_each(tmp_path: Path, data: Any) -> None:
    """Of a row as VARIANT: its documents share one list of keys."""
    one = (DOCUMENTS | ALIKE | WIDE | KEYS.map(lambda key: [{key: [key]}])) | st.none()
    rows = data.draw(st.lists(st.tuples(one, one, one), min_size=1, max_size=6))
    writer = LogWriter()
    writer.begin()
    names = ("b", "doc", "a")
    writer.table_map(9, "t", [LoggedColumn(name, 245, b"\4") for name in names])
    images: list[list[bytes | None]] = [
        [None if d is None else encoders.prefixed(encoders.json_document(d), 4) for d in documents]
        for documents in rows
    ]
    writer.rows(9, Rows(WRITE_V2, images, [True] * 3))
    writer.commit()
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    found: list[str] = []
    for batch in read_batches(log, row="variant"):
        batch.validate(full=True)
        found += map(in_python, batch.column("row").to_pylist())
    assert found == [repr_of(dict(zip(names, documents, strict=True))) for documents in rows]
