"""Which models the settings name; pure."""

import os
from collections.abc import Mapping
from typing import cast

from intaglio.base.settings.values import Settings
from intaglio.inference.completion.choice import ModelChoice, ModelProvider
from intaglio.models.prompt import ModelRole
from intaglio.models.settings import (
    NO_PROVIDER,
    SAME_PROVIDER,
    ExtractionModelSettings,
    SynthesisModelSettings,
)


def choice_of(
    settings: Settings, role: ModelRole, environment: Mapping[str, str] = os.environ
) -> ModelChoice | None:
    """Return the model that the settings name for a role; None if they name none."""
    own = settings.of(ExtractionModelSettings)
    extraction = _choice(own.provider, own.model, own.endpoint, _key(own.api_key, environment))
    if role == "extraction":
        return extraction
    other = settings.of(SynthesisModelSettings)
    if not other.enabled:
        return None
    if other.provider != SAME_PROVIDER:
        key = _key(other.api_key, environment)
        return _choice(other.provider, other.model, other.endpoint, key)
    if extraction is None or not other.model:
        return extraction
    return _choice(own.provider, other.model, own.endpoint, extraction.key)


def timeout_s(settings: Settings, role: ModelRole) -> float:
    """Return how long a reply may take."""
    if role == "extraction":
        return settings.of(ExtractionModelSettings).timeout_ms / 1_000
    return settings.of(SynthesisModelSettings).timeout_ms / 1_000


def _choice(provider: str, model: str, endpoint: str, key: str) -> ModelChoice | None:
    if provider == NO_PROVIDER:
        return None
    # The declaration of the setting lets nothing else through.
    name = cast("ModelProvider", provider)
    return ModelChoice(provider=name, model=model.strip(), address=endpoint.strip(), key=key)


def _key(given: str, environment: Mapping[str, str]) -> str:
    return environment.get(given[1:], "") if given.startswith("$") else given
