"""Statements: their text, where they ran, and the session that they depend on."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from pyspark_adapter.charsets.charset import charset_of
from tests.corpus.logs import Pair
from tests.corpus.session import Session
from tests.corpus.status_vars import assignments_of, variables_of
from tests.corpus.tally import Tally
from tests.truth.tool_text import Flavor

DETAIL = re.compile(
    r"thread_id=(\d+)\texec_time=(\d+)\terror_code=(\d+)(?:\t(?:Xid = |xid=)(\d+))?\s*"
)
END = b"/*!*/;"
MARIADB_OPTIONS = ("sql_if_exists", "explicit_defaults_for_timestamp")


# Before these mariadb-binlog names no database.
TRANSACTION_WORDS = (b"BEGIN", b"COMMIT", b"ROLLBACK", b"SAVEPOINT ")


def micros_of(variables: Any, flavor: Flavor) -> int:
    """Return the fraction of a statement's time; mariadb-binlog does not know that of MySQL."""
    name = "hrnow" if flavor is Flavor.MARIADB else "microseconds"
    return int(variables[name].value) if name in variables else 0


def printed_statement(lines: tuple[bytes, ...]) -> bytes:
    """Return the text of a statement, without the line that ends it."""
    if END not in lines:  # one of the two phases of an ALTER TABLE of MariaDB
        return b"\n".join(lines).removeprefix(b"### ")
    return b"\n".join(lines[: max(index for index, line in enumerate(lines) if line == END)])


def compare_load_text(pair: Pair, tally: Tally, statement: bytes, flavor: Flavor) -> None:
    """Compare a LOAD DATA, around the file's name and the way to treat duplicates."""
    body = pair.event.body
    words = {"error": b"", "ignore": b"IGNORE ", "replace": b"REPLACE "}
    parsed = bytes(body.query)
    begin, end = parsed[: body.ofs_file_name], parsed[body.ofs_file_name_end :]
    name = re.search(rb"LOCAL INFILE '[^']*' (IGNORE |REPLACE )?INTO", statement)
    assert name is not None, (statement, flavor)
    tally.check("query.load_begin", pair.place, statement[: name.start()].rstrip(), begin.rstrip())
    tally.check("query.load_end", pair.place, statement[name.end() :], end)
    tally.check(
        "query.load_duplicates", pair.place, name[1] or b"", words[body.duplicate_handling.name]
    )


def compare_session(pair: Pair, tally: Tally, session: Session, flavor: Flavor) -> None:
    """Compare the variables of the session with the status variables."""
    body, place = pair.event.body, pair.place
    parsed = assignments_of(body, flavor)
    for name, value in parsed.items():
        if name in session.variables:
            tally.check(f"session.{name}", place, session.variables[name], value)
        elif name in MARIADB_OPTIONS:
            tally.skipped["options that mariadb-binlog prints for newer logs only"] += 1
        else:
            tally.check(f"session.{name} never set", place, "", value)
    known = {*parsed, "pseudo_thread_id", "check_constraint_checks"}
    for name in session.changed - known - {"use"}:
        tally.check(f"session.{name} without a cause", place, session.variables[name], "")
    if "pseudo_thread_id" in session.changed:
        printed = session.variables["pseudo_thread_id"]
        tally.check("session.pseudo_thread_id", place, printed, str(body.thread_id))
    variables = variables_of(body)
    if "charset" in variables:
        name = str(charset_of(variables["charset"].character_set_client))
        tally.check("session.charset name", place, session.charset, name)
    if session.timestamp is not None:
        parsed_time = pair.event.timestamp + Decimal(micros_of(variables, flavor)) / 1_000_000
        tally.check("session.timestamp", place, session.timestamp, parsed_time)


def compare_query(pair: Pair, tally: Tally, session: Session, flavor: Flavor) -> None:
    place, body = pair.place, pair.plain.body
    found = DETAIL.fullmatch(pair.section.detail)
    assert found is not None, pair.section.detail
    tally.check("query.thread_id", place, int(found[1]), body.thread_id)
    tally.check("query.exec_time", place, int(found[2]), body.exec_time)
    tally.check("query.error_code", place, int(found[3]), body.error_code)
    xid = variables_of(body).get("xid" if flavor is Flavor.MARIADB else "ddl_logged_with_xid")
    tally.check("query.xid", place, int(found[4] or 0), xid.value if xid is not None else 0)
    session.timestamp = None
    lines = pair.section.lines[session.read_preface(pair.section.lines) :]
    compare_session(Pair(place, pair.section, pair.plain, pair.plain), tally, session, flavor)
    database = bytes(body.database_name)
    needs_use = not pair.event.frame.flag_bits.is_use_suppressed and not (
        flavor is Flavor.MARIADB and bytes(body.query).startswith(TRANSACTION_WORDS)
    )
    if "use" in session.changed or (database and needs_use):
        tally.check("query.database_name", place, session.database, database)
    statement = printed_statement(lines)
    if body.is_load:
        compare_load_text(pair, tally, statement, flavor)
        file_id = next(line for line in pair.section.lines if line.startswith(b"# file_id"))
        tally.check("load.file_id", place, file_id.strip(), b"# file_id: %d" % body.file_id)
    else:
        tally.check("query.text", place, statement, bytes(body.query))
