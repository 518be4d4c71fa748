"""How the state of a map is told in a terminal."""

import shlex
from collections.abc import Iterator
from typing import Final

from intaglio.base.installation import command
from intaglio.cli.output import counted, joined, local_time
from intaglio.fence.characters import visible
from intaglio.projects.names import display_name
from intaglio.wire.projection import LayoutState, MapRun, MapRunPhase, ProjectionState

_PHASES: Final[dict[MapRunPhase, str]] = {
    "queued": "waiting to start",
    "reading": "reading embeddings",
    "neighbours": "finding neighbours",
    "layout": "laying out",
    "saving": "saving",
}
_METHODS: Final = {"umap": "UMAP", "pca": "PCA"}


def state_lines(state: ProjectionState) -> Iterator[str]:
    """Write what a map shows, its layouts, what is going on and what went wrong."""
    yield f"{scope_name(state)}: {_memories(state)}"
    for layout in state.layouts:
        yield _layout(layout)
    if state.run is not None:
        yield f"Running: {run_text(state.run)}"
    if state.failure is not None:
        yield f"Last run ended at {local_time(state.failure.at)}: {failure_text(state)}"
    if state.run is None and not state.layouts:
        yield f"Not computed yet; `{_run_command(state)}` or opening the constellation does that."
    elif state.run is None and state.is_outdated:
        yield f"Much has changed since; `{_run_command(state)}` lays all of it out again."


def scope_name(state: ProjectionState) -> str:
    """Name whose memories a map shows."""
    if state.project is not None:
        return f"Project {visible(display_name(state.project))}"
    return "All memories" if state.agent is None else f"Agent {visible(state.agent)}"


def run_text(run: MapRun) -> str:
    """Say how far a run is."""
    layouts = joined([f"{each}D" for each in run.dimensions])
    done = "" if run.phase == "queued" else f", {run.progress:.0%}"
    since = f", since {local_time(run.started_at)}" if run.started_at else ""
    return f"{layouts}, {_PHASES[run.phase]}{done}{since}"


def failure_text(state: ProjectionState) -> str:
    """Say why the last run failed, and what to do."""
    failure = state.failure
    return f"{visible(failure.reason)} {visible(failure.hint)}".strip() if failure else ""


def _run_command(state: ProjectionState) -> str:
    words = ["map", "run"]
    if state.project is not None:
        words += ["--project", visible(state.project)]
    elif state.agent is not None:
        words += ["--agent", visible(state.agent)]
    return command(shlex.join(words))


def _memories(state: ProjectionState) -> str:
    missing = state.memories - state.embedded
    if not missing:
        return counted(state.memories, "memory", "memories")
    return f"{counted(state.memories, 'memory', 'memories')}, {missing:,} not embedded yet"


def _layout(layout: LayoutState) -> str:
    placed = f", {layout.placed:,} placed since" if layout.placed else ""
    return (
        f"{layout.dimensions}D  computed {local_time(layout.computed_at)} by "
        f"{_METHODS[layout.method]} in {layout.seconds:.1f} s: "
        f"{counted(layout.points, 'memory', 'memories')}{placed}"
    )
