"""``python3 app bench NAME``: measures or attacks the real daemon; never a test."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

# Started as a folder, it is first on the path, where its modules hide the standard library's of the
# same name; the folder above holds this package and the fakes.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import (
    calls,
    commit_reading,
    constellation,
    continuity,
    dashboard,
    desktop,
    diagnostics,
    extraction,
    fit,
    hints,
    history,
    hooks,
    linker,
    lists,
    load,
    map_replies,
    mcp,
    places,
    queue,
    recall,
    request_metrics,
    retention,
    sessions,
    soak,
    start,
    statistics,
    structure,
    transcripts,
    vectors,
    walk,
    windows,
)
from bench.attack import command as attack
from bench.capture import command as capture
from bench.commits import command as commits
from bench.entities import command as entities
from bench.entities import resolution
from bench.faults import command as faults
from bench.finding import command as finding
from bench.notes import command as notes
from bench.peers import command as peers
from bench.projection import command as projection
from bench.relations import command as relations
from bench.told import command as told

BENCHMARKS: Final[dict[str, Callable[[list[str]], None]]] = {
    "attack": attack.main,
    "calls": calls.main,
    "capture": capture.main,
    "commits": commits.main,
    "commits-read": commit_reading.main,
    "constellation": constellation.main,
    "continuity": continuity.main,
    "dashboard": dashboard.main,
    "desktop": desktop.main,
    "diagnostics": diagnostics.main,
    "entities": entities.main,
    "extraction": extraction.main,
    "faults": faults.main,
    "finding": finding.main,
    "fit": fit.main,
    "hints": hints.main,
    "import": history.main,
    "hooks": hooks.main,
    "linker": linker.main,
    "list": lists.main,
    "load": load.main,
    "map": map_replies.main,
    "mcp": mcp.main,
    "metrics": request_metrics.main,
    "notes": notes.main,
    "peers": peers.main,
    "places": places.main,
    "projection": projection.main,
    "queue": queue.main,
    "recall": recall.main,
    "relations": relations.main,
    "resolution": resolution.main,
    "retention": retention.main,
    "sessions": sessions.main,
    "soak": soak.main,
    "start": start.main,
    "statistics": statistics.main,
    "structure": structure.main,
    "told": told.main,
    "transcripts": transcripts.main,
    "vectors": vectors.main,
    "walk": walk.main,
    "windows": windows.main,
}


def main(arguments: list[str]) -> int:
    """Run the benchmark named by the first argument; returns the exit code."""
    name, *rest = arguments or [""]
    bench = BENCHMARKS.get(name)
    if bench is None:
        print(f"Choose a benchmark: {', '.join(BENCHMARKS)}")
        return 2
    bench(rest)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
