"""A plain client with one kept connection: it costs less than what it measures."""

import http.client
import json
import time
from collections.abc import Mapping
from typing import Any, cast


class Caller:
    """One kept connection to the daemon."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def get(self, path: str) -> bytes:
        self._connection.request("GET", path)
        return self._read()

    def post(self, path: str, body: Mapping[str, object]) -> bytes:
        headers = {"content-type": "application/json"}
        self._connection.request("POST", path, json.dumps(body), headers)
        return self._read()

    def delete(self, path: str, agent: str) -> bytes:
        self._connection.request("DELETE", path, headers={"x-signet-agent-id": agent})
        return self._read()

    def send(self, method: str, path: str, body: Mapping[str, object] | None = None) -> bytes:
        headers = {"content-type": "application/json"}
        self._connection.request(method, path, json.dumps(body) if body else None, headers)
        return self._read()

    def _read(self) -> bytes:
        answer = self._connection.getresponse()
        data = answer.read()
        if answer.status >= http.client.BAD_REQUEST:
            raise RuntimeError(f"{answer.status}: {data[:300]!r}")
        return data


def status(caller: Caller) -> dict[str, Any]:
    """Return /api/status."""
    return cast("dict[str, Any]", json.loads(caller.get("/api/status")))


def wait_until_idle(caller: Caller, within_s: float = 3600) -> None:
    """Wait until no job of the queue is left."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        queue = status(caller)["queue"]
        if queue["pending"] == queue["leased"] == 0:
            return
        time.sleep(0.2)
    raise TimeoutError("jobs left")


def wait_until_embedded(caller: Caller, within_s: float = 3600) -> None:
    """Wait until every memory has its vector and the index, where it stands, has all of them."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        now = status(caller)["embedding"]
        if now is None or now["phase"] == "damaged":
            return
        done = now["embedded"] == now["total"] and now["pending"] == 0
        in_step = now["indexWaiting"] == 0 and now["indexVectors"] == now["total"]
        if done and (in_step or now["indexMethod"] != "mirror"):
            return
        time.sleep(0.2)
    raise TimeoutError("not embedded in time")
