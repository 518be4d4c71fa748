"""The list of known language models, for programs that show a choice of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice, ModelProvider
from intaglio.inference.completion.ports import NotCompleted
from intaglio.models.live_models import LiveModels
from intaglio.models.prices import Prices
from intaglio.models.prompt import ROLES

Tier: TypeAlias = Literal["low", "mid", "high"]

# Short names that a program resolves to its newest models.
_ALIASES: Final = {"claude": ("haiku", "sonnet", "opus")}
_TIMEOUT_S: Final = 5.0
_REFRESH_EVERY_S: Final = 60.0
_MOST_LISTED: Final = 200
_LOW_USD: Final = 1.5
_MID_USD: Final = 4.0


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model of a provider; ``tier`` says what it costs: low, mid or high."""

    id: str
    provider: str
    label: str
    tier: Tier
    deprecated: bool = False


@dataclass(slots=True, kw_only=True)
class ModelRegistry:
    """Lists the configured models and those that their servers named when they were asked."""

    models: LiveModels
    prices: Prices
    clock: Clock
    monotonic_s: Callable[[], float]
    refreshed_at_ms: int = 0
    _refreshed: float | None = None
    _named: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def all(self) -> list[ListedModel]:
        """List the models by provider."""
        return [
            self._listed(provider, name)
            for provider in PROVIDERS
            for name in dict.fromkeys(self._names(provider))
        ]

    @property
    def wait_s(self) -> float:
        """In how many seconds the list may be refreshed again; 0 if it may now."""
        if self._refreshed is None:
            return 0.0
        return max(0.0, self._refreshed + _REFRESH_EVERY_S - self.monotonic_s())

    async def refresh(self) -> None:
        """Ask the configured and confirmed servers which models they offer, and nobody else."""
        self._refreshed = self.monotonic_s()
        for role in ROLES:
            choice, model = self.models.asked(role), self.models.completion(role)
            if choice is None or model is None:
                continue
            found = await model.models(timeout_s=_TIMEOUT_S)
            if not isinstance(found, NotCompleted):
                self._named[choice.provider] = found[:_MOST_LISTED]
        self.refreshed_at_ms = round(self.clock().timestamp() * 1_000)

    def _names(self, provider: ModelProvider) -> Iterator[str]:
        for role in ROLES:
            choice = self.models.asked(role)
            if choice is not None and choice.provider == provider and choice.model:
                yield choice.model
        yield from _ALIASES.get(PROVIDERS[provider].program, ())
        yield from self._named.get(provider, ())

    def _listed(self, provider: ModelProvider, name: str) -> ListedModel:
        choice = next(
            (
                found
                for role in ROLES
                if (found := self.models.asked(role)) and found.provider == provider
            ),
            None,
        )
        # A provider that isn't configured answers at its own address.
        address = choice.address if choice else ""
        price = self.prices.of(ModelChoice(provider=provider, model=name, address=address))
        if price is None:
            return ListedModel(name, provider, name, "mid")
        tier: Tier = "low" if price.read < _LOW_USD else "mid"
        return ListedModel(name, provider, name, "high" if price.read > _MID_USD else tier)
