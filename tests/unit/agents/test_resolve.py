"""Which agent a request belongs to."""

import pytest

from intaglio.agents.resolve import resolve_agent
from intaglio.base.errors import InvalidInputError


@pytest.mark.parametrize(
    ("named", "key", "agent"),
    [
        (None, None, "default"),
        ("", "", "default"),
        ("  ", "plain-key", "default"),
        ("rose", None, "rose"),
        (" rose ", "agent:iris:1", "rose"),
        (None, "agent:iris:main:1", "iris"),
        (None, "agent:iris:", "default"),
        (None, "agent::x", "default"),
        (None, "xagent:iris:1", "default"),
        (None, "agent:i ris:1", "default"),
        (None, "agent:..:1", "default"),
    ],
)
def test_the_agent_is_named_or_stands_in_the_session_key(
    named: str | None, key: str | None, agent: str
) -> None:
    assert resolve_agent(named, key) == agent


@pytest.mark.parametrize("named", ["a" * 129, "a\nb", "a b", "a/b", "a\\b", "agent:x", ".", ".."])
def test_a_name_that_can_be_no_id_is_refused(named: str) -> None:
    with pytest.raises(InvalidInputError, match="agent id"):
        resolve_agent(named, "agent:iris:1")
