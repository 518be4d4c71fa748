"""Vectors of clauses are asked of the model once while they are recent."""

from collections.abc import Sequence

import numpy as np
import pytest

from intaglio.language.relations import ClauseVector
from intaglio.sessions.reminders import recent_vectors
from intaglio.sessions.reminders.recent_vectors import RecentVectors


class Model:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_there = True

    async def vectors(self, texts: Sequence[str]) -> list[ClauseVector] | None:
        if not self.is_there:
            return None
        self.asked += texts
        return [np.full(4, len(text), dtype=np.float32) for text in texts]


async def test_a_text_is_embedded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_vectors, "_KEPT", 2)
    model = Model()
    recent = RecentVectors(model.vectors)
    for texts in (["a", "bb", "a"], ["bb", "a"], ["ccc"], ["bb"]):
        found = await recent.find(texts)
        assert found is not None
        assert [each[0] for each in found] == [len(text) for text in texts]
    assert model.asked == ["a", "bb", "ccc", "bb"]
    model.is_there = False
    assert await recent.find(["dddd"]) is None
    assert await recent.find(["bb"]) is not None
