"""The folder of a data set: what in it is of this package, and how that is replaced."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO
from uuid import uuid4

from pyarrow import fs

from pyspark_adapter.errors import BinlogError, OptionError
from pyspark_adapter.options.checks import refuse
from pyspark_adapter.own_files import open_own
from pyspark_adapter.sources.arrow_storage import file_system, make_folder
from pyspark_adapter.sources.data_set_marker import (
    LEN_TITLE,
    MARKER,
    PART,
    SUCCESS,
    TEMPORARY,
    TITLE,
    folder_of,
    is_as_written,
    is_marker,
    is_title,
    listed_files,
    quoted_name,
    start_of,
    text_of,
    write_marker,
)
from pyspark_adapter.sources.locations import Location
from pyspark_adapter.sources.written_files import (
    RANDOM,
    RENAME_EXCHANGE,
    hidden_next_to,
    hidden_prefix,
    remove_files,
    renameat2,
    sync,
)
from pyspark_adapter.warn import warn


@dataclass(frozen=True)
class Staging:
    """Where the files of a data set are written before they are its own.

    Attributes:
        folder: of the folder.
        name: of the folder in it that takes the files.
        target: the folder of the data set.
        overwrite: whether the target may hold a data set.
        marker: of the folder if it takes the place of the target; None if its files do.
    """

    folder: Location
    name: str
    target: Location
    overwrite: bool
    marker: IO[str] | None = None

    def commit(self, names: Sequence[str]) -> None:
        """Replace the data set by files that were written.

        Raises:
            OptionError: if the target holds what this package has not written.
            OSError: if the target cannot be replaced.
        """
        if self.marker is None:
            _move(self, names)
        else:
            _swap(self, names, self.marker)


@contextmanager
def staging(target: Location, *, overwrite: bool) -> Iterator[Staging]:
    """Give a place for the files of a data set; it is removed at the end.

    What runs before left there when they were killed is removed, too.

    Raises:
        OptionError: if the folder is not empty and `overwrite` is false, or if it holds what this
            package has not written; for a URI with `..` in its path.
        OSError: if the folder cannot be written.
    """
    if target.is_local:
        target = replace(target, path=os.path.realpath(target.path))
        path = Path(target.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if _can_be_swapped(path):
            with _staging_to_swap(target, overwrite=overwrite) as given:
                yield given
            return
    elif not target.is_plain:
        raise refuse("out", target.shown, "a path without empty parts, `.` and `..`")
    system, at = file_system(target)
    found = system.get_file_info(at).type
    if found not in (fs.FileType.NotFound, fs.FileType.Directory):
        raise NotADirectoryError(errno.ENOTDIR, "there is a file of that name")
    _check(target, overwrite=overwrite)
    _remove_temporary(system, at)
    name = f"_temporary-{uuid4().hex}"
    if found == fs.FileType.NotFound:
        make_folder(system, at)
    # First, so that a later run knows what a kill leaves.
    write_marker(system, at, listed_files(system, at))
    make_folder(system, f"{at}/{name}")
    try:
        yield Staging(target, name, target, overwrite)
    finally:
        _remove_listed(system, f"{at}/{name}")
        found = system.get_file_info(fs.FileSelector(at))
        if [info.base_name for info in found] == [MARKER]:
            system.delete_file(found[0].path)


def _can_be_swapped(path: Path) -> bool:
    if not os.access(path.parent, os.W_OK) or path.is_mount():
        return False
    if not path.exists():
        return True
    # The working folder of a shell would be the old one for ever.
    return path.stat().st_dev == path.parent.stat().st_dev and path != Path.cwd()


@contextmanager
def _staging_to_swap(target: Location, *, overwrite: bool) -> Iterator[Staging]:
    path = Path(target.path)
    with _locked(path.parent):
        _clean(path)
        _check(target, overwrite=overwrite)
        staged = path.with_name(f"{hidden_prefix(path)}{uuid4().hex}")
        staged.mkdir()
        try:
            marker = _marked(staged)
        except OSError:
            _remove_listed(fs.LocalFileSystem(), str(staged))
            raise
    try:
        with marker:
            yield Staging(target.parent, staged.name, target, overwrite, marker)
    finally:
        _remove_listed(fs.LocalFileSystem(), str(staged))


def _marked(folder: Path) -> IO[str]:
    """Return the marker of a new folder; as long as it is open, others leave the folder."""
    marker = (folder / MARKER).open("x", encoding="utf-8")
    try:
        with suppress(OSError):  # file systems without locks
            fcntl.flock(marker, fcntl.LOCK_EX)
        marker.write(TITLE)
        marker.flush()
    except OSError:  # no space
        with suppress(OSError):
            marker.close()
        raise
    return marker


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let no other process of this machine begin or end a write in a folder."""
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # file systems without locks
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def _clean(path: Path) -> None:
    """Remove what killed runs left next to a folder, or put it back if it is all there is."""
    for left in hidden_next_to(path, rf"{RANDOM}(-old)?"):
        if left.is_symlink() or not left.is_dir():
            continue
        try:
            number = open_own(left / MARKER)
        except FileNotFoundError:  # killed before there was one
            with suppress(OSError):  # of others: it is not empty
                left.rmdir()
            continue
        except OSError:
            continue
        with open(number, "rb") as marker:  # noqa: PTH123 - a number
            if not is_title(marker.read(LEN_TITLE)):
                continue
            if left.name.endswith("-old") and not (path / MARKER).exists():
                if not path.exists():
                    left.rename(path)
                continue  # else it stays: another made something there, and it is all there is
            try:
                fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:  # it is being written, or there are no locks to tell
                continue
            _remove_listed(fs.LocalFileSystem(), str(left))


def _check(target: Location, *, overwrite: bool) -> None:
    """Raise an error if a folder may not be replaced."""
    system, at = file_system(target)
    # Its owner may want to keep it as it is; and what is in it could not be removed.
    if target.is_local and Path(at).is_dir() and not os.access(at, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), at)
    found = system.get_file_info(fs.FileSelector(at, allow_not_found=True))
    names = {info.base_name: info for info in found}
    if names and not overwrite:
        raise refuse("out", target.shown, "an empty or new folder, or overwrite=True")
    is_ours = MARKER in names and is_marker(system, at)
    written = folder_of(system, at) if is_ours else None
    if written not in (None, quoted_name(at)):
        raise OptionError(
            f"{target.shown}: cannot be replaced: it is a copy of the data set {written}, or that"
            " under another name; nothing was changed",
            option="out",
            value=target.shown,
            advice="choose another folder, or remove it yourself",
        )
    ours = {MARKER: None, SUCCESS: 0, **listed_files(system, at)} if is_ours else {}
    foreign = sorted(
        name
        for name, info in names.items()
        if not (name in ours and is_as_written(system, info, ours[name]))
        and not _is_left(system, info, is_ours=is_ours)
    )
    if foreign:
        problem = f"{foreign[0]} in it is not named in {MARKER}"
        if foreign[0] in ours:
            problem = f"{foreign[0]} in it is not as this package wrote it"
        if not is_ours:
            problem = f"it holds files, and no {MARKER} that says that this package wrote them"
        raise OptionError(
            f"{target.shown}: cannot be replaced: {problem}; nothing was changed",
            option="out",
            value=target.shown,
            advice="choose another folder, or look at the files and move or remove them yourself;"
            " versions before 0.2 wrote data sets without the file",
        )


def _is_left(system: fs.FileSystem, info: fs.FileInfo, *, is_ours: bool) -> bool:
    """Return whether a killed run left a file or folder in the folder of a data set.

    Args:
        system: of the folder.
        info: of the file or folder.
        is_ours: whether there is a marker: it comes before all folders.
    """
    if not TEMPORARY.fullmatch(info.base_name):
        return False
    if info.type == fs.FileType.Directory:
        return is_ours
    start = start_of(system, info.path)
    return start is not None and is_title(start)


def _remove_temporary(system: fs.FileSystem, at: str) -> None:
    """Remove what killed runs left in the folder of a data set."""
    is_ours = is_marker(system, at)
    for info in system.get_file_info(fs.FileSelector(at, allow_not_found=True)):
        if _is_left(system, info, is_ours=is_ours):
            if info.type == fs.FileType.File:
                system.delete_file(info.path)
            else:
                _remove_listed(system, info.path)


def _remove_listed(system: fs.FileSystem, at: str) -> None:
    """Remove a folder of this package with its files; one with others stays, with them."""
    is_temporary = TEMPORARY.fullmatch(at.rpartition("/")[2])
    others = () if is_temporary else (SUCCESS, MARKER)
    if isinstance(system, fs.LocalFileSystem):
        with suppress(OSError):  # a link, one that is not empty, or gone
            # After an exchange the marker names the files; that of a write that was killed, none.
            listed = {} if is_temporary else listed_files(system, at)
            kept = remove_files(
                Path(at),
                lambda name: (
                    name in others[:1] or (PART.fullmatch(name) and (not listed or name in listed))
                ),
            )
            if kept == [MARKER] and not is_temporary:
                remove_files(Path(at), MARKER.__eq__)
        with suppress(OSError):  # also one that cannot be listed, for the umask of its writer
            Path(at).rmdir()
        return
    found = system.get_file_info(fs.FileSelector(at, allow_not_found=True))
    # Last the marker: a kill on the way leaves it.
    found.sort(key=lambda info: info.base_name == MARKER)
    num_kept = 0
    for info in found:
        if info.type == fs.FileType.Directory or not (
            info.base_name in others or PART.fullmatch(info.base_name)
        ):
            num_kept += 1
        elif not (info.base_name == MARKER and num_kept):
            with suppress(FileNotFoundError):
                system.delete_file(info.path)
    if not num_kept and system.get_file_info(at).type == fs.FileType.Directory:
        system.delete_dir(at)


def _swap(staged: Staging, names: Sequence[str], marker: IO[str]) -> None:
    """Let a folder take the place of another in one step."""
    target = Path(staged.target.path)
    given = target.with_name(staged.name)
    is_same = os.path.samestat((given / MARKER).lstat(), os.fstat(marker.fileno()))
    if given.is_symlink() or not is_same:
        raise _not_alone(staged.target)
    # Spark may have given up runs of tasks that have not ended: they find no folder for a file.
    new = given.rename(target.with_name(f"{hidden_prefix(target)}{uuid4().hex}"))
    try:
        sizes = {name: (new / name).lstat().st_size for name in names}
        marker.write(text_of(staged.target.path, sizes))
        marker.flush()
        # Of tasks that Spark ran again.
        remove_files(new, lambda name: PART.fullmatch(name) and name not in names)
        (new / SUCCESS).touch(exist_ok=False)
        # So that a power failure leaves no files without content next to `_SUCCESS`.
        for name in (*names, MARKER, SUCCESS, ""):
            sync(new / name)
        with _locked(target.parent):
            if target.is_symlink():  # the folder was moved since the beginning
                raise _not_alone(staged.target)
            _check(staged.target, overwrite=staged.overwrite)
            if target.exists():
                new.chmod(stat.S_IMODE(target.stat().st_mode))
            if target.exists() and any(target.iterdir()):
                _exchange(new, target)
            else:
                new.rename(target)
            with suppress(OSError):  # the new rows have their place
                sync(target.parent)
    finally:
        _remove_listed(fs.LocalFileSystem(), str(new))
    if new.exists():
        warn(f"{new}: kept: in it are files that another program wrote into {target}")


def _exchange(new: Path, target: Path) -> None:
    try:
        renameat2(new, target, RENAME_EXCHANGE)
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise BinlogError(
                f"{target}: cannot be replaced: the folder is in a lower layer of an overlay file"
                " system, such as the image of a container; nothing was changed",
                advice="write to a folder of a mounted volume, or put a copy of it (cp -a) in its"
                " place first",
            ) from error
        if error.errno not in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
            raise
    else:
        return
    # Between the two there is no folder; after a kill there the next run puts the old one back.
    old = new.with_name(f"{new.name}-old")
    target.rename(old)
    try:
        new.rename(target)
    except OSError:
        old.rename(target)
        raise
    _remove_listed(fs.LocalFileSystem(), str(old))


def _move(staged: Staging, names: Sequence[str]) -> None:
    """Replace files one by one: first all old ones go, then the new ones come."""
    system, at = file_system(staged.target)

    def names_in(folder: str) -> set[str]:
        return {info.base_name for info in system.get_file_info(fs.FileSelector(folder))}

    _check(staged.target, overwrite=True)  # the marker is there in any case
    if not names_in(f"{at}/{staged.name}").issuperset(names):
        raise _not_alone(staged.target)
    old = listed_files(system, at)
    infos = system.get_file_info([f"{at}/{staged.name}/{name}" for name in names])
    new = {info.base_name: info.size for info in infos}
    write_marker(system, at, old | new)
    for name in (SUCCESS, *old):
        if system.get_file_info(f"{at}/{name}").type == fs.FileType.File:
            system.delete_file(f"{at}/{name}")
    for name in names:
        system.move(f"{at}/{staged.name}/{name}", f"{at}/{name}")
    write_marker(system, at, new)
    if {name for name in names_in(at) if not TEMPORARY.fullmatch(name)} != {MARKER, *names}:
        raise _not_alone(staged.target)
    with system.open_output_stream(f"{at}/{SUCCESS}", compression=None):
        pass


def _not_alone(target: Location) -> BinlogError:
    return BinlogError(
        f"{target.shown}: another program wrote or removed files in it meanwhile; its rows are"
        f" whole only if there is a {SUCCESS}",
        advice="write it again, and let one program at a time write it",
    )
