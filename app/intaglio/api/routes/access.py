"""Sign-in links for browsers, and the caller's identity."""

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.principal import Role, role_of
from intaglio.api.gate.settings import AuthSettings
from intaglio.api.gate.sign_in import COOKIE_LIFE_S, LINK_LIFE_S, SignIn, own_page
from intaglio.api.gate.sign_in_page import PAGE_LIFE_S, SignInPages
from intaglio.api.services import Services
from intaglio.base.daemon_record import NONCE_PATTERN, daemon_proof
from intaglio.wire.access import DaemonProof, SignInPageReply, SignInPageRequest, WhoAmI
from intaglio.wire.status import LinkReply

_STALE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Intaglio</title>
<h1>This link has expired</h1>
<p>A sign-in link works once and expires after ten minutes.
Run <code>intaglio dashboard</code> to get a new one.</p>
</html>
"""
_HTML = "text/html; charset=utf-8"


def _link(services: Services, key: str) -> str:
    return f"http://127.0.0.1:{services.running.port}/enter?key={key}"


class AccessController(Controller):
    """Sign-in and identity."""

    tags = ("access",)

    @get("/api/auth/whoami", operation_id="getWhoAmI", opt=declare(Access.PROGRAM))
    async def whoami(self, services: Services, request: Request[Any, Any, Any]) -> WhoAmI:
        """Return the caller's role, and who may connect."""
        role = role_of(request)
        mode = services.settings().of(AuthSettings).mode
        return WhoAmI(authenticated=role is not Role.LOCAL, role=role.value, mode=mode)

    @get("/api/auth/proof", operation_id="proveDaemon", opt=declare(Access.OPEN))
    async def proof(
        self, services: Services, nonce: Annotated[str, QueryParameter(pattern=NONCE_PATTERN)]
    ) -> DaemonProof:
        """Prove to a client that this daemon knows the installation's tokens.

        A client that can't use the Unix socket asks before it sends anything.
        """
        running = services.running
        return DaemonProof(
            port=running.port,
            token=daemon_proof(running.install.token, nonce, running.port),
            hook_token=daemon_proof(running.install.hook_token, nonce, running.port),
        )

    @post(
        "/api/auth/link",
        operation_id="createSignInLink",
        status_code=200,
        opt=declare(Access.OWNER),
    )
    async def link(self, services: Services) -> LinkReply:
        """Create a link that signs one browser in; it works once and expires after ten minutes."""
        key = services.get(SignIn).new_key()
        return LinkReply(url=_link(services, key), expires_in_s=LINK_LIFE_S)

    @post(
        "/api/auth/page",
        operation_id="createSignInPage",
        status_code=200,
        opt=declare(Access.OWNER),
    )
    async def page(self, services: Services, data: JSONBody[SignInPageRequest]) -> SignInPageReply:
        """Create a private file that leads one browser to a sign-in link.

        Opening it keeps the link out of the browser's arguments, which other users can read. The
        file is deleted once the link is used, or after a minute.
        """
        key = services.get(SignIn).new_key()
        url = f"{_link(services, key)}&next={quote(own_page(data.next), safe='')}"
        pages = services.get(SignInPages)
        file = await asyncio.to_thread(pages.write, key, url, data.sandbox)
        asyncio.get_running_loop().call_later(PAGE_LIFE_S, pages.delete, key)
        return SignInPageReply(file=str(file), expires_in_s=int(PAGE_LIFE_S))

    @get("/enter", include_in_schema=False, opt=declare(Access.LINK))
    async def enter(
        self,
        services: Services,
        key: Annotated[str, QueryParameter(max_length=200)] = "",
        to: Annotated[str, QueryParameter(name="next", max_length=2_000)] = "/",
    ) -> Response[bytes]:
        """Redeem a link: set the session cookie and redirect to a page of the dashboard."""
        cookie = services.get(SignIn).redeem(key)
        services.get(SignInPages).delete(key)
        headers = {"cache-control": "no-store"}
        if cookie is None:
            return Response(_STALE, status_code=401, media_type=_HTML, headers=headers)
        session = Cookie(
            key=services.get(SignIn).cookie_name,
            value=cookie,
            path="/",
            max_age=COOKIE_LIFE_S,
            httponly=True,
            samesite="strict",
        )
        return Response(
            b"",
            status_code=303,
            media_type=_HTML,
            headers={**headers, "location": own_page(to)},
            cookies=[session],
        )
