"""Names of distributed transactions against the official tools' text, and their outcome."""

import json
import re

import pytest

from pyspark_adapter import read_batches
from tests.inputs import ROOT, SAMPLES, sample_path

NAMES = ("mysql-9.7-transactions", "mariadb-11.8-transactions")
XID = r"(X'[0-9a-f]*',X'[0-9a-f]*',\d+)"


def printed_xids(name: str) -> dict[int, str]:
    """Return the XA name of each rows event's transaction, by position."""
    found: dict[int, str] = {}
    position, xid = -1, None
    for line in (ROOT / SAMPLES[name]["golden"]).read_text().splitlines():
        if match := re.match(r"# at (\d+)$", line):
            position = int(match[1])
        elif match := re.match(rf"XA START {XID}", line):
            xid = match[1]
        elif line.startswith("XA END "):
            xid = None
        elif re.search(r"\t(Write|Update|Delete)_rows: table id", line) and xid is not None:
            found[position] = xid
    return found


@pytest.mark.parametrize("name", NAMES)
def test_names_are_those_that_the_tool_prints(name: str) -> None:
    printed = printed_xids(name)
    assert printed
    columns = ("_start_pos", "_xa")
    found = {
        row["_start_pos"]: row["_xa"]
        for batch in read_batches(sample_path(name), metadata_columns=columns)
        for row in batch.to_pylist()
    }
    assert {position: xid for position, xid in found.items() if xid is not None} == printed


# Both samples commit a transaction that was prepared, and roll back another.
@pytest.mark.parametrize("name", NAMES)
def test_the_outcome_is_among_the_events(name: str) -> None:
    statements = [
        json.loads(row["body"])["query"]
        for batch in read_batches(sample_path(name), view="events")
        for row in batch.to_pylist()
        if row["event_type"] == "QUERY_EVENT"
    ]
    two, lost = "X'74776f',X'6272616e6368',7", "X'00ff27',X'0a',1"
    assert f"XA COMMIT {two}" in statements
    assert f"XA ROLLBACK {lost}" in statements
    assert {two, lost} <= set(printed_xids(name).values())
