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
from contextlib import ExitStack
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import IO, Final, TypeAlias

import psutil

from fakes import fork_server
from fakes.fork_server import LENGTH, NUMBER, SIGNALS, Request

# What the interpreter itself reads when it starts; a fork has its server's.
_OF_INTERPRETER: Final = ("PYTHON", "LC_", "LANG")


def can_fork(env: Mapping[str, str], server: Mapping[str, str]) -> bool:
    """Tell whether a fork of a server with that environment can stand in for a new interpreter.

    On other systems than Linux it is not safe after what the server imports.
    """
    return sys.platform == "linux" and _of_interpreter(env) == _of_interpreter(server)


def _of_interpreter(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_OF_INTERPRETER)}


class ForkedProcess:
    """A forked process: what the tests need of `subprocess.Popen`, by the same names."""

    def __init__(self, args: Sequence[str], answers: socket.socket) -> None:
        self.args = list(args)
        self.returncode: int | None = None
        self.stdin: IO[bytes] | None = None
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
        descriptor = self._answers.fileno()
        # Another thread may read the answer at any moment, and close the socket.
        if self.returncode is None and descriptor >= 0:
            ready = select.poll()
            ready.register(descriptor, select.POLLIN)
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


Streams: TypeAlias = tuple[IO[bytes] | None, IO[bytes], IO[bytes]]

RunningProcess: TypeAlias = "subprocess.Popen[bytes] | ForkedProcess"


class ForkClient:
    """Lets a server fork, over a socket to it."""

    def __init__(self, server: socket.socket) -> None:
        self._socket = server
        self._sending = threading.Lock()

    def start(
        self,
        args: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: Path,
        streams: Streams,
        modules: Sequence[str],
        new_session: bool = False,
    ) -> ForkedProcess:
        """Fork a process that runs a module or a script, which ``args`` begins with.

        Without a standard input, the program gets a socket to the server in its place, and may
        fork, too.
        """
        program, *arguments = args
        ignored = [int(one) for one in SIGNALS if signal.getsignal(one) is signal.SIG_IGN]
        request = Request(
            program, arguments, dict(env), str(folder), list(modules), ignored, new_session
        )
        ours, theirs = socket.socketpair()
        with theirs, ExitStack() as stack:
            given, *others = streams
            passed = [stream.fileno() for stream in others] + [theirs.fileno()]
            if given is None:
                pair = [stack.enter_context(one) for one in socket.socketpair()]
                passed = [pair[0].fileno(), *passed, pair[1].fileno()]
            else:
                passed.insert(0, given.fileno())
            text = json.dumps(asdict(request)).encode()
            with self._sending:
                socket.send_fds(self._socket, [LENGTH.pack(len(text))], passed)
                self._socket.sendall(text)
        return ForkedProcess(args, ours)

    def popen(  # noqa: PLR0913 - the arguments that Popen is given
        self,
        args: Sequence[str],
        *,
        env: Mapping[str, str] | None,
        stdin: int,
        stdout: IO[bytes],
        stderr: IO[bytes],
        start_new_session: bool,
        creationflags: int,
    ) -> ForkedProcess:
        """Start a module as `subprocess.Popen` does that is given a pipe for its input."""
        # As `own_command` starts this program.
        assert (*args[1:3], stdin, creationflags) == ("-P", "-m", subprocess.PIPE, 0)
        read, write = os.pipe()
        with os.fdopen(read, "rb") as given:
            process = self.start(
                args[3:],
                env=os.environ if env is None else env,
                folder=Path.cwd(),
                streams=(given, stdout, stderr),
                modules=(),
                new_session=start_new_session,
            )
        process.stdin = os.fdopen(write, "wb")
        return process


class ForkServer(ForkClient):
    """The server of this worker, which ends with it, however that ends."""

    def __init__(self, env: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair()
        super().__init__(ours)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, fork_server.__file__, str(theirs.fileno())],
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

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
