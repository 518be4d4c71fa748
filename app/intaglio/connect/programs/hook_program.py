"""The hook program: sends a harness's event to the daemon, or spools it if the daemon is down.

A harness runs a copy of this file with the values below filled in and with the source of
`daemon_link` in it (``python3 -I -S``). It imports nothing from Intaglio and as little as possible
(json alone would cost as much as all the rest), always exits with 0, and prints nothing except,
with ``--reply`` or ``--ask``, the daemon's reply. With ``--ask`` nothing is spooled: without the
reply, the event doesn't matter.

A daemon that doesn't answer in time isn't asked again for a while: the socket is set aside until
the daemon puts it back, and without a socket the program remembers the time.
"""

import os
import sys
import time

from intaglio.connect.programs.daemon_link import (
    SOCKET,
    connect,
    has_socket,
    quoted,
    read_file,
    receive,
    send,
)

SPOOL = ""
HARNESS = ""
ENDPOINT = ""
BREAKER = ""
# The harness's JSON key for each field of a spooled event: "event=… session=… cwd=…".
FIELDS = ""
# The environment variable in which the harness names the directory that the session started in.
DIRECTORY = ""

MAX_INPUT = 1_000_000
MAX_REPLY = 200_000
MAX_SPOOLED = 10_000
INPUT_S = 2.0
CONNECT_S = 0.3
TOTAL_S = 2.0
BREAKER_S = 60.0


def read_input() -> bytes:
    """Read all input, keeping the first megabyte plus one byte that indicates more."""
    import select  # noqa: PLC0415 - a disabled hook needs nothing

    kept = bytearray()
    end = time.monotonic() + INPUT_S
    # The caller may keep the pipe open forever (Windows can't select on a pipe).
    while os.name != "posix" or select.select([0], [], [], max(0.0, end - time.monotonic()))[0]:
        chunk = os.read(0, 65_536)
        if not chunk:
            break
        kept += chunk[: MAX_INPUT + 1 - len(kept)]
    return bytes(kept)


def post(data: bytes, *, whole: bool) -> bytes | None:
    """Post the event and return the reply's body, or None for anything but a 2xx reply.

    Unless ``whole`` is set, only the reply's first line is read.
    """
    end = time.monotonic() + TOTAL_S
    local = has_socket()
    if not local and is_breaker_open():
        return None
    try:
        connection = connect(SOCKET if local else "", end, CONNECT_S)
        directory = started_in()
        header = f"X-Intaglio-Project-Dir: {quoted(directory)}\r\n" if directory else ""
        try:
            send(connection, ENDPOINT, data, header)
            reply = receive(connection, end, MAX_REPLY, whole=whole)
        finally:
            connection.close()
    except TimeoutError:
        if time.monotonic() >= end:
            open_breaker(local=local)
        raise
    return reply.partition(b"\r\n\r\n")[2] if reply.startswith(b"HTTP/1.1 2") else None


def started_in() -> str:
    """Return the directory that the session was started in, empty if the harness doesn't say it.

    The event itself says where the agent stands, which its ``cd`` changes.
    """
    return os.environ.get(DIRECTORY, "") if DIRECTORY else ""


def open_breaker(*, local: bool) -> None:
    """Make the following hooks fail at once, until the daemon shows that it runs again."""
    if local:
        os.replace(SOCKET, SOCKET + ".away")  # noqa: PTH105 - pathlib costs too much here
        return
    descriptor = os.open(BREAKER, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(descriptor, str(time.monotonic()).encode())
    os.close(descriptor)


def is_breaker_open() -> bool:
    """Whether the daemon didn't answer in time within the last minute.

    The clock is the system's since its start, so a time after now is one of an earlier start.
    """
    try:
        return 0 <= time.monotonic() - float(read_file(BREAKER)) < BREAKER_S
    except (OSError, ValueError):
        return False


def parse(data: bytes) -> dict[str, str]:
    """Extract the fields of a spooled event; input that isn't whole JSON is searched for them."""
    import json  # noqa: PLC0415 - needed only when the daemon is down

    fields: dict[str, str] = {}
    for pair in FIELDS.split():
        ours, _, theirs = pair.partition("=")
        fields[ours] = theirs
    found: dict[str, object] = {}
    text = data.decode("utf-8-sig", "replace")
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        import re  # noqa: PLC0415 - rare

        pattern = r'"(' + "|".join(fields.values()) + r')"\s*:\s*("(?:[^"\\]|\\.)*")'
        for match in reversed(list(re.finditer(pattern, text))):
            found[match[1]] = json.loads(match[2], strict=False)
    return {
        ours: value
        for ours, theirs in fields.items()
        if isinstance(value := found.get(theirs), str)
    }


def spool(event: dict[str, str]) -> None:
    """Save the event for the daemon; file names sort by time."""
    import json  # noqa: PLC0415 - needed only when the daemon is down

    os.makedirs(SPOOL, mode=0o700, exist_ok=True)  # noqa: PTH103 - pathlib costs too much here
    if len(os.listdir(SPOOL)) >= MAX_SPOOLED:  # noqa: PTH208 - see above
        return
    now = time.time_ns()
    entry: dict[str, object] = {"harness": HARNESS, "time": now / 1e9}
    entry["event"] = event.pop("event")
    entry["session"] = event.pop("session")
    directory = started_in()
    if directory and directory.encode(errors="replace").decode() == directory:
        entry["started_in"] = directory
    content = json.dumps({**entry, **event}).encode()
    final = f"{SPOOL}{os.sep}{now:020d}-{os.getpid()}.json"
    part = final + ".part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, content)
        os.fsync(descriptor)
        os.close(descriptor)
        os.rename(part, final)  # noqa: PTH104 - see above
    except BaseException:
        os.unlink(part)  # noqa: PTH108 - see above
        raise


def run(*, reply: bool, keep: bool) -> None:
    """Deliver one event; print the ``reply``, or ``keep`` the event for later."""
    data = read_input()
    body = None
    try:
        if len(data) <= MAX_INPUT:
            body = post(data, whole=reply)
    except Exception:
        body = None
    if body is None:
        if keep:
            spool(parse(data))
    elif reply:
        os.write(1, body)


if __name__ == "__main__":
    try:
        switches = ("INTAGLIO_NO_HOOKS", "SIGNET_NO_HOOKS", "SIGNET_BYPASS")
        if not any(os.environ.get(name) for name in switches):
            asks = "--ask" in sys.argv[1:]
            run(reply=asks or "--reply" in sys.argv[1:], keep=not asks)
    except BaseException:
        pass
    os._exit(0)
