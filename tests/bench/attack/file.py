"""What happens to the database file while the daemon runs, and while it doesn't."""

from bench.attack.arena import Arena, stored
from bench.attack.probe import Held, Outcome, Probe, judge

_WRITES = 20


def removed(arena: Arena) -> Outcome:
    """Remove the database under the daemon: what it acknowledges afterwards has to be stored."""
    daemon = arena.start()
    with daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "We decided to keep the file."})
        for file in arena.paths.memory.glob("intaglio.db*"):
            file.unlink()
        contents = [f"We decided on number {number}." for number in range(_WRITES)]
        answers = [
            client.post("/api/memory/remember", json={"content": content}) for content in contents
        ]
    pairs = zip(contents, answers, strict=True)
    acknowledged = [content for content, answer in pairs if answer.is_success]
    if not acknowledged:
        return Held("every write is refused", _WRITES)
    kept = stored(arena.paths.database) if arena.paths.database.exists() else set[str]()
    lost = [content for content in acknowledged if content not in kept]
    return judge(lost, _WRITES)


PROBES: tuple[Probe, ...] = (Probe("file", "database removed while the daemon runs", removed),)
