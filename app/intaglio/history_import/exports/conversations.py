"""What an export's conversations hold, whatever service they come from."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from intaglio.base import clock
from intaglio.base.clock import parse_moment
from intaglio.base.text import clip, scrub
from intaglio.history_import.times import plausible
from intaglio.redaction.redact import clean

ExportService: TypeAlias = Literal["chatgpt", "claude-ai"]
"""The service that an export comes from, as its sessions' harness is named."""

SERVICE_LABELS: Final[dict[ExportService, str]] = {"chatgpt": "ChatGPT", "claude-ai": "Claude"}

# A longer message is a pasted document.
_MAX_MESSAGE_CHARS: Final = 100_000
_MAX_TITLE_CHARS: Final = 300
_MAX_ID_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    """A message of the user or the model: text only, without secrets."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """A conversation's current branch, oldest message first."""

    service: ExportService
    id: str
    title: str
    messages: tuple[ConversationMessage, ...]

    @property
    def times(self) -> list[datetime]:
        """The times of the messages that have one."""
        return [each.time for each in self.messages if each.time is not None]


@dataclass(frozen=True, slots=True)
class RawMessage:
    """A message as an export has it; ``id`` may be empty."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None


def made_conversation(
    service: ExportService,
    conversation_id: str,
    title: str,
    messages: Iterable[RawMessage],
    created: datetime | None,
) -> ExportedConversation | None:
    """Return a conversation without secrets; None if the user says nothing in it.

    A message without a time has that of the one before it, or the conversation's.
    """
    own_id = _id(conversation_id)
    said: list[ConversationMessage] = []
    time = created
    for number, each in enumerate(messages, start=1):
        text = clean(scrub(clip(each.text, _MAX_MESSAGE_CHARS))).strip()
        time = each.time or time
        if text:
            message_id = _id(each.id) or f"{own_id}:{number}"
            said.append(ConversationMessage(message_id, each.role, text, time))
    if not own_id or all(each.role != "user" for each in said):
        return None
    shown = clip(clean(scrub(title)).strip(), _MAX_TITLE_CHARS)
    return ExportedConversation(service, own_id, shown, tuple(said))


def _id(text: str) -> str:
    return scrub(text).strip()[:_MAX_ID_CHARS]


def moment_of_seconds(seconds: float | None, now: datetime) -> datetime | None:
    """Return the moment so many seconds after 1970; None for one that can't be true."""
    return plausible(clock.moment_of_seconds(seconds), now)


def moment_of_text(text: str | None, now: datetime) -> datetime | None:
    """Return the moment that an ISO time names; None for one that can't be true."""
    return plausible(parse_moment(text) if text else None, now)
