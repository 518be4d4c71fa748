"""The vectors of the questions asked last, so that a repeated one costs nothing."""

from collections import OrderedDict

from intaglio.base.text import storage_form
from intaglio.inference.ports import Embedded, Embedder, NotEmbedded, Vector


class QueryVectors:
    """Embeds questions and keeps the last ``size`` vectors (1.5 kB each at 384 dimensions).

    Belongs to one embedder and to the event loop's thread.
    """

    def __init__(self, embedder: Embedder, *, size: int = 1_000) -> None:
        self._embedder = embedder
        self._size = size
        self._kept: OrderedDict[str, Vector] = OrderedDict()

    async def embed(self, question: str, *, timeout_s: float) -> "Vector | NotEmbedded":
        """Return the question's vector; blanks do not count. A failure is not kept."""
        # The text that is looked up is the text that is embedded, so order changes no vector.
        text = storage_form(question)
        known = self._kept.get(text)
        if known is not None:
            self._kept.move_to_end(text)
            return known
        match await self._embedder.embed([text], timeout_s=timeout_s):
            case Embedded((vector,)):
                self._keep(text, vector)
                return vector
            case Embedded():
                return NotEmbedded("refused", "one question did not give one vector")
            case NotEmbedded() as failure:
                return failure

    def _keep(self, text: str, vector: Vector) -> None:
        self._kept[text] = vector
        self._kept.move_to_end(text)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
