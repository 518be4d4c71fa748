"""Vectors made without context are searched with the included model until new ones are made."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from fakes.embedder import HashEmbedder
from fakes.semantic_index import indexed
from fakes.waiting import PATIENCE_S
from inference.embedder_contract import phase
from intaglio.base.paths import built_folder
from intaglio.base.settings.values import Settings
from intaglio.embedding.semantic_search import SemanticSearch, build_semantic_search
from intaglio.embedding.settings import EmbeddingSettings
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import NotEmbedded, QuestionVector

FOLDER = built_folder("model")
OTHER = EmbeddingSettings(provider="ollama", model="other", dimensions=8)


class Wanted:
    """Settings that a test changes."""

    def __init__(self, embedding: EmbeddingSettings) -> None:
        self.embedding = embedding

    def __call__(self) -> Settings:
        return Settings().having(self.embedding)


@asynccontextmanager
async def migrating(folder: Path, wanted: Wanted) -> AsyncGenerator[SemanticSearch]:
    """Open a store whose only vectors were made without context."""
    async with indexed(folder, HashEmbedder(OnnxEmbedder(FOLDER).former_identity)) as index:
        await index.remember("the upload worker times out after thirty seconds")
        await index.work()
        store = index.store
        search = build_semantic_search(wanted, FOLDER, store.db, store.context)
        await search.begin()
        yield search
        await search.close()


async def asked(search: SemanticSearch, question: str) -> QuestionVector:
    made = await search.questions.ask(question, timeout_s=PATIENCE_S)
    assert isinstance(made, QuestionVector), made
    return made


async def test_former_vectors_are_searched_without_token_states(tmp_path: Path) -> None:
    async with migrating(tmp_path, Wanted(EmbeddingSettings())) as search:
        assert search.sets.fallback_model == "all-MiniLM-L6-v2"
        assert (await asked(search, "which timeout?")).tokens is None


async def test_one_loaded_model_serves_former_and_new_vectors(tmp_path: Path) -> None:
    async with migrating(tmp_path, Wanted(EmbeddingSettings())) as search:
        assert phase(search.embed.embedder) == "idle"
        await asked(search, "which timeout?")
        assert phase(search.embed.embedder) == "ready"


async def test_a_changed_setting_does_not_end_the_search_of_former_vectors(tmp_path: Path) -> None:
    wanted = Wanted(EmbeddingSettings())
    async with migrating(tmp_path, wanted) as search:
        await asked(search, "which timeout?")
        wanted.embedding = EmbeddingSettings(idle_minutes=7)
        await search.apply_settings()
        await asked(search, "which worker?")


async def test_a_model_used_beside_a_server_is_closed(
    tmp_path: Path,
) -> None:
    async with migrating(tmp_path, Wanted(OTHER)) as search:
        await asked(search, "which timeout?")
    outcome = await search.questions.ask("which worker?", timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "closed"
