"""What names the sources of the kernels, and where things made of them are kept."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from pyspark_adapter.kernels import library


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget what is known, before and after, and all that is configured."""
    remembering: tuple[Any, ...] = (
        library.kept_folder,
        library.source_folder,
        library.sources_digest,
    )
    for name in ("NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for function in remembering:
        function.cache_clear()
    yield
    for function in remembering:
        function.cache_clear()


@pytest.mark.parametrize("name", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"])
def test_a_folder_of_the_user_is_taken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, str(tmp_path))
    base = tmp_path / ".cache" if name == "HOME" else tmp_path
    folder = library.kept_folder()
    assert folder == base / "mysql-binlog-spark" / library.sources_digest()
    assert folder.is_dir()


def test_code_that_checks_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = library.kept_folder()
    library.kept_folder.cache_clear()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert library.kept_folder() != folder


def test_where_nothing_can_be_written_it_is_a_folder_of_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests may run as a user who can write everywhere, but not below a file."""
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(file / "numba"))
    monkeypatch.setenv("HOME", str(file / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = library.kept_folder()
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o777 == 0o700
    assert library.kept_folder() == folder


def test_each_source_changes_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(library.__file__).parent.parent
    for name in ("kernels", "format"):
        copytree(package / name, tmp_path / name)
    before = library.sources_digest()
    monkeypatch.setattr(library, "__file__", str(tmp_path / "kernels" / "library.py"))

    def digest() -> str:
        library.source_folder.cache_clear()
        library.sources_digest.cache_clear()
        return library.sources_digest()

    assert digest() == before
    changed = [*(tmp_path / "kernels").glob("*.py"), tmp_path / "format" / "header.py"]
    for source in (*changed, tmp_path / "format" / "event_types.py"):
        text = source.read_bytes()
        source.write_bytes(text + b"#")
        assert digest() != before
        source.write_bytes(text)
        assert digest() == before
