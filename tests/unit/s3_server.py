"""A server of S3 on this machine, and the list of what was asked of it."""

import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

from moto.server import DomainDispatcherApplication, create_backend_app
from pyarrow import fs
from werkzeug.serving import make_server


@dataclass(frozen=True)
class Asked:
    """A request for an object or a bucket.

    Attributes:
        method: of HTTP.
        path: `/bucket/key`.
        first, last: the bytes that were asked for, both inclusive; None for all.
    """

    method: str
    path: str
    first: int | None
    last: int | None


@dataclass
class S3Server:
    """A running server."""

    query: str
    requests: list[Asked] = field(default_factory=list)

    def uri(self, path: str) -> str:
        """Return the URI of `bucket/key`."""
        return f"s3://{path}{self.query}"

    def put(self, path: str, data: bytes) -> None:
        """Store an object; its bucket is made."""
        system, _ = fs.FileSystem.from_uri(f"s3://x/{self.query}&allow_bucket_creation=true")
        system.create_dir(path.split("/")[0])
        with system.open_output_stream(path, compression=None) as file:
            file.write(data)
        self.requests.clear()

    def num_bytes_read(self, path: str) -> int:
        """Return the bytes that were asked for of an object, each request counted."""
        return sum(last - first + 1 for first, last in self.ranges_of(path))

    def ranges_of(self, path: str) -> list[tuple[int, int]]:
        """Return the ranges that were asked for of an object; fails if one asked for all."""
        found = []
        for request in self.requests:
            if request.method == "GET" and request.path == f"/{path}":
                assert request.first is not None, "the whole object was asked for"
                assert request.last is not None, "all bytes to the end were asked for"
                found.append((request.first, request.last))
        return found


def _noted(app: Callable[..., Iterable[bytes]], requests: list[Asked]) -> Callable[..., Any]:
    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", environ.get("HTTP_RANGE", ""))
        first, last = (int(found[1]), int(found[2])) if found else (None, None)
        requests.append(Asked(environ["REQUEST_METHOD"], environ["PATH_INFO"], first, last))
        return app(environ, start_response)

    return answer


@contextmanager
def running_s3() -> Iterator[S3Server]:
    """Give a server of S3 at a free port; it forgets all at the end."""
    requests: list[Asked] = []
    app = _noted(DomainDispatcherApplication(create_backend_app), requests)
    http = make_server("127.0.0.1", 0, app, threaded=True)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it would print each request
    thread = Thread(target=http.serve_forever)
    thread.start()
    try:
        # What an earlier server of this process was given.
        reset = Request(f"http://127.0.0.1:{http.server_port}/moto-api/reset", method="POST")
        urlopen(reset).close()  # noqa: S310  # of this machine
        query = f"?endpoint_override=127.0.0.1:{http.server_port}&scheme=http&region=us-east-1"
        yield S3Server(query, requests)
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


@contextmanager
def s3_process() -> Iterator[S3Server]:
    """Give a server in a process of its own; deltalake holds Python's lock while it waits for one.

    What was asked of it is not known.
    """
    command = [sys.executable, "-c", "from tests.unit.s3_server import serve; serve()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        try:
            yield S3Server(run.stdout.readline().strip())
        finally:
            run.kill()


def serve() -> None:
    """Print the query of a server, and serve until the standard input ends."""
    with running_s3() as server:
        sys.stdout.write(f"{server.query}\n")
        sys.stdout.flush()
        sys.stdin.read()
