"""The folders of a lake."""

from __future__ import annotations

from typing import Final

from pyarrow import fs

from pyspark_adapter.options.folder_name import folder_name
from pyspark_adapter.options.table_name import TableName
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.locations import Location

STATE_FOLDER: Final = "_replicate"  # no database has such a folder


def file_name(name: str) -> str:
    """Return the name of the folder of a table or database."""
    return folder_name(name).replace("%", "@")  # deltalake would take %2F for a slash


def table_folder(lake: Location, table: TableName, kind: str = "") -> Location:
    """Return the folder of the copy of a table, or with `.history` that of its history."""
    database = lake.child(f"{file_name(table.database_name)}{kind}")
    return database.child(file_name(table.table_name))


def remove_empty(folder: Location) -> str | None:
    """Remove a folder without files; return the name of a file for which it stays.

    Raises:
        OSError: if it cannot be read or removed.
    """
    system, path = file_system(folder)
    found = system.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
    files = [info.path for info in found if info.type == fs.FileType.File]
    if files:
        return str(min(files)).removeprefix(f"{path}/")
    if system.get_file_info(path).type == fs.FileType.Directory:
        system.delete_dir(path)
    return None
