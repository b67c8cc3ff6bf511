"""Errors for events, without a site, and for logs that are damaged, misplaced or not supported."""

from __future__ import annotations

from typing import Final

from pyspark_adapter.errors import (
    CorruptEventError,
    NotABinlogError,
    ServerError,
    TruncatedEventError,
    UnsupportedError,
)
from pyspark_adapter.format.event_types import NEVER_IN_PAYLOAD, TRAITS
from pyspark_adapter.format.header import IGNORABLE, LEN_HEADER, MAGIC
from pyspark_adapter.format.schema import EventType, FormatDescription
from pyspark_adapter.sources.encrypted_log import ENCRYPTED_MAGIC
from pyspark_adapter.sources.log_file import ENGINE_MAGIC, LogFile

LARGER_EVENTS: Final = (
    "if the log is whole (mysqlbinlog --verify-binlog-checksum), raise that limit"
)


def length_error(least: int, found: int) -> CorruptEventError:
    """Return the error for an event that is too short for its header and checksum."""
    return CorruptEventError(f"expected an event length of at least {least} bytes, found {found}")


def check_length(len_event: int, max_event_bytes: int, len_header: int = LEN_HEADER) -> None:
    """Check that an event has room for its header and is not larger than allowed.

    Raises:
        CorruptEventError: if it is not so.
    """
    if len_event < len_header:
        raise length_error(len_header, len_event)
    if len_event > max_event_bytes:
        raise CorruptEventError(
            f"event of {len_event} bytes: expected at most {max_event_bytes} (option"
            " maxEventBytes)",
            advice=LARGER_EVENTS,
        )


def check_inner_header(type_code: int, len_event: int, max_event_bytes: int) -> None:
    """Check the header of an event within a compressed transaction; raises CorruptEventError."""
    check_length(len_event, max_event_bytes)
    if TRAITS[type_code] & NEVER_IN_PAYLOAD:
        raise CorruptEventError("an event of this type cannot be within a compressed transaction")


def check_end_of_database(body: bytes | memoryview, len_text: int) -> None:
    """Check that the name of the database before the text of a statement ends in a zero byte.

    Raises:
        CorruptEventError: if it does not.
    """
    if len(body) <= len_text or body[-len_text - 1] != 0:
        raise CorruptEventError("expected a zero byte between the database and the statement")


def inner_end_error(needed: int, found: int) -> CorruptEventError:
    """Return the error for a compressed transaction that ends inside an event or its header."""
    return CorruptEventError(
        f"the compressed transaction ends inside an event: expected {needed} bytes, found {found}"
    )


def cut_error(what: str, needed: int, found: int) -> TruncatedEventError:
    """Return the error for a file that ends inside an event or its header."""
    return TruncatedEventError(
        f"the file ends inside {what}: expected {needed} bytes, found {found}",
        needed=needed,
        available=found,
    )


def split_error(stop: int) -> CorruptEventError:
    """Return the error for an event or transaction that goes beyond the split of its log."""
    return CorruptEventError(
        f"the log was split at {stop}, inside what begins here: it is damaged, or has changed"
        " since",
        advice="copy the log again, or read it in one task: option maxPartitionBytes of its size",
    )


def open_transaction_error() -> TruncatedEventError:
    """Return the error for a log that ends inside a transaction, after rows of it."""
    return TruncatedEventError(
        "the file ends inside the transaction that begins here: expected its XID, COMMIT or"
        " ROLLBACK; its rows were not committed",
        needed=LEN_HEADER,
        available=0,
    )


def check_supported(type_code: int, flags: int = 0) -> None:
    """Refuse events after which the rest of a log cannot be read.

    Args:
        flags: of its header. A server that sends its encrypted log decrypts it, and flags the event
            that begins encryption as one to ignore.

    Raises:
        UnsupportedError: if the event is one of them.

    Source: `send_format_descriptor_event` of the server's `sql/sql_repl.cc`, MariaDB 11.8.
    """
    if type_code == EventType.start_v3:
        raise UnsupportedError(
            "a log of MySQL 4.1 or older begins here, within one of binlog version 4"
        )
    if type_code == EventType.start_encryption and not flags & IGNORABLE:
        raise UnsupportedError(
            "the events from here on are encrypted (encrypt_binlog=ON, MariaDB 10.1.7 and later)",
            advice="give the path of the server's key file in option keyring",
        )


def check_magic(log_file: LogFile, magic: bytes) -> None:
    """Check the first bytes of a log.

    Raises:
        NotABinlogError: if a binary log does not begin so.
        UnsupportedError: if the log is encrypted.
    """
    if magic == ENCRYPTED_MAGIC:
        raise UnsupportedError(
            "the log is encrypted (binlog_encryption=ON, MySQL 8.0.14 and later)",
            site=log_file.site,
            advice="give the path of the server's key file in option keyring, or read from the"
            " server (option host)",
        )
    if magic == ENGINE_MAGIC:
        raise UnsupportedError(
            "is an engine binlog of MariaDB (binlog_storage_engine=innodb), and its name or place"
            " says nothing of the others of its folder",
            site=log_file.site,
            advice="give its folder, with all files as the server named them: binlog-000000.ibb",
        )
    if magic != MAGIC:
        found = f"found {magic.hex(' ')}" if magic else "the file is empty"
        raise NotABinlogError(
            f"is not a binary log: expected the bytes {MAGIC.hex(' ')} first, {found}",
            site=log_file.site,
            advice=None
            if magic
            else "copy the log again; option ignoreCorruptFiles skips such files",
        )


def check_first(type_code: int) -> None:
    """Check the type of the first event of a log of binlog version 4.

    Raises:
        UnsupportedError: from `check_supported`.
        CorruptEventError: if it is another than a format description.
    """
    if type_code != EventType.format_description:
        check_supported(type_code)
        raise CorruptEventError("expected a format description as the first event")


def check_within_old_log(type_code: int) -> None:
    """Check the type of an event of a log of binlog version 1 or 3, which holds only statements.

    Raises:
        CorruptEventError: if the type is of a later version; what it holds would be lost.
    """
    if type_code >= EventType.format_description:
        raise CorruptEventError("an event that logs of MySQL 4.1 and older do not have")


def check_rows_visible(description: FormatDescription | None) -> None:
    """Refuse logs whose events may hold rows in a form that is not read; raises UnsupportedError.

    Args:
        description: the format description in force; for a format description itself.
    """
    if description is not None and description.has_old_type_codes:
        raise UnsupportedError(
            f"server {description.server_version}: a development tree of MySQL 5.1 or 5.2, whose"
            " rows events have other numbers"
        )


def gtid_error(gtid: str) -> ServerError:
    """Return the error for a transaction between two offsets that their GTIDs do not tell."""
    return ServerError(
        f"the batch has the transaction {gtid} by the positions of its offsets, and not by their"
        " GTIDs: after a failover it would come twice, or not at all",
        advice="remove the last file of the checkpoint's folder offsets, and its hidden .crc file"
        " if any, unless the folder commits has that file, too: the batch is planned again",
    )
