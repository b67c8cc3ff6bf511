"""What the tools print of the corpus is what the schema parses."""

from __future__ import annotations

import pytest

from tests.corpus.comparison import compare_log
from tests.corpus.logs import Log, corpus_logs
from tests.corpus.tally import Tally
from tests.inputs import need_corpus

MOST_BYTES = 1 << 20  # of a log in a test that is not slow
# Some of each kind, so that nothing passes by comparing nothing.
LEAST = {
    "binlog_checkpoint": 2,
    "cell.null": 100,
    "cell.varchar": 300,
    "checksum": 500,
    "create_file.statement": 1,
    "end_log_pos": 8000,
    "events": 60,
    "exec_load": 1,
    "format_description.server_version": 70,
    "gtid.gtid": 300,
    "gtid_list": 2,
    "intvar": 200,
    "load.block length": 3,
    "mariadb_gtid.gtid": 1000,
    "previous_gtids": 50,
    "query.text": 1000,
    "rand": 2,
    "rotate": 10,
    "rows.count": 1000,
    "session.sql_mode": 500,
    "stop": 30,
    "table_map": 1000,
    "transaction_payload.bytes": 1,
    "user_var.int": 2,
    "xa_prepare.xid": 3,
    "xid": 1000,
}


def compare_all(logs: list[Log]) -> Tally:
    total = Tally()
    for log in logs:
        total.add(compare_log(log))
    return total


@pytest.fixture(scope="module")
def tally() -> Tally:
    """Give what was compared in all logs but the largest."""
    need_corpus()
    return compare_all([log for log in corpus_logs() if log.path.stat().st_size <= MOST_BYTES])


def test_texts_are_what_the_schema_parses(tally: Tally) -> None:
    assert tally.differences == []


def test_enough_is_compared_of_each_kind(tally: Tally) -> None:
    few = {kind: tally.compared[kind] for kind in LEAST if tally.compared[kind] < LEAST[kind]}
    assert few == {}


def test_only_what_tools_do_not_print_is_left_out(tally: Tally) -> None:
    assert set(tally.skipped) == {
        "events of type 100, of which the tool shows no fields",
        "events with codes that the tools take for others",
        "options that mariadb-binlog prints for newer logs only",
        "rows of version 0, which the tools do not print",
    }


@pytest.mark.slow
def test_texts_of_large_logs_are_what_the_schema_parses() -> None:
    need_corpus()
    logs = [log for log in corpus_logs() if log.path.stat().st_size > MOST_BYTES]
    tally = compare_all(logs)
    assert tally.differences == []
    assert tally.compared["rows.columns"] > 50_000
    assert tally.compared["cell.enum"] >= 1000
    assert tally.compared["cell.set"] > 500
