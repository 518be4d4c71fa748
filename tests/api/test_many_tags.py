"""Requests with 90,000 tags: few of them are cleaned, wherever they are sent."""

import json

import pytest

from fakes.api import Api
from intaglio.redaction import redact as redaction

TAGS = [f"tag{number}" for number in range(90_000)]
# Twice the tags that are looked at: some requests clean them twice.
FEW = 500


@pytest.fixture
def cleaned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was searched for secrets."""
    texts: list[str] = []
    redact = redaction.redact

    def counted(text: str) -> redaction.Redacted:
        texts.append(text)
        return redact(text)

    monkeypatch.setattr(redaction, "redact", counted)
    return texts


@pytest.mark.parametrize("tags", [TAGS, ",".join(TAGS)], ids=["list", "text"])
@pytest.mark.parametrize("path", ["remember", "modify", "batch", "forget", "recall"])
async def test_only_a_limited_number_of_tags_is_cleaned(
    api: Api, cleaned: list[str], path: str, tags: str | list[str]
) -> None:
    memory_id = await api.remember("We use tabs")
    change = {"tags": tags, "reason": "many"}
    method, url, body = {
        "remember": ("POST", "/api/memory/remember", {"content": "Spaces", "tags": tags}),
        "modify": ("PATCH", f"/api/memory/{memory_id}", change),
        "batch": (
            "POST",
            "/api/memory/modify",
            {"patches": [{"id": memory_id, "tags": tags}], "reason": "many"},
        ),
        "forget": ("POST", "/api/memory/forget", {"mode": "preview", "tags": tags}),
        "recall": ("POST", "/api/memory/recall", {"query": "tabs", "tags": tags}),
    }[path]
    cleaned.clear()
    reply = await api.client.request(method, url, json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    assert len(cleaned) < FEW
    assert sum(map(len, cleaned)) < len(json.dumps(TAGS)) / 10
