"""Where compiled kernels are kept: the first folder that can be written, and safely so.

The tests may run as a user who can write everywhere, so a folder that cannot be written is one
that stands below a file.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from pyspark_adapter.kernels import cache


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
