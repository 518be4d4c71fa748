"""Finds the project that a text means, among those that have memories."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from intaglio.memory import rows
from intaglio.projects.identity import AmbiguousProjectError, KnownProjects, names_of
from intaglio.projects.names import is_path
from intaglio.projects.resolver import resolve_project
from intaglio.store.database import Database


@dataclass(frozen=True, slots=True)
class ProjectLookup:
    """`kernel.Projects` over the database; files are read in threads of their own."""

    db: Database

    async def key(self, text: str | None) -> str | None:
        """Return the key of the project that a directory or a name means; None for nothing.

        Raises AmbiguousProjectError for a name that several known projects have.
        """
        found = await asyncio.to_thread(resolve_project, text)
        if found is None or found.kind != "name":
            return found.key if found else None
        return (await self._known()).identify(found.key)

    async def session_key(self, text: str | None) -> str | None:
        """Return the same for a session, which isn't refused: an ambiguous name is only a name."""
        try:
            return await self.key(text)
        except AmbiguousProjectError:
            found = await asyncio.to_thread(resolve_project, text)
            return found.key if found else None

    async def aliases(self, key: str | None) -> tuple[str, ...]:
        """Return the names under which memories of a project were kept beside its key."""
        if key is None or not is_path(key):
            return ()
        # Nearly always there are none, and each hook asks: the other projects are left alone.
        names = await asyncio.to_thread(names_of, key)
        if not await self.db.read(lambda tx: rows.have_memories(tx, names)):
            return ()
        return (await self._known()).aliases(key)

    async def merged(self) -> Mapping[str, str]:
        """Return, for each name with memories of its own, the directory whose project it is."""
        return (await self._known()).merged()

    async def _known(self) -> KnownProjects:
        keys = await self.db.read(rows.projects)
        return await asyncio.to_thread(KnownProjects.of, keys)
