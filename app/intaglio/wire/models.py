"""Requests and replies about language models: their state, their cost, and a try. Times are UTC."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

ModelRoleName: TypeAlias = Literal["extraction", "synthesis"]
ModelStateName: TypeAlias = Literal[
    "off", "unconfirmed", "unusable", "paused", "capped", "resting", "ready"
]
_ModelText = Annotated[str, Meta(max_length=2_000)]
_ProviderText = Annotated[str, Meta(min_length=1, max_length=100)]


class PriceRow(Struct, kw_only=True, rename="camel"):
    """US dollars per million tokens that are read and written."""

    read: float
    written: float


class ModelRow(Struct, kw_only=True, rename="camel"):
    """The model of a role: the one for single texts, or the one for whole sessions.

    ``title`` is what people call it. ``state`` is off, unconfirmed (nothing is sent before the user
    agrees), unusable, paused, capped, resting (after failures) or ready; ``reason`` says why it
    isn't ready, and ``until`` when it goes on by itself. ``sends_away`` says whether what it is
    asked leaves this machine. ``price`` is null if unknown.
    """

    role: ModelRoleName
    state: ModelStateName
    reason: str
    until: str | None
    provider: str
    model: str
    address: str
    title: str
    sends_away: bool
    price: PriceRow | None


class ModelUsageToday(Struct, kw_only=True, rename="camel"):
    """What was used today, and the limits; a limit of 0 is none.

    ``usd`` is by list prices and leaves out the ``unpriced`` calls. ``resets_at`` is the next
    midnight.
    """

    day: str
    tokens: int
    usd: float
    calls: int
    failed: int
    unpriced: int
    max_tokens: int
    max_usd: float
    max_project_tokens: int
    resets_at: str


class FailedCallRow(Struct, kw_only=True, rename="camel"):
    """The last call of today, if it failed: its stage, the kind of failure and what happened."""

    at: str
    stage: str
    outcome: str
    detail: str


class ModelsReply(Struct, kw_only=True, rename="camel"):
    """The configured models, and today's usage.

    ``prices_as_of`` is the month in which the included prices held, ``price_file`` where the user's
    own are read from, and ``price_problem`` what is wrong with them.
    """

    models: list[ModelRow]
    today: ModelUsageToday
    last_failure: FailedCallRow | None
    prices_as_of: str
    price_file: str
    price_problem: str


class ModelTestRequest(Struct, kw_only=True):
    """Which model to try."""

    role: ModelRoleName = "extraction"


class SessionCostRow(Struct, kw_only=True, rename="camel"):
    """What reading one session costs, estimated; ``usd`` is null if no price is known.

    It is for ``characters``: the mean of the latest ``sessions``, or a typical one if that is 0.
    """

    tokens_read: int
    tokens_written: int
    usd: float | None
    sessions: int
    characters: int


class ModelTestReply(Struct, kw_only=True, rename="camel"):
    """What a try found.

    ``models`` are those that the server offers; ``is_listed`` says whether the chosen one is among
    them, null if that can't be told. ``kept_json`` says whether the reply was what was asked for.
    ``problem`` is empty if it answered.
    """

    title: str
    answered: bool
    kept_json: bool
    is_listed: bool | None
    models: list[str]
    ms: int
    tokens_read: int
    tokens_written: int
    problem: str
    session: SessionCostRow


class ModelConfirmRequest(Struct, kw_only=True):
    """The model that the user agrees to, as it was shown."""

    provider: _ProviderText
    model: _ModelText
    address: _ModelText


class DetectedModels(Struct, kw_only=True, rename="camel"):
    """A model server on this machine; ``suggestion`` is one of its models, or empty."""

    found: bool
    provider: str
    address: str
    models: list[str]
    suggestion: str


class UsageRow(Struct, kw_only=True, rename="camel"):
    """What calls used together; ``key`` is their day, stage, project or model.

    ``usd`` leaves out the ``unpriced`` calls.
    """

    key: str | None
    calls: int
    failed: int
    tokens_read: int
    tokens_written: int
    usd: float
    unpriced: int


class ModelUsageReply(Struct, kw_only=True, rename="camel"):
    """What calls used since a day, by day (the latest first), stage, project and model."""

    since: str
    days: list[UsageRow]
    stages: list[UsageRow]
    projects: list[UsageRow]
    models: list[UsageRow]


class RegistryModel(Struct, kw_only=True):
    """A model that may be chosen; ``tier`` is low, mid or high, by what it costs."""

    id: str
    provider: str
    label: str
    tier: Literal["low", "mid", "high"]
    deprecated: bool


class RegistryState(Struct, kw_only=True, rename="camel"):
    """When the list was last refreshed, in ms since 1970 (0: never), and how many it holds."""

    initialized: bool
    last_refresh_at: int
    model_counts: dict[str, int]


class RegistryReply(Struct, kw_only=True):
    """The models that may be chosen."""

    models: list[RegistryModel]
    registry: RegistryState


class RefreshedRegistry(Struct, kw_only=True):
    """The models by provider, and whether the refresh came too soon after the last one."""

    models: dict[str, list[RegistryModel]]
    registry: RegistryState
    throttled: bool = False
