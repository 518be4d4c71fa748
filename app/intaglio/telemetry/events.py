"""Turns what was measured into telemetry events: names and numbers, no ids and no text."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from intaglio.base.metrics.errors import ErrorEntry
from intaglio.base.metrics.measured import (
    EmbeddingCall,
    JobsRun,
    Measured,
    MemoryRead,
    ModelCall,
    SessionEnded,
    SessionStarted,
    TurnCaptured,
)

EventName: TypeAlias = Literal[
    "llm.generate",
    "pipeline.extraction",
    "pipeline.decision",
    "pipeline.embedding",
    "pipeline.error",
    "session.start",
    "session.end",
    "daemon.heartbeat",
    "capture.turn",
]
EVENT_NAMES: Final[tuple[EventName, ...]] = get_args(EventName)

Properties: TypeAlias = Mapping[str, str | int | float | bool | None]

_NAME: Final = re.compile(r"[\w.:/@+-]{1,100}")


class Event(NamedTuple):
    """A kind of event and its properties."""

    name: EventName
    properties: Properties


def events_of(measured: Measured) -> list[Event]:
    """Return the events of what was measured; none of runs of the queue, of which errors tell."""
    found: list[Event] = []
    match measured:
        case ModelCall() as call:
            found.append(Event("llm.generate", _of_call(call)))
        case EmbeddingCall() as call:
            found.append(Event("pipeline.embedding", _of_embedding(call)))
        case MemoryRead(actions=actions, applied=applied, ms=ms):
            read: Properties = {"facts": len(actions), "applied": applied, "latencyMs": round(ms)}
            found.append(Event("pipeline.extraction", read))
            if actions:
                found.append(Event("pipeline.decision", dict(Counter(actions))))
        case ErrorEntry(stage=stage, code=code):
            found.append(Event("pipeline.error", {"stage": stage, "code": code}))
        case SessionStarted(harness=harness, source=source):
            started = {"harness": _name(harness), "source": _name(source)}
            found.append(Event("session.start", started))
        case SessionEnded(harness=harness, reason=reason):
            ended = {"harness": _name(harness), "reason": _name(reason)}
            found.append(Event("session.end", ended))
        case TurnCaptured(harness=harness, kept=kept, suggested=suggested, ms=ms):
            counts = {"kept": kept, "suggested": suggested, "latencyMs": round(ms)}
            found.append(Event("capture.turn", {"harness": _name(harness), **counts}))
        case JobsRun():
            pass
    return found


def _of_call(call: ModelCall) -> Properties:
    return {
        "provider": _name(call.provider),
        "model": _name(call.model),
        "stage": _name(call.stage),
        "outcome": call.outcome,
        "success": call.failure is None,
        "latencyMs": round(call.ms),
        "inputTokens": call.tokens_read,
        "outputTokens": call.tokens_written,
        "cost": call.usd,
    }


def _of_embedding(call: EmbeddingCall) -> Properties:
    return {
        "provider": _name(call.provider),
        "model": _name(call.model),
        "texts": call.texts,
        "success": call.failure is None,
        "latencyMs": round(call.ms, 1),
    }


def _name(text: str) -> str:
    """Return what is a name; clients choose some of them, and could write anything."""
    return text if _NAME.fullmatch(text) else "other"
