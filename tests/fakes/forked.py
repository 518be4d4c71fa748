"""Processes that a server forks for the tests of this worker, used as `subprocess.Popen` is."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Final, TypeAlias

import psutil

from fakes import fork_server
from fakes.fork_server import DESCRIPTORS, LENGTH, NUMBER

# What the interpreter itself reads when it starts; a fork has its server's.
_OF_INTERPRETER: Final = ("PYTHON", "LC_", "LANG")


def can_fork(env: Mapping[str, str], server: Mapping[str, str]) -> bool:
    """Tell whether a fork of a server with that environment can stand in for a new interpreter."""
    return hasattr(os, "fork") and _of_interpreter(env) == _of_interpreter(server)


def _of_interpreter(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_OF_INTERPRETER)}


class ForkedProcess:
    """A forked process: what the tests need of `subprocess.Popen`, by the same names."""

    def __init__(self, args: Sequence[str], answers: socket.socket) -> None:
        self.args = list(args)
        self.returncode: int | None = None
        self._answers = answers
        self._reading = threading.Lock()
        number = self._answer()
        if number is None:
            answers.close()
            raise OSError(f"nothing was forked for {self.args}")
        self.pid = number

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; raises TimeoutExpired when it takes longer."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            ready = select.poll()
            ready.register(self._answers, select.POLLIN)
            # Another thread may read the answer meanwhile, and close the socket.
            if ready.poll(None if seconds is None else seconds * 1_000):
                with self._reading:
                    if self.returncode is None:
                        code = self._answer()
                        self._answers.close()
                        # Without its server nothing is left of it either.
                        self.returncode = -signal.SIGKILL if code is None else code
        return self.returncode

    def _answer(self) -> int | None:
        said = self._answers.recv(NUMBER.size)
        return NUMBER.unpack(said)[0] if said else None


RunningProcess: TypeAlias = "subprocess.Popen[bytes] | ForkedProcess"


class ForkServer:
    """The server of this worker, which ends with it, however that ends."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = dict(env)
        self._socket, theirs = socket.socketpair()
        self._sending = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, fork_server.__file__, str(theirs.fileno())],
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def start(
        self,
        args: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: Path,
        streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
        modules: Sequence[str],
    ) -> ForkedProcess:
        """Fork a process that runs a module or a script, which ``args`` begins with."""
        program, *arguments = args
        request = fork_server.Request(program, arguments, dict(env), str(folder), list(modules))
        text = json.dumps({name: getattr(request, name) for name in request.__slots__}).encode()
        ours, theirs = socket.socketpair()
        with theirs, self._sending:
            passed = [*(stream.fileno() for stream in streams), theirs.fileno()]
            assert len(passed) == DESCRIPTORS
            socket.send_fds(self._socket, [LENGTH.pack(len(text))], passed)
            self._socket.sendall(text)
        return ForkedProcess(args, ours)

    def run(
        self,
        args: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: Path,
        say: str,
        modules: Sequence[str],
        timeout: float,
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program to its end, as `subprocess.run` does with text that it captures."""
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as errors,
        ):
            given.write(say.encode())
            given.seek(0)
            streams = (given, out, errors)
            process = self.start(args, env=env, folder=folder, streams=streams, modules=modules)
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise
            said, complained = (_text(stream) for stream in (out, errors))
            return subprocess.CompletedProcess(process.args, code, said, complained)

    def cpu_s(self) -> float:
        """Return the processor seconds of the server and of what it forked and has ended."""
        return sum(psutil.Process(self._process.pid).cpu_times()[:4])

    def close(self) -> None:
        """End the server and what it forked."""
        self._socket.close()
        self._process.wait()


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()


_SERVERS: Final = list[ForkServer]()


@cache
def fork_server_of(env: tuple[tuple[str, str], ...]) -> ForkServer:
    """Return this worker's server with that environment, started at the first use."""
    server = ForkServer(dict(env))
    atexit.register(server.close)
    _SERVERS.append(server)
    return server


def forked_cpu_s() -> float:
    """Return the processor seconds of what was forked for this worker and has ended."""
    return sum(server.cpu_s() for server in _SERVERS)
