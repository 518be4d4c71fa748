"""Other users of the machine, and many connections at once."""

import socket
from contextlib import ExitStack

from bench.attack.arena import Arena
from bench.attack.probe import Broke, Held, Outcome, Probe

_CONNECTIONS = 600


def idle_connections(arena: Arena) -> Outcome:
    """Hold connections without asking anything: others still get their answers."""
    daemon = arena.start()
    with ExitStack() as stack, daemon.client() as client:
        for _ in range(_CONNECTIONS):
            held = stack.enter_context(socket.socket())
            held.connect(("127.0.0.1", daemon.port))
        health = client.get("/health").status_code
        write = client.post("/api/memory/remember", json={"content": "We use SQLite."}).status_code
    if (health, write) == (200, 200):
        return Held("health and a write are answered", 2)
    return Broke(f"health {health}, write {write}", 2, [health, write].count(200))


PROBES: tuple[Probe, ...] = (
    Probe("server", f"{_CONNECTIONS} idle connections held", idle_connections),
)
