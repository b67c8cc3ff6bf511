"""No rule by version breaks with versions by year and month, such as 26.7.0 (MySQL, July 2026)."""

import struct
import zlib
from pathlib import Path

import pytest

from pyspark_adapter.cli.main import main
from pyspark_adapter.ddl.sql_session import version_number
from tests.support.logs import read_sample
from tests.support.outcome import ALL_METADATA, counts, read

VERSIONS = ["26.7.0", "26.10.1-log", "30.1.0"]
# With statements about tables, foreign keys, GTIDs, names that the log lacks, and undone rows.
SAMPLES = ["mysql-9.7-shop", "mysql-9.7-alter", "mysql-9.7-types-minimal-metadata"]


def with_version(log: bytes, version: str) -> bytes:
    """Return a log whose format description names another version."""
    length = struct.unpack_from("<I", log, 4 + 9)[0]
    event = bytearray(log[4 : 4 + length])
    event[21:71] = version.encode().ljust(50, b"\0")
    flags = event[17]
    event[17] &= ~1  # the checksum is that of a log that is closed
    event[-4:] = struct.pack("<I", zlib.crc32(event[:-4]))
    event[17] = flags
    return log[:4] + bytes(event) + log[4 + length :]


def test_versions_are_in_order() -> None:
    numbers = [version_number(version) for version in ("8.4.3", "9.7.1", *VERSIONS)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_log_reads_as_that_of_a_version_before(
    sample: str, version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for name in ("9.7.0", version):
        folder = tmp_path / name
        folder.mkdir()
        path = folder / "log.000001"
        path.write_bytes(with_version(read_sample(sample), name))
        outcome = read(path, metadata_columns=ALL_METADATA, schema_changes=True)
        main(["undo", str(path)])
        found.append((outcome, counts(path), capsys.readouterr()))
    assert found[0] == found[1]
    assert found[0][0].rows is not None
