"""Resolves a directory or a name to a project among those with memories or suggestions."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from intaglio.inbox import rows as inbox
from intaglio.memory import rows
from intaglio.projects import rows as projects
from intaglio.projects.identity import AmbiguousProjectError, KnownProjects, names_of
from intaglio.projects.names import is_path
from intaglio.projects.resolver import resolve_project
from intaglio.store.database import Database


@dataclass(frozen=True, slots=True)
class ProjectLookup:
    """`kernel.Projects` backed by the database; files are read in threads."""

    db: Database

    async def key(self, text: str | None) -> str | None:
        """Return the key of the project that a directory or a name refers to, or None.

        Raises AmbiguousProjectError for a name that several known projects have.
        """
        found = await asyncio.to_thread(resolve_project, text)
        if found is None:
            return None
        if found.kind != "name":
            return self.db.as_stored(found.key)
        return (await self._known()).identify(found.key)

    async def session_key(self, text: str | None) -> str | None:
        """Return the key for a session; an ambiguous name is used as it is."""
        try:
            return await self.key(text)
        except AmbiguousProjectError:
            found = await asyncio.to_thread(resolve_project, text)
            return self.db.as_stored(found.key) if found else None

    async def aliases(self, key: str | None) -> tuple[str, ...]:
        """Return the other names that a project has memories under."""
        if key is None or not is_path(key):
            return ()
        # Called by every hook and nearly always empty: avoid loading all projects.
        names = await asyncio.to_thread(names_of, key)
        if not await self.db.read(lambda tx: rows.have_memories(tx, names)):
            return ()
        return (await self._known()).aliases(key)

    async def archived(self) -> tuple[str, ...]:
        """Return the keys of the archived projects."""
        return await self.db.read(projects.archived)

    async def merged(self) -> Mapping[str, str]:
        """Map each name that has memories to the directory of its project."""
        return (await self._known()).merged()

    async def _known(self) -> KnownProjects:
        keys, given = await self.db.read(
            lambda tx: ({*rows.projects(tx), *inbox.projects(tx)}, projects.display_names(tx))
        )
        return await asyncio.to_thread(KnownProjects.of, sorted(keys), given)
