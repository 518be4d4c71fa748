"""SQL on the vectors of transcripts; no other module writes this table."""

from array import array
from collections.abc import Collection
from typing import TypeAlias

from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts.vectors.values import TranscriptVectors

# Its number, the row of its last message, its words and characters, and when it started: the number
# is used again after a transcript was deleted.
SpokenState: TypeAlias = tuple[int, int, int, int, str]

_COLUMNS = "transcript, centroid, numbers, vectors, lengths, pieces"


def of_transcripts(tx: ReadTx, model: str, transcripts: Collection[int]) -> list[TranscriptVectors]:
    """Return the vectors of transcripts by a model; about 5 µs each."""
    return tx.map(
        _vectors,
        f"SELECT {_COLUMNS} FROM transcript_vectors WHERE model = ? "  # noqa: S608 - a constant
        "AND transcript IN (SELECT value FROM carray(?))",
        (model, tx.bind_integers(array("q", sorted(transcripts)))),
    )


def _vectors(
    transcript: int, centroid: bytes, numbers: bytes, vectors: bytes, lengths: bytes, pieces: bytes
) -> TranscriptVectors:
    return TranscriptVectors(
        transcript, centroid, array("q", numbers), vectors, array("H", lengths), pieces
    )


def centroids(tx: ReadTx, model: str, transcripts: Collection[int]) -> list[tuple[int, bytes, int]]:
    """Return the mean vector of each transcript's messages, as signed bytes; about 2 µs each.

    With the row of the last message that was considered for it.
    """
    return tx.rows(
        tuple[int, bytes, int],
        "SELECT transcript, centroid, last_number FROM transcript_vectors WHERE model = ? "
        "AND numbers <> x'' AND transcript IN (SELECT value FROM carray(?))",
        (model, tx.bind_integers(array("q", sorted(transcripts)))),
    )


def states(tx: ReadTx, transcripts: Collection[int]) -> list[SpokenState]:
    """Return what changes with the texts of transcripts, by number; about 0.3 µs each.

    Forgotten ones are left out.
    """
    return tx.rows(
        tuple[int, int, int, int, str],
        "SELECT seq, seq << 20 | last_number, words, characters, started_at FROM transcripts "
        "WHERE agent_id <> '' AND seq IN (SELECT value FROM carray(?)) ORDER BY seq",
        (tx.bind_integers(array("q", sorted(transcripts))),),
    )


def put(tx: WriteTx, model: str, found: TranscriptVectors, last_number: int) -> None:
    """Store a transcript's vectors; ``last_number`` is the row of the last message considered."""
    tx.execute(
        "INSERT OR REPLACE INTO transcript_vectors(transcript, model, last_number, centroid, "
        "numbers, vectors, lengths, pieces) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            found.transcript,
            model,
            last_number,
            found.centroid,
            found.numbers.tobytes(),
            found.vectors,
            found.lengths.tobytes(),
            found.pieces,
        ),
    )


def lacking(tx: ReadTx, model: str) -> list[int]:
    """Return transcripts with messages that no vector by this model was considered for.

    The latest first.
    """
    return tx.column(
        int,
        "SELECT t.seq FROM transcripts t LEFT JOIN transcript_vectors v "
        "ON v.transcript = t.seq AND v.model = ? WHERE t.words > 0 AND t.agent_id <> '' "
        "AND ifnull(v.last_number, 0) < ((t.seq << 20) | t.last_number) "
        "ORDER BY t.ended_at DESC",
        (model,),
    )
