"""Lists where an erased memory's content may still exist outside of Intaglio's control."""

from dataclasses import dataclass
from pathlib import Path

from intaglio.store.database import Database


@dataclass(frozen=True, slots=True)
class ExternalCopies:
    """Finds possible copies outside the database, so that the user can remove them."""

    db: Database
    workspace: Path

    def places(self) -> list[str]:
        """Describe the existing places, for display; reads the disk."""
        found: list[str] = []
        backups = len(self.db.list_copies())
        if backups:
            copies = "1 backup" if backups == 1 else f"{backups} backups"
            found.append(
                f"{copies} of the database, until newer ones replace them or you delete them from "
                "memory/backups"
            )
        if (self.workspace / "MEMORY.md").exists():
            found.append("MEMORY.md in the workspace, if it's quoted there")
        if (self.workspace / ".git").exists():
            found.append("the workspace's Git history")
        found.append("your agents' own transcripts of sessions that mentioned or received it")
        return found
