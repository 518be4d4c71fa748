"""What an attack is, and what comes of one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from bench.attack.arena import Arena

LIMIT_S = 180.0
"""How long a probe may take, unless it says otherwise; a guard against hangs."""


@dataclass(frozen=True, slots=True)
class Held:
    """The attack failed: what was seen. Of ``tried`` attempts, all were held."""

    detail: str = ""
    tried: int = 1

    @property
    def held(self) -> int:
        """All of them."""
        return self.tried


@dataclass(frozen=True, slots=True)
class Broke:
    """The attack succeeded: what was lost or seen. Of ``tried`` attempts, ``held`` failed."""

    detail: str
    tried: int = 1
    held: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """The attack can't be made on this machine, and why."""

    reason: str
    tried: int = 0
    held: int = 0


Outcome: TypeAlias = Held | Broke | Skipped


@dataclass(frozen=True, slots=True)
class Probe:
    """One attack: its group and name (a phrase, as in the table), and what makes it.

    An exception from ``run`` counts as `Broke`, and so does taking longer than ``limit_s`` seconds.
    Details must be the same in every run: no times, ports or folders.
    """

    group: str
    name: str
    run: Callable[[Arena], Outcome]
    limit_s: float = LIMIT_S


def judge(broken: list[str], tried: int, detail: str = "") -> Outcome:
    """Return the outcome of many attempts of one kind, of which those in ``broken`` succeeded."""
    if not tried:
        return Broke("nothing was tried", 0)
    if broken:
        return Broke("; ".join(broken[:3]), tried, tried - len(broken))
    return Held(detail, tried)
