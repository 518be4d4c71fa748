"""Makes a message ready to be stored: without injected text and secrets, within the limit."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.text import scrub
from intaglio.fence.marks import strip_injected
from intaglio.language.tokens import count_words
from intaglio.redaction.redact import clean
from intaglio.store.tx import Protect
from intaglio.terms.unspaced import unspaced_pairs
from intaglio.transcripts.values import NewMessage, SaidMessage

MAX_MESSAGE_CHARS: Final = 8_000
"""Of a longer message, the beginning and the end are stored.

No word of it is longer than the index takes, which is 32,768 bytes.
"""
_END_CHARS: Final = 2_000
_MAX_READ_CHARS: Final = 200_000


def prepare(messages: Sequence[SaidMessage], now: datetime, protect: Protect) -> list[NewMessage]:
    """Return the messages as they are stored; those that are empty are left out.

    ``protect`` is that of the database: a text that it has seen is bound at no cost. A message
    without a time has that of the one before it. About 1 ms per 5,000 characters.
    """
    said_at, ready = now, list[NewMessage]()
    for number, message in enumerate(messages):
        said_at = min(message.said_at or (said_at if number else now), now)
        text = stored_text(message.text, protect)
        if text:
            ready.append(
                NewMessage(
                    message_id=message.message_id,
                    role=message.role,
                    said_at=iso(said_at),
                    text=text,
                    pairs=pairs_of(text),
                    words=count_words(text),
                    project=message.project,
                    first_session=message.first_session,
                )
            )
    return ready


def stored_text(text: str, protect: Callable[[str], str]) -> str:
    """Return a message's text as it is stored."""
    # Secrets go before the text is cut: what tells one may lie beyond the cut.
    read = clean(scrub(strip_injected(_cut(text, _MAX_READ_CHARS)))).strip()
    return protect(_cut(read, MAX_MESSAGE_CHARS))


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    end = _END_CHARS * limit // MAX_MESSAGE_CHARS
    mark = f"\n[… {len(text) - limit:,} characters …]\n"
    return text[: limit - end - len(mark)] + mark + text[-end:]


def pairs_of(text: str) -> str | None:
    """Return the text of the index's column for scripts without spaces."""
    return " ".join(dict.fromkeys(unspaced_pairs(text))) or None
