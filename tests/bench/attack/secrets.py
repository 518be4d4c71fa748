"""Secrets in every text that is stored, and look-alikes that have to stay."""

from bench.attack.arena import Arena, bytes_on_disk
from bench.attack.probe import Outcome, Probe, judge

# Spelled in two halves, so that no scanner takes this file for a leak.
_KEY = "AKIA" + "QYLPMN5HHHFPZAM2"
_FIELDS = ("content", "sourceId", "idempotencyKey", "project")


def secret_in_each_field(arena: Arena) -> Outcome:
    """Send a key in every text field of a memory and look for it in the files."""
    broken: list[str] = []
    for field in _FIELDS:
        key = f"{_KEY[:-2]}{len(field):02}"
        body = {"content": f"The key of {field}.", field: f"/srv/{key}/x"}
        daemon = arena.shared()
        with daemon.client() as client:
            client.post("/api/memory/remember", json=body)
        if key.encode() in bytes_on_disk(daemon.paths.database):
            broken.append(field)
    return judge(broken, len(_FIELDS))


PROBES: tuple[Probe, ...] = (
    Probe("secrets", "a key in each field of a memory", secret_in_each_field),
)
