"""Forks Python programs from a process that has their modules; `forked` runs it as a script.

Starting an interpreter and importing 800 modules takes more processor time than all that most
tests ask of a daemon. A forked child gets the environment, folder and standard streams of its
request and runs the program to its end, as an interpreter of its own would.
"""

import contextlib
import faulthandler
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Final

import psutil

LENGTH: Final = struct.Struct("=I")
"""The bytes before a request: how long it is. Its descriptors come with them."""

NUMBER: Final = struct.Struct("=i")
"""What the server answers: a process number, and an exit code when the process has ended."""

STREAMS: Final = 3
DESCRIPTORS: Final = STREAMS + 2
"""The program's standard streams, the socket for the answers and, where given, another client."""

SIGNALS: Final = (
    ()
    if sys.platform == "win32"
    else (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
)
"""What a program ignores when whoever starts it does."""


@dataclass(frozen=True, slots=True)
class Request:
    """A program to run: a module's name or a script's path, its arguments, and where it runs.

    ``modules`` are imported by the server before it forks; with ``new_session`` the program leads
    a session of its own.
    """

    program: str
    arguments: list[str]
    env: dict[str, str]
    folder: str
    modules: list[str]
    ignored: list[int]
    new_session: bool

    def run(self) -> None:
        """Run the program in this process, which was forked for it."""
        if self.new_session:
            os.setsid()
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN if number in self.ignored else _usual(number))
        os.environ.clear()
        os.environ.update(self.env)
        time.tzset()
        if self.env.get("PYTHONFAULTHANDLER"):
            faulthandler.enable()
        os.chdir(self.folder)
        if self.program.endswith(".py"):
            sys.argv = [self.program, *self.arguments]
            sys.path[0] = os.path.dirname(self.program)  # noqa: PTH120 - as the interpreter does
            runpy.run_path(self.program, run_name="__main__")
        else:
            sys.argv = ["-m", *self.arguments]
            sys.path[0] = self.folder
            runpy.run_module(self.program, run_name="__main__", alter_sys=True)


class Server:
    """Serves its client until that closes its end, then ends what still runs.

    What it forks may be a client, too.
    """

    def __init__(self, client: socket.socket) -> None:
        self._client = client
        self._clients = {client.fileno(): client}
        self._children: dict[int, socket.socket] = {}
        self._woken, self._wake = socket.socketpair()
        os.set_blocking(self._wake.fileno(), False)
        self._imported: set[str] = set()

    def serve(self) -> Request | None:
        """Return None at the end, and in each forked child the request that it has to run."""
        signal.set_wakeup_fd(self._wake.fileno())
        signal.signal(signal.SIGCHLD, _noted)
        # Ctrl+C ends the client, and that ends this.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        server = os.getpid()
        try:
            return self._answer()
        finally:
            if os.getpid() == server:
                self._end()

    def _answer(self) -> Request | None:
        while True:
            ready, _, _ = select.select([self._woken, *self._clients.values()], [], [])
            if self._woken in ready:
                ready.remove(self._woken)
                self._woken.recv(4_096)
                self._reap()
            for client in ready:
                head, descriptors, _, _ = socket.recv_fds(client, LENGTH.size, DESCRIPTORS)
                request = _read(client, LENGTH.unpack(head)[0]) if head else None
                if request is not None:
                    if self._fork(request, descriptors):
                        return request
                elif client is self._client:
                    return None
                else:
                    del self._clients[client.fileno()]
                    client.close()

    def _fork(self, request: Request, descriptors: list[int]) -> bool:
        """Fork for a request; tell whether this is the child."""
        self._load(request.modules)
        pid = os.fork()
        if not pid:
            self._become_child(descriptors)
            return True
        streams, others = descriptors[:STREAMS], descriptors[STREAMS:]
        for descriptor in streams:
            os.close(descriptor)
        answers, *clients = (socket.socket(fileno=descriptor) for descriptor in others)
        self._clients.update((client.fileno(), client) for client in clients)
        self._children[pid] = answers
        with contextlib.suppress(OSError):
            answers.sendall(NUMBER.pack(pid))
        return False

    def _load(self, modules: list[str]) -> None:
        wanted = [name for name in modules if name not in self._imported]
        for name in wanted:
            importlib.import_module(name)
        if wanted:
            self._imported.update(wanted)
            gc.collect()
            # Its pages stay shared: no child looks through them for garbage.
            gc.freeze()
            if psutil.Process().num_threads() > 1:
                raise RuntimeError(f"importing {wanted} started a thread, which no fork keeps")

    def _become_child(self, descriptors: list[int]) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._close()
        for number, descriptor in enumerate(descriptors[:STREAMS]):
            os.dup2(descriptor, number)
        for descriptor in descriptors:
            os.close(descriptor)

    def _reap(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            with self._children.pop(pid) as answers, contextlib.suppress(OSError):
                answers.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))

    def _end(self) -> None:
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
        self._close()

    def _close(self) -> None:
        sockets = (*self._clients.values(), *self._children.values(), self._woken, self._wake)
        for one in sockets:
            one.close()


def _read(client: socket.socket, length: int) -> Request | None:
    """Read a request; None when the client was killed while it sent it."""
    text = b""
    while len(text) < length:
        part = client.recv(length - len(text))
        if not part:
            return None
        text += part
    return Request(**json.loads(text))


def _usual(number: int) -> Callable[[int, FrameType | None], object] | signal.Handlers:
    return signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL


def _noted(_: int, __: FrameType | None) -> None:
    """Let the signal wake the loop."""


if __name__ == "__main__":
    found = Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    if found is not None:
        found.run()
