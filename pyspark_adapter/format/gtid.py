"""Names of transactions, as the servers print them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.format.schema import GtidFieldName


def format_mysql_gtid(source_uuid: bytes, gno: int) -> str:
    """Return `uuid:number`.

    >>> format_mysql_gtid(bytes(range(16)), 42)
    '00010203-0405-0607-0809-0a0b0c0d0e0f:42'
    """
    return f"{UUID(bytes=source_uuid)}:{gno}"


def format_mariadb_gtid(domain_id: int, server_id: int, seq_no: int) -> str:
    """Return `domain-server-sequence`.

    >>> format_mariadb_gtid(0, 1, 42)
    '0-1-42'
    """
    return f"{domain_id}-{server_id}-{seq_no}"


def format_tagged_gtid(body: Any) -> tuple[str, int]:
    """Return (`uuid:tag:number`, immediate commit time in microseconds) of a GTID_TAGGED event.

    Raises:
        CorruptEventError: if the event lacks one of their fields.
    """
    fields = {field.name: field.value for field in body.fields}
    try:
        uuid = bytes(part.value for part in fields[GtidFieldName.source_uuid].bytes)
        tag = fields[GtidFieldName.tag].text
        gno = fields[GtidFieldName.gno].signed_value
        micros = fields[GtidFieldName.immediate_commit_timestamp].value
    except KeyError as error:
        raise CorruptEventError(f"GTID_TAGGED_EVENT: field {error} is missing") from error
    except ValueError as error:
        raise CorruptEventError(
            f"GTID_TAGGED_EVENT: a byte of the UUID is out of range: {error}"
        ) from error
    name = f"{UUID(bytes=uuid)}:{tag}:{gno}" if tag else f"{UUID(bytes=uuid)}:{gno}"
    return name, micros
