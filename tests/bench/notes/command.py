"""``python3 app bench notes --real DIR``: what becomes of notes that a perfect model takes.

Real sessions are captured by rules and then read by a scripted model that answers from
``DIR/notes.jsonl``: notes of a person, with the sentence of the named message as evidence. It
measures the checks and the joining with what rules captured, not a model. ``--verbose`` prints what
was refused; nothing of it goes into the repository.
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bench.capture.labelled import LabelledSession
from bench.capture.real_sessions import read_real
from bench.notes.perfect_model import PerfectModel, WantedNote, read_wanted
from fakes.completions import ScriptedCompletion, model_calls
from fakes.sessions import House, session
from fakes.store import bench
from intaglio.base.paths import built_folder
from intaglio.base.settings.values import Settings
from intaglio.capture.evidence import stands_in
from intaglio.capture.judge import encoder_sum
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.inference.included_model import IncludedModel
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.jobs import rows as jobs
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import ClauseVector, Wording, relate
from intaglio.memory.values import HEARD, USER_AUTHOR
from intaglio.session_notes.runner import SESSION_NOTES_JOB, NotesRunner, subject_of
from intaglio.session_notes.saving import NoteSaver
from intaglio.session_notes.values import (
    NoteCounts,
    NoteLeftOut,
    NoteSaved,
    PendingNote,
    SavedNote,
    SessionPart,
)
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.statements.claims import AgentClaims
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.values import SessionRef

_AT: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)
_SAME_SHARE: Final = 0.6


def main(arguments: list[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python3 app bench notes", description=__doc__)
    parser.add_argument("--real", type=Path, required=True, metavar="DIR")
    parser.add_argument("--verbose", action="store_true", help="print what was refused")
    parser.add_argument(
        "--keep-at", type=float, default=CaptureSettings().keep_at, help="let rules keep more"
    )
    parser.add_argument("--no-model", action="store_true", help="without the included model")
    options = parser.parse_args(arguments)
    real = read_real([options.real], lambda what: print(f"left out: {what}"))
    wanted = read_wanted(options.real / "notes.jsonl")
    noted = {each.session for each in wanted}
    sessions = [each.session for each in real if each.session.id in noted]
    asyncio.run(_measure(sessions, wanted, options))


@dataclass(frozen=True, slots=True)
class _WatchedSaver(NoteSaver):
    """Keeps what became of each note, by its text."""

    results: dict[str, SavedNote] = field(default_factory=dict[str, SavedNote])

    async def save(self, part: SessionPart, note: PendingNote) -> SavedNote:
        # Zero-argument super() fails in a dataclass with slots.
        result = await NoteSaver.save(self, part, note)
        self.results[f"{part.session.id} {note.content}"] = result
        return result


async def _measure(
    sessions: Sequence[LabelledSession], wanted: Sequence[WantedNote], options: argparse.Namespace
) -> None:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="intaglio-bench-") as folder:
        async with bench(Path(folder)) as opened:
            sure = CaptureSettings(keep_at=options.keep_at, suggest_at=min(options.keep_at, 0.54))
            house = House(opened, Settings().having(sure))
            played = _Played(house, None if options.no_model else _included())
            for each in sessions:
                await played.play(each, [one for one in wanted if one.session == each.id])
            seconds = time.perf_counter() - began
            await played.report(wanted, verbose=options.verbose)
            print(f"{len(sessions)} sessions in {seconds:.0f} s")


def _included() -> IncludedModel:
    return IncludedModel(
        lambda: UnavailableEmbedder("none", "", ""), built_folder("model"), lambda: 600.0
    )


async def _nothing(_: SessionRef) -> None:
    """Do nothing."""


@dataclass
class _Played:
    """The sessions that were played, and what became of their notes."""

    house: House
    included: IncludedModel | None
    results: dict[str, SavedNote] = field(default_factory=dict[str, SavedNote])
    said: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    requests: int = 0
    demoted: int = 0

    @property
    def capture(self) -> CaptureServices:
        """The services of capture, with the included model's vectors."""
        capture, included = self.house.capture, self.included
        if included is None:
            return capture

        async def clause_vectors(texts: Sequence[str]) -> Sequence[ClauseVector] | None:
            return await included.clause_vectors(texts, encoder_sum())

        return replace(
            capture,
            clause_vectors=clause_vectors,
            sentence_vectors=included.sentence_vectors,
            read_pairs=included.contradictions,
        )

    async def play(self, labelled: LabelledSession, wanted: Sequence[WantedNote]) -> None:
        """Let rules capture a session turn by turn, then read it with the scripted model."""
        house = self.house
        capture = self.capture
        turns = TurnCapture(capture, house.recorder, house.agents, house.bench.recall.recall)
        ends = SessionEnds(
            house.bench.db,
            house.bench.clock,
            lambda: house.settings,
            house.ends.project_key,
            turns,
            house.transcripts,
        )
        ref = session(labelled.id, project=f"/work/{labelled.id}")
        lines = [
            TranscriptMessage(
                f"{labelled.id}-{number}",
                "user" if each.role == "user" else "assistant",
                each.text,
                _AT + timedelta(minutes=number),
            )
            for number, each in enumerate(labelled.messages)
        ]
        self.said[labelled.id] = [each.text for each in lines if each.role == "user"]
        for number, line in enumerate(lines):
            house.bench.clock.moment = _AT + timedelta(minutes=number + 1)
            reading = TranscriptReading((line,), str(number), preceding=tuple(lines[:number]))
            await ends.turn_end(ref, reading)
        model = PerfectModel(labelled, wanted, _tasks(labelled))
        completion = ScriptedCompletion(model.answer)
        saver = _WatchedSaver(turns, AgentClaims(capture, _nothing), self.results)
        counts = NoteCounts()
        runner = NotesRunner(
            db=house.bench.db,
            context=house.bench.context,
            settings=lambda: house.settings,
            frozen=lambda: False,
            calls=model_calls(completion),
            saver=saver,
            counts=counts,
        )
        await _run(house, runner, ref)
        self.requests += len(completion.asked)
        self.demoted += counts.counts.get("one-off tasks", 0)

    async def report(self, wanted: Sequence[WantedNote], *, verbose: bool) -> None:
        """Print what became of the notes, and whether anything is the user's or there twice."""
        found = 0
        for source in ("user", "accepted", "agent"):
            own = [each for each in wanted if each.source == source]
            kinds = Counter(self._kind(each) for each in own)
            kept = len(own) - sum(count for kind, count in kinds.items() if "left out" in kind)
            found += kept
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
            print(f"{source:9s} {len(own):4d} notes, {kept / len(own):.3f} found: {told}")
        print(f"recall of notes: {found / len(wanted):.3f} ({found} of {len(wanted)})")
        print(f"requests: {self.requests}; one-off tasks of rules demoted: {self.demoted}")
        await self._report_memories()
        if verbose:
            for each in wanted:
                kind = self._kind(each)
                if not kind.startswith(each.source):
                    print(f"  {each.source} {each.type} -> {kind}: {each.note}")

    def _kind(self, wanted: WantedNote) -> str:
        result = self.results.get(f"{wanted.session} {' '.join(wanted.note.split())}")
        match result:
            case None:
                return "left out: never asked"
            case NoteLeftOut(reason=reason):
                return f"left out: {reason}"
            case NoteSaved(origin=origin):
                return f"{origin}'s" if origin != "accepted" else "accepted"
            case _:
                return "suggested"

    async def _report_memories(self) -> None:
        rows = await self.house.rows(
            "SELECT m.id, m.content, m.type, m.who, m.why, m.project, "
            "(SELECT group_concat(t.sentence, char(10)) FROM statements t "
            "WHERE t.memory_id = m.id) FROM memories m "
            "WHERE m.is_deleted = 0 AND m.valid_until IS NULL"
        )
        found = [tuple("" if each is None else str(each) for each in row) for row in rows]
        wordless = [
            content
            for _, content, kind, who, _, project, sentences in found
            if who == USER_AUTHOR
            and kind in {"rule", "preference", "decision"}
            and not _said_so(sentences, self.said[project.rpartition("/")[2]])
        ]
        captured = [each for each in found if each[4].startswith(HEARD)]
        noted = [each for each in found if not each[4].startswith(HEARD)]
        pairs = [
            (one[1], other[1])
            for one in captured
            for other in noted
            if one[5] == other[5] and _are_same(one[1], other[1])
        ]
        by_notes = [
            (one[1], other[1])
            for number, one in enumerate(noted)
            for other in noted[:number]
            if one[5] == other[5] and _are_same(one[1], other[1])
        ]
        print(
            f"memories: {len(found)}, {len(captured)} of them as rules worded them; "
            f"of the user without the user's words: {len(wordless)}; "
            f"pairs that say the same: {len(pairs)} of a rule and a note, {len(by_notes)} of notes"
        )
        for pair in (*pairs, *by_notes):
            print("  twice:", pair)


def _said_so(sentences: str, said: Iterable[str]) -> bool:
    texts = list(said)
    return any(
        any(stands_in(sentence, text) for text in texts)
        for sentence in sentences.splitlines()
        if sentence
    )


def _are_same(one: str, other: str) -> bool:
    if topic_overlap(one, other).share_of_all >= _SAME_SHARE:
        return True
    return relate(Wording(one), Wording(other)) == "duplicate"


def _tasks(labelled: LabelledSession) -> list[str]:
    return [
        each.text[label.start : label.end]
        for each in labelled.messages
        for label in each.labels
        if label.kind == "task"
    ]


async def _run(house: House, runner: NotesRunner, ref: SessionRef) -> None:
    db, now = house.bench.db, house.bench.context.now
    await db.write(lambda tx: jobs.enqueue(tx, SESSION_NOTES_JOB, subject_of(ref.key), now))
    while leased := await db.write(
        lambda tx: jobs.lease(tx, [(SESSION_NOTES_JOB, 1)], "bench", house.bench.clock())
    ):
        refused = await runner.run(leased[0])
        if refused is not None:
            raise SystemExit(f"the scripted model refused: {refused}")
