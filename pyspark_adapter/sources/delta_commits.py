"""Commits of Delta tables: what deltalake does after them, and how old ones are removed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pyarrow import fs

from pyspark_adapter.errors import BinlogError
from pyspark_adapter.sources.arrow_storage import file_system
from pyspark_adapter.sources.delta_storage import check_folder_object, delta_errors
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import remove_files

if TYPE_CHECKING:
    from deltalake import DeltaTable, PostCommitHookProperties

# Of a table: how long its commits are kept, and after how many the old ones are removed.
LOG_RETENTION: Final = "delta.logRetentionDuration"
CLEANED_AFTER: Final = 100
_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_INTERVAL: Final = re.compile(rf"interval (\d{{1,9}}) ({'|'.join(_SECONDS)})s?")
_NEVER: Final = 1 << 64  # of files of which a storage does not say when they were written
_OLD: Final = re.compile(r"(\d{20})\.(json|checkpoint\.parquet)")


@contextmanager
def committing(folder: Location, delta: DeltaTable | None) -> Iterator[PostCommitHookProperties]:
    """Give what a commit has deltalake do after it, and remove old commits of the table.

    deltalake would remove them, and files of others with them: in folders of the log, too, and
    those whose names end in that of a commit.

    Args:
        folder: of the table.
        delta: the table; None for one that is made.

    Raises:
        BinlogError: as `delta_errors`.
    """
    from deltalake import PostCommitHookProperties

    before = 0 if delta is None else delta.version()
    with delta_errors(folder):
        yield PostCommitHookProperties(cleanup_expired_logs=False)
    if delta is None:
        return
    after = max(delta.version(), before + 1)  # not all commits make it that of the new one
    if after // CLEANED_AFTER > before // CLEANED_AFTER:
        # The commit is there; later ones try it again.
        with suppress(BinlogError), delta_errors(folder):
            _remove_old_commits(folder, delta)


def _remove_old_commits(folder: Location, delta: DeltaTable) -> None:
    """Remove the commits before the last checkpoint that is as old as the table keeps them."""
    said = delta.metadata().configuration
    kept = _INTERVAL.fullmatch(said.get(LOG_RETENTION, "interval 30 days"))
    if kept is None or said.get("delta.enableExpiredLogCleanup", "").lower() == "false":
        return
    check_folder_object(folder.child("_delta_log"))
    oldest = (time.time() - int(kept[1]) * _SECONDS[kept[2]]) * 1e9
    system, path = file_system(folder)
    infos = system.get_file_info(fs.FileSelector(f"{path}/_delta_log"))
    found = [_OLD.fullmatch(i.base_name) for i in infos if (i.mtime_ns or _NEVER) < oldest]
    first = max((name[1] for name in found if name and name[2] != "json"), default="")
    names = {name[0] for name in found if name and name[1] < first}
    remove_named(system, f"{path}/_delta_log", names.__contains__, age_of_commit)


def age_of_commit(name: str) -> tuple[bool, bool, str]:
    """Return what sorts the name of the last checkpoint first, then checkpoints, then commits."""
    return not name.startswith("_last"), "checkpoint" not in name, name


def remove_named(
    system: fs.FileSystem,
    path: str,
    names: Callable[[str], object],
    key: Callable[[str], Any],
) -> list[str]:
    """Remove the files with certain names; return the names of others."""
    kept = []
    if isinstance(system, fs.LocalFileSystem):
        try:
            kept = remove_files(Path(path), names, key)
        except FileNotFoundError:
            return []
        except NotADirectoryError:  # a link, or a file
            return [""]
    else:
        found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
        for info in sorted(found, key=lambda info: key(info.base_name)):
            if info.type == fs.FileType.File and names(info.base_name):
                system.delete_file(info.path)
            else:
                kept.append(info.base_name)
    return kept
