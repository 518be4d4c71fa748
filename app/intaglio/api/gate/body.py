"""Reads requests' bodies: each within its own limit, and large ones within a shared one."""

import re
from typing import Final

from intaglio.api.gate.routes import Message, Receive
from intaglio.base.errors import InvalidInputError, TooLargeError, UnavailableError

SMALL_BODY_BYTES: Final = 65_536
LARGE_BODIES_BYTES: Final = 64_000_000
MAX_VALUES: Final = 100_000
SEND_LESS: Final = "Split it into several requests."


# A JSON text, even one without an end, or a comma between values.
_TEXT_OR_COMMA: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|,', re.DOTALL)


def check_values(body: bytes) -> None:
    """Raise TooLargeError if a JSON body has more values than any request needs.

    A megabyte of tiny values takes longer to decode than one of text: all other requests wait.
    """
    if body.count(b",") <= MAX_VALUES:
        return
    values = 0
    for each in _TEXT_OR_COMMA.finditer(body):
        values += each[0] == b","
        if values > MAX_VALUES:
            raise TooLargeError(f"The body has more than {MAX_VALUES} values", hint=SEND_LESS)


class LargeBodies:
    """The memory that large bodies share: however many connections send one, it stays bounded."""

    def __init__(self, max_bytes: int = LARGE_BODIES_BYTES) -> None:
        self._free = max_bytes

    def take(self, size: int) -> None:
        """Reserve memory; raises UnavailableError if there is too little left."""
        if size > self._free:
            raise UnavailableError("Too many large requests at once", hint="Try again in a moment.")
        self._free -= size

    def give_back(self, size: int) -> None:
        """Release reserved memory."""
        self._free += size


class BodyBuffer:
    """One request's body; `release` it when the request is answered."""

    def __init__(self, shared: LargeBodies) -> None:
        self._shared = shared
        self._taken = 0

    async def read(self, receive: Receive, max_bytes: int) -> bytes:
        """Return the whole body.

        Raises TooLargeError beyond ``max_bytes``, UnavailableError if large bodies of other
        requests leave no memory, InvalidInputError if the connection closes.
        """
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise InvalidInputError("The request ended before its body was complete")
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > max_bytes:
                raise TooLargeError(f"The body exceeds {max_bytes} bytes", hint=SEND_LESS)
            more = max(0, size - SMALL_BODY_BYTES) - self._taken
            self._shared.take(more)
            self._taken += more
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    def release(self) -> None:
        """Release the memory."""
        self._shared.give_back(self._taken)
        self._taken = 0


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive that yields the body once, then the server's messages (a disconnect)."""
    sent = False

    async def replayed() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
