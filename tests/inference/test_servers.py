"""Embedders at a server: the contract, and a server that goes wrong in every way."""

from collections.abc import AsyncGenerator, Generator

import pytest

from fakes.daemon import free_port
from fakes.embedding_server import WIDTH, EmbeddingServer, embedding_server
from fakes.waiting import PATIENCE_S
from inference.embedder_contract import EmbedderContract, phase, vectors
from intaglio.base.errors import InvalidInputError
from intaglio.inference.ports import NotEmbedded
from intaglio.inference.remote.model_server import ModelServer
from intaglio.inference.remote.ollama import OllamaEmbedder
from intaglio.inference.remote.openai_compatible import OpenAiCompatibleEmbedder
from intaglio.inference.remote.remote_embedder import RemoteEmbedder

KEY = "sk-not-a-real-key"

WRONG = (
    "error",
    "redirect",
    "no json",
    "endless",
    "wrong width",
    "wrong count",
    "zero",
    "not a number",
    "infinite",
    "too large",
    "null",
)


@pytest.fixture
def server() -> Generator[EmbeddingServer]:
    with embedding_server() as stub:
        yield stub


@pytest.fixture(params=[OllamaEmbedder, OpenAiCompatibleEmbedder])
async def embedder(
    request: pytest.FixtureRequest, server: EmbeddingServer
) -> AsyncGenerator[RemoteEmbedder]:
    made: RemoteEmbedder = request.param(ModelServer(server.url, "some-model", WIDTH, KEY))
    yield made
    await made.close()


class TestTheContract(EmbedderContract):
    """Both forms, at the stub."""


@pytest.mark.parametrize("fault", WRONG)
async def test_a_wrong_answer_is_refused_and_the_next_right_one_taken(
    embedder: RemoteEmbedder, server: EmbeddingServer, fault: str
) -> None:
    server.fault = fault
    outcome = await embedder.embed(["a", "b"], timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "refused"
    assert not outcome.is_permanent
    assert phase(embedder) == "failing"
    server.fault = ""
    await vectors(embedder, ["a", "b"])
    assert phase(embedder) == "ready"


async def test_a_server_that_hangs_costs_no_more_than_the_deadline(
    embedder: RemoteEmbedder, server: EmbeddingServer
) -> None:
    server.fault = "hang"
    outcome = await embedder.embed(["a"], timeout_s=0.2)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "timeout"


@pytest.mark.parametrize("kind", [OllamaEmbedder, OpenAiCompatibleEmbedder])
async def test_a_server_that_is_away_is_unreachable(kind: type[RemoteEmbedder]) -> None:
    embedder = kind(ModelServer(f"http://127.0.0.1:{free_port()}", "some-model", WIDTH))
    outcome = await embedder.embed(["a"], timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "unreachable"
    await embedder.close()


async def test_the_api_key_is_sent_and_never_shown(
    embedder: RemoteEmbedder, server: EmbeddingServer
) -> None:
    server.fault = "error"
    outcome = await embedder.embed(["a"], timeout_s=PATIENCE_S)
    assert server.asked[0][1] == f"Bearer {KEY}"
    assert isinstance(outcome, NotEmbedded)
    assert KEY not in outcome.detail + embedder.state.detail
    assert KEY not in repr(ModelServer(server.url, "m", WIDTH, KEY))


async def test_a_redirect_is_not_followed(
    embedder: RemoteEmbedder, server: EmbeddingServer
) -> None:
    server.fault = "redirect"
    await embedder.embed(["a"], timeout_s=PATIENCE_S)
    assert len(server.asked) == 1


async def test_each_form_asks_at_its_own_path(
    embedder: RemoteEmbedder, server: EmbeddingServer
) -> None:
    await vectors(embedder, ["a"])
    path, _, body = server.asked[0]
    assert path == ("/api/embed" if embedder.provider == "ollama" else "/embeddings")
    assert body["model"] == "some-model"
    assert body["input"] == ["a"]


async def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    embedder = OllamaEmbedder(ModelServer(server.url, "some-model", WIDTH))
    await vectors(embedder, ["a"])
    await embedder.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:11434",
        "ftp://localhost",
        "file:///etc/passwd",
        "http://",
        "http://user:word@localhost",
        "http://localhost/?a=b",
        "http://localhost/#a",
        "http://[",
        "http://localhost:port",
    ],
)
def test_an_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInputError):
        ModelServer(address, "m", WIDTH)


def test_an_api_key_is_not_sent_unencrypted_over_the_network() -> None:
    with pytest.raises(InvalidInputError, match="unencrypted"):
        ModelServer("http://models.example/v1", "m", WIDTH, KEY)
    ModelServer("https://models.example/v1", "m", WIDTH, KEY)
    ModelServer("http://[::1]:8080/v1", "m", WIDTH, KEY)


def test_a_key_with_a_line_break_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="characters"):
        ModelServer("https://models.example/v1", "m", WIDTH, "sk\r\nx: y")
