"""The filter of a window and the one of a single transaction say the same."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_adapter.format.gtid import format_mariadb_gtid, format_mysql_gtid
from pyspark_adapter.kernels import layout as lay
from pyspark_adapter.kernels.layout import GtidKind, Transaction
from pyspark_adapter.options.binlog_options import BinlogOptions
from pyspark_adapter.scan.scanned_filter import ScannedFilter
from pyspark_adapter.sources.log_file import LogFile
from tests.support.reading import PROFILE

LOG = LogFile("/logs/binlog.000007", "binlog.000007", 7, 1000)
SECOND = 1_000_000

# Few values, so that they meet; halves of UUIDs with the sign bit among them.
HALVES = st.sampled_from([0, 1, (1 << 64) - 1, 1 << 63])
UUIDS = st.tuples(HALVES, HALVES).map(lambda pair: b"".join(h.to_bytes(8, "big") for h in pair))
NUMBERS = st.one_of(st.integers(1, 12), st.sampled_from([2**63 - 2, 2**63 - 3]))
SEQ_NOS = st.one_of(st.integers(0, 12), st.sampled_from([2**63, 2**64 - 1]))
SMALL = st.sampled_from([0, 1, 2**32 - 1])
TAGS = st.sampled_from(["", "a", "b_1"])


@st.composite
def transactions(draw: st.DrawFn) -> tuple[list[int], str | None]:
    """Give the fields of a transaction, A left open for a tagged one, and its GTID."""
    kind = draw(st.sampled_from([GtidKind.NONE, GtidKind.MYSQL, GtidKind.MARIADB, GtidKind.TAGGED]))
    fields = [0] * lay.NUM_TRANSACTION_FIELDS
    fields[Transaction.START_POS] = draw(st.integers(4, 12))
    fields[Transaction.COMMIT_MICROS] = draw(st.integers(0, 6)) * SECOND // 2
    fields[Transaction.GTID_KIND] = kind
    if kind == GtidKind.NONE:
        return fields, None
    if kind == GtidKind.MARIADB:
        domain, server, seq_no = draw(SMALL), draw(SMALL), draw(SEQ_NOS)
        parts: tuple[int, int, int] = (domain, server, seq_no)
        gtid = format_mariadb_gtid(*parts)
    else:
        uuid, gno, tag = draw(UUIDS), draw(NUMBERS), draw(TAGS)
        gtid = format_mysql_gtid(uuid, gno)
        if kind == GtidKind.TAGGED:
            return fields, gtid.replace(":", f":{tag}:") if tag else gtid
        parts = int.from_bytes(uuid[:8], "big"), int.from_bytes(uuid[8:], "big"), gno
    for field, part in zip(
        (Transaction.GTID_A, Transaction.GTID_B, Transaction.GTID_C), parts, strict=True
    ):
        fields[field] = part - (1 << 64) if part >> 63 else part  # as int64 has its bits
    return fields, gtid


@st.composite
def gtid_texts(draw: st.DrawFn) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        first, more = draw(st.integers(1, 10)), draw(st.integers(0, 5))
        if draw(st.booleans()):
            parts.append(f"{draw(SMALL)}-{draw(SMALL)}-{first}-{first + more}")
            parts.append(f"{draw(SMALL)}-{draw(SMALL)}-{draw(SEQ_NOS)}")
        else:
            source = format_mysql_gtid(draw(UUIDS), first)
            tag = draw(TAGS)
            source = source.replace(":", f":{tag}:") if tag else source
            parts.append(f"{source}-{first + more}:{draw(NUMBERS)}")
    return ",".join(parts)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "starting_position": st.builds("binlog.00000{}:{}".format, *[st.integers(6, 8)] * 2),
        "ending_position": st.builds("binlog.00000{}:{}".format, *[st.integers(6, 8)] * 2),
        "starting_timestamp": st.sampled_from(["0", "1.5", "1970-01-01T00:00:02Z", "9999-12-31"]),
        "ending_timestamp": st.sampled_from(["0", "1.5", "1970-01-01T00:00:02Z", "0001-01-01"]),
        "include_gtids": gtid_texts(),
        "exclude_gtids": gtid_texts(),
    },
)


@settings(PROFILE, max_examples=300)
@given(found=st.lists(transactions(), min_size=1, max_size=8), options=OPTIONS)
def test_a_window_is_filtered_as_one_transaction(
    found: list[tuple[list[int], str | None]], options: dict[str, Any]
) -> None:
    row_filter = ScannedFilter(BinlogOptions(**options), LOG)
    tagged: list[str] = []
    for fields, gtid in found:
        if fields[Transaction.GTID_KIND] == GtidKind.TAGGED:
            assert gtid is not None
            fields[Transaction.GTID_A] = len(tagged)
            tagged.append(gtid)
    table = np.array([fields for fields, _ in found], dtype=np.int64).T.copy()
    expected = [
        row_filter.keeps_transaction(
            fields[Transaction.START_POS], fields[Transaction.COMMIT_MICROS], gtid
        )
        for fields, gtid in found
    ]
    assert row_filter.transactions(table, tagged).tolist() == expected
    if row_filter.keeps_all_transactions:
        assert all(expected)
    if row_filter.keeps_none:
        assert not any(expected)
