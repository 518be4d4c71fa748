"""Other users of the machine, and many connections at once."""

import json
import signal
from collections.abc import Callable

from bench.attack.arena import Arena
from bench.attack.probe import Outcome, Probe, Skipped, judge
from fakes.held_connections import (
    HELD_FOR,
    Connect,
    answers,
    hold,
    is_closed,
    over_port,
    over_unix_socket,
)
from fakes.other_user import (
    CALLS,
    NOBODY,
    PLANTED,
    STRANGER,
    Call,
    call_as,
    can_be_another,
    connect_as,
    holding_as,
    send_and_leave_as,
)

_HELD = 600
_SERVED = ("health over the port", "a write over the port", "health over the socket", "a write")
_FORBIDDEN = 403
_NO_ROOT = Skipped("acting as another user takes root")


def _as_another(attack: Callable[[Arena], Outcome]) -> Callable[[Arena], Outcome]:
    return attack if can_be_another else lambda _: _NO_ROOT


def _call(arena: Arena, headers: dict[str, str]) -> Outcome:
    calls: list[Call] = [(m, path, {**own, **headers}, body) for m, path, own, body in CALLS]
    replies = call_as(NOBODY, arena.shared().port, calls)
    broken = [
        f"{method} {path}: {status}"
        for (method, path, *_), (status, _, _) in zip(calls, replies, strict=True)
        if status != _FORBIDDEN
    ]
    return judge(broken, len(calls))


def calls_as_another(arena: Arena) -> Outcome:
    """Call as another user: reads, writes, hooks, events, the page, the sign-in link."""
    return _call(arena, {})


def calls_with_the_token(arena: Arena) -> Outcome:
    """Call as another user who has found the owner's token."""
    return _call(arena, arena.shared().owner)


def leaves_at_once(arena: Arena) -> Outcome:
    """Write as another user who has closed the connection before it is accepted."""
    daemon = arena.start()
    body = json.dumps({"content": PLANTED})
    head = f"POST /api/memory/remember HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}"
    requests = [f"{head}\r\n\r\n{body}"] * 50
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        send_and_leave_as(NOBODY, daemon.port, requests)
    finally:
        daemon.process.send_signal(signal.SIGCONT)
    with daemon.client() as client:
        planted = client.get("/api/memories").text.count(PLANTED)
    return judge(["was taken for root"] * planted, len(requests))


def opens_the_socket(arena: Arena) -> Outcome:
    """Connect to the Unix socket as two other users."""
    file = arena.shared().paths.socket
    if file is None:
        return Skipped("no Unix socket here")
    outcomes = {uid: connect_as(uid, file) for uid in (NOBODY, STRANGER)}
    return judge([f"{uid}: {said}" for uid, said in outcomes.items() if said == "connected"], 2)


def _held(connect: Connect) -> Callable[[Arena], Outcome]:
    """Hold connections of each kind: everyone else still gets answers."""

    def attack(arena: Arena) -> Outcome:
        daemon = arena.start()
        broken: list[str] = []
        for kind, sent in HELD_FOR.items():
            with hold(daemon, connect, sent, _HELD):
                statuses = zip(_SERVED, answers(daemon), strict=True)
                broken += [f"{kind}: {what} {said}" for what, said in statuses if said != 200]
        return judge(broken, len(_SERVED) * len(HELD_FOR))

    return attack


def held_by_another(arena: Arena) -> Outcome:
    """Hold connections as another user: the own user's stay open, and new ones are answered."""
    daemon = arena.start()
    with hold(daemon, over_port, b"", 100) as ours, holding_as(NOBODY, daemon.port, _HELD):
        statuses = zip(_SERVED, answers(daemon), strict=True)
        broken = [f"{what} {said}" for what, said in statuses if said != 200]
        broken += ["a connection was closed" for each in ours if is_closed(each)]
    return judge(broken, len(_SERVED) + len(ours))


PROBES: tuple[Probe, ...] = (
    Probe("server", "another user calls", _as_another(calls_as_another)),
    Probe("server", "another user calls with your token", _as_another(calls_with_the_token)),
    Probe("server", "another user writes and leaves at once", _as_another(leaves_at_once)),
    Probe("server", "another user opens the Unix socket", _as_another(opens_the_socket)),
    Probe("server", f"another user holds {_HELD} connections", _as_another(held_by_another)),
    Probe("server", f"{_HELD} connections of the port held", _held(over_port)),
    Probe("server", f"{_HELD} connections of the Unix socket held", _held(over_unix_socket)),
)
