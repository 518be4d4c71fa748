"""/api/models: the configured language models, what they cost, and a try of them."""

import asyncio
from datetime import timedelta
from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.models import usage_rows
from intaglio.models.overview import ModelsOverview, RoleState, address_of, title_of
from intaglio.models.prices import Prices
from intaglio.models.stage_pauses import TOPIC
from intaglio.models.trial import TYPICAL_SESSION_CHARS, ModelTrial, detect_server
from intaglio.redaction.shown_text import without_secrets
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.wire import models as wire
from intaglio.wire.status import LanguageModelStatus

_LATEST_SESSIONS: Final = 20
_SHOWN_CHARS: Final = 100
_Days = Annotated[int, QueryParameter(ge=1, le=3_650)]


def _row(state: RoleState) -> wire.ModelRow:
    choice = state.choice
    return wire.ModelRow(
        role=state.role,
        state=state.state,
        reason=without_secrets(state.reason),
        until=state.until,
        provider=choice.provider if choice else "none",
        model=choice.model if choice else "",
        address=without_secrets(address_of(choice)) if choice else "",
        title=title_of(choice) if choice else "",
        sends_away=choice.sends_text_away if choice else False,
        price=wire.PriceRow(read=state.price.read, written=state.price.written)
        if state.price
        else None,
    )


async def _reply(services: Services) -> wire.ModelsReply:
    overview = services.get(ModelsOverview)
    state = await overview.read()
    prices: Prices = overview.prices
    today = state.today
    return wire.ModelsReply(
        models=[_row(each) for each in state.roles],
        today=convert(
            today,
            wire.ModelUsageToday,
            max_tokens=today.limits.daily_tokens,
            max_usd=today.limits.daily_usd,
            max_project_tokens=today.limits.daily_project_tokens,
        ),
        last_failure=convert(state.last_failure, wire.FailedCallRow)
        if state.last_failure
        else None,
        prices_as_of=prices.as_of,
        price_file=str(prices.own_file),
        price_problem=prices.problem,
    )


async def language_model_status(services: Services) -> LanguageModelStatus | None:
    """Return the state of the configured model and today's usage; None if there is none."""
    overview = services.get(ModelsOverview)
    if not overview.is_configured:
        return None
    try:
        state = await overview.read()
    except UnavailableError:
        return None
    main, today = state.main, state.today
    return LanguageModelStatus(
        title=title_of(main.choice) if main.choice else "",
        state=main.state,
        tokens=today.tokens,
        max_tokens=today.limits.daily_tokens,
        usd=today.usd,
        max_usd=today.limits.daily_usd,
    )


class ModelsController(Controller):
    """Language models."""

    tags = ("models",)

    @get("/api/models", operation_id="getModels", opt=declare(Access.PROGRAM))
    async def models(self, services: Services) -> wire.ModelsReply:
        """Return the configured models with their states, and today's usage.

        No model is asked.
        """
        return await _reply(services)

    @post(
        "/api/models/test",
        operation_id="testModel",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def test(
        self, services: Services, data: JSONBody[wire.ModelTestRequest]
    ) -> wire.ModelTestReply:
        """Ask a configured model one tiny question, and estimate what a session costs.

        Nothing of the user's is sent. Replies 409 if no model is configured and confirmed.
        """
        trial = services.get(ModelTrial)
        report = await trial.run(data.role)
        mean, sessions = await services.database.read(
            lambda tx: transcripts.mean_characters(tx, _LATEST_SESSIONS)
        )
        characters = mean if sessions else TYPICAL_SESSION_CHARS
        cost = trial.session_cost(report.choice, characters)
        return wire.ModelTestReply(
            title=title_of(report.choice),
            answered=report.answered,
            kept_json=report.kept_json,
            is_listed=report.is_listed,
            models=list(report.models),
            ms=round(report.ms),
            tokens_read=report.tokens.read,
            tokens_written=report.tokens.written,
            problem=without_secrets(report.problem),
            session=convert(cost, wire.SessionCostRow, sessions=sessions, characters=characters),
        )

    @post(
        "/api/models/confirm",
        operation_id="confirmModel",
        status_code=200,
        # What a program may not do in silence: texts are sent to the model from now on.
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def confirm(
        self, services: Services, data: JSONBody[wire.ModelConfirmRequest]
    ) -> wire.ModelsReply:
        """Agree to the model that the settings name; it is asked from now on.

        Replies 409 if the settings name another one meanwhile.
        """
        overview = services.get(ModelsOverview)
        wanted = (data.provider, data.model, data.address)
        await asyncio.to_thread(overview.confirm, wanted)
        services.bus.publish(Changed(TOPIC, "updated", ()))
        return await _reply(services)

    @post(
        "/api/models/detect",
        operation_id="detectModels",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def detect(self, services: Services) -> wire.DetectedModels:
        """Look whether Ollama runs on this machine, and which models it has.

        It is asked for the list of its models, on loopback; no model is asked anything.
        """
        del services
        found = await detect_server()
        return wire.DetectedModels(
            found=found is not None,
            provider="ollama" if found else "",
            address=found.address if found else "",
            models=list(found.models) if found else [],
            suggestion=found.suggestion if found else "",
        )

    @get("/api/models/usage", operation_id="getModelUsage", opt=declare(Access.PROGRAM))
    async def usage(self, services: Services, *, days: _Days = 30) -> wire.ModelUsageReply:
        """Return what calls used in the last days, today included."""
        today = services.local(services.clock()).date()
        since = f"{today - timedelta(days=days - 1):%Y-%m-%d}"

        def work(tx: ReadTx) -> wire.ModelUsageReply:
            found = {
                name: [convert(each, wire.UsageRow) for each in read(tx, since)]
                for name, read in (
                    ("days", usage_rows.by_day),
                    ("stages", usage_rows.by_stage),
                    ("projects", usage_rows.by_project),
                    ("models", usage_rows.by_model),
                )
            }
            return wire.ModelUsageReply(since=since, **found)

        return await services.database.read(work)
