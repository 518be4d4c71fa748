"""Vectors in a real daemon: they come by themselves, and whatever goes wrong costs only meaning."""

import contextlib
import math
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from fakes.daemon import (
    NO_MODEL,
    Daemon,
    killed_daemon,
    run_command,
    running_daemon,
    write_settings,
)
from fakes.embedding_server import WIDTH, EmbeddingServer, embedding_server
from fakes.waiting import wait_for
from intaglio.base.paths import built_folder

CAR = "The car is parked behind the barn"
TEA = "Green tea is steeped for two minutes"
QUESTION = "where did we leave our automobile?"


def embedding(client: httpx.Client) -> dict[str, Any] | None:
    found: dict[str, Any] | None = client.get("/api/status").json()["embedding"]
    return found


def wait_until(client: httpx.Client, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until the state of embedding is as wanted, and return it."""
    seen = dict[str, Any]()

    def look() -> bool:
        seen.clear()
        seen.update(embedding(client) or {})
        assert wanted(seen), str(seen)
        return True

    wait_for(look, "embedding as wanted")
    return seen


def complete(seen: dict[str, Any]) -> bool:
    return bool(0 < seen["total"] == seen["embedded"] and not seen["pending"])


def searched(seen: dict[str, Any]) -> bool:
    in_step = seen["indexVectors"] == seen["total"] and seen["indexWaiting"] == 0
    return complete(seen) and bool(in_step or seen["indexMethod"] == "exact")


def remember(client: httpx.Client, *contents: str) -> None:
    for content in contents:
        reply = client.post("/api/memory/remember", json={"content": content})
        assert reply.status_code == 200


def recall(client: httpx.Client, query: str) -> dict[str, Any]:
    body = {"query": query, "explain": True}
    answer: dict[str, Any] = client.post("/api/memory/recall", json=body).json()
    return answer


def recall_by_meaning(client: httpx.Client, query: str) -> dict[str, Any]:
    """Ask until the model is in memory: a question does not wait long for it."""
    answer = dict[str, Any]()

    def by_meaning() -> bool:
        answer.update(recall(client, query))
        return bool(answer["method"] == "hybrid")

    wait_for(by_meaning, "an answer by meaning")
    return answer


def use_server(home: Path, provider: str, url: str, width: int = WIDTH) -> None:
    write_settings(
        home,
        f"embedding:\n  provider: {provider}\n  base_url: {url}\n  model: stub\n"
        f"  dimensions: {width}\n",
    )


def test_a_memory_is_found_by_meaning_before_and_after_a_restart(
    tmp_path: Path,
) -> None:
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        remember(client, CAR, TEA)
        seen = wait_until(client, searched)
        assert (seen["provider"], seen["available"], seen["phase"]) == ("onnx", True, "ready")
        answer = recall_by_meaning(client, QUESTION)
    assert answer["method"] == "hybrid"
    assert (answer["results"][0]["content"], answer["results"][0]["source"]) == (CAR, "vector")
    # After a new start the stored vector is enough.
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        wait_until(client, searched)
        assert recall_by_meaning(client, QUESTION)["results"][0]["content"] == CAR


@pytest.mark.slow
@pytest.mark.parametrize("name", ["model.onnx", "tokens.rows.npy"])
def test_an_altered_model_file_is_refused_and_keywords_answer(tmp_path: Path, name: str) -> None:
    model = Path(shutil.copytree(built_folder("model"), tmp_path / "model"))
    data = bytearray((model / name).read_bytes())
    data[len(data) // 2] ^= 1
    (model / name).write_bytes(data)
    home = tmp_path / "home"
    with running_daemon(home, INTAGLIO_MODEL_DIR=str(model)) as daemon, daemon.client() as client:
        remember(client, CAR)
        seen = wait_until(client, lambda seen: seen["phase"] == "damaged")
        assert not seen["available"]
        assert f"{name} has changed since it was installed" in seen["detail"]
        assert "Run `python3 app run`" in seen["detail"]
        remember(client, TEA)
        answer = recall(client, "green tea")
        assert (answer["method"], answer["results"][0]["content"]) == ("keyword", TEA)
        assert seen["embedded"] == 0
        assert client.get("/health").json()["status"] == "healthy"
    # The sound model takes up what waited.
    with running_daemon(home) as daemon, daemon.client() as client:
        wait_until(client, searched)
        assert recall_by_meaning(client, QUESTION)["results"][0]["content"] == CAR


def loaded(daemon: Daemon, library: str) -> bool:
    """Tell whether a daemon has a library in memory, of those with compiled parts."""
    return library in Path(f"/proc/{daemon.process.pid}/maps").read_text(encoding="utf-8")


def tracks(client: httpx.Client) -> bool:
    """Tell whether the loop runs that looks for missing vectors."""
    tracker = client.get("/api/embeddings/status").json()["tracker"]
    return tracker is not None and bool(tracker["running"])


def test_no_model_is_loaded_until_the_settings_name_one(
    tmp_path: Path,
) -> None:
    write_settings(tmp_path, NO_MODEL)
    # What it was forked from would have numpy already.
    with running_daemon(tmp_path, fresh=True) as daemon, daemon.client() as client:
        remember(client, CAR)
        assert recall(client, "the car")["method"] == "keyword"
        wait_for(lambda: not client.get("/api/jobs").json()["jobs"], "an empty queue")
        assert not tracks(client)
        assert not loaded(daemon, "numpy")
        assert not loaded(daemon, "onnxruntime")
        write_settings(tmp_path, "embedding:\n  provider: onnx\n")
        wait_until(client, searched)
        assert tracks(client)
        assert loaded(daemon, "onnxruntime")
        assert recall_by_meaning(client, QUESTION)["results"][0]["content"] == CAR
        write_settings(tmp_path, "embedding:\n  provider: none\n")
        wait_for(lambda: embedding(client) is None, "embedding switched off")
        remember(client, TEA)
        assert recall(client, "green tea")["results"][0]["content"] == TEA
        wait_for(lambda: recall(client, "the car")["method"] == "keyword", "words alone")


@pytest.mark.slow
def test_without_a_model_folder_keywords_answer(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    with running_daemon(tmp_path, INTAGLIO_MODEL_DIR=gone) as daemon, daemon.client() as client:
        remember(client, TEA)
        wait_until(client, lambda seen: seen["phase"] == "damaged")
        assert recall(client, "green tea")["method"] == "keyword"


@pytest.mark.slow
def test_a_damaged_model_leaves_keyword_search_working(tmp_path: Path) -> None:
    model = Path(shutil.copytree(built_folder("model"), tmp_path / "model"))
    with (
        running_daemon(tmp_path, INTAGLIO_MODEL_DIR=str(model)) as daemon,
        daemon.client() as client,
    ):
        remember(client, CAR, TEA)
        wait_until(client, complete)
    with (model / "model.onnx").open("r+b") as stream:
        stream.seek(1_000_000)
        stream.write(b"\x00\x01\x02")
    with (
        running_daemon(tmp_path, INTAGLIO_MODEL_DIR=str(model)) as daemon,
        daemon.client() as client,
    ):
        answer = recall(client, "green tea")
        assert (answer["method"], answer["results"][0]["content"]) == ("keyword", TEA)
        assert wait_until(client, lambda seen: seen["phase"] == "damaged")["embedded"] == 2


@pytest.mark.slow
def test_with_embedding_off_keywords_answer(tmp_path: Path) -> None:
    write_settings(tmp_path, "embedding:\n  provider: none\n")
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        remember(client, TEA)
        assert embedding(client) is None
        answer = recall(client, "green tea")
        assert (answer["method"], answer["results"][0]["content"]) == ("keyword", TEA)


FAULTS = [
    ("error", "answered 500"),
    ("not a number", "the model server's answer has an unexpected format"),
    ("wrong width", "a vector has 7 numbers, not 8"),
    ("wrong count", "got 0 vectors for 1 texts"),
    ("zero", "a vector is zero"),
]


def works_without_vectors(client: httpx.Client) -> None:
    remember(client, TEA)
    answer = recall(client, "green tea")
    assert (answer["method"], answer["results"][0]["content"]) == ("keyword", TEA)


@pytest.mark.slow
def test_a_faulty_model_server_is_reported_and_used_again_when_fixed(tmp_path: Path) -> None:
    with embedding_server() as stub:
        use_server(tmp_path, "ollama", stub.url)
        with running_daemon(tmp_path) as daemon, daemon.client() as client:
            for fault, told in FAULTS:
                stub.fault = fault
                remember(client, f"{CAR} It is {fault}.")
                seen = wait_until(client, lambda seen: bool(seen["detail"]))
                assert (seen["available"], seen["phase"]) == (False, "failing"), fault
                assert told in seen["detail"]
                works_without_vectors(client)
                stub.fault = ""
                well = wait_until(client, searched)
                assert (well["available"], well["detail"], well["dead"]) == (True, "", 0), fault


@pytest.mark.slow
def test_a_hanging_model_server_delays_only_one_question(tmp_path: Path) -> None:
    with embedding_server() as stub:
        use_server(tmp_path, "openai", stub.url)
        with running_daemon(tmp_path) as daemon, daemon.client() as client:
            remember(client, CAR)
            wait_until(client, searched)
            stub.fault = "hang"
            assert asked(client, stub, "The first one waits for it")
            wait_for(lambda: not asked(client, stub, f"Another one at {time.time_ns()}"), "a rest")
            works_without_vectors(client)
            seen = embedding(client) or {}
            assert (seen["available"], seen["phase"]) == (False, "failing")
            stub.fault = ""
            stub.ended.set()
            wait_until(client, searched)


def asked(client: httpx.Client, server: EmbeddingServer, question: str) -> bool:
    """Put a question that words answer; tell whether the server was asked for its vector."""
    assert recall(client, question)["method"] == "keyword"
    return asked_for(server, question)


def asked_for(server: EmbeddingServer, text: str) -> bool:
    return any(text in body["input"] for _, _, body in server.asked)


def test_an_invalid_server_address_is_reported_and_keywords_answer(tmp_path: Path) -> None:
    use_server(tmp_path, "ollama", "file:///etc/passwd")
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        works_without_vectors(client)
        seen = wait_until(client, lambda seen: seen["phase"] == "failing")
        assert not seen["available"]
        assert "embedding.base_url is invalid" in seen["detail"]
        status = client.get("/api/embeddings/status").json()
        assert (status["available"], status["model"]) == (False, "stub")
        assert "embedding.base_url is invalid" in status["error"]
        checks = client.get("/api/embeddings/health").json()["checks"]
        assert {"name": "provider", "status": "fail"}.items() <= checks[0].items()
        doctor = run_command("doctor", env=daemon.env, folder=tmp_path)
        assert "warn  model: Embedding model unavailable" in doctor.stdout
        assert "embedding.base_url is invalid" in doctor.stdout


@pytest.mark.slow
def test_a_corrected_server_address_applies_without_a_restart(tmp_path: Path) -> None:
    use_server(tmp_path, "ollama", "file:///etc/passwd")
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        remember(client, CAR)
        wait_until(client, lambda seen: not seen["available"])
        with embedding_server() as stub:
            use_server(tmp_path, "ollama", stub.url)
            seen = wait_until(client, searched)
            assert (seen["provider"], seen["available"], seen["detail"]) == ("ollama", True, "")


def facts(file: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def killed_while_embedding(home: Path, stub: EmbeddingServer, contents: list[str]) -> Daemon:
    with killed_daemon(home) as daemon, daemon.client() as client:
        remember(client, *contents)
        # The server keeps the worker busy with the next ones.
        wait_until(client, lambda seen: 0 < seen["embedded"] < seen["total"] and stub.held > 0)
    stub.drop()
    return daemon


@pytest.mark.slow
def test_a_kill_while_embedding_loses_and_doubles_no_vector(tmp_path: Path) -> None:
    contents = [f"Decision {number}: {'we keep the blue one ' * 12}" for number in range(80)]
    with embedding_server(EmbeddingServer(left=2)) as stub:
        use_server(tmp_path, "ollama", stub.url)
        dead = killed_while_embedding(tmp_path, stub, contents)
        stub.left = math.inf
        with running_daemon(tmp_path, dead.port) as daemon, daemon.client() as client:
            assert wait_until(client, searched)["total"] == len(contents)
            is_whole(daemon.paths.database, len(contents))


def is_whole(file: Path, count: int) -> None:
    """Each memory has its vector, once, and no job is left."""
    vectors = "SELECT count(*), count(DISTINCT memory) FROM embeddings"
    assert facts(file, vectors) == [(count, count)]
    assert facts(file, "SELECT count(*) FROM jobs") == [(0,)]
    assert facts(file, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.slow
def test_turns_are_embedded_again_when_their_context_is_forgotten(tmp_path: Path) -> None:
    links = (
        "SELECT e.memory, e.previous, e.length > 0 AND length(e.pieces) > 0, e.vector "
        "FROM embeddings e ORDER BY 1"
    )
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        ids = list[str]()
        for content in (CAR, "Which one?", "The red one"):
            body = {"content": content, "sessionId": "s"}
            ids.append(client.post("/api/memory/remember", json=body).json()["id"])
        wait_until(client, complete)
        made = facts(daemon.paths.database, links)
        assert [row[:3] for row in made] == [(1, None, 1), (2, 1, 1), (3, 2, 1)]
        client.delete(f"/api/memory/{ids[1]}", params={"reason": "x"}).raise_for_status()
        wait_until(client, complete)
        again = facts(daemon.paths.database, links)
        assert [row[:3] for row in again] == [(1, None, 1), (3, 1, 1)]
        assert (again[0][3] == made[0][3], again[1][3] == made[2][3]) == (True, False)
