"""SQL on paused stages."""

from dataclasses import dataclass

from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class StagePause:
    """A stage that makes no calls until it is resumed."""

    stage: str
    paused_at: str
    asked_by: str


def all_pauses(tx: ReadTx) -> list[StagePause]:
    """List the paused stages by name."""
    return tx.map(StagePause, "SELECT stage, paused_at, asked_by FROM stage_pauses ORDER BY stage")


def is_paused(tx: ReadTx, stage: str) -> bool:
    """Whether a stage is paused."""
    return tx.count("SELECT count(*) FROM stage_pauses WHERE stage = ?", (stage,)) > 0


def insert(tx: WriteTx, pause: StagePause) -> None:
    """Pause a stage; if it is paused already, its pause stays as it is."""
    tx.execute(
        "INSERT INTO stage_pauses(stage, paused_at, asked_by) VALUES (?, ?, ?) "
        "ON CONFLICT(stage) DO NOTHING",
        (pause.stage, pause.paused_at, pause.asked_by),
    )


def delete(tx: WriteTx, stage: str) -> None:
    """Resume a stage."""
    tx.execute("DELETE FROM stage_pauses WHERE stage = ?", (stage,))
