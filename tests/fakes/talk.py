"""A conversation whose turns are captured, and what became of what was said."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from fakes.sessions import House, session
from intaglio.capture.transcripts import (
    CaptureLimits,
    TranscriptMessage,
    TranscriptReading,
    TurnReport,
)
from intaglio.sessions.values import CaptureResult
from intaglio.store.tx import Row

BEGINNING: Final = datetime(2026, 1, 30, 9, tzinfo=UTC)


@dataclass
class Talk:
    """A conversation in which each text is a turn."""

    house: House
    name: str = "s1"
    begins: datetime = BEGINNING
    lines: list[TranscriptMessage] = field(default_factory=list[TranscriptMessage])

    from_program: bool = False

    async def say(self, *texts: str) -> CaptureResult:
        total = CaptureResult()
        for text in texts:
            at = self.begins + timedelta(minutes=len(self.lines))
            line = TranscriptMessage(
                f"{self.name}-{len(self.lines)}", "user", text, at, from_program=self.from_program
            )
            batch = TranscriptReading(
                (line,), str(len(self.lines) + 1), preceding=tuple(self.lines)
            )
            total += await self.house.ends.turn_end(session(self.name), batch)
            self.lines.append(line)
        return total

    async def read_again(self, limits: CaptureLimits | None = None) -> CaptureResult:
        batch = TranscriptReading(tuple(self.lines), str(len(self.lines)))
        report = TurnReport(limits=limits or CaptureLimits())
        return await self.house.ends.turn_end(session(self.name), batch, report)


def other(talk: Talk, name: str = "s2") -> Talk:
    return Talk(talk.house, name, talk.begins + timedelta(days=1))


async def items(house: House) -> list[Row]:
    """Return the kind, status, action and number of pieces of evidence of each inbox item."""
    return await house.rows(
        "SELECT kind, status, action, (SELECT count(*) FROM inbox_evidence e WHERE e.item = i.seq) "
        "FROM inbox_items i ORDER BY seq"
    )


async def states(house: House) -> list[str]:
    found = await house.rows("SELECT state FROM statements ORDER BY seq")
    return [str(row[0]) for row in found]
