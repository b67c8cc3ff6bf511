"""Names of transactions, as the servers print them."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from pyspark_adapter.errors import CorruptEventError
from pyspark_adapter.format.schema import GtidFieldName, parsing

_MAX_INT64: Final = (1 << 63) - 1


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


def length_of_transaction(body: Any) -> int | None:
    """Return the bytes of a transaction, as its GTID event says; None if it does not.

    Raises:
        CorruptEventError: if the number is cut or not valid.
    """
    with parsing("transaction length"):
        packed = getattr(body, "transaction_length", None)  # MariaDB has none
        return None if packed is None else _checked("transaction length", packed.value)


def _checked(what: str, number: int) -> int:
    if number > _MAX_INT64:
        raise CorruptEventError(f"{what} {number}: expected at most {_MAX_INT64}")
    return number


def read_tagged_gtid(body: Any) -> tuple[str, int, int]:
    """Return what a GTID_TAGGED event says of its transaction; raises CorruptEventError.

    Returns:
        (`uuid:tag:number`, immediate commit time in microseconds, length in bytes).
    """
    fields = {field.name: field.value for field in body.fields}
    with parsing("GTID_TAGGED_EVENT"):
        try:
            uuid = bytes(part.value for part in fields[GtidFieldName.source_uuid].bytes)
            tag = fields[GtidFieldName.tag].bytes.decode()
            gno = fields[GtidFieldName.gno].signed_value
            micros = fields[GtidFieldName.immediate_commit_timestamp].value
            num_bytes = fields[GtidFieldName.transaction_length].value
        except KeyError as error:
            raise CorruptEventError(f"GTID_TAGGED_EVENT: field {error} is missing") from error
    name = f"{UUID(bytes=uuid)}:{tag}:{gno}" if tag else format_mysql_gtid(uuid, gno)
    return name, _checked("commit time", micros), _checked("transaction length", num_bytes)
