"""Where compiled kernels are kept: the first folder that can be written, and safely so.

The tests may run as a user who can write everywhere, so a folder that cannot be written is one
that stands below a file.
"""

import grp
import os
import pwd
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from pyspark_adapter.errors import BinlogWarning
from pyspark_adapter.kernels import cache, warm


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """Give a path below which nothing can be made."""
    file = tmp_path / "file"
    file.write_text("")
    return file


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an own folder of temporary files, and forget all that is configured."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def installed_read_only(blocked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move the package to where nothing can be written."""
    monkeypatch.setattr(cache, "sources_digest", lambda: "0123456789abcdef")
    monkeypatch.setattr(cache, "__file__", str(blocked / "kernels" / "cache.py"))


@pytest.mark.usefixtures("temporary", "installed_read_only")
def test_configured_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = cache.cache_folder()
    assert folder == tmp_path / "numba" / "mysql-binlog-spark" / "0123456789abcdef"
    assert folder.is_dir()


@pytest.mark.usefixtures("temporary")
def test_folder_of_the_package_comes_before_that_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "sources_digest", lambda: "0123456789abcdef")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "kernels" / "cache.py"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.cache_folder() == tmp_path / "kernels" / "__pycache__" / "0123456789abcdef"


@pytest.mark.usefixtures("temporary", "installed_read_only")
def test_read_only_package_leaves_the_folder_of_the_user(
    tmp_path: Path, blocked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked / "numba"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    expected = tmp_path / "home" / ".cache" / "mysql-binlog-spark" / "0123456789abcdef"
    assert cache.cache_folder() == expected
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    expected = tmp_path / "xdg" / "mysql-binlog-spark" / "0123456789abcdef"
    assert cache.cache_folder() == expected


@pytest.mark.usefixtures("installed_read_only")
def test_without_a_home_it_is_a_private_temporary_folder(temporary: Path) -> None:
    folder = cache.cache_folder()
    base = temporary / f"mysql-binlog-spark-{os.getuid()}"
    assert folder == base / "0123456789abcdef"
    assert base.stat().st_mode & 0o777 == 0o700
    assert cache.cache_folder() == folder


# Loading a cache runs its code: a folder that others can write is not taken.
@pytest.mark.usefixtures("installed_read_only")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o750, 0o705])
def test_a_temporary_folder_open_to_others_is_not_taken(mode: int, temporary: Path) -> None:
    base = temporary / f"mysql-binlog-spark-{os.getuid()}"
    base.mkdir()
    base.chmod(mode)
    folder = cache.cache_folder()
    assert base not in folder.parents
    assert folder.parent == temporary
    assert folder.stat().st_mode & 0o777 == 0o700
    assert list(base.iterdir()) == []
    assert cache.cache_folder() != folder


@pytest.mark.usefixtures("temporary", "installed_read_only")
@pytest.mark.parametrize("mode", [0o777, 0o707, 0o1777])
@pytest.mark.parametrize("depth", [0, 1, 2], ids=["folder", "base", "above"])
def test_a_configured_folder_that_others_can_write_is_not_taken(
    depth: int, mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = cache.cache_folder()
    opened = (folder, *folder.parents)[depth]
    opened.chmod(mode)
    if mode & 0o1000 and depth:  # others can make files there, but not replace ours
        assert cache.cache_folder() == folder
        return
    with pytest.warns(BinlogWarning, match=f"other users can write {opened}, and what is kept"):
        other = cache.cache_folder()
    assert other == tmp_path / "home" / ".cache" / "mysql-binlog-spark" / "0123456789abcdef"


@pytest.mark.usefixtures("temporary", "installed_read_only")
def test_a_configured_folder_of_another_user_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    folder = cache.cache_folder()
    user = os.getuid()
    if user == 0:
        os.chown(folder, 12345, -1)
    else:  # only root can give a folder away
        monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert cache.writable_by_others(folder) == folder
    with pytest.warns(BinlogWarning, match="an owner that is you or root"):
        assert cache.cache_folder() != folder


@pytest.mark.usefixtures("temporary", "installed_read_only")
def test_folders_are_made_without_access_for_others_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    before = os.umask(0)
    try:
        folder = cache.cache_folder()
    finally:
        os.umask(before)
    assert folder.parent.parent == tmp_path / "numba"
    assert not any(place.stat().st_mode & 0o022 for place in (folder, *folder.parents[:2]))


def test_a_group_of_the_user_alone_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in homes with a umask of 002."""
    found = tmp_path.stat()
    tmp_path.chmod(0o770)
    user = pwd.struct_passwd(("me", "x", os.getuid(), found.st_gid, "", "/", "/"))
    monkeypatch.setattr(pwd, "getpwuid", lambda _: user)
    for name, members, is_trusted in (("me", [], True), ("me", ["you"], False), ("we", [], False)):
        group = grp.struct_group((name, "x", found.st_gid, members))
        monkeypatch.setattr(grp, "getgrgid", lambda _, group=group: group)
        assert cache.writable_by_others(tmp_path) == (None if is_trusted else tmp_path)


def test_a_folder_of_the_package_is_no_more_open_than_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = tmp_path / "kernels"
    folder = sources / "__pycache__" / "0123"
    folder.mkdir(parents=True)
    monkeypatch.setattr(cache, "__file__", str(sources / "cache.py"))
    sources.chmod(0o755)
    folder.chmod(0o777)
    assert cache.writable_by_others(folder) == folder
    sources.chmod(0o777)  # who can write the sources needs no cache
    assert cache.writable_by_others(folder) is None


@pytest.mark.usefixtures("installed_read_only")
def test_a_link_planted_among_the_temporary_files_is_not_followed(
    temporary: Path, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.mkdir(mode=0o700)
    (temporary / f"mysql-binlog-spark-{os.getuid()}").symlink_to(target)
    folder = cache.cache_folder()
    assert folder.parent == temporary
    assert list(target.iterdir()) == []


@pytest.mark.usefixtures("installed_read_only")
def test_a_temporary_folder_of_another_user_is_not_taken(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    (temporary / f"mysql-binlog-spark-{other}").mkdir(mode=0o700)
    folder = cache.cache_folder()
    assert folder.parent == temporary
    assert folder.name != f"mysql-binlog-spark-{other}"


def test_any_changed_source_names_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for source in Path(cache.__file__).parent.glob("*.py"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    digest = cache.sources_digest()
    assert digest == cache.sources_digest()
    for source in sorted(tmp_path.glob("*.py")):
        text = source.read_bytes()
        source.write_bytes(text + b"#")
        assert cache.sources_digest() != digest
        source.write_bytes(text)


def test_a_package_that_was_moved_compiles_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Numba finds what it has compiled by the paths of the sources."""
    before = cache.sources_digest()
    shutil.copytree(Path(cache.__file__).parent, tmp_path / "kernels")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "kernels" / "cache.py"))
    assert cache.sources_digest() != before


def test_warm_compiles_the_kernels_of_all_modules() -> None:
    folder = Path(warm.__file__).parent
    with_kernels = {
        path.stem for path in folder.glob("*.py") if "\n@kernel(" in path.read_text("utf-8")
    }
    named = {name for names in (*warm._KERNEL_MODULES, warm._SQL_MODULES) for name in names}
    # Modules import kernels of others, which are compiled with them.
    taken = {
        found
        for name in named
        for found in re.findall(r"kernels\.(\w+) import", (folder / f"{name}.py").read_text())
    }
    assert "sql_changes" in with_kernels
    assert with_kernels <= named | taken
