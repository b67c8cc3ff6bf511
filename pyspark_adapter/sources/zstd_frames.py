"""The content of zstd archives."""

from __future__ import annotations

import pyarrow as pa

from pyspark_adapter.sources.compressed_source import CompressedSource, cut_error, damage_error

# Of an archive that is cut, at most this much before the cut is lost.
_PIECE = 1 << 14


class ZstdFrames:
    """Decompresses zstd frames, one after the other; skippable ones are skipped."""

    def __init__(self) -> None:
        self._stream: pa.CompressedInputStream | None = None

    def read(self, source: CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log; see `Decompressor`."""
        if self._stream is None:
            self._stream = pa.CompressedInputStream(pa.PythonFile(source, mode="r"), "zstd")
        try:
            return bytes(self._stream.read(min(num_bytes, _PIECE)))
        except OSError as error:
            if source.error is not None:
                raise source.error from error
            if source.is_at_end:
                raise cut_error("zstd", source) from error
            raise damage_error("zstd", source, error) from error
