"""A stream gives each change once, whatever happens between two looks at the logs."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_adapter.stream.log_stream import BatchLimit
from tests.inputs import sample_path
from tests.support.streams import FollowedStream, rows_of

LOGS = [
    sample_path(name).read_bytes()
    for name in (
        "mysql-9.7-transactions",
        "mysql-9.7-compressed-transactions",
        "mariadb-11.8-transactions",
        "mysql-9.7-tagged-gtids",
    )
]

LIMITS = st.builds(BatchLimit, st.none() | st.integers(1, 30_000), st.none() | st.integers(1, 3))
STEPS = st.one_of(
    st.tuples(st.just("write"), st.integers(1, 20_000)),
    st.tuples(st.just("poll"), LIMITS),
    st.tuples(st.just("restart"), st.none()),
    st.tuples(st.just("again"), st.none()),
    st.tuples(st.just("purge"), st.none()),
)


class _Server:
    """Writes the logs into a folder, some bytes at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.written = 0
        self.total = sum(map(len, LOGS))

    def write(self, num_bytes: int) -> None:
        """Write the next bytes; a log that is full is followed by the next one."""
        start = 0
        for i, log in enumerate(LOGS):
            end = start + len(log)
            count = min(self.written + num_bytes, end) - max(self.written, start)
            if count > 0:
                with (self._folder / f"binlog.{i + 8:06}").open("ab") as file:
                    first = max(self.written, start) - start
                    file.write(log[first : first + count])
            start = end
        self.written = min(self.written + num_bytes, self.total)

    def purge(self, log_name: str) -> None:
        """Remove the logs before one."""
        for path in self._folder.iterdir():
            if path.name < log_name:
                path.unlink()


@cache
def rows_of_logs() -> list[str]:
    """Return the rows of all logs, read as files of the names that the server gives them."""
    with tempfile.TemporaryDirectory() as name:
        server = _Server(Path(name))
        server.write(server.total)
        return rows_of(*sorted(Path(name).iterdir()))


@settings(max_examples=50, deadline=None)
@given(st.lists(STEPS, max_size=30))
def test_each_change_once(steps: list[tuple[str, object]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = _Server(folder)
        stream = FollowedStream(folder)
        before = stream.offset
        rows: list[str] = []
        for what, value in [*steps, ("write", server.total), ("poll", BatchLimit())]:
            if what == "write":
                assert isinstance(value, int)
                server.write(value)
            elif what == "poll":
                assert isinstance(value, BatchLimit)
                before, rows = stream.offset, stream.rows[:]
                stream.poll(value)
            elif what == "restart":
                stream.restart()
            elif what == "again":  # as Spark does with a batch that was begun before a failure
                stream.restart()
                assert rows + stream.read(before, stream.offset) == stream.rows
            else:
                server.purge(before.log_name)
        while stream.poll():
            pass
        assert stream.rows == rows_of_logs()
