"""Counts what is read of logs."""

from __future__ import annotations

from typing import Any

import pytest

from pyspark_adapter.events.windows import WindowReader


class OpenedLogs:
    """Counts the reads of log files, their bytes, and the passes over logs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        self.num_windows = 0
        from pyspark_adapter.sources import log_file, open_storage

        begin, sizes = WindowReader.__init__, self.sizes

        class Counted:
            def __init__(self, file: Any) -> None:
                self.file = file

            def readinto(self, buffer: Any) -> Any:
                sizes.append(self.file.readinto(buffer))
                return sizes[-1]

            def __getattr__(self, name: str) -> Any:
                return getattr(self.file, name)

        def counted(location: Any) -> Any:
            return Counted(open_storage.open_location(location))

        def window(reader: WindowReader, *arguments: Any) -> None:
            self.num_windows += 1
            begin(reader, *arguments)

        monkeypatch.setattr(log_file, "open_location", counted)
        monkeypatch.setattr(WindowReader, "__init__", window)

    @property
    def num_bytes(self) -> int:
        return sum(self.sizes)
