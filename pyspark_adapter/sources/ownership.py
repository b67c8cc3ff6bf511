"""Who wrote a folder: a marker in it names this package, what it is for, and the server.

The user's folders are trusted. The marker catches a mistake: the path of a folder with other files,
of a data set where a lake is meant, or of the lake of another server.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Final

from pyarrow import fs

from pyspark_adapter.errors import OptionError
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import whole_file

MARKER: Final = "_mysql_binlog"  # Spark and pyarrow ignore names that begin with an underscore
DATA_SET: Final = "data set"
LAKE: Final = "lake"
_WRITER: Final = "mysql-binlog-spark"
# As the writers of Delta and Iceberg name files: with a UUID.
_DATA: Final = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[^/]*\.(parquet|avro|metadata\.json)$"
)


@dataclass(frozen=True)
class Owner:
    """What a marker says.

    Attributes:
        kind: of the folder: `DATA_SET` or `LAKE`.
        server: UUID or id of the server whose tables a lake holds; empty if it is not known yet.
    """

    kind: str
    server: str = ""


class TakenFolderError(OptionError):
    """A folder holds files that this package did not write, or a table that it cannot use."""


class DamagedTableError(TakenFolderError):
    """A table cannot be read, as its metadata, log or files are missing or damaged."""


def owner_of(system: fs.FileSystem, path: str) -> Owner | None:
    """Return what the marker of a folder says; None if there is none of this package."""
    if system.get_file_info(f"{path}/{MARKER}").type != fs.FileType.File:
        return None
    with system.open_input_stream(f"{path}/{MARKER}", compression=None) as file:
        text = file.read()
    with suppress(ValueError, TypeError, KeyError):  # of another program
        fields = dict(json.loads(text))
        if fields.pop("written_by") == _WRITER:
            return Owner(**fields)
    return None


def write_owner(system: fs.FileSystem, path: str, owner: Owner) -> None:
    """Write the marker of a folder; raises OSError if it cannot be written."""
    text = json.dumps({"written_by": _WRITER, **asdict(owner)}).encode()
    if isinstance(system, fs.LocalFileSystem):
        with whole_file(f"{path}/{MARKER}", replaces=True) as local:
            local.write(text)
        return
    with system.open_output_stream(f"{path}/{MARKER}", compression=None) as file:
        file.write(text)


def own_names(folder: Location, kind: str, *, option: str, allows_data: bool = False) -> list[str]:
    """Return the names in a folder of this package; none if it is empty or does not exist.

    Args:
        kind: that its marker has to say; empty if it may have no files, also in folders in it.
        option: that names the folder.
        allows_data: whether it may have data files of tables; a kill or a power failure leaves
            some that no log names.

    Raises:
        TakenFolderError: if the folder has files, and no marker of this kind.
        OSError: if it cannot be read.
    """
    system, path = file_system(folder)
    selector = fs.FileSelector(path, allow_not_found=True, recursive=not kind)
    items = [(info.path[len(path) + 1 :], info.is_file) for info in system.get_file_info(selector)]
    names = sorted(name for name, is_file in items if kind or is_file)
    if not kind:  # what readers ignore, such as the log of a table whose creation was stopped
        names = [name for name in names if not re.match("(.*/)?[_.]", name)]
        names = [name for name in names if not (allows_data and _DATA.search(name))]
    owner = owner_of(system, path) if MARKER in names else None
    if names and (owner is None or owner.kind != kind):
        raise taken(folder, names[0], f"or a {kind} of this package" if kind else "", option)
    return names


def taken(folder: Location, name: str, expected: str, option: str) -> TakenFolderError:
    """Return the error for a folder with a file that another program wrote."""
    return TakenFolderError(
        f"{folder.shown}: expected an empty folder{expected and ' '}{expected}, found {name} in it;"
        " nothing was changed",
        option=option,
        value=folder.shown,
        advice="choose another folder, or look at the files and move or remove them yourself",
    )
