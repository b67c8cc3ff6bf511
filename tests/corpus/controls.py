"""Events that open, close and checkpoint a file, and those that commit a transaction."""

from __future__ import annotations

import re
from uuid import UUID

from tests.corpus.logs import Pair
from tests.corpus.tally import Tally
from tests.truth.tool_text import Flavor

START = re.compile(r"binlog v (\d+), server v (.*) created .{6} .{8}( at startup)?\s*")


def compare_start(pair: Pair, tally: Tally, _: Flavor) -> None:
    """Compare a format description."""
    found = START.fullmatch(pair.section.detail)
    assert found is not None, pair.section.detail
    body = pair.event.body
    tally.check("format_description.binlog_version", pair.place, int(found[1]), body.binlog_version)
    tally.check(
        "format_description.server_version", pair.place, found[2], body.server_version.decode()
    )
    tally.check("format_description.created", pair.place, bool(found[3]), body.created != 0)
    is_in_use = any(line.startswith(b"# Warning: this binlog") for line in pair.section.lines)
    parsed = pair.event.frame.flag_bits.is_in_use
    tally.check("format_description.is_in_use", pair.place, is_in_use, parsed)


def compare_rotate(pair: Pair, tally: Tally, _: Flavor) -> None:
    body = pair.event.body
    parsed = f"to {body.next_log_file.decode()}  pos: {body.position}"
    tally.check("rotate", pair.place, pair.section.detail, parsed)


def compare_stop(pair: Pair, tally: Tally, _: Flavor) -> None:
    tally.check("stop", pair.place, pair.section.detail, "")


def compare_xid(pair: Pair, tally: Tally, _: Flavor) -> None:
    tally.check("xid", pair.place, pair.section.detail, f"= {pair.event.body.xid}")


def compare_xa_prepare(pair: Pair, tally: Tally, flavor: Flavor) -> None:
    body = pair.event.body
    xid = f"X'{body.xid.gtrid.hex()}',X'{body.xid.bqual.hex()}',{body.xid.format_id}"
    detail = f"= {xid}" if flavor is Flavor.MARIADB else xid
    tally.check("xa_prepare.xid", pair.place, pair.section.detail, detail)
    statement = f"XA COMMIT {xid} ONE PHASE" if body.is_one_phase else f"XA PREPARE {xid}"
    tally.check("xa_prepare.statement", pair.place, pair.section.lines[0].decode(), statement)


def compare_payload(pair: Pair, tally: Tally, _: Flavor) -> None:
    """Compare the frame of a compressed transaction."""
    fields = {field.field_type.name: field.value.value for field in pair.event.body.fields[:-1]}
    words = dict(word.split("=") for word in pair.section.detail.split())
    for name in ("payload_size", "uncompressed_size"):
        tally.check(f"transaction_payload.{name}", pair.place, int(words[name]), fields[name])
    tally.check(
        "transaction_payload.bytes",
        pair.place,
        int(words["payload_size"]),
        len(pair.event.body.payload),
    )


def compare_previous_gtids(pair: Pair, tally: Tally, _: Flavor) -> None:
    lines = [line[2:].decode() for line in pair.section.lines if line.startswith(b"# ")]
    kept = [line for line in lines if line == "[empty]" or re.match(r"[0-9a-f]{8}-", line)]
    printed = "".join(kept).replace("[empty]", "")
    sets: dict[str, str] = {}
    for source in pair.event.body.sources:
        uuid = str(UUID(bytes=bytes(source.source_uuid)))
        tag = source.tag.text if pair.event.body.is_tagged else ""
        ranges = ":".join(
            str(i.start) if i.last == i.start else f"{i.start}-{i.last}" for i in source.intervals
        )
        sets[uuid] = sets.get(uuid, uuid) + (f":{tag}" if tag else "") + f":{ranges}"
    tally.check("previous_gtids", pair.place, printed, ",".join(sets.values()))


def compare_gtid_list(pair: Pair, tally: Tally, _: Flavor) -> None:
    gtids = ",".join(f"{g.domain_id}-{g.server_id}-{g.seq_no}" for g in pair.event.body.gtids)
    tally.check(
        "gtid_list", pair.place, pair.section.detail.replace(",\n# ", ",").strip(), f"[{gtids}]"
    )


def compare_checkpoint(pair: Pair, tally: Tally, _: Flavor) -> None:
    tally.check(
        "binlog_checkpoint", pair.place, pair.section.detail, pair.event.body.log_file.decode()
    )


def compare_rows_query(pair: Pair, tally: Tally, flavor: Flavor) -> None:
    """Compare the statement that made rows, which is for people."""
    begin = b"#Q> " if flavor is Flavor.MARIADB else b"# "
    lines = [line.removeprefix(begin) for line in pair.section.lines if line.startswith(begin)]
    tally.check("rows_query", pair.place, b"\n".join(lines), pair.event.body.query)
