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
        self._buffer = memoryview(bytearray(_PIECE))

    def read(self, source: CompressedSource, num_bytes: int) -> bytes:
        """Return the next bytes of the log; see `Decompressor`."""
        if self._stream is None:
            self._stream = pa.CompressedInputStream(pa.PythonFile(source, mode="r"), "zstd")
        try:
            # pyarrow's `read` never frees the bytes of a piece that ends in an error.
            piece = self._buffer[:num_bytes]
            return bytes(piece[: self._stream.readinto(piece)])
        except OSError as error:
            if source.error is not None:
                raise source.error from error
            if source.is_at_end:
                raise cut_error("zstd", source) from error
            raise damage_error("zstd", source, error) from error
