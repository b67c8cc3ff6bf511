"""A proxy that hangs up in the middle of what a server sends."""

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Proxy:
    """What a running proxy has done.

    Attributes:
        port: at which it listens.
        sent: bytes that it has passed on to the client, for each connection.
    """

    port: int
    sent: list[int] = field(default_factory=list)


@contextmanager
def accepting(listener: socket.socket, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """Call a function with each client of a listener, in a thread, to the end of the block."""

    def accept() -> None:
        with suppress(OSError):
            while True:
                serve(listener.accept()[0])

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


@contextmanager
def proxy(target: tuple[str, int], budgets: Sequence[int]) -> Iterator[Proxy]:
    """Run a proxy.

    Args:
        target: host and port of the server.
        budgets: bytes of the server after which each connection is ended, one after another;
            those after the last are not.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    running = Proxy(listener.getsockname()[1])
    threads: list[threading.Thread] = []
    open_sockets: list[socket.socket] = []

    def start(run: threading.Thread) -> None:
        threads.append(run)
        run.start()

    def upstream(client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                server.sendall(data)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def downstream(number: int, client: socket.socket, server: socket.socket) -> None:
        left = budgets[number] if number < len(budgets) else 1 << 62
        with suppress(OSError):
            while left and (data := server.recv(min(left, 1 << 16))):
                client.sendall(data)
                left -= len(data)
                running.sent[number] += len(data)
        for end in (client, server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def accept(client: socket.socket) -> None:
        server = socket.create_connection(target)
        for end in (client, server):  # else small packets wait for acknowledgements
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        open_sockets.extend((client, server))
        number = len(running.sent)
        running.sent.append(0)
        start(threading.Thread(target=upstream, args=(client, server)))
        start(threading.Thread(target=downstream, args=(number, client, server)))

    try:
        with accepting(listener, accept):
            yield running
    finally:
        for end in open_sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
        for end in open_sockets:
            end.close()
