"""Lakes on disk and in object storage."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pyspark_adapter.sources.locations import Location
from tests.unit.s3_server import S3Server, s3_process


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with s3_process() as server:
        server.put("lake/other/file", b"of another")
        yield server


@pytest.fixture(params=["local", pytest.param("s3", marks=pytest.mark.slow)])
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """Return the folder of a lake, on disk and in S3."""
    if request.param == "local":
        return Location.parse(tmp_path / "lake")
    return Location.parse(request.getfixturevalue("s3").uri(f"key:hidden@lake/{tmp_path.name}"))
