"""Who may do what: one table, held against the guard and against every route of a daemon."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import product
from typing import Final

import pytest

from fakes.api import INSTALL
from fakes.daemon import Daemon
from fakes.streams import ENDLESS
from intaglio.api.app import Application
from intaglio.api.gate.declaration import Access
from intaglio.api.gate.guard import AccessRequest, Guard
from intaglio.api.gate.principal import PeerIdentity
from intaglio.api.gate.routes import Route
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.problems.responses import status_of
from intaglio.base.errors import IntaglioError

# Whose connection, what the caller shows; then, for each access, the role or the refusal's status.
TABLE: Final = """
              file    open    link    program hook    browser owner
own
  nothing     local   local   local   local   local   401     401
  wrong token 401     401     401     401     401     401     401
  hook token  403     403     403     403     hooks   403     403
  own token   owner   owner   owner   owner   owner   owner   owner
  signed out  local   401     local   401     401     401     401
  signed in   browser browser browser browser browser browser 401
  foreign     403     403     403     403     403     403     403
unknown
  nothing     local   local   local   401     401     401     401
  wrong token 401     401     401     401     401     401     401
  hook token  403     403     403     403     hooks   403     403
  own token   owner   owner   owner   owner   owner   owner   owner
  signed out  local   401     local   401     401     401     401
  signed in   browser browser browser browser browser browser 401
  foreign     403     403     403     403     403     403     403
"""
COLUMN: Final = 8
REFUSED: Final = frozenset({"401", "403"})
SHOWN: Final = 14

# Ways to show the same.
SIGNED_OUT: Final[tuple[dict[str, str], ...]] = (
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
    {"sec-fetch-dest": "empty"},
)
FOREIGN: Final[tuple[dict[str, str], ...]] = (
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"host": "evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"},
)


def expected() -> Iterator[tuple[PeerIdentity, str, dict[Access, str]]]:
    """Yield the table's rows: whose connection, what is shown, and what each access answers."""
    head, *lines = TABLE.strip("\n").splitlines()
    identity = PeerIdentity.OWN
    for line in lines:
        if not line.startswith(" "):
            identity = PeerIdentity(line)
            continue
        shown, cells = line[:SHOWN].strip(), line[SHOWN:]
        yield (
            identity,
            shown,
            {
                Access(head[SHOWN + at : SHOWN + at + COLUMN].strip()): cells[
                    at : at + COLUMN
                ].strip()
                for at in range(0, len(head) - SHOWN, COLUMN)
            },
        )


def ways(shown: str, url: str, token: str, hook_token: str, cookie: str) -> list[dict[str, str]]:
    """Return the headers of each way to show this; a page's origin is ``url``."""
    bearer = f"Bearer {token}"
    page = {"origin": url, "sec-fetch-site": "same-origin", "content-type": "application/json"}
    every: dict[str, list[dict[str, str]]] = {
        "nothing": [{}],
        "wrong token": [{"authorization": "Bearer wrong"}],
        "hook token": [{"authorization": f"Bearer {hook_token}"}],
        "own token": [{"authorization": bearer}],
        "signed out": [*SIGNED_OUT],
        "signed in": [{"cookie": cookie, **page}, {"cookie": cookie}],
        "foreign": [{"authorization": bearer, **each} for each in FOREIGN],
    }
    return every[shown]


def test_the_guard_answers_as_the_table_says() -> None:
    sign_in = SignIn(INSTALL, lambda: datetime(2026, 1, 31, tzinfo=UTC), lambda: 0.0)
    cookie = f"{sign_in.cookie_name}={sign_in.redeem(sign_in.new_key())}"

    def said(guard: Guard, identity: PeerIdentity, access: Access, shown: Mapping[str, str]) -> str:
        headers = {"host": "127.0.0.1:3850", **shown}
        request = AccessRequest("GET", "/x", 0, "127.0.0.1", headers, frozenset(), identity)
        try:
            return guard.admit(request, access).value
        except IntaglioError as refused:
            return str(status_of(refused))

    guard = Guard(INSTALL, 3850, sign_in)
    team = Guard(INSTALL, 3850, sign_in, serves_team=lambda: True)
    faults = list[object]()
    for identity, shown, answers in expected():
        assert answers.keys() == set(Access)
        for access, answer in answers.items():
            origin = "http://127.0.0.1:3850"
            for headers in ways(shown, origin, INSTALL.token, INSTALL.hook_token, cookie):
                cells = [(guard, identity, answer), (guard, PeerIdentity.OTHER, "403")]
                if identity is PeerIdentity.UNKNOWN:
                    cells.append((team, PeerIdentity.OTHER, answer))
                faults += [
                    (who, access, shown, headers, got, wanted)
                    for asked, who, wanted in cells
                    if (got := said(asked, who, access, headers)) != wanted
                ]
    assert faults == []


def operations() -> list[tuple[Route, str, str]]:
    return [
        (route, method, re.sub(r"\{[^}]*\}", "unknown", path))
        for method, path, route in Application().routes.all()
        if path not in ENDLESS.values()
    ]


# The owner's own token isn't tried: it would stop the daemon.
@pytest.mark.parametrize(
    "shown", ["nothing", "wrong token", "hook token", "signed out", "signed in", "foreign"]
)
def test_every_route_of_a_daemon_answers_as_the_table_says(daemon: Daemon, shown: str) -> None:
    answers = next(cells for _, row, cells in expected() if row == shown)
    identity = daemon.identity
    proofs = ways(shown, daemon.url, identity["token"], identity["hook_token"], daemon.sign_in())
    routes = operations()
    assert {route.declaration.access for route, _, _ in routes} == set(Access)
    faults = list[object]()
    with daemon.client() as client:
        for (route, method, path), headers in product(routes, proofs):
            access = route.declaration.access
            # A body that no endpoint takes: what passes the gate is refused after it, and changes
            # nothing.
            content = b"" if method == "GET" else b"["
            reply = client.request(method, path, content=content, headers=headers)
            code = str(reply.status_code)
            is_as_said = code == answers[access] or (
                code not in REFUSED and answers[access] not in REFUSED
            )
            # A sign-in link without a key is refused by its own page.
            is_as_said |= access is Access.LINK and (code, answers[access] == "403") == (
                "401",
                False,
            )
            is_file = access is Access.FILE and reply.is_success
            is_stored = reply.headers["cache-control"] != "no-store"
            # A browser is told how to sign in.
            is_told = shown != "signed out" or code != "401" or access is Access.LINK
            is_told |= '"signed_out"' in reply.text and "intaglio" in reply.text
            if not is_as_said or not is_told or is_stored != is_file:
                faults.append((method, path, headers, code, reply.text[:200]))
    assert faults == []
