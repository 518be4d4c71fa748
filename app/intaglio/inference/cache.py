"""Caches the vectors of recent questions, so that a repeated one costs nothing."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.base.text import storage_form
from intaglio.inference.guarded_embedder import guarded_question
from intaglio.inference.ports import (
    Embedder,
    ModelIdentity,
    NotEmbedded,
    QuestionVector,
    TokenEmbedder,
)

# After a question waited this long for nothing, the next ones don't wait.
_LONG_S: Final = 1.0
_REST_S: Final = 10.0
# The provider has its own deadline; after this much more time it counts as hanging.
_GRACE_S: Final = 0.1
# 6 MB: 200 questions of 20 word pieces each. A pasted page has 254.
_MOST_STATES: Final = 4_000


class QueryVectors:
    """Embeds questions and keeps the last ``size`` of them, fewer if they are long.

    At 384 dimensions, a vector takes 1.5 kB, and so does each of at most ``most_states`` token
    states. The outcome always arrives in time, even if the provider hangs or raises. Use it only on
    the event loop's thread.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        size: int = 200,
        most_states: int = _MOST_STATES,
        monotonic_s: Callable[[], float] = monotonic_s,
    ) -> None:
        self._embedder = embedder
        self._size = size
        self._most_states = most_states
        self._monotonic_s = monotonic_s
        self._resting_until = 0.0
        self._kept: OrderedDict[str, QuestionVector] = OrderedDict()

    @property
    def identity(self) -> ModelIdentity:
        """The identity of the current model."""
        return self._embedder.identity

    @property
    def has_token_states(self) -> bool:
        """Whether the current model's questions can be ranked by late interaction."""
        return isinstance(self._embedder, TokenEmbedder)

    @property
    def is_loading(self) -> bool:
        """Whether the current model isn't loaded yet, or not again."""
        return self._embedder.state.phase == "idle"

    def set_embedder(self, embedder: Embedder) -> None:
        """Use this embedder from now on; the cached vectors are discarded."""
        if embedder is not self._embedder:
            self._embedder = embedder
            self._resting_until = 0.0
            self._kept.clear()

    async def ask(self, question: str, *, timeout_s: float) -> QuestionVector | NotEmbedded:
        """Return the question's vector, ignoring extra whitespace. Failures aren't cached."""
        # The cache key is the text that is embedded, so the order of questions changes no vector.
        text = storage_form(question)
        known = self._kept.get(text)
        if known is not None:
            self._kept.move_to_end(text)
            return known
        if self._monotonic_s() < self._resting_until:
            return NotEmbedded("timeout", "the model didn't answer recently")
        asked = self._embedder
        outcome = await self._embed(text, timeout_s)
        if asked is not self._embedder:
            return NotEmbedded("refused", "the model was replaced meanwhile")
        if isinstance(outcome, QuestionVector):
            self._keep(text, outcome)
        return outcome

    async def _embed(self, text: str, timeout_s: float) -> QuestionVector | NotEmbedded:
        started = self._monotonic_s()
        outcome = await guarded_question(
            self._embedder, text, timeout_s=timeout_s, grace_s=_GRACE_S
        )
        now = self._monotonic_s()
        if isinstance(outcome, NotEmbedded) and now - started >= _LONG_S:
            self._resting_until = now + _REST_S
        return outcome

    def _keep(self, text: str, vector: QuestionVector) -> None:
        self._kept[text] = vector
        self._kept.move_to_end(text)
        states = sum(_states(each) for each in self._kept.values())
        while len(self._kept) > self._size or states > self._most_states:
            _, oldest = self._kept.popitem(last=False)
            states -= _states(oldest)


def _states(question: QuestionVector) -> int:
    """Return how many token states a question has."""
    return len(question.tokens.words) if question.tokens else 0
