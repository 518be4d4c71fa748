"""Shows the requests that a session would cause, exactly as they would be sent; calls nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from intaglio.base.process.threads import RunInThread
from intaglio.inference.completion.ports import CompletionRequest, ModelName
from intaglio.models.prompt import ModelPrompt, ModelRole
from intaglio.session_notes import rows
from intaglio.session_notes.conversation import is_worth_reading, next_chunk, request_text
from intaglio.session_notes.known_texts import known_texts
from intaglio.session_notes.notes_prompt import SESSION_NOTES
from intaglio.session_notes.turn_prompt import CONTEXT_MESSAGES, EXTRACT_TURN, turn_text
from intaglio.session_notes.values import NO_SUMMARY, KnownTexts, SessionPart, SessionSummary
from intaglio.sessions.values import SessionKey
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.values import StoredMessage

ShownStage: TypeAlias = Literal["notes", "turns"]
LATER_SUMMARY: Final = SessionSummary("(here stands the summary of the reply before)")
"""Stands in a later request for what an earlier reply would say."""


@dataclass(frozen=True, slots=True)
class UpcomingRequest:
    """A request as it would be sent; ``model`` is None if none is on.

    ``subject`` says which messages are to be read.
    """

    stage: ShownStage
    subject: str
    prompt: str
    version: int
    model: ModelName | None
    request: CompletionRequest


@dataclass(frozen=True, slots=True)
class UpcomingRequests:
    """The use case of showing them; ``model`` names the one of a role, if it is on."""

    db: Database
    in_thread: RunInThread
    model: Callable[[ModelRole], ModelName | None]

    async def of(self, session: SessionKey) -> list[UpcomingRequest]:
        """Return the requests of reading all of a session: its notes, then its turns."""
        found = await self.db.read(lambda tx: _read(tx, session))
        return await self.in_thread(
            lambda: [
                *(each for one in found for each in self._notes(*one)),
                *(each for _, messages, _ in found for each in self._turns(messages)),
            ]
        )

    def _notes(
        self,
        part: SessionPart,
        messages: Sequence[StoredMessage],
        known: KnownTexts,
    ) -> list[UpcomingRequest]:
        shown, read_up_to = list[UpcomingRequest](), 0
        while chunk := next_chunk(messages, read_up_to, known):
            read_up_to = chunk.last_row
            if is_worth_reading(chunk):
                text = request_text(part, chunk, LATER_SUMMARY if shown else NO_SUMMARY)
                first, last = chunk.new[0].number, chunk.new[-1].number
                shown.append(
                    self._shown("notes", f"messages {first} to {last}", SESSION_NOTES, text)
                )
        return shown

    def _turns(self, messages: Sequence[StoredMessage]) -> list[UpcomingRequest]:
        said = [(number, each) for number, each in enumerate(messages, 1) if each.role == "user"]
        return [
            self._shown(
                "turns",
                f"message {number}",
                EXTRACT_TURN,
                turn_text(
                    each.text, [one.text for _, one in said[max(0, at - CONTEXT_MESSAGES) : at]]
                ),
            )
            for at, (number, each) in enumerate(said)
        ]

    def _shown(
        self, stage: ShownStage, subject: str, prompt: ModelPrompt[Any], text: str
    ) -> UpcomingRequest:
        return UpcomingRequest(
            stage,
            subject,
            prompt.name,
            prompt.version,
            self.model(prompt.role),
            prompt.request(prompt.clip(text)),
        )


def _read(
    tx: ReadTx, session: SessionKey
) -> list[tuple[SessionPart, list[StoredMessage], KnownTexts]]:
    return [
        (
            part,
            transcripts.messages(tx, part.transcript),
            known_texts(tx, part),
        )
        for part in rows.parts(tx, session)
    ]
