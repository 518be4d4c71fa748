"""Transcripts in the daemon: what stores them and what searches them."""

import asyncio
from typing import Final

from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.jobs.job_type import OneByOne
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.store.settings import RetentionSettings
from intaglio.transcripts import removal, rows
from intaglio.transcripts.embedding import TranscriptEmbedding
from intaglio.transcripts.migrations import MIGRATIONS
from intaglio.transcripts.past_sessions import PastSessions
from intaglio.transcripts.recorder import TranscriptRecorder
from intaglio.transcripts.settings import TranscriptSettings
from intaglio.transcripts.vectors.job_types import EMBED_TRANSCRIPT

# Rows of the future are older than tomorrow, too.
_ALL: Final = -36_500


def part(kernel: Kernel) -> Part:
    """Wire what stores and what searches the messages of sessions."""
    recorder = TranscriptRecorder(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        in_thread=asyncio.to_thread,
    )
    search = kernel.get(SemanticSearch)
    past = PastSessions()
    embedding = TranscriptEmbedding(
        kernel.database, kernel.change_context, lambda: search.embed.embedder, past
    )
    return Part(
        services=(recorder, past, embedding),
        loops=(Loop("transcript vectors", embedding.backfill),),
        job_types=(EMBED_TRANSCRIPT.run_by(OneByOne(embedding.run)),),
    )


PACKAGE = Package(
    name="transcripts",
    tables={
        "transcripts": "sessions of which messages are stored, one row for each project: agent, "
        "project, start, end, number of messages, words and characters, the title that the "
        "harness or the user gave it, without secrets",
        "transcript_messages": "what users and agents said in sessions, without secrets, tool "
        "output and what Intaglio injected: message, role, time, text",
        "transcripts_fts": "the full-text index over these messages, maintained by triggers",
        "transcripts_vocabulary": "its terms and the number of messages that contain each",
        "transcript_cuts": "what forgotten memories took out of messages, with the message's text, "
        "so that it comes back with them",
        "transcript_vectors": "vectors and word pieces of the user's messages and of the agent's "
        "closing ones, by the included model; deleted with any text of their transcript",
        "related_sessions": "the sessions about the subject of an earlier one, and how surely; "
        "no text",
        "forgotten_transcripts": "sessions that you forgot, and when; no text",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "transcripts",
            lambda s: s.of(RetentionSettings).transcript_days,
            rows.old,
            singly(rows.purge),
            at_once=1,
        ),
        SweepStep(
            "transcript_cuts",
            lambda s: s.of(MemorySettings).tombstone_days,
            removal.left_over,
            singly(removal.purge_left_over),
            has_period=False,
            at_once=1,
        ),
        SweepStep(
            "transcripts_off",
            lambda s: 0 if s.of(TranscriptSettings).enabled else _ALL,
            rows.old,
            singly(rows.purge),
            has_period=False,
            at_once=1,
        ),
    ),
    kept=(
        KeptData(
            "`transcripts`, `transcript_messages`, `transcripts_fts`, `transcripts_vocabulary`, "
            "`transcript_vectors`, `related_sessions`",
            "180 days after the session's last message; of a session at most 400,000 characters "
            "and 2,000 messages, of a message 8,000 characters",
            deleted_by="step `transcripts`; step `transcripts_off` once they are switched off; at "
            "once when the session is forgotten",
            settings=("retention.transcriptDays", "capture.transcripts"),
        ),
        KeptData(
            "`transcript_cuts`",
            "as long as the forgotten memory can be restored, and the message is kept",
            deleted_by="step `transcript_cuts`; at once when the memory is erased",
            settings=("retention.tombstoneDays",),
        ),
        KeptData("`forgotten_transcripts`", "forever, about 100 bytes each"),
    ),
    make=part,
)
