"""A stage of its own for every case."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from cases.stage import Stage
from fakes.api import running_api
from intaglio.daemon.live_settings import LiveSettings
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.runtime import Runtime


@pytest.fixture(scope="session")
def loaded() -> list[Runtime]:
    """Return the included model, once a case of this worker has loaded it."""
    return []


@pytest.fixture
def one_model(loaded: list[Runtime], monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the included model once for all the cases of a worker; it keeps no state."""
    load = OnnxEmbedder._load  # pyright: ignore[reportPrivateUsage] - nothing public loads once

    def once(embedder: OnnxEmbedder) -> Runtime:
        if not loaded:
            loaded.append(load(embedder))
        return loaded[0]

    monkeypatch.setattr(OnnxEmbedder, "_load", once)


@pytest.fixture
async def stage(own_home: Path, tmp_path: Path, one_model: None) -> AsyncGenerator[Stage]:
    del one_model
    async with running_api(tmp_path) as api:
        # Cases are about whose words are captured, not about how sure the classifier is.
        api.kernel.running.paths.settings.write_text(
            "capture: {keepAt: 0.2, suggestAt: 0.1}", encoding="utf-8"
        )
        api.kernel.get(LiveSettings).refresh()
        yield Stage(api, own_home)
