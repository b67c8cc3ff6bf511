"""GTIDs of MySQL and of MariaDB."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from tests.corpus.logs import Pair
from tests.corpus.session import Session
from tests.corpus.tally import Place, Tally
from tests.truth.tool_text import Flavor

TAGGED = 42
UNKNOWN_VERSION = 999999
ANONYMOUS = 34
START_ALTER, COMMIT_ALTER, ROLLBACK_ALTER = 2, 4, 8
NUMBER = re.compile(rb"# (original|immediate)_commit_timestamp=(\d+) \(.*\)")
VERSION = re.compile(rb"/\*!80014 SET @@session\.(\w+_server_version)=(\d+)\*//\*!\*/;")
MARIADB = re.compile(
    r"(\d+-\d+-\d+)((?: [a-z_]+(?:=\d+)?)*?)( START ALTER| (?:COMMIT|ROLLBACK) ALTER id= \d+)?"
    r"((?: [a-z_]+=\d+)*)\s*"
)


def untagged_fields(body: Any) -> dict[str, Any]:
    """Return the fields of a GTID by name."""
    found: dict[str, Any] = {
        "gtid": f"{UUID(bytes=bytes(body.source_uuid))}:{body.gno}",
        "may_have_statements": body.may_have_statements,
    }
    if body.has_logical_timestamps:
        found["last_committed"] = body.last_committed
        found["sequence_number"] = body.sequence_number
    if body.has_commit_timestamps:
        immediate = body.immediate_commit_timestamp
        original = body.original_commit_timestamp if immediate.is_followed else immediate
        found["immediate_commit_timestamp"] = immediate.micros
        found["original_commit_timestamp"] = original.micros
    if body.transaction_length is not None:
        found["transaction_length"] = body.transaction_length.value
    if body.immediate_server_version is not None:
        immediate = body.immediate_server_version
        original = body.original_server_version if immediate.is_followed else immediate
        found["immediate_server_version"] = immediate.version
        found["original_server_version"] = original.version
    return found


def tagged_fields(body: Any) -> dict[str, Any]:
    """Return the fields of a GTID with a tag by name."""
    fields = {field.name.name: field.value for field in body.fields}
    uuid = UUID(bytes=bytes(byte.value for byte in fields["source_uuid"].bytes))
    found: dict[str, Any] = {
        "gtid": f"{uuid}:{fields['tag'].text}:{fields['gno'].signed_value}",
        "may_have_statements": bool(fields["flags"].value & 1),
        "last_committed": fields["last_committed"].signed_value,
        "sequence_number": fields["sequence_number"].signed_value,
    }
    found["transaction_length"] = fields["transaction_length"].value
    for name in ("commit_timestamp", "server_version"):
        immediate = fields[f"immediate_{name}"]
        found[f"immediate_{name}"] = immediate.value
        found[f"original_{name}"] = fields.get(f"original_{name}", immediate).value
    return found


def compare_printed(
    printed: dict[str, Any], parsed: dict[str, Any], tally: Tally, at: Place
) -> None:
    """Compare the fields that the tool prints.

    It prints 0 for those that the event lacks, and from MySQL 8.0.2 on 999999 for no version.
    """
    has_versions = "transaction_length" in parsed
    for name, value in printed.items():
        absent = UNKNOWN_VERSION if name.endswith("version") and has_versions else 0
        tally.check(f"gtid.{name}", at, value, parsed.get(name, absent))


def compare_gtid(pair: Pair, tally: Tally, _session: Session, _flavor: Flavor) -> None:
    place, body = pair.place, pair.event.body
    parsed = tagged_fields(body) if pair.event.event_type == TAGGED else untagged_fields(body)
    words = dict(word.split("=") for word in pair.section.detail.split())
    original = "original_committed_timestamp"
    printed: dict[str, Any] = {
        {original: "original_commit_timestamp"}.get(name, name): int(value)
        for name, value in words.items()
        if value.isdigit()
    }
    is_anonymous = pair.event.event_type == ANONYMOUS
    gtid = "ANONYMOUS" if is_anonymous else parsed["gtid"]
    tally.check("gtid.gtid", place, pair.section.event.gtid, gtid)
    if is_anonymous:
        tally.check("gtid.anonymous", place, parsed["gtid"], f"{UUID(int=0)}:0")
    if "rbr_only" in words:
        is_rows_only = words["rbr_only"] == "yes"
        tally.check("gtid.rbr_only", place, is_rows_only, not parsed["may_have_statements"])
    compare_printed(printed, parsed, tally, place)
    again: dict[str, Any] = {}
    for line in pair.section.lines:
        if found := NUMBER.fullmatch(line):
            again[f"{found[1].decode()}_commit_timestamp"] = int(found[2])
        elif found := VERSION.fullmatch(line):
            again[found[1].decode()] = int(found[2])
    compare_printed(again, parsed, tally, place)


def alter_text(body: Any) -> str:
    """Return the part of an ALTER TABLE that a GTID of MariaDB begins."""
    flags = body.flags_extra if body.has_flags_extra else 0
    if flags & START_ALTER:
        return "START ALTER"
    if flags & COMMIT_ALTER:
        return f"COMMIT ALTER id= {body.start_alter_seq_no}"
    return f"ROLLBACK ALTER id= {body.start_alter_seq_no}" if flags & ROLLBACK_ALTER else ""


def compare_mariadb_gtid(pair: Pair, tally: Tally, session: Session, _flavor: Flavor) -> None:
    place, event, body = pair.place, pair.event, pair.event.body
    found = MARIADB.fullmatch(pair.section.detail)
    assert found is not None, pair.section.detail
    gtid = f"{body.domain_id}-{event.server_id}-{body.seq_no}"
    tally.check("mariadb_gtid.gtid", place, found[1], gtid)
    words = {*found[2].split(), *found[4].split()}
    tally.check("mariadb_gtid.alter", place, (found[3] or "").strip(), alter_text(body))
    if body.has_commit_id:
        tally.check("mariadb_gtid.commit_id", place, f"cid={body.commit_id}" in words, True)
    flags = {"trans": body.is_transactional, "ddl": body.is_ddl, "waited": body.was_waiting}
    for word, value in flags.items():
        tally.check(f"mariadb_gtid.{word}", place, word in words, value)
    thread_id = getattr(body, "thread_id", None)
    printed = next((word[10:] for word in words if word.startswith("thread_id=")), None)
    tally.check(
        "mariadb_gtid.thread_id", place, printed, None if thread_id is None else str(thread_id)
    )
    count = session.read_preface(pair.section.lines)
    for name, value in (
        ("gtid_domain_id", body.domain_id),
        ("server_id", event.server_id),
        ("gtid_seq_no", body.seq_no),
        ("skip_parallel_replication", int(not body.allows_parallel)),
    ):
        tally.check(f"mariadb_gtid.{name}", place, session.variables.get(name), str(value))
    rest = [line for line in pair.section.lines[count:] if line]
    if body.is_prepared_xa:
        xid = body.xid
        start = f"XA START X'{xid.gtrid.hex()}',X'{xid.bqual.hex()}',{xid.format_id}"
        tally.check("mariadb_gtid.xid", place, rest[0].removesuffix(b"/*!*/;"), start.encode())
    elif not body.is_standalone:
        begins = any(line in (b"START TRANSACTION", b"BEGIN") for line in rest[:2])
        tally.check("mariadb_gtid.begin", place, begins, not body.is_completed_xa)
