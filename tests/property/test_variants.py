"""The kernels make of any documents what plain Python makes of each."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql.variant_utils import VariantUtils

from pyspark_adapter import CorruptEventError, read_batches
from pyspark_adapter.values.binary_json.variant import encode_variant
from tests.property.test_partial_updates import DOCUMENTS, KEYS
from tests.support import encoders
from tests.support.log_writer import WRITE_V2, LoggedColumn, LogWriter, Rows
from tests.support.reading import PROFILE

# What the kernels leave to Python: a date, a decimal, a document of no bytes.
LEFT_TO_PYTHON = st.sampled_from(
    [bytes.fromhex("0f 0a 08 00 00 00 00 00 68 bb 19"), bytes.fromhex("0f f6 04 03 02 81 32"), b""]
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


def encoded(large: bool) -> st.SearchStrategy[bytes]:
    """Return documents as the server stores them."""
    documents = DOCUMENTS | ALIKE | ALIKE | WIDE | LONG | KEYS.map(lambda key: [{key: [key]}])
    small = documents.filter(lambda document: len(repr(document)) < 10_000)
    chosen = documents if large else small
    return chosen.map(lambda document: encoders.json_document(document, large=large))


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
def test_kernels_make_what_python_makes(tmp_path: Path, data: Any) -> None:
    large = data.draw(st.booleans())
    one = encoded(large) | LEFT_TO_PYTHON | st.none()
    documents = data.draw(st.lists(one, min_size=1, max_size=12))
    log = write_documents(tmp_path / "log.000001", documents)
    found: list[Any] = []
    options: dict[str, Any] = {"table": "d.t", "json": "variant"}
    for batch in read_batches(log, batch_rows=data.draw(st.integers(2, 12)), **options):
        batch.validate(full=True)
        found += batch.column("doc").to_pylist()
    assert found == [
        None if document is None else encode_variant(document)._asdict() for document in documents
    ]


@PROFILE
@given(data=st.data())
def test_damaged_documents_end_alike(tmp_path: Path, data: Any) -> None:
    good = data.draw(encoded(large=False).filter(lambda document: len(document) > 4))
    place = data.draw(st.integers(0, len(good) - 1))
    bad = good[:place] + bytes([data.draw(st.integers(0, 255))]) + good[place + 1 :]
    log = write_documents(tmp_path / "log.000001", [good, bad, good])
    found: list[Any] = []
    try:
        for batch in read_batches(log, table="d.t", json="variant"):
            found += batch.column("doc").to_pylist()
    except CorruptEventError:
        found.append(None)
    wanted: list[Any] = []
    try:
        wanted.extend(encode_variant(document)._asdict() for document in (good, bad, good))
    except CorruptEventError:
        wanted.append(None)
    assert found == wanted


@PROFILE
@given(data=st.data())
def test_rows_with_several_documents_hold_each(tmp_path: Path, data: Any) -> None:
    """Of a row as VARIANT: its documents share one list of keys."""
    one = (DOCUMENTS | ALIKE | WIDE | KEYS.map(lambda key: [{key: [key]}])) | st.none()
    rows = data.draw(st.lists(st.tuples(one, one, one), min_size=1, max_size=6))
    writer = LogWriter()
    writer.begin()
    columns = [LoggedColumn(name, 245, b"\4") for name in ("b", "doc", "a")]
    writer.table_map(9, "t", columns)
    images: list[list[bytes | None]] = [
        [None if d is None else encoders.prefixed(encoders.json_document(d), 4) for d in documents]
        for documents in rows
    ]
    writer.rows(9, Rows(WRITE_V2, images, [True] * 3))
    writer.commit()
    log = tmp_path / "log.000001"
    log.write_bytes(writer.data)
    found = []
    for batch in read_batches(log, row="variant"):
        batch.validate(full=True)
        found += [VariantUtils.to_python(**row) for row in batch.column("row").to_pylist()]
    assert repr(found) == repr(
        [
            # As the documents are alone, their members in order.
            {name: rebuilt(documents[i]) for i, name in ((2, "a"), (0, "b"), (1, "doc"))}
            for documents in rows
        ]
    )


def rebuilt(document: Any) -> Any:
    """Return a document as PySpark returns it, alone."""
    return VariantUtils.to_python(*encode_variant(encoders.json_document(document)))
