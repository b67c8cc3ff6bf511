"""Requests of an idle stream to the storage, which do not grow with the number of logs."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pyspark_adapter import BinlogOptions
from pyspark_adapter.sources.open_storage import LocalStorage
from pyspark_adapter.stream.log_directory import LogDirectory
from pyspark_adapter.stream.log_stream import BatchLimit, LogStream
from tests.support.log_writer import LogWriter


def count_requests(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return the requests to the storage of this machine from now on, as they are made."""
    counts: Counter[str] = Counter()
    for name in ("look_up", "list", "open"):
        method = getattr(LocalStorage, name)

        def counted(
            self: LocalStorage, location: Any, name: str = name, method: Any = method
        ) -> Any:
            counts[name] += 1
            return method(self, location)

        monkeypatch.setattr(LocalStorage, name, counted)
    return counts


@pytest.mark.parametrize("num_logs", [1, 10, 300])
def test_an_idle_look_asks_after_two_files(
    num_logs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = LogWriter()
    writer.begin()
    writer.commit()
    for number in range(1, num_logs + 1):
        (tmp_path / f"binlog.{number:06}").write_bytes(writer.data)
    options = BinlogOptions()
    stream = LogStream(LogDirectory([str(tmp_path)], options), options)
    end = stream.latest_offset(stream.initial_offset(), BatchLimit())
    assert (end.log_name, end.pos) == (f"binlog.{num_logs:06}", len(writer.data))
    stream.latest_offset(end, BatchLimit())
    counts = count_requests(monkeypatch)
    assert stream.latest_offset(end, BatchLimit()) == end
    # The log that is read, when the place in it is found and after the next was looked for.
    assert counts == {"look_up": 3}
