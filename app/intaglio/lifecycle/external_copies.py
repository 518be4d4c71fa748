"""What may still hold the words of an erased memory, and is not Intaglio's to rewrite."""

from dataclasses import dataclass
from pathlib import Path

from intaglio.store.database import Database


@dataclass(frozen=True, slots=True)
class ExternalCopies:
    """Looks at what there is besides the database, so that the user knows where to look."""

    db: Database
    workspace: Path

    def places(self) -> list[str]:
        """Name the places in words, those only that exist; reads the disk."""
        found: list[str] = []
        backups = len(self.db.list_backups())
        if backups:
            copies = "1 backup" if backups == 1 else f"{backups} backups"
            found.append(f"{copies} of the database, until newer ones take their place")
        if (self.workspace / "MEMORY.md").exists():
            found.append("MEMORY.md in the workspace, where it may be quoted")
        if (self.workspace / ".git").exists():
            found.append("the git history of the workspace")
        found.append("the harness's own transcripts of sessions that said it or were shown it")
        return found
