"""What the user said in the open sessions' latest prompts, kept in memory only.

A harness may write a prompt to its transcript only after the agent has begun to answer it.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final

_MAX_SESSIONS: Final = 100
_MAX_PROMPTS: Final = 20
_MAX_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class SpokenPrompt:
    """A prompt without injected text and secrets, and when it came."""

    text: str
    at: str


@dataclass(frozen=True, slots=True)
class PromptTexts:
    """The latest prompts of each session, oldest first."""

    _of_session: OrderedDict[tuple[str, str], deque[SpokenPrompt]] = field(
        default_factory=OrderedDict[tuple[str, str], deque[SpokenPrompt]]
    )

    def note(self, session: tuple[str, str], text: str, at: str) -> None:
        """Add a prompt; of a longer one, only the beginning."""
        kept = self._of_session.setdefault(session, deque(maxlen=_MAX_PROMPTS))
        kept.append(SpokenPrompt(text[:_MAX_CHARS], at))
        self._of_session.move_to_end(session)
        while len(self._of_session) > _MAX_SESSIONS:
            self._of_session.popitem(last=False)

    def of(self, session: tuple[str, str]) -> tuple[SpokenPrompt, ...]:
        """Return a session's latest prompts."""
        return tuple(self._of_session.get(session, ()))
