"""Serves the dashboard's files, and its index page for every view."""

import asyncio
from typing import Any

from litestar import Controller, Request, Response, get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.api.static_files import find_page
from intaglio.base.errors import NotFoundError


class SiteController(Controller):
    """The dashboard's static site."""

    include_in_schema = False

    @get(["/", "/{path:path}"], opt=declare(Access.FILE))
    async def page(self, services: Services, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Return a file of the dashboard."""
        path = request.scope["path"]
        found = await asyncio.to_thread(find_page, services.running.ui, path)
        if found is None:
            raise NotFoundError("Page not found", hint="Go to / for the dashboard.")
        headers = {"etag": found.etag, "cache-control": found.cache_control}
        if request.headers.get("if-none-match") == found.etag:
            return Response(b"", status_code=304, media_type=found.media_type, headers=headers)
        return Response(found.body, media_type=found.media_type, headers=headers)
