"""Remote storage: S3, GCS, HDFS and Azure by pyarrow, all others by fsspec."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pyarrow as pa
from pyarrow import fs

from pyspark_adapter.errors import UnsupportedError
from pyspark_adapter.sources.locations import Location, StoredBytes, StoredFile

# The schemes of Hadoop and Spark, and pyarrow's names for them.
_SCHEMES_OF_ARROW = {
    "s3": "s3",
    "s3a": "s3",
    "s3n": "s3",
    "gs": "gs",
    "gcs": "gs",
    "hdfs": "hdfs",
    "viewfs": "viewfs",
    "abfs": "abfs",
    "abfss": "abfss",
}


class ArrowStorage:
    """A file system of pyarrow, or one of fsspec.

    Args:
        base: the path in it of the root of the URIs: a bucket, for example.
    """

    def __init__(self, system: fs.FileSystem, base: str) -> None:
        self.system = system
        self._base = base.rstrip("/")

    def path_of(self, location: Location) -> str:
        """Return the path of a URI in the file system."""
        return self._base + location.path or "/"

    def look_up(self, location: Location) -> StoredFile:
        """Return the file or directory at a URI."""
        with _as_os_error():
            info = self.system.get_file_info(self.path_of(location))
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(2, "No such file or directory")
        return _describe(location, info)

    def list(self, directory: Location) -> list[StoredFile]:
        """Return the files and directories."""
        with _as_os_error():
            infos = self.system.get_file_info(fs.FileSelector(self.path_of(directory)))
        return [
            _describe(directory.child(info.base_name), info)
            for info in infos
            if info.type in (fs.FileType.File, fs.FileType.Directory)
        ]

    def open(self, location: Location) -> StoredBytes:
        """Open a file; each read requests exactly that range of bytes."""
        with _as_os_error():
            return _OpenFile(self.system.open_input_file(self.path_of(location)))

    def put(self, location: Location, data: bytes) -> None:
        """Store a file."""
        with (
            _as_os_error(),
            self.system.open_output_stream(self.path_of(location), compression=None) as file,
        ):
            file.write(data)

    def remove(self, location: Location) -> None:
        """Remove a file."""
        with _as_os_error():
            self.system.delete_file(self.path_of(location))


class _OpenFile:
    """A file of pyarrow that raises OSError only."""

    def __init__(self, file: pa.NativeFile) -> None:
        self._file = file

    def readinto(self, buffer: memoryview, /) -> int | None:
        with _as_os_error():
            return int(self._file.readinto(buffer))

    def seek(self, position: int, /) -> int:
        with _as_os_error():
            return int(self._file.seek(position))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        with _as_os_error():
            self._file.close()


def _describe(location: Location, info: fs.FileInfo) -> StoredFile:
    modified = None if info.mtime_ns is None else info.mtime_ns / 1e9
    is_directory = info.type == fs.FileType.Directory
    return StoredFile(location, is_directory, info.size or 0, modified)


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Raise whatever a storage raises as an OSError."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:  # the libraries of fsspec have their own errors
        raise OSError(f"{type(error).__name__}: {error}") from error


def connect(location: Location) -> ArrowStorage:
    """Return the storage of a URI; its query holds settings in pyarrow's names.

    Raises:
        UnsupportedError: if neither pyarrow nor fsspec reads such URIs.
        OSError: if the storage cannot be reached.
    """
    return _connect(location.scheme, location.authority, location.query)


def file_system(location: Location) -> tuple[fs.FileSystem, str]:
    """Return the file system of a location, to write to, and the path in it.

    Raises:
        UnsupportedError: if neither pyarrow nor fsspec knows such URIs.
        OSError: if the storage cannot be reached.
    """
    if location.is_local:
        return fs.LocalFileSystem(), location.path
    storage = connect(location)
    return storage.system, storage.path_of(location)


def make_folder(system: fs.FileSystem, path: str) -> None:
    """Make a folder and its parents, where a storage has any.

    Object storage has none: pyarrow would store empty objects for them, and empty those there.
    """
    if system.type_name not in ("s3", "gcs"):
        system.create_dir(path)


# To connect takes several requests, and a read opens many files.
@lru_cache(maxsize=8)
def _connect(scheme: str, authority: str, query: str) -> ArrowStorage:
    if scheme not in _SCHEMES_OF_ARROW:
        return _connect_fsspec(scheme, authority)
    root = f"{_SCHEMES_OF_ARROW[scheme]}://{authority}/{query}"
    with _as_os_error():
        return ArrowStorage(*fs.FileSystem.from_uri(root))


def _connect_fsspec(scheme: str, authority: str) -> ArrowStorage:
    site = Location(scheme, authority, "").site
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise UnsupportedError(
            f"files of {scheme}: expected one of {', '.join(_SCHEMES_OF_ARROW)}, or fsspec, which"
            " is not installed",
            site=site,
            advice="pip install fsspec",
        ) from error
    try:
        with _as_os_error():
            system, base = url_to_fs(f"{scheme}://{authority}/")
    except OSError as error:
        if isinstance(error.__cause__, (ImportError, ValueError)):
            raise UnsupportedError(
                f"files of {scheme}: {error.__cause__}",
                site=site,
                advice="install the package of fsspec for such files",
            ) from error
        raise
    return ArrowStorage(fs.PyFileSystem(fs.FSSpecHandler(system)), base)
