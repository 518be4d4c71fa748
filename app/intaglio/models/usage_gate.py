"""Admits calls of language models within the day's limits, and records what they cost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeVar

from intaglio.base.clock import Clock, iso, next_midnight
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.base.log import get_logger
from intaglio.base.metrics.errors import ErrorCode
from intaglio.base.metrics.measured import MeasuredFailure, ModelCall
from intaglio.base.settings.values import Settings
from intaglio.base.text import clip
from intaglio.inference.completion.choice import ModelChoice
from intaglio.inference.completion.ports import Completed, NotCompleted, TokenCounts
from intaglio.models import usage_rows
from intaglio.models.admission import TEST_STAGE, Obstacle, obstacle
from intaglio.models.call_rows import ANSWERED, UNREADABLE
from intaglio.models.day_usage import CapReached, DayUsage, Reservation
from intaglio.models.prices import Prices
from intaglio.models.prompt import ModelPrompt, ModelRole
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.stage_pauses import TOPIC
from intaglio.models.usage_rows import CallRow
from intaglio.models.values import CallContext, MustWait
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

T = TypeVar("T")

# Fewer than the four of plain English: code and other languages have more tokens.
_CHARS_PER_TOKEN: Final = 3
# A limit may be raised before midnight, and a project resumed at any time.
_LONGEST_JOB_WAIT_S: Final = 1_800.0
_PAUSE_CHECK_S: Final = 60.0
_IN_FLIGHT_S: Final = 5.0
_MOST_UNSAVED: Final = 1_000
_DETAIL_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class StageRest:
    """Why a stage makes no calls, and until when."""

    reason: MustWait
    until: datetime
    day: str


@dataclass(slots=True, kw_only=True)
class UsageGate:
    """The gate of the daemon; use it on the event loop.

    ``choice`` returns the model that is asked in a role; ``measure`` is told of each call.
    """

    db: Database
    clock: Clock
    local: Callable[[datetime], datetime]
    settings: Callable[[], Settings]
    choice: Callable[[ModelRole], ModelChoice | None]
    prices: Prices
    measure: Callable[[ModelCall], None] = lambda _: None
    _usage: DayUsage = field(default_factory=lambda: DayUsage(""))
    _rests: dict[str, StageRest] = field(default_factory=dict[str, StageRest])
    _rests_under: Settings | None = None
    _unsaved: list[CallRow] = field(default_factory=list[CallRow])
    _admitting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def rest_s(self, stage: str) -> float:
        """In how many seconds a stage may call again; 0 if it may now. Reads no database."""
        rest = self.rest(stage)
        return (rest.until - self.clock()).total_seconds() if rest else 0.0

    def rest(self, stage: str) -> StageRest | None:
        """Return why a stage makes no calls, if that is known without asking the database."""
        self._follow_settings()
        rest = self._rests.get(stage)
        if rest is None:
            return None
        now = self.clock()
        if rest.until <= now or rest.day != self._day(now):
            del self._rests[stage]
            return None
        return rest

    def _follow_settings(self) -> ModelLimitSettings:
        settings = self.settings()
        if settings is not self._rests_under:
            self.forget_rests()
            self._rests_under = settings
        return settings.of(ModelLimitSettings)

    def forget_rests(self) -> None:
        """Let every stage try again: what kept it from calling may have changed."""
        self._rests.clear()

    async def admit(
        self, prompt: ModelPrompt[T], context: CallContext, chars: int
    ) -> MustWait | Reservation:
        """Reserve what a call with a text of so many characters may use, or say why it must wait.

        Raises UnavailableError while the database can't be read.
        """
        async with self._admitting:
            limits, now = self._follow_settings(), self.clock()
            day = self._day(now)
            is_known = self._usage.day == day

            def work(tx: ReadTx) -> tuple[Obstacle | None, DayUsage | None]:
                self.prices.refresh()
                found = obstacle(tx, context, now)
                return found, None if is_known else usage_rows.used_on(tx, day)

            found, usage = await self.db.read(work)
            if usage is not None:
                self._usage = self._usage.next_day(usage)
                for each in self._unsaved:
                    self._count(each)
            if found is not None:
                return self._paused(found, context.stage, now)
            wanted = self._reservation(prompt, context, chars)
            reached = self._usage.cap_reached(wanted, limits)
            if reached is not None:
                return self._capped(reached, context.stage, now)
            self._usage.reserve(wanted)
            return wanted

    def release(self, reserved: Reservation) -> None:
        """Give up what was reserved for a call that is over."""
        self._usage.release(reserved)

    async def record(
        self,
        prompt: ModelPrompt[T],
        context: CallContext,
        outcome: Completed | NotCompleted,
        *,
        ms: float,
        unreadable: str = "",
    ) -> None:
        """Record a call that was made, with its outcome.

        If the database can't be written now, it is written with the next call.
        """
        call = self._row(prompt, context, outcome, ms, is_readable=not unreadable)
        self._count(call)
        self.measure(_measured(prompt, call))
        self._unsaved = [*self._unsaved, call][-_MOST_UNSAVED:]
        await self._save()

    async def _save(self) -> None:
        calls = self._unsaved
        self._unsaved = []

        def work(tx: WriteTx) -> None:
            for each in calls:
                usage_rows.insert(tx, each)
            tx.publish(Changed(TOPIC, "updated", ()))

        try:
            await self.db.write(work)
        except UnavailableError as error:
            self._unsaved = [*calls, *self._unsaved][-_MOST_UNSAVED:]
            get_logger("models").warning("couldn't record a call", reason=error.detail)

    def _count(self, call: CallRow) -> None:
        if call.day == self._usage.day:
            tokens = call.tokens_read + call.tokens_written
            self._usage.add(call.project, tokens, call.usd or 0.0)

    def _row(
        self,
        prompt: ModelPrompt[T],
        context: CallContext,
        outcome: Completed | NotCompleted,
        ms: float,
        *,
        is_readable: bool,
    ) -> CallRow:
        now = self.clock()
        choice = self.choice(prompt.role)
        failure = outcome if isinstance(outcome, NotCompleted) else None
        answered = ANSWERED if is_readable else UNREADABLE
        return CallRow(
            at=iso(now),
            day=self._day(now),
            provider=choice.provider if choice else "none",
            model=choice.model if choice else "",
            stage=context.stage,
            prompt=prompt.name,
            prompt_version=prompt.version,
            tokens_read=outcome.tokens.read,
            tokens_written=outcome.tokens.written,
            is_estimated=outcome.tokens.estimated,
            usd=self._usd(choice, outcome.tokens),
            ms=round(ms),
            attempts=outcome.attempts,
            outcome=failure.reason if failure else answered,
            detail=clip(failure.detail, _DETAIL_CHARS) if failure else "",
            project=context.project,
            subject=context.subject,
        )

    def _usd(self, choice: ModelChoice | None, tokens: TokenCounts) -> float | None:
        price = self.prices.of(choice) if choice else None
        return price.usd(tokens.read, tokens.written) if price else None

    def _reservation(self, prompt: ModelPrompt[T], context: CallContext, chars: int) -> Reservation:
        read = -(-chars // _CHARS_PER_TOKEN)
        written = prompt.max_output_tokens
        usd = self._usd(self.choice(prompt.role), TokenCounts(read, written))
        return Reservation(context.project, read + written, usd or 0.0)

    def _paused(self, found: Obstacle, stage: str, now: datetime) -> MustWait:
        reason = MustWait("paused", found.detail, min(found.wait_s, _LONGEST_JOB_WAIT_S))
        if found.is_for_all:
            rest_s = min(found.wait_s, _PAUSE_CHECK_S)
            self._rest(stage, reason, now + timedelta(seconds=rest_s), now)
        return reason

    def _capped(self, reached: CapReached, stage: str, now: datetime) -> MustWait:
        if reached.in_flight:
            detail = "other calls are using what is left of the day's limit"
            return MustWait("capped", detail, _IN_FLIGHT_S)
        midnight = next_midnight(now, self.local)
        detail = f"{_TEXTS[reached.cap]} is reached; it goes on at {midnight:%Y-%m-%d %H:%M}"
        if reached.is_too_low:
            detail = f"{_TEXTS[reached.cap]} is below what one call may use; raise it in Settings"
        wait_s = (midnight - now).total_seconds()
        reason = MustWait("capped", detail, min(wait_s, _LONGEST_JOB_WAIT_S))
        if reached.cap != "project":
            self._rest(stage, reason, midnight, now)
        return reason

    def _rest(self, stage: str, reason: MustWait, until: datetime, now: datetime) -> None:
        if stage != TEST_STAGE:
            self._rests[stage] = StageRest(reason, until, self._day(now))

    def _day(self, now: datetime) -> str:
        return f"{self.local(now):%Y-%m-%d}"


def _measured(prompt: ModelPrompt[T], call: CallRow) -> ModelCall:
    failure = None
    if call.outcome != ANSWERED:
        codes = _ERROR_CODES[prompt.task]
        code = codes.get(call.outcome, codes["unreachable"])
        message = f"{call.stage}: {call.outcome}"
        failure = MeasuredFailure(stage=prompt.task, code=code, message=message)
    return ModelCall(
        provider=call.provider,
        model=call.model,
        stage=call.stage,
        outcome=call.outcome,
        ms=call.ms,
        tokens_read=call.tokens_read,
        tokens_written=call.tokens_written,
        usd=call.usd,
        memory_id=call.subject if prompt.role == "extraction" else None,
        failure=failure,
    )


_ERROR_CODES: Final[dict[str, dict[str, ErrorCode]]] = {
    "extraction": {
        "timeout": "EXTRACTION_TIMEOUT",
        "unreadable": "EXTRACTION_PARSE_FAIL",
        "too_long": "EXTRACTION_PARSE_FAIL",
        "unreachable": "EXTRACTION_PROVIDER_DOWN",
    },
    "decision": {
        "timeout": "DECISION_TIMEOUT",
        "unreadable": "DECISION_INVALID",
        "too_long": "DECISION_INVALID",
        "unreachable": "DECISION_PROVIDER_DOWN",
    },
}
_TEXTS: Final = {
    "tokens": "today's limit of tokens",
    "usd": "today's limit of money",
    "project": "today's limit of tokens for this project",
}
