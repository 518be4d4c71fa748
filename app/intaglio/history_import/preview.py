"""What an import would keep, from a sample of the sessions; nothing is written."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import Final, Literal, TypeAlias, TypeVar

from intaglio.base.errors import UnavailableError
from intaglio.base.process.threads import quick_switches
from intaglio.base.text import normal_form
from intaglio.capture.transcripts import CaptureLimits
from intaglio.harness.events import KeptTranscript
from intaglio.history_import.overview import SourceSurvey
from intaglio.history_import.sources import HistorySource
from intaglio.history_import.values import estimated_s
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.statements.record import MAX_OFFERED
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.sessions.values import SessionRef

MAX_SESSIONS: Final = 40
MAX_SECONDS: Final = 10.0
MAX_LINES: Final = 20

_PART_BYTES: Final = 1_000_000
_MAX_SESSION_BYTES: Final = 4_000_000

T = TypeVar("T")
SourceSession: TypeAlias = tuple[HistorySource, KeptTranscript]


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A line that an import would keep or suggest; ``source`` is the display name."""

    content: str
    type: str
    outcome: Literal["kept", "suggested"]
    said_at: str | None
    project: str | None
    source: str


@dataclass(frozen=True, slots=True)
class PreviewedHistory:
    """What an import of ``sessions`` would keep and suggest, estimated from ``sampled`` of them.

    ``estimated_s`` is about how many seconds it takes.
    """

    sessions: int
    sampled: int
    kept: int
    suggested: int
    lines: tuple[HistoryLine, ...]
    estimated_s: float


@dataclass(slots=True)
class _Sample:
    """What was judged of a source; its lines are counted once, however often they were said."""

    sessions: int = 0
    bytes: int = 0
    lines: dict[str, HistoryLine] = field(default_factory=dict[str, HistoryLine])

    def count(self, outcome: str) -> int:
        return sum(each.outcome == outcome for each in self.lines.values())


@dataclass(frozen=True, slots=True)
class HistoryPreview:
    """Judges the newest sessions as capture would; ``seconds`` is a clock for durations."""

    survey: SourceSurvey
    ends: SessionEnds
    seconds: Callable[[], float]
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, wanted: Sequence[str], project: str | None = None) -> PreviewedHistory:
        """Judge the newest sessions of sources for some seconds, and estimate the rest.

        ``wanted`` are the ids of the sources, none for all; ``project`` is the key of the project
        of sessions without a directory. A session that can't be read is passed over. Raises
        NotFoundError for a source that there isn't, and UnavailableError.
        """
        sessions = [
            (source, session)
            for source in await self.survey.chosen(wanted)
            for session in (await self.survey.contents(source)).new
        ]
        samples = {source.id: _Sample() for source, _ in sessions}
        size = sum(session.size for _, session in sessions)
        async with self._one_at_a_time:
            with quick_switches():
                await self._sample(sessions, samples, project)
        return PreviewedHistory(
            sessions=len(sessions),
            sampled=sum(each.sessions for each in samples.values()),
            kept=_estimate(sessions, samples, "kept"),
            suggested=_estimate(sessions, samples, "suggested"),
            lines=tuple(_shown(samples)),
            estimated_s=estimated_s(len(sessions), size, await self.survey.rate()),
        )

    async def _sample(
        self,
        sessions: Sequence[SourceSession],
        samples: Mapping[str, _Sample],
        project: str | None,
    ) -> None:
        end = self.seconds() + MAX_SECONDS
        for source, session in _newest_of_each(sessions):
            place = session.cwd or project
            ref = SessionRef(harness=source.harness, id=session.transcript.session, project=place)
            try:
                await self._judge(source, session, ref, samples[source.id], end)
            except UnavailableError:
                raise
            # The import reports a session that it can't read; the others are judged all the same.
            except Exception as error:  # noqa: BLE001 - what other programs wrote may be anything
                self.survey.log.info("session not previewed", reason=type(error).__name__)
            if self.seconds() >= end:
                break

    async def _judge(
        self,
        source: HistorySource,
        session: KeptTranscript,
        ref: SessionRef,
        sample: _Sample,
        end: float,
    ) -> None:
        position, size = "", 0
        found: list[RecordedStatement] = []
        while size < min(session.size, _MAX_SESSION_BYTES) and self.seconds() < end:
            reading = await asyncio.to_thread(source.read, session, position, _PART_BYTES)
            size += _PART_BYTES
            for message in await self.ends.spoken(ref, reading):
                # Nobody says where a session without a directory belongs, unless the user does.
                limits = CaptureLimits(asks_first=ref.project is None)
                judged = await self.ends.turns.judged(replace(message, limits=limits))
                found += (one.row for one in judged)
            if not reading.more or reading.position == position:
                break
            position = reading.position
        sample.sessions += 1
        sample.bytes += min(session.size, size)
        sample.lines |= {normal_form(line.content): line for line in _lines(source, found)}


def _lines(source: HistorySource, rows: Iterable[RecordedStatement]) -> Iterator[HistoryLine]:
    """Yield what a session's statements would become: as in a live one, few are suggested."""
    best = sorted(rows, key=lambda row: row.confidence, reverse=True)
    suggested = 0
    for row in best:
        if row.outcome == "kept":
            yield _line(source, row, "kept")
        elif row.outcome == "suggested" and suggested < MAX_OFFERED:
            suggested += 1
            yield _line(source, row, "suggested")


def _line(
    source: HistorySource, row: RecordedStatement, outcome: Literal["kept", "suggested"]
) -> HistoryLine:
    return HistoryLine(row.content, row.type, outcome, row.said_at, row.project, source.label)


def _newest_of_each(sessions: Sequence[SourceSession]) -> Iterator[SourceSession]:
    """Yield sessions, the newest of each source first, all sources taking turns."""
    by_source: dict[str, list[SourceSession]] = {}
    for each in sorted(sessions, key=lambda one: one[1].modified, reverse=True):
        by_source.setdefault(each[0].id, []).append(each)
    return islice(_taking_turns(by_source.values()), MAX_SESSIONS)


def _taking_turns(groups: Iterable[Sequence[T]]) -> Iterator[T]:
    for turn in zip_longest(*groups):
        yield from (each for each in turn if each is not None)


def _estimate(
    sessions: Sequence[SourceSession], samples: Mapping[str, _Sample], outcome: str
) -> int:
    """Return how many lines of all sessions have an outcome, by the bytes that were judged.

    A source of which nothing was judged is taken to be like all others.
    """
    total_bytes = sum(each.bytes for each in samples.values())
    total = sum(each.count(outcome) for each in samples.values())
    estimate = 0.0
    for source_id, sample in samples.items():
        size = sum(session.size for source, session in sessions if source.id == source_id)
        if sample.bytes:
            estimate += sample.count(outcome) * max(1.0, size / sample.bytes)
        elif total_bytes:
            estimate += total * size / total_bytes
    return round(estimate)


def _shown(samples: Mapping[str, _Sample]) -> Iterator[HistoryLine]:
    """Yield some lines of each source, those that would be kept first."""
    lines = (
        sorted(each.lines.values(), key=lambda line: line.outcome) for each in samples.values()
    )
    return islice(_taking_turns(lines), MAX_LINES)
