"""Connection, statement and transaction length of each change, as the official tools print them."""

import re
from collections.abc import Iterator
from itertools import groupby

import pyarrow as pa
import pytest

from pyspark_adapter import read_batches
from pyspark_adapter.plan.output_schema import METADATA_BY_NAME
from tests.golden.test_tool_text import golden_text
from tests.inputs import SAMPLES, UNREADABLE, sample_path
from tests.truth.tool_text import split_events

COLUMNS = ("_thread_id", "_query", "_transaction_bytes")
# These alone, so that values of all types are passed over.
SCHEMA = pa.schema([(name, METADATA_BY_NAME[name].arrow_type) for name in COLUMNS])
MOST_BYTES = 4096
# Their rows have values whose width is not logged.
OLD = {"mariadb-10.11-old-temporals", "mariadb-10.11-old-fractions"}
# Thread, statement and length.
Origin = tuple[int | None, str | None, int | None]


def printed_origins(text: bytes) -> Iterator[Origin]:
    """Yield what the tool prints of each rows event."""
    thread_id, num_bytes, query = None, None, None
    for section in split_events(text):
        kind, detail, lines = section.event.event_type_text, section.event.detail, section.lines
        if "GTID" in kind:
            thread_id, num_bytes, query = None, None, None
            if match := re.search(r"transaction_length=(\d+)", detail):
                num_bytes = int(match[1]) or None  # 0 where the log has none
        begins = "GTID" in kind or any(line.startswith((b"BEGIN", b"XA START")) for line in lines)
        if begins and (match := re.search(r"thread_id=(\d+)", detail)):
            thread_id = int(match[1])
        if kind in ("Rows_query", "Annotate_rows"):
            texts = [re.sub(rb"^(#Q> |# )", b"", line) for line in lines if line.startswith(b"#")]
            query = b"\n".join(texts).decode()
            if len(query) > MOST_BYTES:
                query = f"{query[:MOST_BYTES]}... ({len(query)} bytes)"
        if re.match(r"(Write|Update|Delete)_(compressed_)?rows", kind):
            yield thread_id, query, num_bytes
            if "STMT_END_F" in detail:
                query = None


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - UNREADABLE - OLD))
def test_changes_have_the_origin_that_the_tool_prints(name: str) -> None:
    printed = [origin for origin, _ in groupby(printed_origins(golden_text(SAMPLES[name])))]
    given = [
        origin
        for batch in read_batches(sample_path(name), schema=SCHEMA)
        for origin in zip(*(batch.column(c).to_pylist() for c in COLUMNS), strict=True)
    ]
    assert [origin for origin, _ in groupby(given)] == printed


def test_samples_have_origins_of_each_kind() -> None:
    origins = [o for e in SAMPLES.values() for o in printed_origins(golden_text(e))]
    for values in zip(*origins, strict=True):
        assert None in values
        assert len(set(values)) > 3
