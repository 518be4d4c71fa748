"""The graph in a running daemon: what jobs find is there soon, and progress is told."""

from pathlib import Path
from typing import Any

from fakes.daemon import NO_MODEL, running_daemon, write_settings
from fakes.waiting import wait_for


def test_dependencies_and_aspects_are_found_in_the_background(tmp_path: Path) -> None:
    write_settings(tmp_path, NO_MODEL)
    with running_daemon(tmp_path) as daemon, daemon.client() as client:

        def get(path: str, **params: str) -> Any:  # noqa: ANN401 - JSON
            reply = client.get(path, params=params)
            assert reply.status_code == 200, reply.text
            return reply.json()

        for text in ("`billing-api` uses `ledger-core`", "`billing-api` is quite old"):
            reply = client.post("/api/memory/remember", json={"content": text})
            assert reply.status_code == 200, reply.text
        listed = get("/api/knowledge/entities", q="billing-api")["items"]
        entity = f"/api/knowledge/entities/{listed[0]['entity']['id']}"

        def edges() -> list[tuple[str, str]]:
            items = get(f"{entity}/dependencies")["items"]
            return [(each["dependencyType"], each["targetEntityName"]) for each in items]

        wait_for(lambda: edges() == [("uses", "ledger-core")], "the dependency")
        wait_for(lambda: get("/api/knowledge/stats")["unclassifiedCount"] == 0, "all aspects")
        stats = get("/api/knowledge/stats")
        assert stats["coveragePercent"] == 100.0
        assert stats["assigned"]["entity"] == 2
        assert stats["background"]["dependencies"] == 1
        assert stats["backfill"] == {
            "running": False, "done": 0, "left": 0, "uncertain": 0, "failed": 0,
        }  # fmt: skip
        assert daemon.stop() == 0
