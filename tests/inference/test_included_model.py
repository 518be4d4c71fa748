"""The included model serves capture whatever provider is configured, if it is the right one."""

from intaglio.base.paths import built_folder
from intaglio.capture.judge import encoder_sum
from intaglio.inference.included_model import IncludedModel
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.unavailable import UnavailableEmbedder

FOLDER = built_folder("model")


async def test_the_included_model_works_beside_another_provider() -> None:
    configured = UnavailableEmbedder("none", "", "embedding is switched off")
    model = IncludedModel(lambda: configured, FOLDER, lambda: 60.0)
    try:
        found = await model.clause_vectors(["We use tabs."], encoder_sum())
        sentences = await model.sentence_vectors(["We use tabs."])
        assert found is not None
        assert sentences is not None
        sentence = sentences[0]
        assert found[0][: len(sentence)] @ sentence > 0.999
        assert len(found[0]) > len(sentence)
    finally:
        await model.close()


async def test_uses_the_configured_embedder_if_that_is_the_included_model() -> None:
    configured = OnnxEmbedder(FOLDER)
    model = IncludedModel(lambda: configured, FOLDER, lambda: 60.0)
    try:
        assert await model.sentence_vectors(["We use tabs."]) is not None
        assert configured.state.phase == "ready"
    finally:
        await configured.close()


async def test_gives_no_vectors_to_a_classifier_of_another_encoder() -> None:
    configured = OnnxEmbedder(FOLDER)
    model = IncludedModel(lambda: configured, FOLDER, lambda: 60.0)
    try:
        assert await model.clause_vectors(["We use tabs."], "another") is None
        assert configured.state.phase == "idle"
    finally:
        await configured.close()
