"""The event stream of a real daemon."""

from collections.abc import Iterator

from fakes.daemon import Daemon

FOLLOWING = ('"topic":"embeddings"', '"topic":"entity"')


def frames(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield (event, data) of each frame, without what follows from a memory's change."""
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data" and not any(topic in value for topic in FOLLOWING):
            yield name, value


def test_the_stream_begins_with_the_state(daemon: Daemon) -> None:
    with daemon.client() as client, client.stream("GET", "/api/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        seen = frames(stream.iter_lines())
        assert next(seen) == ("state", '{"state":"ready","reason":""}')
        reply = client.post("/api/memory/remember", json={"content": "Something new"})
        kept = reply.json()["id"]
        assert next(seen) == ("changed", f'{{"topic":"memory","what":"added","ids":["{kept}"]}}')
        client.delete(f"/api/memory/{kept}", params={"reason": "x"})
        assert next(seen) == (
            "changed",
            f'{{"topic":"memory","what":"deleted","ids":["{kept}"]}}',
        )


def test_a_repeated_state_is_sent_once(daemon: Daemon) -> None:
    with daemon.client() as client, client.stream("GET", "/api/events") as stream:
        seen = frames(stream.iter_lines())
        next(seen)
        first = client.post("/api/memory/remember", json={"content": "Said twice"}).json()["id"]
        client.post("/api/memory/remember", json={"content": "Said twice"})
        other = client.post("/api/memory/remember", json={"content": "Said after"}).json()["id"]
        assert [first in next(seen)[1], other in next(seen)[1]] == [True, True]
