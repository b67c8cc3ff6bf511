"""The page's files at 127.0.0.1, and the reports that it sends back."""

import contextlib
import http.server
import json
import queue
import threading
from collections.abc import Iterator
from typing import Any

from tests.inputs import ROOT

PAGE = "tests/browser/page.html"
TYPES = {".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript"}
# The first parts of all paths that the page may read.
SERVED = frozenset({"tests", "samples", "node_modules", "mysql_binlog.ksy"})

Report = dict[str, Any]


class PageServer(http.server.ThreadingHTTPServer):
    """Serves the checkout and keeps what is posted."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reports: queue.Queue[Report] = queue.Queue()
        self.missed: list[str] = []

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return f"http://127.0.0.1:{self.server_port}/{PAGE}"


class Handler(http.server.BaseHTTPRequestHandler):
    """One request of the page."""

    server: PageServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a file of the checkout."""
        path = (ROOT / self.path.lstrip("/")).resolve()
        first = self.path.lstrip("/").partition("/")[0]
        if first not in SERVED or ".." in self.path or not path.is_file():
            self.server.missed.append(self.path)
            self._answer(404, b"", "text/plain")
            return
        self._answer(200, path.read_bytes(), TYPES.get(path.suffix, "application/octet-stream"))

    def do_POST(self) -> None:
        """Keep a report."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # First the answer: the last report ends the browser.
        self._answer(200, b"", "text/plain")
        self.server.reports.put(json.loads(body))

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's name
        """Keep silent; `missed` tells what went wrong."""


@contextlib.contextmanager
def serving() -> Iterator[PageServer]:
    """Serve for the length of a `with` block."""
    with PageServer() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
