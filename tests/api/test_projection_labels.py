"""The labels of a map's clusters over HTTP."""

import base64
import json
import struct
from array import array
from typing import Any, Final

import pytest

from fakes.api import Api
from fakes.star_map import SUBJECTS, add_map
from intaglio.store.tx import WriteTx

PATH: Final = "/api/embeddings/projection"
ENDED: Final = 8 | 16
ANN: Final = {"x-intaglio-agent-id": "ann"}


async def _points(api: Api, headers: dict[str, str]) -> tuple[str, bytes]:
    """Return the token of a map, and the flags of its points."""
    reply = await api.client.get(f"{PATH}/points", headers=headers)
    assert reply.status_code == 200, reply.text
    (length,) = struct.unpack("<I", reply.content[8:12])
    body = reply.content[12 + length :]
    header = json.loads(reply.content[12 : 12 + length])
    flags = next(each for each in header["columns"] if each["name"] == "flags")
    return header["token"], body[flags["offset"] : flags["offset"] + flags["length"]]


async def _labels(api: Api, headers: dict[str, str]) -> dict[str, Any]:
    token, _ = await _points(api, headers)
    reply = await api.client.get(f"{PATH}/labels", params={"token": token}, headers=headers)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    assert found["token"] == token
    return found


def _words(found: dict[str, Any]) -> set[str]:
    return {word.lower() for label in found["labels"] for word in label["words"]}


def _members(found: dict[str, Any], level: int) -> list[int]:
    return array("H", base64.b64decode(found["members"][level])).tolist()


async def _change(api: Api, subject: str, sql: str) -> None:
    """Change all memories of a subject."""

    def work(tx: WriteTx) -> None:
        tx.execute(f"UPDATE memories SET {sql} WHERE content LIKE ?", (f"{subject}:%",))  # noqa: S608 - of these tests

    await api.kernel.database.write(work)


@pytest.fixture
async def star_map(api: Api) -> Api:
    await api.kernel.database.write(lambda tx: add_map(tx, 400))
    return api


async def test_every_subject_has_a_label_with_words_of_it(star_map: Api) -> None:
    found = await _labels(star_map, await star_map.signed_in())
    for subject, text in SUBJECTS.items():
        own = {subject.lower(), *text.split()}
        assert any(own >= {word.lower() for word in label["words"]} for label in found["labels"])
    assert all(1 <= len(label["words"]) <= 4 for label in found["labels"])


async def test_each_level_says_of_every_point_which_cluster_it_is_in(star_map: Api) -> None:
    user = await star_map.signed_in()
    _, flags = await _points(star_map, user)
    found = await _labels(star_map, user)
    live = [point for point, flag in enumerate(flags) if not flag & ENDED]
    assert len(_members(found, 0)) == len(flags)
    for label in found["labels"]:
        members = _members(found, label["level"])
        assert [members[point] for point in live].count(label["id"]) == label["count"]
        assert len(label["position_3d"]) == 3


async def test_an_agent_gets_no_word_and_no_count_of_what_it_may_not_read(star_map: Api) -> None:
    await _change(
        star_map,
        "Billing",
        "content = 'zanzibar quokka ' || seq, visibility = 'private', agent_id = 'bob'",
    )
    user = await _labels(star_map, await star_map.signed_in())
    assert "zanzibar" in _words(user)
    _, flags = await _points(star_map, ANN)
    agent = await _labels(star_map, ANN)
    assert _words(agent).isdisjoint({"zanzibar", "quokka", "invoice", "refund"})
    assert {len(_members(agent, level)) for level in range(3)} == {len(flags)}
    coarse = sum(label["count"] for label in agent["labels"] if label["level"] == 0)
    assert coarse <= sum(not flag & ENDED for flag in flags)
    # The user's own labels aren't the agent's, whoever asked last.
    assert "zanzibar" in _words(await _labels(star_map, await star_map.signed_in()))


async def test_forgotten_memories_give_no_words(star_map: Api) -> None:
    user = await star_map.signed_in()
    about = {"search", "index", "ranking", "recall", "synonyms", "query"}
    assert _words(await _labels(star_map, user)) & about
    await _change(star_map, "Search", "is_deleted = 1, deleted_at = created_at")
    assert _words(await _labels(star_map, user)).isdisjoint(about)


async def test_changed_texts_change_the_words(star_map: Api) -> None:
    user = await star_map.signed_in()
    before, _ = await _points(star_map, user)
    await _labels(star_map, user)
    await _change(star_map, "Search", "content = 'walrus ' || seq")
    after, _ = await _points(star_map, user)
    assert after == before
    assert "walrus" in _words(await _labels(star_map, user))


async def test_labels_of_a_map_that_has_changed_are_refused(star_map: Api) -> None:
    reply = await star_map.client.get(f"{PATH}/labels", params={"token": "old"}, headers=ANN)
    assert reply.status_code == 409
    assert reply.json()["hint"] == "Load its points again."


async def test_without_a_map_there_are_no_labels(api: Api) -> None:
    reply = await api.client.get(f"{PATH}/labels", params={"token": "none"}, headers=ANN)
    assert reply.status_code == 404
