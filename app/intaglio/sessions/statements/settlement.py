"""Judges a session as a whole: at its end, or after some time without activity."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.settle import Repeated, Replaced, Said, SettleEffect, settle_session
from intaglio.language.relations import Wording
from intaglio.pauses.service import pause_state
from intaglio.sessions.statements import rows
from intaglio.sessions.statements.record import StatementRecorder
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.store.tx import WriteTx

_MAX_SESSIONS: Final = 50
_MAX_EMBEDDED: Final = 64


@dataclass(frozen=True, slots=True)
class Settlement:
    """Settles sessions: merges what was repeated, and applies what was taken back late.

    Each session is settled once for the statements that it has; a repetition changes nothing.
    """

    services: CaptureServices
    recorder: StatementRecorder

    async def settle_due(self) -> int:
        """Settle the sessions that have ended or are idle; return how many there were.

        Raises UnavailableError if nothing can be stored now.
        """
        services = self.services
        now = services.context.clock()
        idle = timedelta(minutes=services.settings().of(CaptureSettings).settle_minutes)
        paused, due = await services.db.read(
            lambda tx: (
                pause_state(tx, now).paused,
                rows.due(tx, iso(now - idle), _MAX_SESSIONS),
            )
        )
        if paused or services.frozen():
            return 0
        for harness, session_id in due:
            await self.settle(harness, session_id)
        return len(due)

    async def settle(self, harness: str, session_id: str) -> None:
        """Settle a session now, as far as it is recorded."""
        services = self.services
        newest, said = await services.db.read(
            lambda tx: (
                rows.newest(tx, harness, session_id),
                # What was replaced at once would else be looked for among the others.
                rows.not_withdrawn(tx, harness, session_id),
            )
        )
        # The latest are the ones that may have been judged without vectors.
        texts = list(dict.fromkeys(row.content for row in said))[-_MAX_EMBEDDED:]
        vectors = await services.sentence_vectors(texts) if len(said) > 1 else None
        by_text = dict(zip(texts, vectors, strict=True)) if vectors is not None else {}

        def judge() -> tuple[SettleEffect, ...]:
            turns = {
                key: turn for turn, key in enumerate(dict.fromkeys(r.message_id for r in said))
            }
            return settle_session(
                [
                    Said(
                        key=row.place,
                        turn=turns[row.message_id],
                        wording=Wording(row.content, by_text.get(row.content)),
                        type=row.type,
                    )
                    for row in said
                ],
                guesses=False,
            )

        effects = await services.in_thread(judge)
        by_place = {row.place: row for row in said}

        def work(tx: WriteTx) -> None:
            self._apply(tx, effects, by_place)
            rows.mark_settled(tx, harness, session_id, newest)

        await services.db.write(work)

    def _apply(
        self,
        tx: WriteTx,
        effects: tuple[SettleEffect, ...],
        said: dict[str, RecordedStatement],
    ) -> None:
        for effect in effects:
            earlier = _again(tx, said[effect.earlier])
            if earlier is None:
                continue
            match effect:
                case Repeated(key):
                    later = _again(tx, said[key])
                    if later is not None:
                        self.recorder.merge(tx, later, earlier)
                case Replaced():
                    self.recorder.take_back(tx, earlier, "replaced")
                case _:
                    self.recorder.take_back(tx, earlier, "withdrawn")


def _again(tx: WriteTx, row: RecordedStatement) -> RecordedStatement | None:
    """Return the statement as it is now, if it still holds."""
    found = rows.at(tx, row.harness, row.message_id, row.start)
    return found if found is not None and found.state == "live" else None
