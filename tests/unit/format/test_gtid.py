"""Names of transactions, by `events.md`, "GTID family (MySQL)", and as the servers' tools print."""

from io import BytesIO
from typing import Any

import pytest
from kaitaistruct import KaitaiStream
from mysql_binlog import MysqlBinlog

from pyspark_adapter import read_batches
from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.format.gtid import format_mariadb_gtid, format_mysql_gtid, read_tagged_gtid
from pyspark_adapter.format.schema import GtidFieldName
from tests.inputs import ROOT, SAMPLES, sample_path

UUID_BYTES = bytes.fromhex("3e11fa47 71ca 11e1 9e33 c80aa9429562")
UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562"


@pytest.mark.parametrize("gno", [1, 23, 2**63 - 2])
def test_mysql_gtid(gno: int) -> None:
    assert format_mysql_gtid(UUID_BYTES, gno) == f"{UUID}:{gno}"


def test_uuid_keeps_its_zeros() -> None:
    assert format_mysql_gtid(bytes(16), 1) == "00000000-0000-0000-0000-000000000000:1"


@pytest.mark.parametrize(
    ("domain_id", "server_id", "seq_no"), [(0, 1, 1), (2**32 - 1, 2**32 - 1, 2**64 - 1)]
)
def test_mariadb_gtid(domain_id: int, server_id: int, seq_no: int) -> None:
    assert format_mariadb_gtid(domain_id, server_id, seq_no) == f"{domain_id}-{server_id}-{seq_no}"


class Parsed:
    """A part of a parsed event: what it is made of, as attributes."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)


def tagged(
    tag: str, *, without: int | None = None, micros: int = 1795192401311917, length: int = 279
) -> Any:
    """Return the body of a GTID_TAGGED event, perhaps without one of its fields."""
    fields = {
        GtidFieldName.source_uuid: Parsed(bytes=[Parsed(value=byte) for byte in UUID_BYTES]),
        GtidFieldName.gno: Parsed(signed_value=42),
        GtidFieldName.tag: Parsed(bytes=tag.encode()),
        GtidFieldName.immediate_commit_timestamp: Parsed(value=micros),
        GtidFieldName.transaction_length: Parsed(value=length),
    }
    return Parsed(
        fields=[Parsed(name=name, value=value) for name, value in fields.items() if name != without]
    )


def test_tagged_gtid_has_its_tag_and_commit_time() -> None:
    assert read_tagged_gtid(tagged("blue_1")) == (f"{UUID}:blue_1:42", 1795192401311917, 279)
    with pytest.raises(CorruptEventError, match=r"length 9223372036854775808: expected at most"):
        read_tagged_gtid(tagged("", length=1 << 63))
    with pytest.raises(CorruptEventError, match=r"commit time 9223372036854775808: expected at"):
        read_tagged_gtid(tagged("", micros=1 << 63))


def test_empty_tag_is_left_out() -> None:
    assert read_tagged_gtid(tagged(""))[0] == f"{UUID}:42"


@pytest.mark.parametrize(
    "name",
    [
        GtidFieldName.source_uuid,
        GtidFieldName.gno,
        GtidFieldName.tag,
        GtidFieldName.immediate_commit_timestamp,
        GtidFieldName.transaction_length,
    ],
)
def test_field_that_is_missing_is_named(name: Any) -> None:
    with pytest.raises(CorruptEventError, match=f"{name.name}.* is missing"):
        read_tagged_gtid(tagged("blue", without=name))


def test_a_tag_that_is_no_text_is_named() -> None:
    body = tagged("blue")
    [tag] = [field for field in body.fields if field.name == GtidFieldName.tag]
    tag.value = MysqlBinlog.VlintStr(KaitaiStream(BytesIO(bytes.fromhex("02ff"))))
    with pytest.raises(CorruptEventError, match=r"^GTID_TAGGED_EVENT: a name is not UTF-8"):
        read_tagged_gtid(body)


def test_a_byte_of_the_uuid_is_below_256() -> None:
    body = tagged("blue")
    body.fields[0].value.bytes[0].value = 256
    with pytest.raises(CorruptEventError, match=r"^GTID_TAGGED_EVENT: .*range\(0, 256\)"):
        read_tagged_gtid(body)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("mysql-9.7-tagged-gtids", "SESSION.GTID_NEXT= '", "'"),
        ("mysql-9.7-transactions", "SESSION.GTID_NEXT= '", "'"),
        ("mariadb-11.8-transactions", "GTID ", " "),
    ],
)
def test_gtids_are_those_that_the_tool_prints(name: str, before: str, after: str) -> None:
    text = (ROOT / SAMPLES[name]["golden"]).read_text()
    printed = [part.split(after)[0] for part in text.split(before)[1:]]
    given = [
        gtid
        for batch in read_batches(sample_path(name), metadata_columns="_gtid")
        for gtid in batch.column("_gtid").to_pylist()
    ]
    distinct = list(dict.fromkeys(given))
    assert len(distinct) > 1
    assert distinct == [gtid for gtid in dict.fromkeys(printed) if gtid in set(distinct)]
