"""Headless Chromium from Debian's packages, unpacked beside the servers and run without root."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.live.servers.commands import ServerError, locked, run
from tests.live.servers.debian import Apt

SUITE = "bookworm"
PACKAGE = "chromium-headless-shell"
# Chromium finds its files and child processes by the path of the running program, so it cannot be
# started through another dynamic loader, and must run on the C library of the machine's own.
# The rest only draws on real screens.
NOT_UNPACKED = frozenset({"libc6", "libgl1-mesa-dri", "libllvm15", "libz3-4"})
SECONDS_TO_END = 10
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Whatever else it asks for gets no answer: the pages here stand alone.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""


class Chromium:
    """The unpacked browser below DIR/roots/PACKAGE."""

    def __init__(self, work: Path) -> None:
        self.cache = work / "cache"
        self.root = work / "roots" / PACKAGE
        self.program = self.root / "usr/lib/chromium" / PACKAGE
        self.log = work / "run" / "chromium.log"

    def install(self) -> "Chromium":
        """Download and unpack unless that was done; safe to call from several processes.

        Raises:
            ServerError: A tool failed, or the machine is too old for the packages.
        """
        with locked(self.cache / ".lock"):
            if not self.root.exists():
                # The root gets its name only when it is whole, so a broken run leaves none.
                part = self.root.with_name(self.root.name + ".part")
                shutil.rmtree(part, ignore_errors=True)
                part.mkdir(parents=True)
                self._unpack(part)
                part.rename(self.root)
                self._check()
        return self

    def _unpack(self, root: Path) -> None:
        apt = Apt(self.cache, SUITE)
        apt.update(force=True)  # the archive keeps only the newest browser
        closure = apt.closure([PACKAGE])
        names = [name for name in closure if name.partition("=")[0] not in NOT_UNPACKED]
        for deb in apt.download(names):
            run(["dpkg-deb", "-x", str(deb), str(root)])

    def _check(self) -> None:
        try:
            run([str(self.program), "--version"], env=os.environ | self.variables)
        except ServerError:
            shutil.rmtree(self.root)
            raise

    @property
    def variables(self) -> dict[str, str]:
        """Return what the environment of a run needs beside the caller's own."""
        folders = [
            folder
            for pattern in ("lib/*-linux-gnu", "usr/lib/*-linux-gnu", "usr/lib/*-linux-gnu/*")
            for folder in self.root.glob(pattern)
            if folder.is_dir()
        ]
        return {"TZ": "UTC", "LD_LIBRARY_PATH": ":".join(map(str, folders))}

    @contextlib.contextmanager
    def showing(self, url: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run the browser on a page, with a home of its own, for the length of a block."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        # Processes of the browser may write a last file into a folder that is being removed.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            fonts = Path(home) / "fonts.conf"
            fonts.write_text(FONTS.format(fonts=self.root / "usr/share/fonts", cache=home))
            with self.log.open("wb") as log:
                process = subprocess.Popen(
                    [str(self.program), *FLAGS, f"--user-data-dir={home}/profile", url],
                    env=os.environ | self.variables | {"HOME": home, "FONTCONFIG_FILE": str(fonts)},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            try:
                yield process
            finally:
                process.terminate()
                try:
                    process.wait(SECONDS_TO_END)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
