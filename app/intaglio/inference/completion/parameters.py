"""Optional parameters of a request that some models refuse, and what a refusal says of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from intaglio.inference.server_http import ExchangeFailure

REFUSALS: Final = frozenset({400, 422})
"""Bad request, and what some servers answer to a parameter that they don't know."""

_WORDS: Final = (
    b"support",
    b"unknown",
    b"unrecognized",
    b"unexpected",
    b"permitted",
    b"deprecated",
)


@dataclass(slots=True)
class OptionalParameters:
    """Parameters that are left out, or renamed, once a model has refused them.

    ``instead`` names what is sent in place of a parameter; an empty name leaves it out.
    """

    instead: Mapping[str, str]
    _refused: set[str] = field(default_factory=set[str])

    def applied(self, body: Mapping[str, object]) -> dict[str, object]:
        """Return a request's body without what was refused."""
        renamed = {
            (self.instead[name] if name in self._refused else name): value
            for name, value in body.items()
        }
        renamed.pop("", None)
        return renamed

    def learn(self, body: Mapping[str, object], failure: ExchangeFailure) -> bool:
        """Note which parameter of a sent body a failure refuses; whether there is one."""
        if failure.status not in REFUSALS:
            return False
        said = failure.body.lower()
        if not any(word in said for word in _WORDS):
            return False
        for name in self.instead:
            # A server that refuses one name often proposes the other: the quoted one is refused.
            if name in body and name not in self._refused and name.encode() in said:
                self._refused.add(name)
                return True
        return False
