"""What a statement depends on: numbers, random seeds, user variables and files."""

from __future__ import annotations

import re
from typing import Any

from pyspark_adapter.charsets.charset import charset_of
from tests.corpus.logs import Pair
from tests.corpus.session import Session
from tests.corpus.tally import Tally
from tests.truth.tool_text import Flavor

USER_VAR = re.compile(rb"SET @`(.*)`:=(.*)/\*!\*/;", re.DOTALL)
TEXT = re.compile(rb"_(\w+) (?:0x([0-9A-F]*)|X'([0-9A-F]*)') COLLATE `(\w+)`")
BLOCK = re.compile(r"file_id: (\d+)  block_len: (\d+)")
COLLATIONS = {"utf8mb4_0900_ai_ci": 255, "utf8mb4_uca1400_ai_ci": 2304, "binary": 63}


def compare_intvar(pair: Pair, tally: Tally, _session: Session, _flavor: Flavor) -> None:
    body = pair.event.body
    parsed = f"SET {body.variable.name.upper()}={body.value}/*!*/;"
    tally.check("intvar", pair.place, pair.section.lines[0], parsed.encode())


def compare_rand(pair: Pair, tally: Tally, _session: Session, _flavor: Flavor) -> None:
    body = pair.event.body
    parsed = f"SET @@RAND_SEED1={body.seed1}, @@RAND_SEED2={body.seed2}/*!*/;"
    tally.check("rand", pair.place, pair.section.lines[0], parsed.encode())


def user_value(body: Any) -> bytes:
    """Return a value of a user variable that is no text, as the tools print it."""
    if body.is_null:
        return b"NULL"
    value = body.value.value
    if body.value_type.name == "int" and body.is_unsigned:
        value %= 1 << 64
    if body.value_type.name == "decimal":
        value = value.value
    if isinstance(value, float):
        return f"{value:.15g}".encode()
    return str(value).encode()


def compare_user_var(pair: Pair, tally: Tally, session: Session, _flavor: Flavor) -> None:
    place, body = pair.place, pair.event.body
    count = session.read_preface(pair.section.lines)
    found = USER_VAR.fullmatch(pair.section.lines[count])
    assert found is not None, pair.section.lines
    session.read_preface(pair.section.lines[count + 1 :])
    tally.check("user_var.name", place, found[1], bytes(body.name))
    text = TEXT.fullmatch(found[2])
    if text is None:
        kind = "null" if body.is_null else body.value_type.name
        tally.check(f"user_var.{kind}", place, found[2], user_value(body))
        return
    value = bytes.fromhex((text[2] or text[3] or b"").decode())
    tally.check("user_var.type", place, "string", body.value_type.name)
    tally.check("user_var.string", place, value, bytes(body.value.value))
    tally.check("user_var.charset", place, text[1].decode(), charset_of(body.collation))
    tally.check("user_var.collation", place, COLLATIONS[text[4].decode()], body.collation)


def compare_block(pair: Pair, tally: Tally, _session: Session, _flavor: Flavor) -> None:
    """Compare a part of a file: BEGIN_LOAD_QUERY and APPEND_BLOCK."""
    found = BLOCK.fullmatch(pair.section.detail)
    assert found is not None, pair.section.detail
    body = pair.event.body
    tally.check("load.file_id", pair.place, int(found[1]), body.file_id)
    tally.check("load.block length", pair.place, int(found[2]), len(body.block))


def load_text(body: Any) -> str:
    """Return the statement that an old LOAD DATA was, as the tool puts it together."""
    parts = {
        name: bytes(getattr(body.format, name).bytes)
        .decode()
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        for name in (
            "field_terminator",
            "field_enclosure",
            "escape",
            "line_terminator",
            "line_start",
        )
    }
    fields = ",".join(f"`{field.name.decode()}`" for field in body.field_names)
    file_name, table_name = body.created_file_name.decode(), body.table_name.decode()
    return (
        f"# LOAD DATA INFILE '{file_name}' INTO TABLE `{table_name}`"
        f" FIELDS TERMINATED BY '{parts['field_terminator']}'"
        f" ENCLOSED BY '{parts['field_enclosure']}' ESCAPED BY '{parts['escape']}'"
        f" LINES TERMINATED BY '{parts['line_terminator']}'"
        f" STARTING BY '{parts['line_start']}' ({fields})/*!*/;"
    )


def compare_create_file(pair: Pair, tally: Tally, session: Session, _flavor: Flavor) -> None:
    body = pair.event.body
    detail = f"thread_id={body.thread_id}\texec_time={body.exec_time}"
    tally.check("create_file.header", pair.place, pair.section.detail.strip(), detail)
    count = session.read_preface(pair.section.lines)
    statement, block = pair.section.lines[count : count + 2]
    tally.check("create_file.statement", pair.place, statement, load_text(body).encode())
    parsed = f"# file_id: {body.file_id}  block_len: {len(body.block)}"
    tally.check("create_file.block", pair.place, block.strip(), parsed.encode())


def compare_exec_load(pair: Pair, tally: Tally, _session: Session, _flavor: Flavor) -> None:
    parsed = f"#Exec_load: file_id={pair.event.body.file_id}"
    tally.check("exec_load", pair.place, pair.section.lines[0], parsed.encode())
