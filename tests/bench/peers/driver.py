"""Feeds one peer and asks it, inside the peers' own environment; nothing else is imported here.

Called as ``driver.py PEER DATA HOME ENDPOINT OUTPUT``. OUTPUT gets, as JSON, the ids of the
memories found and the milliseconds taken for each question, by space.
"""

import importlib
import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

_LIMIT = 20
_DIMENSIONS = 384
_MODEL = "all-MiniLM-L6-v2"


class Peer(Protocol):
    """A memory system: it keeps texts under ids, in spaces that don't see each other."""

    def add(self, space: str, memory: str, text: str, created: str) -> None:
        """Keep a text."""
        ...

    def search(self, space: str, query: str) -> list[str]:
        """Return the ids of the best texts, best first."""
        ...


class _Endpoint:
    """The same vectors as ours, as agentrecall's embedder."""

    dim = _DIMENSIONS

    def __init__(self, url: str) -> None:
        self._url = url

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        body = json.dumps({"input": list(texts), "model": _MODEL}).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self._url}/embeddings", body, headers)  # noqa: S310 - our own endpoint
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own endpoint
            return [item["embedding"] for item in json.load(answer)["data"]]


class _AgentRecall:
    def __init__(self, home: Path, endpoint: str | None) -> None:
        memory: Any = importlib.import_module("agentrecall").Memory
        if endpoint is None:
            self._memory = memory(home / "agentrecall.db", embeddings=False)
        else:
            self._memory = memory(
                home / "agentrecall.db", embeddings=True, embedder=_Endpoint(endpoint)
            )

    def add(self, space: str, memory: str, text: str, created: str) -> None:  # noqa: ARG002 - it takes no time
        self._memory.add(text, namespace=space, metadata={"id": memory})

    def search(self, space: str, query: str) -> list[str]:
        hits = self._memory.search(query, k=_LIMIT, namespace=space)
        return [hit.record.metadata["id"] for hit in hits]


class _Mem0:
    """Without its language model: texts are kept as they are."""

    def __init__(self, home: Path, endpoint: str) -> None:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(home))
        access = {"api_key": "none", "openai_base_url": endpoint}
        store = {
            "path": str(home / "qdrant"),
            "collection_name": "bench",
            "embedding_model_dims": _DIMENSIONS,
            "on_disk": True,
        }
        self._memory: Any = importlib.import_module("mem0").Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "embedder": {"provider": "openai", "config": {**access, "model": _MODEL}},
                "llm": {"provider": "openai", "config": {**access, "model": "none"}},
                "history_db_path": str(home / "history.db"),
            }
        )

    def add(self, space: str, memory: str, text: str, created: str) -> None:  # noqa: ARG002 - it takes no time
        self._memory.add(text, user_id=space, metadata={"memory_id": memory}, infer=False)

    def search(self, space: str, query: str) -> list[str]:
        answer = self._memory.search(query, top_k=_LIMIT, filters={"user_id": space})
        return [found["metadata"]["memory_id"] for found in answer["results"]]


class _MemPalace:
    """A space is a wing; each text is a drawer with a source of its own, which names it."""

    def __init__(self, home: Path, endpoint: str) -> None:
        os.environ.update(
            HOME=str(home),
            MEMPALACE_EMBEDDING_MODEL="openai-compat",
            MEMPALACE_EMBEDDING_API_URL=endpoint,
            MEMPALACE_EMBEDDING_API_MODEL=_MODEL,
        )
        self._palace = str(home / "palace")
        self._search: Any = importlib.import_module("mempalace.searcher").search_memories
        palace: Any = importlib.import_module("mempalace.palace")
        self._drawers: Any = palace.get_collection(self._palace)

    def add(self, space: str, memory: str, text: str, created: str) -> None:
        about = {"wing": space, "room": "talk", "source_file": memory, "filed_at": created}
        self._drawers.upsert(ids=[f"{space}-{memory}"], documents=[text], metadatas=[about])

    def search(self, space: str, query: str) -> list[str]:
        answer = self._search(query, self._palace, wing=space, n_results=_LIMIT)
        return [found["source_file"] for found in answer["results"]]


PEERS: dict[str, Callable[[Path, str], Peer]] = {
    "agentrecall, words": lambda home, _: _AgentRecall(home, None),
    "agentrecall": _AgentRecall,
    "mem0": _Mem0,
    "mempalace": _MemPalace,
}


def main(peer: str, data: Path, home: Path, endpoint: str, output: Path) -> None:
    """Feed all spaces of a data set, ask all their questions, write what was found."""
    spaces: list[dict[str, Any]] = json.loads(data.read_text(encoding="utf-8"))["spaces"]
    system = PEERS[peer](home, endpoint)
    for space in spaces:
        for memory in space["memories"]:
            who = memory.get("who")
            text = f"{who}: {memory['content']}" if who else memory["content"]
            system.add(space["id"], memory["id"], text, memory["createdAt"])
    answers: dict[str, list[Any]] = {}
    for space in spaces:
        answers[space["id"]] = []
        for question in space["questions"]:
            started = time.perf_counter()
            found = system.search(space["id"], question["query"])
            took = (time.perf_counter() - started) * 1000
            answers[space["id"]].append({"found": found, "ms": took})
    output.write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], Path(sys.argv[5]))
