"""The fields of GET /api/status that only Signet's clients need."""

from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from intaglio.api.services import Services
from intaglio.base.settings.declaration import Scalar
from intaglio.base.settings.editing import SettingsEditor
from intaglio.models.live_models import LiveModels
from intaglio.models.prompt import ModelRole
from intaglio.redaction.shown_text import without_secrets
from intaglio.wire.status import LogPlaces, ProviderResolution, ProviderResolutions

SettingTree: TypeAlias = "dict[str, Scalar | SettingTree]"

_PIPELINE: Final = "memory.pipelineV2."
_OFF: Final = "none"


def pipeline_settings(services: Services) -> Mapping[str, object]:
    """Return the settings below `memory.pipelineV2` as they apply now, without secrets."""
    tree: SettingTree = {}
    settings = services.settings()
    for each in services.get(SettingsEditor).catalogue.all:
        if not each.key.startswith(_PIPELINE) or each.info.secret:
            continue
        *groups, name = each.key.removeprefix(_PIPELINE).split(".")
        place = tree
        for group in groups:
            place = cast("SettingTree", place.setdefault(group, {}))
        value = each.value(settings)
        place[name] = without_secrets(value) if isinstance(value, str) else value
    return tree


def provider_resolutions(services: Services) -> ProviderResolutions:
    """Return which model is configured for each role, and which one is asked."""
    models = services.get(LiveModels)

    def resolution(role: ModelRole) -> ProviderResolution:
        choice = models.asked(role)
        configured = choice.provider if choice else _OFF
        usable = choice is not None and models.completion(role) is not None
        return ProviderResolution(
            configured=configured,
            resolved=configured,
            effective=configured if usable else _OFF,
            reason=without_secrets(models.problem(role)),
        )

    return ProviderResolutions(
        extraction=resolution("extraction"), synthesis=resolution("synthesis")
    )


def log_places(services: Services) -> LogPlaces:
    """Return where the log is."""
    file = services.running.paths.log_file
    return LogPlaces(log_dir=str(file.parent), log_file=str(file))
