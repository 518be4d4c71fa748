"""The models that the settings name, replaced as the settings change."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, cast

from intaglio.base.errors import InvalidInputError
from intaglio.base.settings.values import Settings
from intaglio.inference.completion.choice import ModelChoice, ModelProvider
from intaglio.inference.completion.ports import Completion
from intaglio.models.choices import choice_of
from intaglio.models.prompt import ROLES, ModelRole

MakeCompletion: TypeAlias = Callable[[ModelChoice], Completion | None]


class LiveModels:
    """Holds a model for each one that the settings name; use it on the event loop.

    ``make`` builds one without calling it; ``later`` runs what closes those no longer named.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        make: MakeCompletion,
        is_confirmed: Callable[[ModelChoice], bool],
        later: Callable[[Awaitable[None]], None],
    ) -> None:
        self._make = make
        self._settings = settings
        self._is_confirmed = is_confirmed
        self._later = later
        self._made: dict[ModelChoice, Completion] = {}
        self._problems: dict[ModelChoice, str] = {}
        self._read: Settings | None = None
        self._choices: dict[ModelRole, ModelChoice | None] = {}
        self._instead: Completion | None = None

    def choice(self, role: ModelRole) -> ModelChoice | None:
        """Return the model that the settings name for a role, confirmed or not."""
        settings = self._settings()
        if settings is not self._read:
            self._follow(settings)
        return self._choices[role]

    def asked(self, role: ModelRole) -> ModelChoice | None:
        """Return the model that is asked in a role."""
        if self._instead is not None:
            name = self._instead.name
            provider = cast("ModelProvider", name.provider)
            return ModelChoice(provider=provider, model=name.model)
        return self.choice(role)

    def completion(self, role: ModelRole) -> Completion | None:
        """Return the model for a role; None if none is configured and confirmed."""
        if self._instead is not None:
            return self._instead
        choice = self.choice(role)
        if choice is None or not self._is_confirmed(choice):
            return None
        return self._made_of(choice)

    def rest_s(self, role: ModelRole) -> float:
        """In how many seconds the model of a role may be asked again; 0 if it may now."""
        model = self.completion(role)
        return model.rest_s if model else 0.0

    def problem(self, role: ModelRole) -> str:
        """Return why the model that the settings name can't be asked; empty if it can."""
        choice = self.choice(role)
        if choice is not None and self._is_confirmed(choice):
            self._made_of(choice)
        return self._problems.get(choice, "") if choice else ""

    def _made_of(self, choice: ModelChoice) -> Completion | None:
        if choice in self._problems:
            return None
        found = self._made.get(choice)
        if found is None:
            try:
                found = self._make(choice)
            except InvalidInputError as error:
                self._problems[choice] = error.detail
                return None
            if found is not None:
                self._made[choice] = found
        return found

    async def renew_resting(self) -> None:
        """Make those models anew that rest after failures, so that they are asked at once."""
        for choice in [one for one, model in self._made.items() if model.rest_s > 0]:
            await self._made.pop(choice).close()

    def replace(self, model: Completion) -> None:
        """Ask this model in all roles from now on, whatever the settings name."""
        self._instead = model

    def _follow(self, settings: Settings) -> None:
        self._choices = {role: choice_of(settings, role) for role in ROLES}
        self._read = settings
        self._problems.clear()
        named = set(self._choices.values())
        for choice in [one for one in self._made if one not in named]:
            self._later(self._made.pop(choice).close())

    async def close(self) -> None:
        """Close all models."""
        while self._made:
            await self._made.popitem()[1].close()
