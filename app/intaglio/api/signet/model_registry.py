"""The list of known language models, as Signet's clients ask for it."""

import math
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import FromQuery, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import RateLimitedError
from intaglio.models.registry import ModelRegistry
from intaglio.wire.models import (
    RefreshedRegistry,
    RegistryModel,
    RegistryReply,
    RegistryState,
)

_Provider = Annotated[str | None, QueryParameter(max_length=100)]


def _models(services: Services) -> list[RegistryModel]:
    return [convert(each, RegistryModel) for each in services.get(ModelRegistry).all()]


def _by_provider(models: list[RegistryModel]) -> dict[str, list[RegistryModel]]:
    found: dict[str, list[RegistryModel]] = {}
    for each in models:
        found.setdefault(each.provider, []).append(each)
    return found


def _state(services: Services, models: list[RegistryModel]) -> RegistryState:
    counts = {provider: len(listed) for provider, listed in _by_provider(models).items()}
    refreshed = services.get(ModelRegistry).refreshed_at_ms
    return RegistryState(initialized=True, last_refresh_at=refreshed, model_counts=counts)


class ModelRegistryController(Controller):
    """Models that may be chosen. The list is complete only after a refresh."""

    tags = ("models",)

    @get("/api/pipeline/models", operation_id="listKnownModels", opt=declare(Access.PROGRAM))
    async def listed(
        self, services: Services, *, provider: _Provider = None, deprecated: FromQuery[bool] = False
    ) -> RegistryReply:
        """List the configured and known models; asks nobody."""
        models = _models(services)
        return RegistryReply(
            models=[
                each
                for each in models
                if provider in (None, each.provider) and (deprecated or not each.deprecated)
            ],
            registry=_state(services, models),
        )

    @get(
        "/api/pipeline/models/by-provider",
        operation_id="listModelsByProvider",
        opt=declare(Access.PROGRAM),
    )
    async def by_provider(self, services: Services) -> dict[str, list[RegistryModel]]:
        """List the same models by provider."""
        return _by_provider(_models(services))

    @post(
        "/api/pipeline/models/refresh",
        operation_id="refreshModels",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def refresh(self, services: Services) -> RefreshedRegistry:
        """Ask the configured servers which models they offer.

        Replies 429 within a minute, with the list as it is.
        """
        registry = services.get(ModelRegistry)
        wait_s = registry.wait_s
        if wait_s <= 0:
            await registry.refresh()
        models = _models(services)
        reply = RefreshedRegistry(models=_by_provider(models), registry=_state(services, models))
        if wait_s > 0:
            listed = msgspec.to_builtins(reply) | {"throttled": True}
            raise RateLimitedError(
                "The list of models was refreshed within the last minute",
                hint=f"Try again in {math.ceil(wait_s)} s.",
                **listed,
            )
        return reply
