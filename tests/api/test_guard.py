"""Who may ask: each rule of the gate on its own, without a server."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.api import INSTALL
from intaglio.api.app import Application
from intaglio.api.gate.declaration import Access
from intaglio.api.gate.guard import AccessRequest, Guard
from intaglio.api.gate.principal import PeerIdentity, Role
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.problems.errors import OtherUserError, SignedOutError
from intaglio.base.errors import (
    ForbiddenError,
    IntaglioError,
    InvalidInputError,
    NotFoundError,
    TooLargeError,
    UnauthenticatedError,
)

SIGN_IN = SignIn(INSTALL, lambda: datetime(2026, 1, 31, tzinfo=UTC), lambda: 0.0)
GUARD = Guard(INSTALL, 3850, SIGN_IN)
ROUTES = Application().routes
OWN = PeerIdentity.OWN
HOST = {"host": "127.0.0.1:3850"}


def cookie() -> str:
    return f"theme=dark; {SIGN_IN.cookie_name}={SIGN_IN.redeem(SIGN_IN.new_key())}"


def ask(
    method: str = "GET",
    path: str = "/api/memories",
    *,
    peer: str | None = "127.0.0.1",
    **headers: str,
) -> Role:
    return admit(GUARD, OWN, method, path, headers, peer)


def admit(
    guard: Guard,
    identity: PeerIdentity,
    method: str,
    path: str,
    headers: Mapping[str, str],
    peer: str | None = "127.0.0.1",
) -> Role:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    access = ROUTES.find(method, path).declaration.access
    request = AccessRequest(method, path, 0, peer, HOST | named, frozenset(), identity)
    return guard.admit(request, access)


def page(**headers: str) -> dict[str, str]:
    """Headers that our own signed-in page sends with an unsafe request."""
    return {
        "origin": "http://127.0.0.1:3850",
        "sec_fetch_site": "same-origin",
        "content_type": "application/json",
        "cookie": cookie(),
    } | headers


def test_an_ambiguous_path_is_not_found() -> None:
    for path in ["//api/memories", "/x//api", "///health", "api/memories", ""]:
        with pytest.raises(NotFoundError):
            ask(path=path)


def test_a_local_program_needs_nothing() -> None:
    assert ask("POST") is Role.LOCAL


def test_every_loopback_address_is_local() -> None:
    for peer in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]:
        assert ask(peer=peer) is Role.LOCAL


def test_a_peer_from_elsewhere_is_refused() -> None:
    for peer in ["10.0.0.7", "::ffff:10.0.0.7", "fe80::1%eth0", "192.0.2.1", "", None]:
        with pytest.raises(ForbiddenError):
            ask(peer=peer)


def test_our_own_hosts_are_accepted() -> None:
    for host in [
        "127.0.0.1",
        "127.0.0.1:3850",
        "localhost",
        "LOCALHOST:3850",
        "[::1]",
        "[::1]:3850",
    ]:
        assert ask(host=host) is Role.LOCAL


def test_an_unknown_host_is_refused_even_with_the_token() -> None:
    for host in [
        "evil.example",
        "evil.example:3850",
        "127.0.0.1:3851",
        "localhost.evil.example",
        "127.0.0.1.nip.io:3850",
        "localhost.",
        "127.0.0.1@evil.example",
        "2130706433",
        "",
    ]:
        with pytest.raises(ForbiddenError):
            ask(host=host, authorization="Bearer owner-token")


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://evil.example:3850",
        "http://localhost:3850",
        "https://127.0.0.1:3850",
        "http://127.0.0.1",
        "http://127.0.0.1:3851",
        "http://127.0.0.1:3850.evil.example",
        "null",
        "",
        "chrome-extension://abcdef",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_foreign_origin_is_refused_even_with_the_cookie(origin: str, method: str) -> None:
    with pytest.raises(ForbiddenError):
        ask(method, **page(origin=origin))


def test_a_fetch_mode_alone_does_not_make_a_browser() -> None:
    # As Node's fetch does, which agents' plugins use.
    assert ask(sec_fetch_mode="cors") is Role.LOCAL


@pytest.mark.parametrize("mark", ["sec_fetch_site", "sec_fetch_dest"])
@pytest.mark.parametrize("path", ["/api/memories", "/health", "/api/unknown"])
def test_a_browser_needs_the_cookie_for_reads_too(mark: str, path: str) -> None:
    with pytest.raises(SignedOutError):
        ask(path=path, **{mark: "none"})
    assert ask(path=path, **{mark: "none"}, cookie=cookie()) is Role.BROWSER


def test_a_browser_opens_a_sign_in_link_without_the_cookie() -> None:
    opened = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert ask(path="/enter", sec_fetch_site="none", **opened) is Role.LOCAL
    assert ask(path="/enter", sec_fetch_site="cross-site", **opened) is Role.LOCAL


def test_a_forwarded_browser_needs_the_cookie_for_all() -> None:
    for path in ["/", "/enter", "/api/memories"]:
        with pytest.raises(UnauthenticatedError):
            ask(path=path, sec_fetch_site="none", **{"x-forwarded-for": "1.2.3.4"})


def test_a_foreign_origin_is_refused_even_with_the_token() -> None:
    with pytest.raises(ForbiddenError):
        ask("POST", origin="https://evil.example", authorization="Bearer owner-token")


def test_our_signed_in_page_is_admitted() -> None:
    assert ask("POST", **page()) is Role.BROWSER


def test_our_page_without_the_cookie_must_sign_in() -> None:
    with pytest.raises(UnauthenticatedError):
        ask("POST", **page(cookie="theme=dark"))


def test_the_files_of_our_page_need_no_cookie() -> None:
    for path in ["/", "/memories", "/assets/index-CcRNHmc-.js"]:
        assert ask(path=path, origin="http://127.0.0.1:3850") is Role.LOCAL


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/memories"), ("GET", "/health"), ("GET", "/enter"), ("POST", "/")],
)
def test_only_the_files_of_our_page_need_no_cookie(method: str, path: str) -> None:
    with pytest.raises(UnauthenticatedError):
        ask(method, path, origin="http://127.0.0.1:3850")


def test_the_files_of_our_page_are_not_for_a_foreign_origin() -> None:
    with pytest.raises(ForbiddenError):
        ask(path="/assets/index-CcRNHmc-.js", origin="http://evil.example")


def test_a_host_without_a_port_matches_no_origin() -> None:
    with pytest.raises(ForbiddenError):
        ask("POST", **page(host="localhost", origin="http://localhost"))


def test_a_page_has_to_send_json() -> None:
    for kind in ["text/plain", "application/x-www-form-urlencoded", "json"]:
        with pytest.raises(InvalidInputError):
            ask("POST", **page(content_type=kind))


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/api/memories", "/health", "/", "/assets/index.js"])
def test_a_request_from_another_site_is_refused_without_an_origin_too(site: str, path: str) -> None:
    with pytest.raises(ForbiddenError):
        ask(path=path, sec_fetch_site=site, sec_fetch_mode="no-cors", sec_fetch_dest="image")


def test_a_link_on_another_site_may_open_a_page() -> None:
    role = ask(
        path="/memories",
        sec_fetch_site="cross-site",
        sec_fetch_mode="navigate",
        sec_fetch_dest="document",
    )
    assert role is Role.LOCAL


@pytest.mark.parametrize(
    ("path", "dest"),
    [("/api/memories", "document"), ("/health", "document"), ("/memories", "iframe")],
)
def test_a_link_on_another_site_may_open_pages_only(path: str, dest: str) -> None:
    with pytest.raises(ForbiddenError):
        ask(
            path=path,
            sec_fetch_site="cross-site",
            sec_fetch_mode="navigate",
            sec_fetch_dest=dest,
        )


def test_a_form_on_another_site_may_not_open_a_page_by_post() -> None:
    with pytest.raises(ForbiddenError):
        ask(
            "POST",
            "/memories",
            sec_fetch_site="cross-site",
            sec_fetch_mode="navigate",
            sec_fetch_dest="document",
        )


def test_a_browser_that_hides_its_origin_needs_the_cookie() -> None:
    with pytest.raises(UnauthenticatedError):
        ask("POST", sec_fetch_site="same-origin")


def test_the_owners_token_is_accepted() -> None:
    assert ask(authorization="Bearer owner-token") is Role.OWNER


def test_a_wrong_token_is_refused_even_where_none_is_needed() -> None:
    for header in ["Bearer wrong", "Bearer ", "Bearer", "", "Basic owner-token", "Bearer ünïcode"]:
        with pytest.raises(UnauthenticatedError):
            ask(authorization=header)


def test_the_hook_token_opens_the_hooks() -> None:
    path = "/api/hooks/claude-code"
    assert ask("POST", path, authorization="Bearer hook-token") is Role.HOOKS


def test_the_hook_token_opens_nothing_else() -> None:
    for path in ["/api/memories", "/api/daemon/stop", "/", "/api/hooksomething"]:
        with pytest.raises(ForbiddenError):
            ask("POST", path, authorization="Bearer hook-token")


def test_a_forwarded_request_is_not_local() -> None:
    for header in ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host", "via"]:
        with pytest.raises(UnauthenticatedError):
            ask(**{header: "127.0.0.1"})


def test_a_forwarded_request_with_the_token_is_the_owners() -> None:
    assert ask(**{"x-forwarded-for": "1.2.3.4", "authorization": "Bearer owner-token"}) is (
        Role.OWNER
    )


def test_a_repeated_security_header_is_refused() -> None:
    for header in ["host", "origin", "authorization", "content-length"]:
        with pytest.raises(InvalidInputError):
            GUARD.admit(
                AccessRequest("GET", "/", 0, "127.0.0.1", HOST, frozenset({header}), OWN),
                Access.FILE,
            )


def test_a_long_query_is_refused() -> None:
    with pytest.raises(TooLargeError):
        GUARD.admit(
            AccessRequest("GET", "/", 16_385, "127.0.0.1", HOST, frozenset(), OWN), Access.FILE
        )


NAMES = st.sampled_from(
    ["host", "origin", "authorization", "cookie", "sec-fetch-site", "content-type", "via"]
)


@given(
    st.dictionaries(NAMES, st.text(max_size=80), max_size=7),
    st.text(max_size=60),
    st.one_of(st.none(), st.text(max_size=40)),
    st.sampled_from(Access),
)
def test_any_headers_yield_a_role_or_a_refusal(
    headers: dict[str, str], path: str, peer: str | None, access: Access
) -> None:
    try:
        role = GUARD.admit(AccessRequest("POST", path, 0, peer, headers, frozenset(), OWN), access)
    except IntaglioError:
        return
    assert role is Role.LOCAL


# --- users ----------------------------------------------------------------------------------------

OWNER = {"authorization": f"Bearer {INSTALL.token}"}
HOOKS = {"authorization": f"Bearer {INSTALL.hook_token}"}
TEAM = Guard(INSTALL, 3850, SIGN_IN, serves_team=lambda: True)


def test_another_user_is_refused_with_any_credentials() -> None:
    for path in ["/", "/enter", "/api/auth/proof", "/health", "//x", "/api/x"]:
        shown: tuple[dict[str, str], ...] = ({}, OWNER, {"cookie": cookie()})
        for headers in shown:
            with pytest.raises(OtherUserError):
                admit(GUARD, PeerIdentity.OTHER, "GET", path, headers)


@pytest.mark.parametrize(
    ("guard", "identity"), [(GUARD, PeerIdentity.UNKNOWN), (TEAM, PeerIdentity.OTHER)]
)
def test_an_unidentified_user_needs_credentials(guard: Guard, identity: PeerIdentity) -> None:
    for method, path in (("GET", "/health"), ("POST", "/api/memory/recall"), ("GET", "/api/x")):
        with pytest.raises(UnauthenticatedError):
            admit(guard, identity, method, path, {})
        assert admit(guard, identity, method, path, OWNER) is Role.OWNER
    signed_in = {"sec-fetch-site": "same-origin", "cookie": cookie()}
    assert admit(guard, identity, "GET", "/api/memories", signed_in) is Role.BROWSER
    hook = "/api/hooks/session-start"
    with pytest.raises(UnauthenticatedError):
        admit(guard, identity, "POST", hook, {})
    assert admit(guard, identity, "POST", hook, HOOKS) is Role.HOOKS


def test_signing_in_and_checking_the_daemon_are_open_to_the_unknown() -> None:
    for path in ["/", "/enter", "/api/auth/proof"]:
        assert admit(GUARD, PeerIdentity.UNKNOWN, "GET", path, {}) is Role.LOCAL
