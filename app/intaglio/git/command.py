"""Runs git on a checked repository so that nothing of the repository runs, and within limits.

Git runs programs that a repository's configuration names: its pager, hooks, file system monitor,
diff and text conversion drivers, signature checkers, credential helpers, transports. Whatever such
a setting may be is overridden on the command line, which configuration can't change.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Protocol, TypeAlias
from weakref import WeakSet

import psutil

from intaglio.base.clock import monotonic_s
from intaglio.base.process.kill import kill_with_children
from intaglio.fence.characters import visible
from intaglio.git.repository import Repository

_NOWHERE: Final = os.devnull
_ATTRIBUTES: Final = Path(__file__).with_name("attributes")
_CHUNK: Final = 65_536
_MAX_ERROR: Final = 2_000
_NICENESS: Final = 10
_MAX_MEMORY: Final = 2_000_000_000
_END_S: Final = 5.0
_LEAST_S: Final = 0.05

OVERRIDES: Final = (
    # Programs.
    "core.fsmonitor=false",
    f"core.hooksPath={_NOWHERE}",
    "core.pager=cat",
    "core.editor=false",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.askPass=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "log.showSignature=false",
    "interactive.diffFilter=false",
    "uploadpack.packObjectsHook=false",
    # The network, and work that git starts by itself.
    "protocol.allow=never",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    # Files elsewhere, and what a copy of the objects claims about them.
    f"core.attributesFile={_ATTRIBUTES}",
    f"core.excludesFile={_NOWHERE}",
    f"diff.orderFile={_NOWHERE}",
    f"mailmap.file={_NOWHERE}",
    "mailmap.blob=",
    "core.commitGraph=false",
    "core.multiPackIndex=false",
    # Memory; larger files aren't compared line by line.
    "core.packedGitWindowSize=32m",
    "core.packedGitLimit=256m",
    "core.deltaBaseCacheLimit=32m",
    "core.bigFileThreshold=1m",
    "pack.threads=1",
    # What output looks like.
    "color.ui=false",
    "core.quotePath=true",
    "core.abbrev=40",
    "i18n.logOutputEncoding=UTF-8",
    "log.mailmap=false",
    "log.follow=false",
    "log.showRoot=true",
    "log.decorate=false",
    "notes.displayRef=",
    "diff.relative=false",
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.renames=false",
    "diff.submodule=short",
    "diff.ignoreSubmodules=none",
    "diff.suppressBlankEmpty=false",
    "diff.wsErrorHighlight=none",
    "diff.interHunkContext=0",
    "diff.algorithm=myers",
)
"""What a repository may not choose. They win over all configuration files."""

_NO_FETCH: Final = {"GIT_NO_LAZY_FETCH": "1"}
_SAFE_OUTPUT: Final = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
_SAFE_LOG: Final = ("--no-notes", "--no-show-signature", "--no-decorate")
_SAFE_ARGUMENTS: Final = {
    "log": (*_SAFE_OUTPUT, *_SAFE_LOG),
    "diff-tree": (*_SAFE_OUTPUT, "--no-notes"),
}


@dataclass(frozen=True, slots=True)
class GitFailure:
    """Why git didn't do what was asked, in words for the user; ``code`` is its exit status.

    ``code`` is None if it never ran, or was ended for taking too long or answering too much.
    """

    reason: str
    code: int | None = None
    errors: str = field(default="", repr=False, compare=False)
    """The beginning of what git wrote beside its output."""


@dataclass(frozen=True, slots=True)
class GitContext:
    """How git runs: its arguments before the command, its whole environment, its folder."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    folder: Path


GitTarget: TypeAlias = Repository | GitContext
"""A checked repository, without its working tree; or how git runs."""


class _Limited(Protocol):
    """What psutil offers on Linux only."""

    def rlimit(self, resource: int, limits: tuple[int, int]) -> object:
        """Limit a resource of a process."""
        ...


def closed_environment() -> dict[str, str]:
    """Return git's whole environment: nothing of the daemon's, no home, no other repository."""
    # Windows' programs don't start without these.
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    return (
        kept
        | _NO_FETCH
        | {
            "PATH": os.defpath,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": _NOWHERE,
            "GIT_CONFIG_SYSTEM": _NOWHERE,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_PROTOCOL_FROM_USER": "0",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_GRAFT_FILE": _NOWHERE,
            "GIT_ASKPASS": "false",
            "SSH_ASKPASS": "false",
            "GIT_SSH_COMMAND": "false",
            "GIT_PAGER": "cat",
            "GIT_EDITOR": "false",
        }
    )


@dataclass(frozen=True, slots=True)
class Git:
    """Runs the git program at an absolute path; None if there is none.

    Everything here blocks: call it in a thread. ``max_memory`` limits git's address space where the
    system can; 0 is no limit.
    """

    program: str | None
    max_memory: int = _MAX_MEMORY
    _running: "WeakSet[subprocess.Popen[bytes]]" = field(
        default_factory=WeakSet["subprocess.Popen[bytes]"], compare=False
    )
    _stopping: threading.Event = field(default_factory=threading.Event, compare=False)

    def stop(self) -> None:
        """Kill all that runs, and start nothing any more: threads that wait for git go on."""
        self._stopping.set()
        for process in list(self._running):
            kill(process)

    def run(
        self,
        target: GitTarget,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        limit_s: float,
        max_bytes: int,
    ) -> bytes | GitFailure:
        """Return what a command prints, or why it failed, took too long or printed too much."""
        with self.stream(
            target, arguments, stdin=stdin, limit_s=limit_s, max_bytes=max_bytes
        ) as stream:
            found = b"".join(stream.chunks())
            return stream.failure or found

    @contextlib.contextmanager
    def stream(
        self,
        target: GitTarget,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        limit_s: float,
        max_bytes: int,
    ) -> "Generator[GitStream]":
        """Run a command and yield its output as it comes; it is ended with the block."""
        with tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            stream = self._start(target, arguments, given, limit_s, max_bytes)
            try:
                yield stream
            finally:
                stream.close()

    def _start(
        self,
        target: GitTarget,
        arguments: Sequence[str],
        given: IO[bytes],
        limit_s: float,
        max_bytes: int,
    ) -> "GitStream":
        started = self.start(target, arguments, given, stderr=subprocess.PIPE)
        if isinstance(started, GitFailure):
            return GitStream(None, started)
        return GitStream(started, None, limit_s, max_bytes)

    def start(
        self,
        target: GitTarget,
        arguments: Sequence[str],
        stdin: IO[bytes] | int,
        stderr: int = subprocess.DEVNULL,
    ) -> "subprocess.Popen[bytes] | GitFailure":
        """Start a command without limits of time and output; the caller has to end it."""
        if self.program is None:
            return GitFailure("git isn't installed")
        if self._stopping.is_set():
            return GitFailure("Intaglio is stopping")
        context = context_of(target) if isinstance(target, Repository) else target
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed program, nothing of a shell
                [self.program, *context.arguments, *safe_command(arguments)],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=context.folder,
                env=context.environment,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            return GitFailure(f"git can't be started ({error.strerror})")
        self._running.add(process)
        _be_modest(process.pid, self.max_memory)
        return process


def find_git() -> Git:
    """Find git where programs are looked for; a folder given relatively isn't one of them."""
    found = shutil.which("git")
    return Git(found if found is not None and Path(found).is_absolute() else None)


def context_of(repository: Repository) -> GitContext:
    """Return how git reads a repository: nothing of its working tree, no network."""
    # Without a working tree no attributes, ignore rules or mail map of it are read.
    places = ("--no-pager", "--bare", f"--git-dir={repository.git_dir}")
    return GitContext((*places, *as_options(OVERRIDES)), closed_environment(), repository.git_dir)


def as_options(settings: Iterable[str]) -> Iterator[str]:
    """Yield the arguments that override settings, each ``key=value``."""
    for each in settings:
        yield from ("-c", each)


def command_line(repository: Repository, arguments: Sequence[str]) -> list[str]:
    """Return git's arguments on a repository: the overrides, the repository, the command."""
    return [*context_of(repository).arguments, *safe_command(arguments)]


def safe_command(arguments: Sequence[str]) -> list[str]:
    """Return a command with the options that keep it from running programs."""
    name, *rest = arguments
    return [name, *_SAFE_ARGUMENTS.get(name, ()), *rest]


def _be_modest(pid: int, max_memory: int) -> None:
    """Give a process low priority and limit its memory, where the system can."""
    with contextlib.suppress(psutil.Error, OSError, ValueError):
        process = psutil.Process(pid)
        if sys.platform == "win32":
            process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        else:
            # Only root may lower it again.
            process.nice(max(process.nice(), _NICENESS))
        if sys.platform == "linux" and max_memory:
            limited: _Limited = process
            limited.rlimit(psutil.RLIMIT_AS, (max_memory, max_memory))
            limited.rlimit(psutil.RLIMIT_CORE, (0, 0))


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process of `Git.start` with all that it started, unless it was waited for."""
    if process.returncode is not None:
        return
    kill_with_children(process.pid)


class GitStream:
    """The output of a running command; ``failure`` is known once the output was read.

    Once it was waited for longer than the limit, the process is killed with all that it started,
    and the output ends. Time between two reads doesn't count.
    """

    def __init__(
        self,
        process: "subprocess.Popen[bytes] | None",
        failure: GitFailure | None,
        limit_s: float = 0,
        max_bytes: int = 0,
    ) -> None:
        self.failure = failure
        self._process = process
        self._left = max_bytes
        self._error = bytearray()
        self._wait_s = limit_s
        self._waits_since: float | None = None
        self._ended = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="git-errors", daemon=True)
        if process is not None:
            threading.Thread(target=self._watch, name="git-deadline", daemon=True).start()
            self._listener.start()

    def _watch(self) -> None:
        while not self._ended.wait(max(self._left_s(), _LEAST_S)):
            if self._left_s() <= 0:
                self.failure = GitFailure("git took too long")
                self._kill()
                return

    def _left_s(self) -> float:
        left, since = self._wait_s, self._waits_since
        return left - (0.0 if since is None else monotonic_s() - since)

    def _next_chunk(self, output: IO[bytes]) -> bytes:
        self._waits_since = began = monotonic_s()
        try:
            return output.read(_CHUNK)
        finally:
            # In this order, the watching thread never counts a wait twice.
            self._waits_since = None
            self._wait_s -= monotonic_s() - began

    def _kill(self) -> None:
        if self._process is not None:
            kill(self._process)

    def _listen(self) -> None:
        """Keep the beginning of what git says beside its output; drop the rest."""
        if self._process is None or self._process.stderr is None:
            return
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._process.stderr.read(_CHUNK):
                self._error += chunk[: _MAX_ERROR - len(self._error)]

    def chunks(self) -> Iterator[bytes]:
        """Yield the output as it comes."""
        if self._process is None or self._process.stdout is None:
            return
        while chunk := self._next_chunk(self._process.stdout):
            self._left -= len(chunk)
            if self._left < 0:
                self.failure = self.failure or GitFailure("git answered too much")
                break
            yield chunk
        self._finish()

    def records(self, max_record: int) -> Iterator[bytes]:
        """Yield the records of output that NUL bytes end; of a longer one only the beginning."""
        return split_records(self.chunks(), max_record)

    def lines(self, max_line: int) -> Iterator[bytes]:
        """Yield the lines of the output; of a longer one only the beginning."""
        return split_records(self.chunks(), max_line, b"\n")

    def _finish(self) -> None:
        """Wait for the end, and say why it failed."""
        process = self._process
        if process is None:
            return
        if self.failure is not None:
            self._kill()
        try:
            code = process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._kill()
            code = process.wait()
        self._ended.set()
        self._listener.join(_END_S)
        if self.failure is None and code:
            said = visible(self._error.decode("utf-8", "replace")).strip().splitlines()
            detail = f": {said[0][:200]}" if said else ""
            self.failure = GitFailure(
                f"git failed with status {code}{detail}", code, "\n".join(said)
            )

    def close(self) -> None:
        """End the process and all that it started."""
        process = self._process
        if process is None:
            return
        self._ended.set()
        if process.returncode is None:
            self._kill()
            process.wait()
        self._listener.join(_END_S)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process = None


def split_records(
    chunks: Iterable[bytes], max_record: int, end: bytes = b"\x00"
) -> Iterator[bytes]:
    """Split a stream into records; of a longer one the beginning, and none that has no end."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        pieces = chunk.split(end)
        for number, piece in enumerate(pieces):
            if size < max_record:
                parts.append(piece[: max_record - size])
                size += len(parts[-1])
            if number < len(pieces) - 1:
                yield b"".join(parts)
                parts, size = [], 0
