"""Requests and replies about maps of memories."""

from typing import Literal

from msgspec import Struct, field

MapRunPhase = Literal["queued", "reading", "neighbours", "layout", "saving"]
LabelLevel = Literal[0, 1, 2]


class ProjectionNode(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """A memory in a layout; ``z`` only in three dimensions."""

    id: str
    x: float
    y: float
    z: float | None = None
    content: str
    who: str
    importance: float
    type: str
    tags: list[str]
    pinned: bool
    source_type: str
    source_id: str | None
    created_at: str


class ProjectionReply(Struct, kw_only=True, rename="camel"):
    """A layout's memories in order of ``offset``; ``edges`` are pairs of indexes in ``nodes``."""

    status: Literal["ready"] = "ready"
    dimensions: int
    count: int
    total: int
    limit: int
    offset: int
    has_more: bool
    nodes: list[ProjectionNode]
    edges: list[tuple[int, int]]
    cached_at: str


class ProjectionPending(Struct, kw_only=True):
    """The layout is being computed; ``progress`` is done of it, from 0 to 1."""

    status: Literal["computing"] = "computing"
    dimensions: int
    phase: MapRunPhase
    progress: float


class ProjectionFailed(Struct, kw_only=True):
    """The layout couldn't be computed; it can be asked for again after 30 seconds."""

    status: Literal["error"] = "error"
    message: str


class LayoutState(Struct, kw_only=True):
    """A stored layout: ``points`` by its full run, ``placed`` one by one since."""

    dimensions: int
    generation: int
    method: Literal["umap", "pca"]
    points: int
    placed: int
    computed_at: str
    seconds: float


class MapRun(Struct, kw_only=True):
    """A run that is queued or going on."""

    phase: MapRunPhase
    progress: float
    dimensions: list[int]
    started_at: str | None


class MapFailure(Struct, kw_only=True):
    """Why the last run failed."""

    reason: str
    hint: str
    at: str


class ProjectionState(Struct, kw_only=True):
    """The state of the map of all memories, or of a project's or an agent's.

    ``memories`` are live, ``embedded`` of them have a vector and can stand in the map.
    ``is_outdated`` tells that enough has changed since for another full run.
    """

    project: str | None
    agent: str | None
    memories: int
    embedded: int
    layouts: list[LayoutState]
    run: MapRun | None
    failure: MapFailure | None
    is_outdated: bool


class MapRunRequest(Struct, kw_only=True):
    """Asks for a full run of these layouts, of all memories, a project's or an agent's."""

    project: str | None = None
    agent: str | None = None
    dimensions: list[Literal[2, 3]] = field(default_factory=lambda: [2])


class MapColumn(Struct, kw_only=True):
    """A column of the binary map; ``offset`` from the start of the columns, ``length`` in bytes."""

    name: str
    type: Literal["u8", "u16", "i16", "u32"]
    offset: int
    length: int


class MapEntityName(Struct, kw_only=True):
    """An entity that memories of a map are coloured by."""

    id: str
    name: str
    type: str


class MapHeader(Struct, kw_only=True):
    """The JSON header of the binary map.

    ``token`` identifies this order of the points, for the requests of its edges and labels.
    ``extent`` / 32767 is the unit of the coordinates. The tables are what the columns of the same
    name number: ``types``, ``origins``, ``agents``, ``projects`` (None: of no project),
    ``entities`` (from 1; 0 is of no entity). The last number of a full table stands for the rest.
    """

    token: str
    generation: int
    count: int
    dimensions: list[int]
    extent: float
    unplaced: int
    computed_at: str
    types: list[str]
    origins: list[str]
    agents: list[str]
    projects: list[str | None]
    entities: list[MapEntityName]
    columns: list[MapColumn]


class MapLabel(Struct, kw_only=True):
    """A cluster of memories and its most distinctive words.

    Level 0 is the coarsest. ``position`` is in two dimensions, ``position_3d`` if there is a
    layout in three.
    """

    id: int
    level: LabelLevel
    words: list[str]
    count: int
    position: tuple[float, float]
    position_3d: tuple[float, float, float] | None


class MapLabels(Struct, kw_only=True):
    """The clusters of a map.

    ``members`` has for each level the id of each point's cluster, in base64 of one little-endian
    u16 per point; 65535 is none.
    """

    token: str
    labels: list[MapLabel]
    members: list[str]


class MapMatches(Struct, kw_only=True):
    """The ids of the memories in a map that match filters; ``total`` without the limit."""

    ids: list[str]
    total: int
