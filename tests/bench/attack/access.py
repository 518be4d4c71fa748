"""Browsers that aren't signed in, and agents that ask for another's memories."""

from bench.attack.arena import Arena
from bench.attack.probe import Outcome, Probe, judge

_READS = ("/api/memory/list", "/api/status", "/api/agents")


def signed_out_browser(arena: Arena) -> Outcome:
    """Read as a browser without a cookie."""
    with arena.shared().client() as client:
        answers = {
            path: client.get(path, headers={"sec-fetch-site": "same-origin"}) for path in _READS
        }
    broken = [path for path, answer in answers.items() if answer.is_success]
    return judge(broken, len(_READS))


PROBES: tuple[Probe, ...] = (
    Probe("access", "a browser that is not signed in reads", signed_out_browser),
)
