"""The messages between the daemon and the process that computes layouts.

The daemon writes the plan as one message to standard input, then the vectors as they are, and
leaves it open: its end ends the process. The process writes its messages to standard output; if it
ends before the last one, the end of its standard error tells why.
"""

from typing import Final, TypeAlias

from msgspec import Struct, msgpack

from intaglio.projection.compute.values import LaidOut, RunPlan
from intaglio.projection.values import RunPhase

LENGTH_BYTES: Final = 4


class ProgressMessage(Struct, frozen=True, tag="progress"):
    """How much of the run is done, from 0 to 1."""

    phase: RunPhase
    fraction: float


class LayoutMessage(Struct, frozen=True, tag="layout"):
    """A layout is done."""

    layout: LaidOut


class EndMessage(Struct, frozen=True, tag="end"):
    """All layouts are done."""


WorkerMessage: TypeAlias = ProgressMessage | LayoutMessage | EndMessage

_messages: Final[msgpack.Decoder[WorkerMessage]] = msgpack.Decoder(WorkerMessage)
_plans: Final = msgpack.Decoder(RunPlan)


def frame(content: RunPlan | WorkerMessage) -> bytes:
    """Return a message with its length before it."""
    body = msgpack.encode(content)
    return len(body).to_bytes(LENGTH_BYTES, "little") + body


def length_of(head: bytes) -> int:
    """Return the length of the message that follows these LENGTH_BYTES."""
    return int.from_bytes(head, "little")


def read_message(body: bytes) -> WorkerMessage:
    """Read what the process wrote; raises msgspec.MsgspecError for anything else."""
    return _messages.decode(body)


def read_plan(body: bytes) -> RunPlan:
    """Read what the daemon wrote; raises msgspec.MsgspecError for anything else."""
    return _plans.decode(body)
