"""Which agent a request belongs to."""

import pytest

from intaglio.agents.resolve import resolve_agent


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
        ("a" * 129, None, "default"),
        ("a\nb", None, "default"),
    ],
)
def test_the_agent_is_named_or_stands_in_the_session_key(
    named: str | None, key: str | None, agent: str
) -> None:
    assert resolve_agent(named, key) == agent
