"""A page of headless Chromium, steered by the protocol of its developer tools."""

import contextlib
import fcntl
import json
import os
import subprocess
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tests.browser.chromium import FLAGS, FONTS, Chromium

# Chromium reads commands from 3 and writes replies to 4, so ours have larger numbers; those of two
# digits need bash.
FIRST_FREE = 10
PIPES = 'exec "$@" 3<&{commands} 4>&{replies}'


class PageError(Exception):
    """A command, or a script of the page, has failed."""


class Page:
    """A page that is steered."""

    def __init__(self, commands: BinaryIO, replies: BinaryIO) -> None:
        self._commands = commands
        self._replies = replies
        self._last_id = 0
        self._session: str | None = None

    def open(self, url: str, width: int, height: int, script: str) -> None:
        """Open an address in a new page of a size; the script runs before those of the page."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Page.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.call("Page.navigate", url=url)

    def call(self, method: str, **parameters: Any) -> Any:
        """Return the result of a command; raises PageError."""
        self._last_id += 1
        command = {"id": self._last_id, "method": method, "params": parameters}
        if self._session is not None:
            command["sessionId"] = self._session
        self._commands.write(json.dumps(command).encode() + b"\0")
        self._commands.flush()
        while True:
            reply = self._reply()
            if reply.get("id") == self._last_id:
                break
        if "error" in reply:
            raise PageError(f"{method}: {reply['error']['message']}")
        return reply["result"]

    def _reply(self) -> Any:
        data = bytearray()
        while (byte := self._replies.read(1)) != b"\0":
            if not byte:
                raise PageError("the browser has ended")
            data += byte
        return json.loads(data)

    def run(self, script: str) -> Any:
        """Return what a script gives, after its promise is kept; raises PageError."""
        done = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in done:
            raise PageError(json.dumps(done["exceptionDetails"])[:2000])
        return done["result"].get("value")

    def picture(self) -> bytes:
        """Return the page as PNG."""
        return b64decode(self.call("Page.captureScreenshot", format="png")["data"])


@contextlib.contextmanager
def steered_page(browser: Chromium) -> Iterator[Page]:
    """Run the browser for the length of a block, with a home of its own."""
    ours_read, theirs_write = map(_moved, os.pipe())
    theirs_read, ours_write = map(_moved, os.pipe())
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        os.fdopen(ours_write, "wb") as commands,
        os.fdopen(ours_read, "rb") as replies,
    ):
        fonts = Path(home) / "fonts.conf"
        fonts.write_text(FONTS.format(fonts=browser.root / "usr/share/fonts", cache=home))
        pipes = PIPES.format(commands=theirs_read, replies=theirs_write)
        program = [str(browser.program), *FLAGS, "--remote-debugging-pipe"]
        process = subprocess.Popen(
            ["/bin/bash", "-c", pipes, "bash", *program, f"--user-data-dir={home}/profile"],
            env=os.environ | browser.variables | {"HOME": home, "FONTCONFIG_FILE": str(fonts)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs_read, theirs_write),
        )
        os.close(theirs_read)
        os.close(theirs_write)
        try:
            yield Page(commands, replies)
        finally:
            process.terminate()
            process.wait()


def _moved(descriptor: int) -> int:
    """Return another number of an open file."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE)
    os.close(descriptor)
    return moved
