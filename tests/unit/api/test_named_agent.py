"""Which agent a request belongs to."""

import pytest

from intaglio.api.gate.request_agent import named_agent
from intaglio.base.errors import InvalidInputError


@pytest.mark.parametrize(
    ("named", "key", "agent"),
    [
        (None, None, None),
        ("", "", None),
        ("  ", "plain-key", None),
        ("rose", None, "rose"),
        (" rose ", "agent:iris:1", "rose"),
        (None, "agent:iris:main:1", "iris"),
        (None, "agent:iris:", None),
        (None, "agent::x", None),
        (None, "xagent:iris:1", None),
        (None, "agent:i ris:1", None),
        (None, "agent:..:1", None),
    ],
)
def test_the_agent_is_named_or_stands_in_the_session_key(
    named: str | None, key: str | None, agent: str | None
) -> None:
    assert named_agent(named, key) == agent


@pytest.mark.parametrize("named", ["a" * 129, "a\nb", "a b", "a/b", "a\\b", "agent:x", ".", ".."])
def test_an_invalid_agent_name_is_refused(named: str) -> None:
    with pytest.raises(InvalidInputError, match="agent id"):
        named_agent(named, "agent:iris:1")
