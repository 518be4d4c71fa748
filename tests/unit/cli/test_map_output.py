"""What `intaglio map` writes."""

from typing import Final

from msgspec.structs import replace

from intaglio.cli.map.output import state_lines
from intaglio.cli.output import local_time
from intaglio.wire.projection import LayoutState, MapFailure, MapRun, ProjectionState

NOON: Final = "2026-05-21T12:00:00.000Z"
FLAT: Final = LayoutState(
    dimensions=2,
    generation=3,
    method="umap",
    points=1_200,
    placed=31,
    computed_at=NOON,
    seconds=2.34,
)
STATE: Final = ProjectionState(
    project=None,
    agent=None,
    memories=1_240,
    embedded=1_231,
    layouts=[FLAT, replace(FLAT, dimensions=3, method="pca", placed=0)],
    run=None,
    failure=None,
    is_outdated=False,
)


def _lines(state: ProjectionState) -> list[str]:
    return [line.replace(local_time(NOON), "NOON") for line in state_lines(state)]


def test_layouts_say_when_and_how_they_were_computed_and_what_was_placed_since() -> None:
    assert _lines(STATE) == [
        "All memories: 1,240 memories, 9 not embedded yet",
        "2D  computed NOON by UMAP in 2.3 s: 1,200 memories, 31 placed since",
        "3D  computed NOON by PCA in 2.3 s: 1,200 memories",
    ]


def test_a_run_says_how_far_it_is() -> None:
    run = MapRun(phase="layout", progress=0.456, dimensions=[2, 3], started_at=NOON)
    assert _lines(replace(STATE, run=run, is_outdated=True))[-1] == (
        "Running: 2D and 3D, laying out, 46%, since NOON"
    )
    queued = replace(run, phase="queued", progress=0.0, dimensions=[2], started_at=None)
    assert _lines(replace(STATE, run=queued))[-1] == "Running: 2D, waiting to start"


def test_a_failure_says_why_and_what_to_do() -> None:
    failure = MapFailure(reason="No memory.", hint="Close it\x1b.", at=NOON)
    last = _lines(replace(STATE, failure=failure))[-1]
    assert last.startswith("Last run ended at NOON: No memory. Close it")
    assert "\x1b" not in last


def test_without_a_layout_the_command_that_computes_one_is_told() -> None:
    empty = replace(STATE, project="/work/shop", layouts=[], memories=1, embedded=1)
    name, hint = _lines(empty)
    assert name == "Project shop: 1 memory"
    assert "map run --project /work/shop`" in hint
    name, hint = _lines(replace(empty, project=None, agent="ann"))
    assert name == "Agent ann: 1 memory"
    assert "map run --agent ann`" in hint


def test_an_outdated_map_says_so() -> None:
    assert "lays all of it out again" in _lines(replace(STATE, is_outdated=True))[-1]
