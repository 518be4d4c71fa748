"""Whether a session's agent has our tools: by its own process, else by the harness's settings."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.store import bench
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.sessions.open_sessions import OpenSessions


@pytest.fixture
async def sessions(tmp_path: Path) -> AsyncGenerator[OpenSessions]:
    async with bench(tmp_path) as opened:
        yield OpenSessions(opened.db)


async def test_the_sessions_own_process_decides(sessions: OpenSessions) -> None:
    tools = ConnectedTools(sessions, lambda _: True)
    sessions.note("claude-code", "s1", 7, starts=True)
    assert not await tools.are_connected("claude-code", "s1")
    assert await tools.are_expected("claude-code", "s1")
    sessions.note_tools(7)
    assert await tools.are_connected("claude-code", "s1")
    sessions.note("claude-code", "s2", 8, starts=True)
    assert not await tools.are_connected("claude-code", "s2")
    sessions.note_tools(("claude-code", "s2"))
    assert await tools.are_connected("claude-code", "s2")


@pytest.mark.parametrize("is_registered", [True, False])
async def test_a_session_from_before_the_daemon_is_told_by_the_settings(
    sessions: OpenSessions, *, is_registered: bool
) -> None:
    asked: list[str] = []

    def read(name: str) -> bool:
        asked.append(name)
        return is_registered

    tools = ConnectedTools(sessions, read)
    sessions.note("claude-code", "s1", 7)
    for _ in range(2):
        assert await tools.are_connected("claude-code", "s1") is is_registered
        assert await tools.are_connected("claude-code", "unknown") is is_registered
    assert asked == ["claude-code"]
