"""The application in this process, over a real database, spoken to like a local program does."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from fakes.store import lay_down
from intaglio.api.app import Application
from intaglio.api.gate.principal import IDENTITY_KEY, PeerIdentity
from intaglio.api.gate.routes import AsgiApp, AsgiScope, Receive, Send
from intaglio.api.openapi import describe
from intaglio.base.installation import Installation
from intaglio.base.paths import find_paths
from intaglio.daemon.composition import Daemon, compose
from intaglio.daemon.packages import PACKAGES
from intaglio.kernel import Kernel
from intaglio.package import Package, Packages

PORT = 4850
INSTALL = Installation(install_id="0123456789ab", token="owner-token", hook_token="hook-token")  # noqa: S106 - not a secret


@dataclass(frozen=True, slots=True)
class Api:
    """The application, its kernel, and a client that shows nothing."""

    client: httpx.AsyncClient
    daemon: Daemon
    install: Installation

    @property
    def kernel(self) -> Kernel:
        """What its parts are built from, and their services."""
        return self.daemon.kernel

    @property
    def owner(self) -> dict[str, str]:
        """Headers that show the installation's token."""
        return {"authorization": f"Bearer {self.install.token}"}

    async def signed_in(self) -> dict[str, str]:
        """Return the headers of a page in a browser that has signed in."""
        reply = await self.client.post("/api/auth/link", headers=self.owner)
        cookie = (await self.client.get(reply.json()["url"])).headers["set-cookie"]
        # The client would keep it and be the user from now on.
        self.client.cookies.clear()
        return {"origin": f"http://127.0.0.1:{PORT}", "cookie": cookie.partition(";")[0]}

    async def remember(self, content: str, **more: object) -> str:
        """Keep a memory and return its id."""
        reply = await self.client.post("/api/memory/remember", json={"content": content, **more})
        assert reply.status_code == 200, reply.text
        return str(reply.json()["id"])

    async def recall(self, query: str, **more: object) -> list[dict[str, Any]]:
        """Ask a question and return the results."""
        reply = await self.client.post("/api/memory/recall", json={"query": query, **more})
        assert reply.status_code == 200, reply.text
        results: list[dict[str, Any]] = reply.json()["results"]
        return results


def as_own_user(app: AsgiApp) -> AsgiApp:
    """Say of each request what the server finds out of a connection: that it is the own user's."""

    async def said(scope: AsgiScope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})[IDENTITY_KEY] = PeerIdentity.OWN
        await app(scope, receive, send)

    return said


_application = cache(Application)


# Three modules ask for it while tests are collected, in each worker.
@cache
def described() -> bytes:
    """Return the OpenAPI document."""
    return describe(PACKAGES.inbox_kinds)


@asynccontextmanager
async def running_api(home: Path, *more: Package) -> AsyncGenerator[Api]:
    """Compose the application below ``home``, with its database open, and with more parts."""
    paths = find_paths(
        {
            "INTAGLIO_WORKSPACE": str(home / "agents"),
            "INTAGLIO_STATE_DIR": str(home / "state"),
            "INTAGLIO_CACHE_DIR": str(home / "cache"),
            "INTAGLIO_LOG_DIR": str(home / "logs"),
        }
    )
    # An application belongs to no kernel: one serves all the tests of a worker.
    daemon = compose(
        paths, INSTALL, PORT, packages=Packages((*PACKAGES.all, *more)), build=_application
    )
    lay_down(paths.database)
    await daemon.kernel.database.open()
    transport = httpx.ASGITransport(app=as_own_user(daemon.app))
    base = f"http://127.0.0.1:{PORT}"
    try:
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            yield Api(client, daemon, INSTALL)
    finally:
        for part in reversed(daemon.parts.values()):
            if part.close is not None:
                await part.close()
        await daemon.kernel.database.close()
