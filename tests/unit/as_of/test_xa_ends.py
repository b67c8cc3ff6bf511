"""How distributed transactions end: their rows are logged before that is decided.

Their rows at random moments are compared with a server's in `tests/live/test_rows_at.py`.
"""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pyspark_adapter import UnsupportedError, rows_at
from tests.inputs import sample_path

LOG = sample_path("mysql-9.7-transactions")
TABLE = "transactions97.copies"
# After XA PREPARE and before XA COMMIT of what changes row 1; see `samples/sql/transactions.sql`.
PREPARED = f"{LOG.name}:6119"


def what_of_row_1(**options: Any) -> str:
    [found] = [
        r["what"] for r in rows_at(LOG, table=TABLE, **options).rows.to_pylist() if r["id"] == 1
    ]
    return str(found)


def test_rows_count_from_the_commit_on() -> None:
    assert what_of_row_1() == "in xa"
    assert what_of_row_1(ending_position=PREPARED) == "autocommit"


def test_rows_that_are_rolled_back_do_not_count() -> None:
    assert rows_at(LOG, table="transactions97.prepared_then_lost").rows.num_rows == 0


def test_a_commit_of_what_was_prepared_before_the_baseline_is_an_error(tmp_path: Path) -> None:
    before = str(tmp_path / "before.parquet")
    pq.write_table(rows_at(LOG, table=TABLE, ending_position=PREPARED).rows, before)
    with pytest.raises(UnsupportedError, match=r"XA COMMIT .* before the baseline"):
        rows_at(LOG, table=TABLE, baseline=before)
