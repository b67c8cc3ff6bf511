"""Everything that a tool prints of a log, compared with what the schema parses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mysql_binlog import MysqlBinlog

from tests.corpus.controls import (
    compare_checkpoint,
    compare_gtid_list,
    compare_payload,
    compare_previous_gtids,
    compare_rotate,
    compare_rows_query,
    compare_start,
    compare_stop,
    compare_xa_prepare,
    compare_xid,
)
from tests.corpus.gtids import compare_gtid, compare_mariadb_gtid
from tests.corpus.headers import compare_header, event_code
from tests.corpus.logs import Log, Pair, pairs_of
from tests.corpus.queries import compare_query
from tests.corpus.rows import Statement, compare_rows
from tests.corpus.session import Session
from tests.corpus.statements import (
    compare_block,
    compare_create_file,
    compare_exec_load,
    compare_intvar,
    compare_rand,
    compare_user_var,
)
from tests.corpus.table_maps import compare_table_map
from tests.corpus.tally import Tally
from tests.truth.tool_text import Flavor

# By type code. What the tools print of these does not depend on the events before.
ALONE: Mapping[int, Callable[[Pair, Tally, Flavor], None]] = {
    1: compare_start,
    3: compare_stop,
    4: compare_rotate,
    15: compare_start,
    16: compare_xid,
    29: compare_rows_query,
    35: compare_previous_gtids,
    38: compare_xa_prepare,
    40: compare_payload,
    160: compare_rows_query,
    161: compare_checkpoint,
    163: compare_gtid_list,
}
OLD_CODES = range(16, 23)
IN_SESSION: Mapping[int, Callable[[Pair, Tally, Session, Flavor], None]] = {
    2: compare_query,
    5: compare_intvar,
    8: compare_create_file,
    9: compare_block,
    10: compare_exec_load,
    13: compare_rand,
    14: compare_user_var,
    17: compare_block,
    18: compare_query,
    19: compare_table_map,
    33: compare_gtid,
    34: compare_gtid,
    42: compare_gtid,
    162: compare_mariadb_gtid,
    165: compare_query,
}


def compare_log(log: Log) -> Tally:
    tally = Tally()
    session = Session()
    statement = Statement()
    outer: list[Pair] = []
    for pair in pairs_of(log):
        if pair.place.inner_index is None:
            outer.append(pair)
        event = pair.event
        if event.event_type in OLD_CODES and event.frame.event_type != event.event_type:
            tally.skipped["events with codes that the tools take for others"] += 1
            continue
        compare_header(pair, log.flavor, tally)
        compare_pair(pair, tally, session, statement, log.flavor)
    if outer and log.is_complete:
        tally.check("events", outer[-1].place, len(outer), len(outer[-1].event._root.events))
    return tally


def compare_pair(
    pair: Pair, tally: Tally, session: Session, statement: Statement, flavor: Flavor
) -> None:
    """Compare the body of one event."""
    type_code = event_code(pair.event)
    if type_code in ALONE:
        ALONE[type_code](pair, tally, flavor)
    elif type_code in IN_SESSION:
        IN_SESSION[type_code](pair, tally, session, flavor)
    elif isinstance(pair.event.body, MysqlBinlog.RowsEvent):
        compare_rows(pair, tally, statement, flavor)
    else:
        tally.skipped[f"events of type {type_code}, of which the tool shows no fields"] += 1
