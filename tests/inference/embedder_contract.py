"""What every embedder promises, whatever runs its model; each adapter's tests inherit it."""

import numpy as np
import pytest

from fakes.store import bench
from fakes.waiting import PATIENCE_S
from intaglio.inference.ports import Embedded, Embedder, NotEmbedded, Vector
from intaglio.store.tx import WriteTx

TEXTS = [
    "We deploy on Fridays, after the nightly build.",
    "x",
    "",
    "A lone \ud800 surrogate and a \x00 byte",
    "The database runs on port 5433 in every environment. " * 40,
    "Ünïcödé, 日本語, and 🦊",
]


async def vectors(embedder: Embedder, texts: list[str]) -> tuple[Vector, ...]:
    outcome = await embedder.embed(texts, timeout_s=PATIENCE_S)
    assert isinstance(outcome, Embedded), outcome
    return outcome.vectors


def phase(embedder: Embedder) -> str:
    return embedder.state.phase


class EmbedderContract:
    """Subclasses give the fixture ``embedder``."""

    async def test_each_text_gets_a_unit_vector_of_the_stated_width(
        self, embedder: Embedder
    ) -> None:
        found = await vectors(embedder, TEXTS)
        assert len(found) == len(TEXTS)
        for vector in found:
            assert vector.dtype == np.float32
            assert vector.shape == (embedder.identity.dimensions,)
            assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5

    async def test_no_texts_give_no_vectors(self, embedder: Embedder) -> None:
        assert await vectors(embedder, []) == ()

    async def test_a_text_has_the_same_vector_alone_and_among_others(
        self, embedder: Embedder
    ) -> None:
        among = await vectors(embedder, TEXTS)
        alone = [(await vectors(embedder, [text]))[0] for text in reversed(TEXTS)]
        assert [one.tobytes() for one in among] == [one.tobytes() for one in alone[::-1]]

    async def test_different_texts_have_different_vectors(self, embedder: Embedder) -> None:
        found = await vectors(embedder, TEXTS)
        assert len({one.tobytes() for one in found}) == len(TEXTS)

    async def test_more_texts_than_fit_into_one_request_keep_their_order(
        self, embedder: Embedder
    ) -> None:
        texts = [f"memory number {number}" for number in range(40)]
        found = await vectors(embedder, texts)
        (last,) = await vectors(embedder, texts[-1:])
        assert found[-1].tobytes() == last.tobytes()

    async def test_a_deadline_that_is_over_gives_no_vectors_and_may_be_tried_again(
        self, embedder: Embedder
    ) -> None:
        outcome = await embedder.embed(TEXTS, timeout_s=0)
        assert isinstance(outcome, NotEmbedded)
        assert outcome.reason == "timeout"
        assert not outcome.is_permanent
        await vectors(embedder, TEXTS[:1])

    async def test_success_shows_in_the_state(self, embedder: Embedder) -> None:
        assert phase(embedder) == "idle"
        await vectors(embedder, TEXTS[:1])
        assert phase(embedder) == "ready"

    async def test_a_closed_embedder_says_so(self, embedder: Embedder) -> None:
        await embedder.close()
        outcome = await embedder.embed(["x"], timeout_s=PATIENCE_S)
        assert isinstance(outcome, NotEmbedded)
        assert outcome.reason == "closed"
        assert outcome.is_permanent
        assert phase(embedder) == "closed"

    async def test_a_write_transaction_cannot_call_the_model(
        self, embedder: Embedder, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        def work(_: WriteTx) -> None:
            # Started by hand, as a transaction has no event loop to wait in.
            embedder.embed(["x"], timeout_s=PATIENCE_S).send(None)

        async with bench(tmp_path_factory.mktemp("store")) as store:
            with pytest.raises(RuntimeError, match="transaction"):
                await store.db.write(work)
