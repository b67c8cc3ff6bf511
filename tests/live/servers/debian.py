"""Debian packages, fetched through an apt of our own that leaves the machine's alone."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.live.servers.commands import ServerError, run

APT_FOLDER = Path("/etc/apt")
DEFAULT_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
RELEASE = r"(buster|bullseye|bookworm|trixie|forky|duke|sid|stable|testing|unstable)"
ONE_LINE_SOURCE = re.compile(r"deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*(.*)")


@dataclass(frozen=True)
class AptSource:
    """One entry of apt's configuration."""

    uris: tuple[str, ...]
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str


@dataclass(frozen=True)
class DebianArchive:
    """Where this machine gets Debian from; `security_uri` is empty without such an entry."""

    main_uri: str
    security_uri: str
    keyring: str


def parse_stanza(stanza: str) -> AptSource | None:
    """Return the entry of one deb822 stanza, None when it is switched off or not `deb`."""
    fields: dict[str, str] = {}
    key = ""
    for line in stanza.splitlines():
        if line.startswith("#"):
            continue
        if line[:1].isspace() and key:
            fields[key] += " " + line.strip()
        elif ":" in line:
            key, _, value = line.partition(":")
            key = key.strip().lower()
            fields[key] = value.strip()
    if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes") == "no":
        return None
    return AptSource(
        tuple(fields.get("uris", "").split()),
        tuple(fields.get("suites", "").split()),
        tuple(fields.get("components", "").split()),
        fields.get("signed-by", ""),
    )


def configured_sources(folder: Path = APT_FOLDER) -> Iterator[AptSource]:
    """Yield the entries of the machine's apt configuration, both file forms."""
    for path in sorted(folder.glob("sources.list.d/*.sources")):
        for stanza in re.split(r"\n\s*\n", path.read_text()):
            if (source := parse_stanza(stanza)) is not None:
                yield source
    for path in [folder / "sources.list", *sorted(folder.glob("sources.list.d/*.list"))]:
        for line in path.read_text().splitlines() if path.exists() else []:
            if match := ONE_LINE_SOURCE.match(line.strip()):
                options, uri, suite, components = match.groups()
                signed = re.search(r"signed-by=(\S+)", options or "")
                yield AptSource(
                    (uri,), (suite,), tuple(components.split()), signed[1] if signed else ""
                )


def find_archive(folder: Path = APT_FOLDER) -> DebianArchive:
    """Return the Debian archive that the machine's own apt configuration names.

    Raises:
        ServerError: The configuration names no Debian archive.
    """
    main_uri = security_uri = keyring = ""
    for source in configured_sources(folder):
        if not source.uris or "main" not in source.components:
            continue
        for suite in source.suites:
            if re.fullmatch(RELEASE, suite) and not main_uri:
                main_uri, keyring = source.uris[0], source.signed_by
            elif re.fullmatch(RELEASE + "-security", suite) and not security_uri:
                security_uri = source.uris[0]
    if not main_uri:
        raise ServerError(
            f"no Debian archive with component main in {folder}: add a source of any release"
        )
    return DebianArchive(
        main_uri, security_uri, keyring if keyring.startswith("/") else DEFAULT_KEYRING
    )


class Apt:
    """An apt configuration of its own for one Debian release."""

    def __init__(self, cache: Path, suite: str) -> None:
        self.suite = suite
        self.debs = cache / "debs" / suite
        base = cache / "apt" / suite
        self.sources = base / "sources.list"
        self.lists = base / "lists"
        for folder in (
            self.debs,
            self.lists / "partial",
            base / "archives/partial",
            base / "state",
        ):
            folder.mkdir(parents=True, exist_ok=True)
        status = base / "status"
        status.touch()
        settings = {
            "Dir::Etc::sourcelist": self.sources,
            "Dir::Etc::sourceparts": "-",
            "Dir::Etc::preferences": "-",
            "Dir::Etc::preferencesparts": "-",
            "Dir::State": base / "state",
            "Dir::State::Lists": self.lists,
            "Dir::State::status": status,
            "Dir::Cache": base,
            "Dir::Cache::archives": base / "archives",
            "APT::Install-Recommends": "false",
            "APT::Get::List-Cleanup": "false",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
            "APT::Sandbox::User": "",
            # Mirrors may be frozen copies; signatures still count.
            "Acquire::Check-Valid-Until": "false",
        }
        self.options = [
            part for key, value in settings.items() for part in ("-o", f"{key}={value}")
        ]

    def update(self, *, force: bool = False) -> None:
        """Fetch the package lists unless they are there already."""
        if not force and any(self.lists.glob("*_Packages*")):
            return
        archive = find_archive()
        signed = f"deb [signed-by={archive.keyring}]"
        lines = [f"{signed} {archive.main_uri} {self.suite} main"]
        if archive.security_uri and self.suite != "sid":
            lines.append(f"{signed} {archive.security_uri} {self.suite}-security main")
        self.sources.write_text("\n".join(lines) + "\n")
        run(["apt-get", *self.options, "-qq", "update"])

    def closure(self, packages: Sequence[str]) -> list[str]:
        """Return NAME=VERSION of the packages and of everything they depend on."""
        text = run(["apt-get", *self.options, "-s", "install", *packages])
        found = re.findall(r"^Inst (\S+) \((\S+)", text, re.MULTILINE)
        return [f"{name.split(':')[0]}={version}" for name, version in found]

    def candidate(self, package: str) -> str:
        """Return NAME=VERSION of the newest version of one package."""
        text = run(["apt-cache", *self.options, "show", "--no-all-versions", package])
        match = re.search(r"^Version: (.+)$", text, re.MULTILINE)
        if match is None:
            raise ServerError(f"{self.suite} offers no package {package}: try install --update")
        return f"{package}={match[1]}"

    def download(self, packages: Sequence[str]) -> list[Path]:
        """Return the .deb files of NAME=VERSION packages, downloading what is not there."""
        missing = [package for package in packages if self._file_of(package) is None]
        if missing:
            # A download that breaks off must not leave a part that looks like a package.
            with tempfile.TemporaryDirectory(dir=self.debs) as folder:
                run(["apt-get", *self.options, "-qq", "download", *missing], cwd=Path(folder))
                for path in Path(folder).glob("*.deb"):
                    path.replace(self.debs / path.name)
        files = {package: self._file_of(package) for package in packages}
        if absent := [package for package, path in files.items() if path is None]:
            raise ServerError(f"apt did not download {', '.join(absent)}: try install --update")
        return [path for path in files.values() if path is not None]

    def _file_of(self, package: str) -> Path | None:
        name, _, version = package.partition("=")
        stem = f"{name}_{version.replace(':', '%3a')}_"
        return next((path for path in self.debs.glob("*.deb") if path.name.startswith(stem)), None)
