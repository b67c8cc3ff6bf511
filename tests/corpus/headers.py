"""Headers of events: time, server, end, checksum and the name of the type."""

from __future__ import annotations

from typing import Any

from mysql_binlog import MysqlBinlog

from tests.corpus.logs import Pair
from tests.corpus.tally import Tally
from tests.truth.tool_text import Flavor

# Both tools' names by type code.
NAMES = {
    1: "Start",
    2: "Query",
    3: "Stop",
    4: "Rotate",
    5: "Intvar",
    8: "Query",  # CREATE_FILE
    9: "Append_block",
    10: "",  # EXEC_LOAD, named on the next line
    13: "Rand",
    14: "User_var",
    15: "Start",
    16: "Xid",
    17: "Begin_load_query",
    18: "Execute_load_query",
    19: "Table_map",
    20: "Write_rows_old",
    21: "Update_rows_old",
    22: "Delete_rows_old",
    23: "Write_rows",
    24: "Update_rows",
    25: "Delete_rows",
    29: "Rows_query",
    30: "Write_rows",
    31: "Update_rows",
    32: "Delete_rows",
    33: "GTID",
    34: "Anonymous_GTID",
    35: "Previous-GTIDs",
    38: "XA PREPARE",
    39: "Update_rows_partial",
    40: "Transaction_Payload",
    42: "GTID",
    100: "Ignorable",
    160: "Annotate_rows",
    161: "Binlog checkpoint",
    162: "GTID",
    163: "Gtid list",
    164: "Ignorable",
    165: "Query_compressed",
    166: "Write_compressed_rows",
    167: "Update_compressed_rows",
    168: "Delete_compressed_rows",
}
FIRST_VERSION_WITH_ENDS = 4
MARIADB_NAMES = {38: "XID"}


def event_code(event: Any) -> int:
    """Return the code of the type whose layout an event has."""
    code: int = int(event.frame.event_type)
    return code


def parsed_checksum(event: Any) -> int | None:
    """Return the checksum of an event, wherever it stands."""
    is_format_description = isinstance(event.body, MysqlBinlog.FormatDescriptionEvent)
    holder = event.body if is_format_description else event.frame
    checksum: int | None = getattr(holder, "checksum", None)
    return checksum


def compare_header(pair: Pair, flavor: Flavor, tally: Tally) -> None:
    """Compare what a header line says with the header of the event."""
    printed, event, place = pair.section.event, pair.event, pair.place
    name = NAMES[event_code(event)]
    if flavor is Flavor.MARIADB:
        name = MARIADB_NAMES.get(event_code(event), name)
    tally.check("type", place, printed.event_type_text, name)
    tally.check("timestamp", place, printed.timestamp, event.timestamp)
    tally.check("server_id", place, printed.server_id, event.server_id)
    if place.inner_index is not None:
        return  # the tool shows the end of the payload, and a checksum that is nowhere
    if pair.section.checksum is not None:
        tally.check("checksum", place, pair.section.checksum, parsed_checksum(event))
    end_log_pos = event.end_log_pos
    if event._root.events[0].body.binlog_version < FIRST_VERSION_WITH_ENDS:
        end_log_pos += event.len_event  # as the tool does, since it is that of the start
    tally.check("end_log_pos", place, printed.end_log_pos, end_log_pos)
