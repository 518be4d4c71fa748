"""What the configured models are doing, and what was used today; asks no model."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock, iso, next_midnight
from intaglio.base.errors import ConflictError
from intaglio.base.installation import command as shell_command
from intaglio.base.settings.values import Settings
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice
from intaglio.models import usage_rows
from intaglio.models.confirmations import ConfirmedModels
from intaglio.models.day_usage import DayUsage
from intaglio.models.live_models import LiveModels
from intaglio.models.prices import ModelPrice, Prices
from intaglio.models.prompt import ROLES, ModelRole
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.usage_rows import LastFailure
from intaglio.pauses.service import pause_state
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

ModelState: TypeAlias = Literal[
    "off", "unconfirmed", "unusable", "paused", "capped", "resting", "ready"
]
"""What a configured model is doing; ``unusable`` is a configuration that can't work."""

SETTINGS_PAGE: Final = "/settings/Models"


@dataclass(frozen=True, slots=True)
class RoleState:
    """The model of a role; ``until`` is when it goes on by itself, if that is known."""

    role: ModelRole
    state: ModelState
    reason: str = ""
    until: str | None = None
    choice: ModelChoice | None = None
    price: ModelPrice | None = None


@dataclass(frozen=True, slots=True)
class TodayUsage:
    """What was used today and the limits, 0 where there is none; ``resets_at`` is midnight."""

    day: str
    tokens: int
    usd: float
    calls: int
    failed: int
    unpriced: int
    limits: ModelLimitSettings
    resets_at: str


@dataclass(frozen=True, slots=True)
class ModelsState:
    """The models of all roles, today's usage, and the last call that failed today."""

    roles: tuple[RoleState, ...]
    today: TodayUsage
    last_failure: LastFailure | None

    @property
    def main(self) -> RoleState:
        """The state that stands for all: that of the first model that is configured."""
        return next((each for each in self.roles if each.choice), self.roles[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsOverview:
    """Tells the state of the configured models."""

    db: Database
    clock: Clock
    local: Callable[[datetime], datetime]
    settings: Callable[[], Settings]
    models: LiveModels
    confirmed: ConfirmedModels
    prices: Prices

    @property
    def is_configured(self) -> bool:
        """Whether the settings name a model, confirmed or not."""
        return any(self.models.asked(role) is not None for role in ROLES)

    async def read(self) -> ModelsState:
        """Return the state; raises UnavailableError while the database can't be read."""
        now = self.clock()
        day = f"{self.local(now):%Y-%m-%d}"
        limits = self.settings().of(ModelLimitSettings)
        midnight = iso(next_midnight(now, self.local))

        def work(tx: ReadTx) -> tuple[DayUsage, TodayUsage, LastFailure | None, RoleState | None]:
            self.prices.refresh()
            used = usage_rows.used_on(tx, day)
            counts = usage_rows.counts_of(tx, day)
            today = TodayUsage(
                day=day,
                tokens=used.tokens,
                usd=round(used.usd, 6),
                calls=counts.calls,
                failed=counts.failed,
                unpriced=counts.unpriced,
                limits=limits,
                resets_at=midnight,
            )
            paused = pause_state(tx, now)
            until = iso(paused.until) if paused.until else None
            held = RoleState("extraction", "paused", "Capture is paused", until)
            return used, today, usage_rows.last_failure(tx, day), held if paused.paused else None

        used, today, failure, paused = await self.db.read(work)
        waits = paused or _capped(used, limits, midnight)
        return ModelsState(tuple(self._role(role, waits, now) for role in ROLES), today, failure)

    def unconfirmed(self) -> tuple[ModelChoice, ...]:
        """Return the models that the settings name and the user hasn't agreed to."""
        named = dict.fromkeys(choice for role in ROLES if (choice := self.models.choice(role)))
        return tuple(each for each in named if not self.confirmed.includes(each))

    def confirm(self, wanted: tuple[str, str, str]) -> None:
        """Agree to a model: its provider, name and address as they were shown. Blocks.

        Raises ConflictError if the settings name another one now, or it can't be written down.
        """
        named = [choice for role in ROLES if (choice := self.models.choice(role))]
        found = [each for each in named if _shown(each) == wanted]
        if not found:
            raise ConflictError(
                "The settings name another language model now",
                hint="Look at it again, and confirm it then.",
            )
        try:
            self.confirmed.confirm(*found)
        except OSError as error:
            raise ConflictError(
                f"Couldn't write {self.confirmed.file.name}: {error.strerror}",
                hint="Free up space or mend the folder's permissions, and confirm again.",
            ) from error

    def _role(self, role: ModelRole, waits: RoleState | None, now: datetime) -> RoleState:
        choice = self.models.asked(role)
        if choice is None:
            return RoleState(role, "off", "No language model is configured")
        own = RoleState(role, "ready", choice=choice, price=self.prices.of(choice))
        if self.models.completion(role) is None:
            problem = self.models.problem(role)
            if not problem:
                return replace(own, state="unconfirmed", reason="You haven't agreed to it yet")
            return replace(own, state="unusable", reason=f"It can't be asked: {problem}")
        if waits is not None:
            return replace(own, state=waits.state, reason=waits.reason, until=waits.until)
        rest_s = self.models.rest_s(role)
        if rest_s > 0:
            until = iso(now + timedelta(seconds=rest_s))
            return replace(own, state="resting", reason="It failed too often", until=until)
        return own

    async def check(self) -> Checked:
        """Return what is wrong with the configured models, and what they did today."""
        if not self.is_configured:
            return Checked(figures=(Figure("languageModel", "Language model", "off"),))
        state = await self.read()
        issues = tuple(_issues(state, self.prices.problem))
        return Checked(
            issues=issues,
            figures=_figures(state),
            penalty=0.5 if any(issue.level != "info" for issue in issues) else 0.0,
            line=f"language model calls today: {state.today.calls:,}",
        )


def _figures(state: ModelsState) -> tuple[Figure, ...]:
    today, main = state.today, state.main
    return (
        Figure("languageModel", "Language model", main.state),
        Figure("languageModelReason", "Why", main.reason or None),
        Figure("modelCalls", "Calls today", today.calls),
        Figure("failedModelCalls", "Failed calls today", today.failed),
        Figure("modelTokens", "Tokens today", today.tokens),
        Figure("lastModelFailure", "Last failure today", _last_failure(state), "moment"),
    )


def _last_failure(state: ModelsState) -> str | None:
    return state.last_failure.at if state.last_failure else None


def _capped(used: DayUsage, limits: ModelLimitSettings, midnight: str) -> RoleState | None:
    spent = used.spent(limits)
    if spent is None:
        return None
    what = "tokens" if spent == "tokens" else "money"
    return RoleState("extraction", "capped", f"Today's limit of {what} is reached", midnight)


def _issues(state: ModelsState, price_problem: str) -> Iterator[Issue]:
    seen: set[tuple[ModelState, ModelChoice | None]] = set()
    for each in state.roles:
        if (each.state, each.choice) in seen or each.choice is None:
            continue
        seen.add((each.state, each.choice))
        issue = _issue(each)
        if issue is not None:
            yield issue
    if price_problem:
        yield Issue(
            "language_model_prices",
            "warn",
            "Your prices of language models can't be read",
            f"{price_problem}. Until it's fixed, those read before apply.",
            page=SETTINGS_PAGE,
        )


def _issue(role: RoleState) -> Issue | None:
    who = title_of(role.choice) if role.choice else ""
    match role.state:
        case "unconfirmed":
            return Issue(
                f"language_model_confirm-{role.role}",
                "warn",
                "Confirm the language model",
                f"The settings name {who}. Nothing is sent to it until you agree: in "
                "Settings, or with",
                command=shell_command("models confirm"),
                page=SETTINGS_PAGE,
            )
        case "unusable":
            return Issue(
                f"language_model_unusable-{role.role}",
                "warn",
                "The language model can't be asked",
                f"{who}: {role.reason}.",
                page=SETTINGS_PAGE,
            )
        case "resting":
            return Issue(
                f"language_model_resting-{role.role}",
                "warn",
                "The language model doesn't answer",
                f"{who} failed too often. What waits for it is tried again by itself.",
                page=SETTINGS_PAGE,
            )
        case "capped":
            return Issue(
                "language_model_capped",
                "info",
                "Today's limit for language models is reached",
                "What waits goes on after midnight, or once you raise the limit.",
                page="/settings/models.dailyTokens",
            )
        case "off" | "paused" | "ready":
            return None


def title_of(choice: ModelChoice) -> str:
    """Return what people call a model: its provider and its name."""
    facts = PROVIDERS.get(choice.provider)
    title = facts.title if facts else choice.provider
    return f"{title}, {choice.model}" if choice.model else title


def address_of(choice: ModelChoice) -> str:
    """Return where a model answers; empty for a program."""
    facts = PROVIDERS.get(choice.provider)
    return choice.address or (facts.address if facts else "")


def _shown(choice: ModelChoice) -> tuple[str, str, str]:
    return choice.provider, choice.model, address_of(choice)
